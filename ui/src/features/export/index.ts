import { lazily } from '@/components/lazily'

export const ExportDialog = lazily(() => import('./ExportDialog.vue'))
export { escapeText, makeDiagram } from './diagram'
export { useReport } from './useReport'
