import type { GraphValue } from '@/api'

/** One position of the line under the graph. */
export interface GraphPoint {
  readonly nodeId: number
  readonly value: GraphValue | undefined
  /** Points that the move to here lost its player, where it was judged. */
  readonly loss: number | undefined
}

/** Joins a line of nodes with what is known of them. */
export function graphPoints(line: readonly number[], values: ReadonlyMap<number, GraphValue> | undefined): GraphPoint[] {
  return line.map((nodeId) => {
    const value = values?.get(nodeId)
    return { nodeId, value, loss: value?.judged?.pointsLost }
  })
}

/** The largest lead that the graph must show: a round number that rarely changes while values arrive. */
export function scoreRange(points: readonly GraphPoint[]): number {
  let largest = 0
  for (const { value } of points) largest = Math.max(largest, Math.abs(value?.blackScoreLead ?? 0))
  return [5, 10, 20, 40, 80, 160, 400].find(range => largest <= range) ?? 1600
}

/** Pixels beside the graph for figures of up to three characters, such as `100` and `+20`, with their distance. */
export const LABEL_ROOM = 30
/** Pixels of one more character. */
const CHARACTER_PIXELS = 7

/** Pixels for the figures of the score, of which the widest is the sign and this range. */
export function labelRoom(range: number): number {
  return LABEL_ROOM + CHARACTER_PIXELS * Math.max(0, `+${range}`.length - 3)
}

/** The heights of the graph, 0 to 1, that its figures stand at: as many as there is room for. */
export function figuredShares(pixels: number): readonly number[] {
  return pixels >= 3 * FIGURE_PIXELS ? [1, 0.5, 0] : pixels >= 2 * FIGURE_PIXELS ? [1, 0] : [0.5]
}
/** The height of a line of figures. */
const FIGURE_PIXELS = 12

/** The part of the line that the graph shows: positions `from` to `to`, both included. */
export interface GraphWindow {
  readonly from: number
  readonly to: number
}

/** The fewest positions that are shown. */
const MIN_POSITIONS = 10

/** The part that is shown after zooming by a factor around a place of the graph (0 at its start, 1 at its end). */
export function zoomed(shown: GraphWindow, count: number, factor: number, share: number): GraphWindow {
  const last = Math.max(1, count - 1)
  const width = shown.to - shown.from
  const wide = Math.max(Math.min(MIN_POSITIONS, last), Math.min(last, width * factor))
  const from = Math.max(0, Math.min(last - wide, shown.from + (width - wide) * share))
  return { from: Math.round(from), to: Math.round(from + wide) }
}

/** The same part moved so that a position is in it. */
export function movedTo(shown: GraphWindow, count: number, index: number): GraphWindow {
  const last = Math.max(1, count - 1)
  const width = Math.min(last, shown.to - shown.from)
  const from = index < shown.from ? index - Math.round(width * 0.2) : index > shown.to ? index - Math.round(width * 0.8) : shown.from
  const kept = Math.max(0, Math.min(last - width, from))
  return { from: kept, to: kept + width }
}
