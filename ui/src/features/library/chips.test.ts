import { expect, test } from 'vitest'
import { chipsOf, without } from './chips'
import { EMPTY_FORM } from './filterForm'

test('each condition in use is said by itself, and can be taken away by itself', () => {
  const form = { ...EMPTY_FORM, player: 'Ke Jie', color: 'white' as const, dateFrom: '2015', winner: 'black' as const, minMoves: '100', komi: 'much' }
  expect(chipsOf(form).map(({ words }) => words)).toEqual(['White: Ke Jie', 'From 2015', 'Black won', 'At least 100 moves'])
  expect(without(form, 'player')).toMatchObject({ player: '', color: '', dateFrom: '2015' })
})

test('a ruleset goes by the name that people know', () => {
  expect(chipsOf({ ...EMPTY_FORM, rules: 'new-zealand', event: 'LG Cup' }).map(({ words }) => words)).toEqual(['Event: LG Cup', 'Rules: New Zealand'])
})

test('an empty form, or a colour alone, narrows nothing', () => {
  expect(chipsOf(EMPTY_FORM)).toEqual([])
  expect(chipsOf({ ...EMPTY_FORM, color: 'black' })).toEqual([])
})
