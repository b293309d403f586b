import { lazily } from '@/components/lazily'

export { useHelp } from './store'
export { PAGES, type PageName } from './pages'
export { type Term } from './terms'
export { default as HelpTerm } from './HelpTerm.vue'
export const HelpDialog = lazily(() => import('./HelpDialog.vue'))
