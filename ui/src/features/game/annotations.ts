import type { Hotspot, MoveAnnotation, NodeAnnotations, PositionAnnotation } from '@/api'
import type { Say } from '@/i18n'

/** In the order in which they are offered. */
export const MOVE_ANNOTATIONS: readonly MoveAnnotation[] = ['veryGood', 'good', 'interesting', 'doubtful', 'bad', 'veryBad']
export const POSITION_ANNOTATIONS: readonly PositionAnnotation[] = [
  'veryGoodForBlack', 'goodForBlack', 'even', 'veryEven', 'goodForWhite', 'veryGoodForWhite', 'unclear', 'veryUnclear',
]
export const HOTSPOTS: readonly Hotspot[] = ['normal', 'major']

/** How an annotation is drawn: in the tree as beside its words. */
export interface AnnotationSign {
  readonly kind: 'move' | 'position' | 'hotspot'
  /** An outline around 0, 0 that reaches about 4 to each side. Each meaning has one of its own, so that nobody needs the colours. */
  readonly path: string
  /** The token of its colour. */
  readonly color: `--${string}`
  /** It is drawn twice: what is meant strongly. */
  readonly strong: boolean
}

const UP = 'M0-4 4 3H-4Z'
const DOWN = 'M0 4 4-3H-4Z'
const DIAMOND = 'M0-4.4 4 0 0 4.4-4 0Z'
const SQUARE = 'M-3.2-3.2H3.2V3.2H-3.2Z'
const DISC = 'M-3.6 0A3.6 3.6 0 1 0 3.6 0A3.6 3.6 0 1 0-3.6 0Z'
const BARS = 'M-4-3H4V-0.8H-4ZM-4 0.8H4V3H-4Z'
const CROSS = 'M-2.6-4 0-1.4 2.6-4 4-2.6 1.4 0 4 2.6 2.6 4 0 1.4-2.6 4-4 2.6-1.4 0-4-2.6Z'
const STAR = 'M0-4.6 1.2-1.5 4.5-1.4 1.9.6 2.8 3.8 0 2-2.8 3.8-1.9.6-4.5-1.4-1.2-1.5Z'

type Look = Pick<AnnotationSign, 'path' | 'color' | 'strong'>
const MOVES: Readonly<Record<MoveAnnotation, Look>> = {
  good: { path: UP, color: '--success', strong: false },
  veryGood: { path: UP, color: '--success', strong: true },
  interesting: { path: DIAMOND, color: '--accent', strong: false },
  doubtful: { path: SQUARE, color: '--warning', strong: false },
  bad: { path: DOWN, color: '--danger', strong: false },
  veryBad: { path: DOWN, color: '--danger', strong: true },
}
const POSITIONS: Readonly<Record<PositionAnnotation, Look>> = {
  goodForBlack: { path: DISC, color: '--stone-black', strong: false },
  veryGoodForBlack: { path: DISC, color: '--stone-black', strong: true },
  goodForWhite: { path: DISC, color: '--stone-white', strong: false },
  veryGoodForWhite: { path: DISC, color: '--stone-white', strong: true },
  even: { path: BARS, color: '--ink-soft', strong: false },
  veryEven: { path: BARS, color: '--ink-soft', strong: true },
  unclear: { path: CROSS, color: '--ink-soft', strong: false },
  veryUnclear: { path: CROSS, color: '--ink-soft', strong: true },
}

/** The signs of a node's annotations. */
export function signsOf({ onMove, onPosition, hotspot }: NodeAnnotations): AnnotationSign[] {
  const signs: AnnotationSign[] = []
  if (onMove) signs.push({ kind: 'move', ...MOVES[onMove] })
  if (onPosition) signs.push({ kind: 'position', ...POSITIONS[onPosition] })
  if (hotspot) signs.push({ kind: 'hotspot', path: STAR, color: '--warning', strong: hotspot === 'major' })
  return signs
}

/** The same in words, in the same order. */
export function wordsOf({ onMove, onPosition, hotspot }: NodeAnnotations, t: Say): string[] {
  const words: string[] = []
  if (onMove) words.push(t(`game.annotation.move.${onMove}`))
  if (onPosition) words.push(t(`game.annotation.position.${onPosition}`))
  if (hotspot) words.push(t(`game.annotation.hotspot.${hotspot}`))
  return words
}
