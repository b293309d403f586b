/**
 * What the board draws. It knows no rules: whoever fills these in has asked the back end.
 *
 * A point is its index `y * columns + x`, `x` from the left and `y` from the top, both from 0, before any rotation.
 */

/** Colour of a stone. */
export type StoneColor = 'black' | 'white'

/** The arrangement of stones, row by row from the top; a cell is 0 where it is empty, 1 for Black and 2 for White. */
export interface Arrangement {
  readonly columns: number
  readonly rows: number
  readonly cells: ArrayLike<number>
}

/** Signs that SGF knows, drawn over stones and empty points. */
export type MarkKind = 'triangle' | 'square' | 'circle' | 'cross' | 'label' | 'selected' | 'territoryBlack' | 'territoryWhite' | 'dimmed'

/** One sign on one point. `text` is only used by labels. */
export interface BoardMark {
  readonly point: number
  readonly kind: MarkKind
  readonly text?: string
}

/** A line or an arrow between two points. */
export interface BoardLink {
  readonly from: number
  readonly to: number
  readonly arrow: boolean
}

/** One step of the scale of points lost; see `quality.ts`. */
export type QualityStep = 0 | 1 | 2 | 3 | 4

/** A figure on a disc, and its shorter form for where that is all there is room for. */
export interface DiscText {
  readonly text: string
  readonly short: string
}

/** A candidate move as a disc. */
export interface CandidateDisc {
  readonly point: number
  /** Points lost against the best candidate, at least 0. */
  readonly loss: number
  /** The move the engine would play. */
  readonly best: boolean
  /** Share of the visits of the most visited candidate, 0 to 1: it sets the opacity. */
  readonly weight: number
  /** Up to three figures, the first one in bold. */
  readonly figures: readonly DiscText[]
}

/** A stone of a variation that is only shown. */
export interface GhostStone {
  readonly point: number
  readonly color: StoneColor
  readonly number: number
}

/** A mistake on a played stone, as a small mark at its corner. */
export interface StoneVerdict {
  readonly point: number
  readonly loss: number
}

/** How expected ownership is shown. */
export type OwnershipStyle = 'squares' | 'tint' | 'smooth' | 'off'

/** How points are named at the edge of the board. */
export type CoordinateStyle = 'letters' | 'numbers' | 'chinese' | 'none'

/** One of the eight ways to look at the board: bit 0 mirrors left and right, bit 1 top and bottom, bit 2 swaps the axes first. */
export type Orientation = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7
