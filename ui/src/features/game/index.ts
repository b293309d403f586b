import { lazily } from '@/components/lazily'

export { fileNameOf, occasionTitle, playersTitle, titleOf, useGames } from './store'
export { default as GameAnnotate } from './GameAnnotate.vue'
export { default as GameAnnotations } from './GameAnnotations.vue'
export { default as GameComment } from './GameComment.vue'
export { handInDrafts, useDraft } from './drafts'
export { default as GameDiagnostics } from './GameDiagnostics.vue'
export const GameChooseDialog = lazily(() => import('./GameChooseDialog.vue'))
export const GameCloseDialog = lazily(() => import('./GameCloseDialog.vue'))
export const GameClosedDialog = lazily(() => import('./GameClosedDialog.vue'))
export const GameInfoDialog = lazily(() => import('./GameInfoDialog.vue'))
export const GameTextsDialog = lazily(() => import('./GameTextsDialog.vue'))
export { default as GameRules } from './GameRules.vue'
export { default as GamePlayers } from './GamePlayers.vue'
export { default as GameTree } from './GameTree.vue'
export { readResult, resultShort, resultWords, type Result } from './result'
export { indexOf, moveNodes, movesOfLine, movesAt, nearest, nodeOfMove, type LineMove, type Placed, type TreeIndex } from './treeIndex'
export { downloadFile } from './download'
export { minutesAhead } from './minutesAhead'
export { hasStones } from './position'
