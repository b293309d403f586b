import { createPinia, setActivePinia } from 'pinia'
import { createApp, type App } from 'vue'
import { provideBackend } from '@/api'
import { createFakeBackend, type FakeBackend, type FakeOptions } from '@/api/fake'
import { i18n } from '@/i18n'

/** An app with stores on a back end in memory that reports only when it is told to. */
export function testApp(options: FakeOptions = {}): { app: App, backend: FakeBackend } {
  const app = createApp({ render: () => null })
  const backend = createFakeBackend({ reportEveryMs: 0, ...options })
  provideBackend(app, backend)
  const pinia = createPinia()
  app.use(pinia)
  app.use(i18n)
  setActivePinia(pinia)
  return { app, backend }
}
