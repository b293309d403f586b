export { useLibrary } from './store'
export { default as LibraryExplorer } from './LibraryExplorer.vue'
export { default as LibraryPanel } from './LibraryPanel.vue'
