import { expect, test } from 'vitest'
import type { Fact, LeadView, Region } from '@/api'
import { pointName } from '@/features/board'
import { LANGUAGES, say, switchLanguage, type LanguageTag } from '@/i18n'
import { sentenceOf } from './words'

const REGIONS: readonly Region[] = ['upperLeft', 'upper', 'upperRight', 'left', 'centre', 'right', 'lowerLeft', 'lower', 'lowerRight']
const black: LeadView = { side: 'black', points: 4.4, chance: 0.812 }
const white: LeadView = { side: 'white', points: 11.6, chance: 0.93 }
const even: LeadView = { side: null, points: 0.4, chance: 0.52 }
const FACTS: readonly Fact[] = [
  { kind: 'taken', side: 'black', stones: 3, at: 15, by: 18 },
  { kind: 'ladder', side: 'black', at: 15, by: 18 },
  { kind: 'lost', side: 'black', stones: 5, at: 15 },
  { kind: 'spared', side: 'white', stones: 4, at: 15 },
  { kind: 'cut', side: 'black', by: 18, one: 15, other: 20 },
  ...REGIONS.map((region): Fact => ({ kind: 'area', to: 'white', points: 7, region })),
  { kind: 'sente', threat: 12.3 },
  { kind: 'elsewhere', reply: 60 },
  { kind: 'lead', before: black, after: white },
  { kind: 'lead', before: black, after: even },
  { kind: 'lead', before: even, after: white },
  { kind: 'lead', before: white, after: { ...white, points: 20 } },
  { kind: 'byRank', rank: '5k', played: 0.118, better: 0.306 },
  { kind: 'byRank', rank: '5k', played: 0.004, better: 0.306 },
  { kind: 'byRank', rank: '5k', played: 0.118, better: 0.004 },
  { kind: 'byRank', rank: '5k', played: 0, better: 0.004 },
  { kind: 'inLibrary', games: 14, most: 60, count: 9, blackWins: 6, whiteWins: 3, played: 1 },
  { kind: 'inLibrary', games: 14, most: 60, count: 9, blackWins: 6, whiteWins: 3, played: 0 },
  { kind: 'inLibrary', games: 14, most: 0, count: 9, blackWins: 6, whiteWins: 3, played: 9 },
]
const said = (fact: Fact): string => sentenceOf(fact, {
  played: 'A9', better: 'C3', player: 'black', nameOf: vertex => vertex === null ? '–' : pointName(vertex, 9, 9),
  playerOf: side => say(side === 'black' ? 'game.player.black' : 'game.player.white'),
})

test('each fact is a sentence of its own, in every language', async () => {
  for (const locale of Object.keys(LANGUAGES) as LanguageTag[]) {
    await switchLanguage(locale)
    const sentences = FACTS.map(said)
    expect(new Set(sentences).size, locale).toBe(FACTS.length)
    for (const sentence of sentences) expect(sentence, locale).not.toMatch(/[{}|]|undefined|lessons\./)
  }
  await switchLanguage('en')
})

test('a sentence names moves, players and figures', () => {
  expect(said({ kind: 'taken', side: 'black', stones: 3, at: 15, by: 18 })).toBe('After A9, White takes 3 stones with A7.')
  expect(said({ kind: 'lead', before: black, after: white })).toBe('Black was ahead by about 4 points (81%); after A9, White is ahead by about 12 (93%).')
  expect(said({ kind: 'lead', before: even, after: { ...white, points: 1.2 } })).toBe('The game was even; after A9, White is ahead by about 1 point (93%).')
  expect(said({ kind: 'byRank', rank: '5k', played: 0.118, better: 0.306 })).toBe('Of 100 players of 5 kyu, about 12 would play A9 here, and about 31 would play C3.')
  expect(said({ kind: 'inLibrary', games: 14, most: 60, count: 9, blackWins: 6, whiteWins: 3, played: 1 })).toBe('14 games of the library had this position: 9 went on at G3 (Black won 6, White 3), 1 at A9.')
  expect(said({ kind: 'inLibrary', games: 14_000, most: 60, count: 9000, blackWins: 6000, whiteWins: 3000, played: 1000 })).toBe('14,000 games of the library had this position: 9,000 went on at G3 (Black won 6,000, White 3,000), 1,000 at A9.')
  expect(said({ kind: 'area', to: 'white', points: 7, region: 'lowerRight' })).toBe('After A9, White gets 7 points in the lower right that are Black’s after C3.')
})

test('shares are rounded to players, and neither nobody nor everybody is claimed', () => {
  const of = (played: number, better: number): string => said({ kind: 'byRank', rank: '2d', played, better })
  expect(of(0.0099, 0.01)).toBe('Of 100 players of 2 dan, fewer than 1 would play A9 here, while about 1 would play C3.')
  expect(of(0.9999, 0)).toBe('Of 100 players of 2 dan, about 99 would play A9 here, but fewer than 1 would play C3.')
  expect(of(0, 0)).toBe('Of 100 players of 2 dan, fewer than 1 would play A9 here, and fewer than 1 would play C3.')
})

test('games that went on as this one did are told as such', () => {
  expect(said({ kind: 'inLibrary', games: 3, most: 0, count: 2, blackWins: 2, whiteWins: 0, played: 2 })).toBe('3 games of the library had this position: 2 of them went on at A9, too (Black won 2, White 0).')
  expect(said({ kind: 'inLibrary', games: 3, most: 60, count: 2, blackWins: 2, whiteWins: 0, played: 0 })).toBe('3 games of the library had this position: 2 went on at G3 (Black won 2, White 0), none at A9.')
})
