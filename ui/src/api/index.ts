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

/** The back end that this page can reach: the desktop shell, the server it came from, or, while developing, one in memory. */
export async function connectBackend(): Promise<Backend> {
  if ('__TAURI_INTERNALS__' in window) return (await import('./tauri')).createTauriBackend()
  const useMemory = import.meta.env.MODE === 'demo' || (import.meta.env.DEV && !new URL(window.location.href).searchParams.has('token') && !sessionStorage.getItem('honinbo.token'))
  // The condition is a constant in a product build, so that the back end in memory is not part of it.
  if ((import.meta.env.DEV || import.meta.env.MODE === 'demo') && useMemory) return (await import('./fake/fromAddress')).fakeFromAddress(window.location.search)
  const { createWebBackend, socketUrl, takeToken } = await import('./web')
  return createWebBackend({ url: socketUrl(takeToken()) })
}
