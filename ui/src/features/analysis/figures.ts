import type { CandidateView, Side } from '@/api'
import type { DiscFigure } from '@/features/settings'
import { percentFigure, shortCount, signedPoints } from '@/i18n/formats'

/** Chance to win of the side, from Black's. */
export function winProbFor(side: Side, blackWinProb: number): number {
  return side === 'black' ? blackWinProb : 1 - blackWinProb
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
