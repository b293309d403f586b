import { inject, type App, type InjectionKey } from 'vue'
import type { Backend } from './backend'
import { isClubPage, pageKind } from './club'
import type { ClubFacts } from './clubBindings'
import { clubToken, hasToken } from './token'

export type { Answer, Backend, ChosenFile, CommandName, Commands, Connection, Failure, FilesRead, Notifier, UnreadFile, Vertex } from './backend'
export { BOARD_HASH, CLUB_HASH, askClub, clubFacts, openRoom, pageKind, watchTournament } from './club'
export type { Answered, Asked, ClubAnswer, ClubFailure, RoomConnection, RoomLink, Route } from './club'
export type * from './clubBindings'
export { createLocalBackend, localSettings } from './local'
export { CLUB_TOKEN_KEY, clubToken, hasToken, windowToken } from './token'
export { MAX_FILE_BYTES, toBase64 } from './browserFiles'
export { neighbours } from './points'
export { FILE_KINDS } from './bindings'
export type * from './bindings'

const KEY: InjectionKey<Backend> = Symbol('backend')

/** Gives the components and stores of an app their back end. */
export function provideBackend(app: App, backend: Backend): void {
  app.provide(KEY, backend)
}

/** The back end of this app. */
export function useBackend(): Backend {
  const backend = inject(KEY)
  if (!backend) throw new Error('no back end was provided')
  return backend
}

/** Whether this page shows the rooms of its server, with what that allows; undefined where it is the window. */
export const clubPage = (): Promise<ClubFacts | undefined> => isClubPage(() => pageKind(window.location.hash) === 'board' ? clubToken() !== '' : hasToken())

/** The back end that this page can reach: the desktop shell, or the server it came from. */
export async function connectBackend(): Promise<Backend> {
  // Somebody's own window on a server with rooms: whose it is is said by the token of the account.
  const own = (): string => pageKind(window.location.hash) === 'board' ? clubToken() : ''
  if ('__TAURI_INTERNALS__' in window) return (await import('./tauri')).createTauriBackend()
  const { createWebBackend, socketUrl, takeToken } = await import('./web')
  const first = own() || takeToken()
  return createWebBackend({ url: () => socketUrl(own() || first) })
}
