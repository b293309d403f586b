export { default as ShellNotLoaded } from './ShellNotLoaded.vue'
export { default as ShellWindow } from './ShellWindow.vue'
export { useWidth } from './useWidth'
export { useShell } from './store'
