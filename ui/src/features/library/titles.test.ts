import { expect, test } from 'vitest'
import type { RecordSummary } from '@/api'
import { recordTitle } from './titles'

const record = (known: Partial<RecordSummary>): RecordSummary => ({
  id: '1', title: '', black: '', white: '', blackRank: '', whiteRank: '', event: '', place: '', date: '', lastDate: '', result: '', rules: '', source: '', topology: 'plane',
  width: 19, height: 19, komi: 6.5, handicap: 0, moves: 0, addedAt: 0, ...known,
})

test('a record is called after its players, and after its file only where nothing else is known', () => {
  const source = '/home/me/games/tournament.zip/round 1/0173.sgf'
  expect(recordTitle(record({ black: '柯洁', white: 'AlphaGo', event: 'Future of Go Summit', source }))).toBe('柯洁 – AlphaGo')
  expect(recordTitle(record({ white: 'AlphaGo', source }))).toBe('Black – AlphaGo')
  expect(recordTitle(record({ event: 'Meijin', date: '1984-03-02', source }))).toBe('Meijin, 1984-03-02')
  expect(recordTitle(record({ event: 'Meijin', date: '1984-03-02', lastDate: '1984-03-03', source }))).toBe('Meijin, 1984-03-02–03')
  expect(recordTitle(record({ date: '1984', source }))).toBe('1984')
  expect(recordTitle(record({ source }))).toBe('0173.sgf')
  expect(recordTitle(record({ source: 'C:\\games\\b.gib' }))).toBe('b.gib')
  expect(recordTitle(record({}))).toBe('New game')
  expect(recordTitle(record({ title: 'The ear-reddening game', black: 'Shusaku' }))).toBe('The ear-reddening game')
})
