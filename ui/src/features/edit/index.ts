export { useEditing } from './store'
export { default as EditBar } from './EditBar.vue'
