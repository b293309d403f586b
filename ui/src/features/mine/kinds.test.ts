import { expect, test } from 'vitest'
import type { ClassRate } from '@/api'
import { kindsByCost } from './kinds'

const of = (name: string, lostPerGame: number, mistakes = 3, kind = true): ClassRate => ({
  class: name, kind, lostPerGame, months: [], rate: { games: 9, moves: 900, mistakes, rate: 0.01, low: 0, high: 0.02 },
})

test('kinds of mistakes are listed by what they cost, and those of no kind last', () => {
  const classes = [of('opening', 90, 30, false), of('joseki', 2), of('other', 40), of('race', 0, 0), of('fight', 12), of('ko', 5)]
  expect(kindsByCost(classes).map(one => one.class)).toEqual(['fight', 'ko', 'joseki', 'other'])
})
