export { useLibrary } from './store'
export { default as LibraryPanel } from './LibraryPanel.vue'
