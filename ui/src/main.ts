import { createPinia } from 'pinia'
import { createApp } from 'vue'
import { connectBackend, provideBackend } from '@/api'
import { i18n } from '@/i18n'
import App from './App.vue'
import './styles/tokens.css'
import './styles/base.css'

const app = createApp(App)
provideBackend(app, await connectBackend())
app.use(createPinia())
app.use(i18n)
app.mount('#app')
