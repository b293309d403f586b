import { expect, test } from 'vitest'
import { readResult, resultKey } from './result'

test.each([
  ['B+3.5', { winner: 'black', how: 'score', points: 3.5 }, 'game.result.black.score'],
  ['W+R', { winner: 'white', how: 'resignation', points: 0 }, 'game.result.white.resignation'],
  ['w+Time', { winner: 'white', how: 'time', points: 0 }, 'game.result.white.time'],
  ['B+F', { winner: 'black', how: 'forfeit', points: 0 }, 'game.result.black.forfeit'],
  ['B+', { winner: 'black', how: 'win', points: 0 }, 'game.result.black.win'],
  ['0', { winner: undefined, how: 'draw', points: 0 }, 'game.result.draw'],
  ['Void', { winner: undefined, how: 'void', points: 0 }, 'game.result.void'],
])('%s', (text, result, key) => {
  expect(readResult(text)).toEqual(result)
  expect(resultKey(readResult(text) as never)).toBe(key)
})

test('what is no result is left as it is', () => {
  expect([readResult('?'), readResult('B+lots'), readResult('')]).toEqual([undefined, undefined, undefined])
})
