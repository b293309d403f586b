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

/** Lead of the side, from Black's; null where nobody counted points. */
export function leadFor<Lead extends number | null>(side: Side, blackLead: Lead): Lead | number {
  return side === 'white' && blackLead !== null ? -blackLead : blackLead
}

/** What a candidate gains on the best one, 0 or less; null where nobody counted points. */
export function gain(candidate: CandidateView): number | null {
  return candidate.pointsLost === null ? null : -candidate.pointsLost
}

/** Share of the chance to win that is worth a point on the scale of colours, where a program counts no points. */
const SHARE_OF_A_POINT = 0.025

/** Points lost against the best candidate, for the scale of colours: counted, or else judged by the chances to win. */
export function lossOnScale(candidate: CandidateView, best: CandidateView | undefined): number {
  if (candidate.pointsLost !== null) return candidate.pointsLost
  return best ? Math.abs(best.blackWinProb - candidate.blackWinProb) / SHARE_OF_A_POINT : 0
}

/** A figure of a candidate as its disc shows it, seen by the player to move. */
export function discFigure(figure: DiscFigure, candidate: CandidateView, toMove: Side): string {
  switch (figure) {
    case 'winRate': return percentFigure(winProbFor(toMove, candidate.blackWinProb))
    case 'score': return signedPoints(leadFor(toMove, candidate.blackScoreLead))
    case 'visits': return shortCount(candidate.visits)
    case 'loss': return signedPoints(gain(candidate))
    case 'prior': return percentFigure(candidate.prior)
  }
}
