export { default as ExportDialog } from './ExportDialog.vue'
export { escapeText, makeDiagram } from './diagram'
export { useReport } from './useReport'
