import { expect, test } from 'vitest'
import { conditionsOf, EMPTY_FORM, wrongFields } from './filterForm'

test('an empty form asks for nothing', () => {
  expect(conditionsOf(EMPTY_FORM)).toEqual({})
  expect(wrongFields(EMPTY_FORM)).toEqual([])
})

test('a player of one colour has an opponent of the other', () => {
  const form = { ...EMPTY_FORM, player: ' Ke Jie ', opponent: 'Gu' }
  expect(conditionsOf(form)).toEqual({ player: 'Ke Jie', opponent: 'Gu' })
  expect(conditionsOf({ ...form, color: 'black' })).toEqual({ black: 'Ke Jie', white: 'Gu' })
  expect(conditionsOf({ ...form, color: 'white' })).toEqual({ white: 'Ke Jie', black: 'Gu' })
  expect(conditionsOf({ ...EMPTY_FORM, color: 'white', opponent: 'Gu' }), 'without a player the colour says nothing').toEqual({ opponent: 'Gu' })
})

test('event, place and rules are conditions of their own', () => {
  expect(conditionsOf({ ...EMPTY_FORM, event: ' LG Cup ', place: 'Seoul', rules: 'japanese' })).toEqual({ event: 'LG Cup', place: 'Seoul', rules: 'japanese' })
})

test('numbers, sizes and dates are read, and what cannot be one is named', () => {
  const form = { ...EMPTY_FORM, size: '13 x 9', komi: '6,5', minMoves: '0', dateFrom: '2003', dateTo: '2004-02', minRank: '3 D', maxHandicap: '2' }
  expect(wrongFields(form)).toEqual([])
  expect(conditionsOf(form)).toEqual({ width: 13, height: 9, komi: 6.5, minMoves: 0, dateFrom: '2003', dateTo: '2004-02', minRank: '3d', maxHandicap: 2 })
  expect(conditionsOf({ ...EMPTY_FORM, size: '19' })).toEqual({ width: 19, height: 19 })
  expect(wrongFields({ ...EMPTY_FORM, size: 'large', komi: 'six', dateTo: 'May', minRank: 'strong', maxMoves: '-1' })).toEqual(['dateTo', 'size', 'komi', 'minRank', 'maxMoves'])
})
