import { lazily } from '@/components/lazily'

export { useHelp } from './store'
export { PAGES, type PageName } from './pages'
export const HelpDialog = lazily(() => import('./HelpDialog.vue'))
