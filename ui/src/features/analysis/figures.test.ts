import { expect, test } from 'vitest'
import type { CandidateView } from '@/api'
import { candidateDiscs } from './figures'

const candidate = (order: number, visits: number, vertex: number | null = order): CandidateView =>
  ({ order, visits, vertex, blackWinProb: 0.5, blackScoreLead: 1, pointsLost: order, prior: 0.1, pv: [vertex], blackOwnership: [] }) as unknown as CandidateView

test('a candidate that the search never came back to has no disc', () => {
  const points = (candidates: CandidateView[]): number[] => candidateDiscs(candidates, 'black', ['visits']).map(disc => disc.point)
  expect(points([candidate(0, 500), candidate(1, 40), candidate(2, 9), candidate(3, 1), candidate(4, 40, null)])).toEqual([0, 1])
  expect(points([candidate(0, 5), candidate(1, 2), candidate(2, 1)])).toEqual([0, 1])
  expect(points([candidate(0, 1), candidate(1, 1)])).toEqual([0])
})

test('moves that all got the same visits all have one', () => {
  expect(candidateDiscs([candidate(0, 10), candidate(1, 10), candidate(2, 10)], 'white', ['loss']).map(disc => [disc.best, disc.weight, disc.figures[0]]))
    .toEqual([[true, 1, { text: '0.0', short: '0' }], [false, 1, { text: '−1.0', short: '−1' }], [false, 1, { text: '−2.0', short: '−2' }]])
})
