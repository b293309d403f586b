export { useNotices, type Notice } from './store'
export { explain, type Explanation } from './explain'
export { default as NoticeStack } from './NoticeStack.vue'
