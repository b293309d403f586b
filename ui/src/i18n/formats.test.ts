import { expect, test, vi } from 'vitest'
import { dateSpan, dayHere, duration, listed, megabytes, percent, percentFigure, plainPoints, ratingFigure, shortCount, signedElo, signedPoints, winPercent } from './formats'
import { i18n, switchLanguage } from './index'

test('visits never take more than four signs', () => {
  expect([0, 87, 999, 1000, 1234, 9949, 9950, 35_120, 999_499, 999_500, 2_140_000].map(shortCount))
    .toEqual(['0', '87', '999', '1k', '1.2k', '9.9k', '10k', '35k', '999k', '1M', '2.1M'])
  for (let count = 1; count < 5e7; count = Math.ceil(count * 1.13)) expect(shortCount(count).length).toBeLessThanOrEqual(4)
})

test('a lead always shows its sign and never a negative nothing', () => {
  expect([0.84, -3.46, 0, -0.04].map(signedPoints)).toEqual(['+0.8', '−3.5', '0.0', '0.0'])
})

test('a difference in Elo is rounded before it gets its sign', () => {
  expect([-0.3, 0, 0.49, 0.5, -185.24].map(signedElo)).toEqual(['0', '0', '0', '+1', '−185'])
})

test('points without a sign are never a negative nothing', () => {
  expect([6.5, 7, -0, -0.001, 0.004, -0.5].map(plainPoints)).toEqual(['6.5', '7', '0', '0', '0', '-0.5'])
})

test('a small size is not no size', () => {
  expect([0, 1, 33, 48, 49, 400, 9_000, 40_000].map(megabytes)).toEqual(['0 MB', '1 kB', '34 kB', '49 kB', '0.1 MB', '0.4 MB', '9.2 MB', '41 MB'])
})

test('a rating is one figure', () => {
  expect([1499.6, 987, -3.2].map(ratingFigure)).toEqual(['1500', '987', '-3'])
})

test('figures keep one decimal, so that they do not jump', () => {
  expect(percentFigure(0.5)).toBe('50.0')
  expect(percent(1)).toBe('100.0%')
})

test('games without a winner are no losses', () => {
  expect([winPercent(1, 0), winPercent(1, 3), winPercent(0, 0)]).toEqual(['100.0%', '25.0%', '–'])
})

test('points in a row do not run together in any language', async () => {
  const said: string[] = []
  for (const language of ['en', 'zh-Hans', 'zh-Hant', 'ja', 'ko'] as const) {
    await switchLanguage(language)
    said.push(listed(['T1', '', 'A1', 'Q16']))
  }
  expect(said).toEqual(['T1, A1, Q16', 'T1、A1、Q16', 'T1、A1、Q16', 'T1、A1、Q16', 'T1, A1, Q16'])
  await switchLanguage('en')
})

test('a unit is spaced as its language does', async () => {
  const said: string[][] = []
  for (const language of ['en', 'zh-Hans', 'ja', 'ko'] as const) {
    await switchLanguage(language)
    said.push([duration(30), duration(180), duration(9000), megabytes(9_000)])
  }
  expect(said).toEqual([
    ['30 s', '3 min', '2.5 h', '9.2 MB'],
    ['30 秒', '3 分钟', '2.5 小时', '9.2 MB'],
    ['30秒', '3分', '2.5時間', '9.2 MB'],
    ['30초', '3분', '2.5시간', '9.2 MB'],
  ])
  await switchLanguage('en')
})

test('numbers follow the language', () => {
  i18n.global.locale.value = 'de'
  expect(percentFigure(0.521)).toBe('52,1')
})

test('a day is the one where the person is', () => {
  // Half past eleven in the evening in Greenwich is the next day in Tokyo.
  vi.spyOn(Date.prototype, 'getFullYear').mockReturnValue(2026)
  vi.spyOn(Date.prototype, 'getMonth').mockReturnValue(0)
  vi.spyOn(Date.prototype, 'getDate').mockReturnValue(1)
  expect(dayHere(Date.UTC(2025, 11, 31, 23, 30) / 1000)).toBe('2026-01-01')
  vi.restoreAllMocks()
  expect(dayHere(new Date(2026, 2, 4, 0, 30).getTime() / 1000)).toBe('2026-03-04')
})

test.each([
  ['1996-05-06', '', '1996-05-06'],
  ['1996-05-06', '1996-05-07', '1996-05-06–07'],
  ['1996-05-30', '1996-06-01', '1996-05-30–06-01'],
  ['1996-12-27', '1997-01-04', '1996-12-27–1997-01-04'],
  ['1996-05', '1996-06', '1996-05–06'],
  ['1996', '1997', '1996–1997'],
  ['1996', '1997-01-04', '1996–1997-01-04'],
])('%s to %s is written %s', (date, lastDate, text) => {
  expect(dateSpan(date, lastDate)).toBe(text)
})
