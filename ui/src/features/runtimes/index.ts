export { useRuntimes } from './store'
export { default as RuntimeItem } from './RuntimeItem.vue'
