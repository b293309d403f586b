import { lazily } from '@/components/lazily'

export { movesTo, type MadeMove } from './lastMoves'
export { MODES, useModes, type Mode } from './modes'
export { isPupil, useOpponentNames } from './names'
export { isWatched } from './seats'
export { usePlay } from './store'
export { default as PlayClock } from './PlayClock.vue'
export { default as PlayClockFace } from './PlayClockFace.vue'
export const PlayDeeds = lazily(() => import('./PlayDeeds.vue'))
export const PlayOwnName = lazily(() => import('./PlayOwnName.vue'))
export const PlayPanel = lazily(() => import('./PlayPanel.vue'))
export { default as PlayProgress } from './PlayProgress.vue'
export { default as PlayRatingChange } from './PlayRatingChange.vue'
