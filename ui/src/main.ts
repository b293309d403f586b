import { createPinia } from 'pinia'
import { createApp } from 'vue'
import { connectBackend, provideBackend } from '@/api'
import { i18n } from '@/i18n'
import App from './App.vue'
import { DRAWS_IN_SOFTWARE } from './components/canvas2d'
import './styles/tokens.css'
import './styles/base.css'

if (DRAWS_IN_SOFTWARE) document.documentElement.dataset.drawn = 'software'

// Not awaited at the top: the back ends import from the file that would then still be waiting for them.
void connectBackend().then((backend) => {
  const app = createApp(App)
  provideBackend(app, backend)
  app.use(createPinia())
  app.use(i18n)
  app.mount('#app')
})
