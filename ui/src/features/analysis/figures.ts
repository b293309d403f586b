import type { CandidateView, Side } from '@/api'
import type { CandidateDisc, DiscText } from '@/features/board'
import type { DiscFigure } from '@/features/settings'
import { percentFigure, shortCount, signedPoints, signedWholePoints } from '@/i18n/formats'

/** Chance to win of the side, from Black's. */
export function winProbFor(side: Side, blackWinProb: number): number {
  return side === 'black' ? blackWinProb : 1 - blackWinProb
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

/** Visits of the most visited candidate below which share another one says nothing yet. */
const MIN_SHARE = 0.02

/**
 * The candidates that have a disc on the board: the best one, and those that the search came back to. A single visit only
 * repeats the network's first thought.
 */
export function candidateDiscs(candidates: readonly CandidateView[], toMove: Side, figures: readonly DiscFigure[]): CandidateDisc[] {
  const most = candidates.reduce((more, candidate) => Math.max(more, candidate.visits), 1)
  return candidates.flatMap(candidate => candidate.vertex === null || (candidate.order > 0 && (candidate.visits < 2 || candidate.visits < most * MIN_SHARE))
    ? []
    : [{
        point: candidate.vertex, loss: lossOnScale(candidate, candidates[0]), best: candidate.order === 0, weight: candidate.visits / most,
        figures: figures.map(figure => discFigure(figure, candidate, toMove)),
      }])
}

/** A figure of a candidate as its disc shows it, seen by the player to move. */
export function discFigure(figure: DiscFigure, candidate: CandidateView, toMove: Side): DiscText {
  switch (figure) {
    case 'winRate': return chance(winProbFor(toMove, candidate.blackWinProb))
    case 'score': return points(leadFor(toMove, candidate.blackScoreLead))
    case 'visits': return { text: shortCount(candidate.visits), short: shortCount(candidate.visits) }
    case 'loss': return points(gain(candidate))
    case 'prior': return chance(candidate.prior)
  }
}

const chance = (share: number): DiscText => ({ text: percentFigure(share), short: String(Math.round(share * 100)) })
const points = (value: number | null): DiscText => ({ text: signedPoints(value), short: signedWholePoints(value) })
