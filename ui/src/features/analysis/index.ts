import { lazily } from '@/components/lazily'

export { useAnalysis } from './store'
export { useMistake } from './mistake'
export { usePreview } from './preview'
export { candidateDiscs, gain, leadFor, lossOnScale, winProbFor } from './figures'
export { default as AnalysisCandidates } from './AnalysisCandidates.vue'
export { default as AnalysisFigures } from './AnalysisFigures.vue'
export { default as AnalysisGraph } from './AnalysisGraph.vue'
export { graphPoints } from './graphScale'
export const AnalysisCompare = lazily(() => import('./AnalysisCompare.vue'))
export { default as AnalysisEqual } from './AnalysisEqual.vue'
export { default as AnalysisPlayOut } from './AnalysisPlayOut.vue'
export { usePlayOut } from './playOut'
export { comparedDiscs, useComparison } from './comparison'
export const AnalysisRankChoice = lazily(() => import('./AnalysisRankChoice.vue'))
export const AnalysisReview = lazily(() => import('./AnalysisReview.vue'))
export { RANKS } from './ranks'
export { betterMoves, CHOICES, choiceFigures, PHASES, useLineReview } from './review'
