import { inject, type App, type InjectionKey } from 'vue'
import type { Backend } from './backend'

export type { Answer, Backend, ChosenFile, CommandName, Commands, Connection, Failure, Vertex } from './backend'
export { toBase64 } from './browserFiles'
export { neighbours } from './points'
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

/** The back end that this page can reach: the desktop shell, or the server it came from. */
export async function connectBackend(): Promise<Backend> {
  if ('__TAURI_INTERNALS__' in window) return (await import('./tauri')).createTauriBackend()
  const { createWebBackend, socketUrl, takeToken } = await import('./web')
  return createWebBackend({ url: socketUrl(takeToken()) })
}
