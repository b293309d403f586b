import { createPinia } from 'pinia'
import { createApp, watch, type Component } from 'vue'
import { CLUB_HASH, clubPage, connectBackend, createLocalBackend, pageKind, provideBackend, type Backend } from '@/api'
import { ShellNotLoaded } from '@/features/shell'
import { chooseLanguage, i18n, switchLanguage } from '@/i18n'
import App from './App.vue'
import { DRAWS_IN_SOFTWARE } from './components/canvas2d'
import './styles/tokens.css'
import './styles/base.css'

if (DRAWS_IN_SOFTWARE) document.documentElement.dataset.drawn = 'software'

function show(root: Component, backend: Backend): void {
  const app = createApp(root)
  provideBackend(app, backend)
  app.use(createPinia())
  app.use(i18n)
  app.mount('#app')
}

async function start(): Promise<void> {
  const facts = await clubPage()
  if (!facts) {
    const backend = await connectBackend()
    // Whoever has logged out, or whose account has no window, is asked to log in where that is done.
    if (kind === 'board') watch(backend.connection, (now) => { if (now === 'closed') window.location.hash = CLUB_HASH })
    return show(App, backend)
  }
  const { clubApp } = await import('@/features/club')
  show(clubApp(facts), createLocalBackend())
}

/** A part of the page could not be fetched: that is said, in the browser's language where its words can be had. */
async function failed(): Promise<void> {
  await switchLanguage(chooseLanguage('', navigator.languages)).catch(() => undefined)
  createApp(ShellNotLoaded, { onReload: () => { window.location.reload() } }).use(i18n).mount('#app')
}

// An address of another kind is another page.
const kind = pageKind(window.location.hash)
window.addEventListener('hashchange', () => { if (pageKind(window.location.hash) !== kind) window.location.reload() })
// Not awaited at the top: the back ends import from the file that would then still be waiting for them.
start().catch(failed)
