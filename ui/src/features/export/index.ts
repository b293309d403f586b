import { lazily } from '@/components/lazily'

export const BookletDialog = lazily(() => import('./BookletDialog.vue'))
export const ExportDialog = lazily(() => import('./ExportDialog.vue'))
export { useReport } from './useReport'
