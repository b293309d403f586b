import { lazily } from '@/components/lazily'

export { useNewGame } from './store'
export { default as StartRoom } from './StartRoom.vue'
export const StartDialog = lazily(() => import('./StartDialog.vue'))
export const StartPanel = lazily(() => import('./StartPanel.vue'))
