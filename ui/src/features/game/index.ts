import { lazily } from '@/components/lazily'

export { titleOf, useGames } from './store'
export { default as GameComment } from './GameComment.vue'
export { default as GameDiagnostics } from './GameDiagnostics.vue'
export const GameInfoDialog = lazily(() => import('./GameInfoDialog.vue'))
export const GameNewDialog = lazily(() => import('./GameNewDialog.vue'))
export { default as GamePlayers } from './GamePlayers.vue'
export { default as GameTree } from './GameTree.vue'
export { indexOf, type TreeIndex } from './treeIndex'
export { withEnding } from './download'
