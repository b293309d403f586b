import type { RatedBoard } from '@/api'

/** A rating over the games, as a line with the band of its uncertainty in a box of this size. */
export interface ProgressChart {
  /** Points of an SVG polyline. */
  readonly line: string
  /** Points of an SVG polygon: twice the standard deviation to either side. */
  readonly band: string
  /** Ratings at round numbers, for lines across. */
  readonly marks: readonly { readonly rating: number, readonly y: number }[]
}

/** Between marks, in points. */
const STEP = 200

export function chartOf(games: RatedBoard['games'], width: number, height: number): ProgressChart {
  const low = Math.floor(Math.min(...games.map(game => game.rating - 2 * game.deviation)) / STEP) * STEP
  const high = Math.ceil(Math.max(...games.map(game => game.rating + 2 * game.deviation)) / STEP) * STEP
  const x = (index: number): number => games.length < 2 ? width / 2 : index / (games.length - 1) * width
  const y = (rating: number): number => height - (rating - low) / Math.max(1, high - low) * height
  const points = (values: readonly (readonly [number, number])[]): string =>
    values.map(([index, rating]) => `${x(index).toFixed(1)},${y(rating).toFixed(1)}`).join(' ')
  const upper = games.map((game, index) => [index, game.rating + 2 * game.deviation] as const)
  const lower = games.map((game, index) => [index, game.rating - 2 * game.deviation] as const)
  const every = STEP * Math.max(1, Math.ceil((high - low) / STEP / 6))
  const marks = Array.from({ length: Math.floor((high - low) / every) + 1 }, (_, index) => low + index * every)
  return {
    line: points(games.map((game, index) => [index, game.rating] as const)),
    band: points([...upper, ...lower.reverse()]),
    marks: marks.map(rating => ({ rating, y: y(rating) })),
  }
}

/** Everybody's rating before the first rated game; the back end begins with it. */
const FIRST_RATING = 1500

/** The rating before and after the game of a record; undefined where it was not rated. */
export function ratingsAround(games: RatedBoard['games'], recordId: string | null): { before: number, after: number } | undefined {
  const at = games.findLastIndex(game => recordId !== null && game.record === recordId)
  const game = games[at]
  return game && { before: games[at - 1]?.rating ?? FIRST_RATING, after: game.rating }
}
