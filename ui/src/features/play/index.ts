import { lazily } from '@/components/lazily'

export { usePlay } from './store'
export { default as PlayClock } from './PlayClock.vue'
export const PlayOptions = lazily(() => import('./PlayOptions.vue'))
export const PlayPanel = lazily(() => import('./PlayPanel.vue'))
export { default as PlayProgress } from './PlayProgress.vue'
export { toStart, USUAL_WISH, type PlayWish } from './wish'
