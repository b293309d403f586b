import type { CandidateView, GraphValue, Side } from '@/api'
import type { DiscFigure } from '@/features/settings'
import { percentFigure, shortCount, signedPoints } from '@/i18n/formats'

/** Chance to win of the side, from Black's. */
export function winProbFor(side: Side, blackWinProb: number): number {
  return side === 'black' ? blackWinProb : 1 - blackWinProb
}

/**
 * Points that the move between two evaluated positions lost its player, where both have a score; below 0 it gained.
 * `color` says who moved: 1 black, -1 white.
 */
export function pointsLost(before: GraphValue | undefined, now: GraphValue | undefined, color: number): number | undefined {
  if (typeof before?.blackScoreLead !== 'number' || typeof now?.blackScoreLead !== 'number') return undefined
  return (before.blackScoreLead - now.blackScoreLead) * color
}

/** Lead of the side, from Black's. */
export function leadFor(side: Side, blackLead: number): number {
  return side === 'black' ? blackLead : -blackLead
}

/** A figure of a candidate as its disc shows it, seen by the player to move. */
export function discFigure(figure: DiscFigure, candidate: CandidateView, toMove: Side): string {
  switch (figure) {
    case 'winRate': return percentFigure(winProbFor(toMove, candidate.blackWinProb))
    case 'score': return signedPoints(leadFor(toMove, candidate.blackScoreLead))
    case 'visits': return shortCount(candidate.visits)
    case 'loss': return signedPoints(-candidate.pointsLost)
    case 'prior': return percentFigure(candidate.prior)
  }
}
