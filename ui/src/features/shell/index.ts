export { default as ShellWindow } from './ShellWindow.vue'
export { useShell } from './store'
