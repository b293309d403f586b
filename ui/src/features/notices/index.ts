export { useNotices } from './store'
export { asSentence, ended, explain } from './explain'
export { default as NoticeStack } from './NoticeStack.vue'
export { problemInWords } from './problems'
