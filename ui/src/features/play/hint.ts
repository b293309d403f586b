import { neighbours, type RunReply, type Vertex, type WireMove } from '@/api'

/** What one hint after the other shows of a position: the part of the board, three moves without order, the move, and what follows it. */
export const HINTS = ['region', 'choice', 'move', 'line'] as const
export type HintDegree = typeof HINTS[number]

/** How far a region reaches around the best move, along the lines. */
const REGION = 3
const CHOICE = 3
/** Moves of a line. */
const LINE = 6

interface Board { readonly width: number, readonly height: number, readonly topology?: string }

/** The points that a hint points at, a pass being null: those of a line in their order, the others by their place. */
export function hintedPoints(reply: RunReply, degree: HintDegree, board: Board): Vertex[] {
  const vertex = (move: WireMove): Vertex => 'pass' in move ? null : (move.y - 1) * board.width + move.x - 1
  const best = vertex(reply.move)
  switch (degree) {
    case 'move': return [best]
    case 'line': {
      const line = reply.candidates[0]?.pv.slice(0, LINE).map(vertex) ?? []
      return line.length > 0 ? line : [best]
    }
    case 'choice': return inOrder(reply.candidates.slice(0, CHOICE).map(candidate => vertex(candidate.move)))
    case 'region': {
      if (best === null) return [null]
      const region = new Set([best])
      for (let step = 0; step < REGION; step++) {
        for (const point of [...region]) for (const near of neighbours(point, board)) region.add(near)
      }
      return inOrder([...region])
    }
  }
}

/** A pass comes first. */
function inOrder(points: readonly Vertex[]): Vertex[] {
  return [...points].sort((a, b) => (a ?? -1) - (b ?? -1))
}
