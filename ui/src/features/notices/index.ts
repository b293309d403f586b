export { useNotices, type Notice } from './store'
export { asSentence, ended, explain, type Explanation } from './explain'
export { default as NoticeStack } from './NoticeStack.vue'
export { problemInWords } from './problems'
