import { expect, test } from 'vitest'
import type { RunReply, WireMove } from '@/api'
import { hintedPoints } from './hint'

const at = (x: number, y: number): WireMove => ({ x, y })
const pass: WireMove = { pass: true }

function reply(...moves: WireMove[]): RunReply {
  const candidates = moves.map(move => ({ move, visits: 1, winrate: 0.5, scoreLead: 0, prior: 0.1, pv: [move, at(2, 1), at(3, 1), pass, at(4, 1), at(5, 1), at(6, 1), at(7, 1)] }))
  return { move: moves[0] ?? pass, winrate: 0.5, scoreLead: 0, visits: 1, candidates, device: 'cpu', network: 'uniform' }
}
const board = { width: 9, height: 9, topology: 'plane' }

test('a region has the points that three steps lead to, over joined edges too', () => {
  expect(hintedPoints(reply(at(5, 5)), 'region', board)).toHaveLength(25)
  expect(hintedPoints(reply(at(1, 1)), 'region', board)).toEqual([0, 1, 2, 3, 9, 10, 11, 18, 19, 27])
  expect(hintedPoints(reply(at(1, 1)), 'region', { ...board, topology: 'torus' })).toHaveLength(25)
  expect(hintedPoints(reply(pass), 'region', board)).toEqual([null])
})

test('a choice does not say which of the three is best', () => {
  expect(hintedPoints(reply(at(9, 9), at(1, 2), pass, at(1, 1)), 'choice', board)).toEqual([null, 9, 80])
})

test('a line has its moves in order, and at most six', () => {
  expect(hintedPoints(reply(at(9, 2)), 'move', board)).toEqual([17])
  expect(hintedPoints(reply(at(9, 2)), 'line', board)).toEqual([17, 1, 2, null, 3, 4])
  expect(hintedPoints({ ...reply(), move: at(2, 2) }, 'line', board)).toEqual([10])
})
