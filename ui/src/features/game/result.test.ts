import { expect, test } from 'vitest'
import { switchLanguage } from '@/i18n'
import { readResult, resultKey, resultShort } from './result'

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

test('a list has it as it is written in English, and in the language elsewhere', async () => {
  const texts = ['B+3.5', 'W+Resign', 'B+T', '0', 'Void', 'B+lots']
  expect(texts.map(text => resultShort(text))).toEqual(['B+3.5', 'W+R', 'B+T', 'Draw', 'Void', 'B+lots'])
  await switchLanguage('ja')
  expect(texts.map(text => resultShort(text))).toEqual(['黒3.5目勝ち', '白中押し勝ち', '黒時間切れ勝ち', '持碁', '無勝負', 'B+lots'])
  await switchLanguage('en')
})

test('what is no result is left as it is', () => {
  expect([readResult('?'), readResult('B+lots'), readResult('')]).toEqual([undefined, undefined, undefined])
})
