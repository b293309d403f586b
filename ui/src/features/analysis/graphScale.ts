import type { GraphValue } from '@/api'

/** One position of the line under the graph. */
export interface GraphPoint {
  readonly nodeId: number
  readonly value: GraphValue | undefined
  /** Points that the move to here lost its player, where both ends were evaluated. */
  readonly loss: number | undefined
}

/** Joins a line of nodes with what is known of them. `colors` says who moved to each node: 1 black, -1 white. */
export function graphPoints(
  line: readonly number[], values: ReadonlyMap<number, GraphValue> | undefined, colorOf: (nodeId: number) => number,
): GraphPoint[] {
  return line.map((nodeId, index) => {
    const value = values?.get(nodeId)
    const before = values?.get(line[index - 1] ?? -1)
    const color = colorOf(nodeId)
    const loss = value && before && color !== 0 ? Math.max(0, (before.blackScoreLead - value.blackScoreLead) * color) : undefined
    return { nodeId, value, loss }
  })
}

/** The largest lead that the graph must show: a round number that rarely changes while values arrive. */
export function scoreRange(points: readonly GraphPoint[]): number {
  let largest = 0
  for (const { value } of points) if (value) largest = Math.max(largest, Math.abs(value.blackScoreLead))
  return [5, 10, 20, 40, 80, 160, 400].find(range => largest <= range) ?? 1600
}

/** Which position lies under a place of the graph, 0 at its start and 1 at its end. */
export function indexAt(share: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.round(share * (count - 1))))
}
