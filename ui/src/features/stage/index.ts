export { default as StageBoard } from './StageBoard.vue'
export { default as StageScore } from './StageScore.vue'
export { useScoring } from './scoring'
