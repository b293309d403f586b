import { lazily } from '@/components/lazily'

export { useHelp } from './store'
export { default as HelpTerm } from './HelpTerm.vue'
export const HelpDialog = lazily(() => import('./HelpDialog.vue'))
