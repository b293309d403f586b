import { expect, test } from 'vitest'
import type { GameOffer } from '@/api'
import { FIRST_CHOICE, fitted, opponentId, readChoice, toStart, type GameChoice } from './choice'

const OFFER: GameOffer = {
  sizes: [9, 13, 19], smallestSide: 2, largestSide: 52, rulesets: [{ name: 'chinese', komi: 7.5 }, { name: 'japanese', komi: 6.5 }],
  komi: 7.5, handicaps: [2, 3, 4], engine: 'plays', rated: true, pupils: true, near: { opponent: 'rank_20k+adaptive', ratedOn: null },
}

test('whoever begins meets somebody who follows how they play', () => {
  expect(opponentId({ ...FIRST_CHOICE }, OFFER)).toBe('rank_20k+adaptive')
  expect(opponentId({ ...FIRST_CHOICE, style: 'local' }, OFFER)).toBe('rank_20k+local+adaptive')
  const known = { ...OFFER, near: { opponent: 'rank_7k', ratedOn: 9 } }
  expect(opponentId({ ...FIRST_CHOICE }, known)).toBe('rank_7k')
  expect(opponentId({ ...FIRST_CHOICE, near: false, rank: 'rank_2d', adaptive: true }, known)).toBe('rank_2d+adaptive')
  expect(opponentId({ ...FIRST_CHOICE, rated: true }, known)).toBe('rated')
})

test('what the board does not allow is left out', () => {
  const narrow = { ...OFFER, rated: false, handicaps: [] }
  expect(fitted({ ...FIRST_CHOICE, rated: true, handicap: 4, rules: 'daoqi' }, narrow)).toMatchObject({ rated: false, handicap: 0, rules: 'chinese' })
  expect(fitted({ ...FIRST_CHOICE, handicap: 4 }, OFFER).handicap).toBe(4)
  expect(fitted({ ...FIRST_CHOICE, handicap: 4, rated: true }, OFFER)).toMatchObject({ rated: true, handicap: 0 })
})

test('the usual komi is the back end\'s, and another one stays', () => {
  expect(toStart({ ...FIRST_CHOICE }, { ...OFFER, komi: 0.5 }, 0).game.komi).toBe(0.5)
  expect(toStart({ ...FIRST_CHOICE, komi: -3 }, OFFER, 0).game.komi).toBe(-3)
})

test('a rated game is even, whatever komi and handicap were chosen for others', () => {
  const rated = { ...FIRST_CHOICE, rated: true, rules: 'japanese' }
  expect(toStart({ ...rated, handicap: 4 }, { ...OFFER, komi: 0.5 }, 0).game).toMatchObject({ handicap: 0, komi: 6.5 })
  expect(toStart({ ...rated, komi: -3 }, OFFER, 0).game.komi).toBe(6.5)
})

test('two opponents are chosen each by itself, with a pause between their moves, and no person is named or warned', () => {
  const watched = { ...FIRST_CHOICE, against: 'watch', blackSeat: 'rank_5k+territorial', whiteSeat: 'KataGo', pace: 5, rated: true, teaching: true, color: 'white' } as const
  const wanted = toStart(watched, OFFER, 0, 'Aya')
  expect(wanted).toMatchObject({ seats: { black: 'rank_5k+territorial', white: 'KataGo' }, pace: 5, teaching: null })
  expect([wanted.game.black, wanted.game.white]).toEqual(['', ''])
  expect(toStart(FIRST_CHOICE, OFFER, 0).pace).toBeNull()
  expect(readChoice({ pace: 3600 }).pace).toBe(FIRST_CHOICE.pace)
})

test('two persons have no colour of their own, and chance decides once', () => {
  expect(toStart({ ...FIRST_CHOICE, against: 'person' }, OFFER, 0)).toMatchObject({ seats: { black: null, white: null } })
  expect(toStart({ ...FIRST_CHOICE, color: 'random' }, OFFER, 0.2).seats).toEqual({ black: null, white: 'rank_20k+adaptive' })
  expect(toStart({ ...FIRST_CHOICE, color: 'random' }, OFFER, 0.7).seats).toEqual({ black: 'rank_20k+adaptive', white: null })
})

test('the own name goes with the own colour, and an opponent has a name', () => {
  const names = (choice: Partial<GameChoice>, chance = 0): string[] => {
    const { game } = toStart({ ...FIRST_CHOICE, black: 'Ben', white: 'Cho', ...choice }, OFFER, chance, 'Aya')
    return [game.black, game.white]
  }
  expect(names({})).toEqual(['Aya', ''])
  expect(names({ color: 'random' }, 0.7)).toEqual(['', 'Aya'])
  expect(names({ against: 'person' })).toEqual(['Ben', 'Cho'])
})

test('a rated game warns nobody, and a clock is given in seconds', () => {
  const choice = { ...FIRST_CHOICE, teaching: true, clock: 'byoYomi', mainMinutes: 5 } as const
  expect(toStart(choice, OFFER, 0)).toMatchObject({ teaching: 5, clock: { kind: 'byoYomi', mainSeconds: 300 } })
  expect(toStart({ ...choice, rated: true }, OFFER, 0).teaching).toBeNull()
  // Two people at one board are not warned of each other's moves.
  expect(toStart({ ...choice, against: 'person' }, OFFER, 0).teaching).toBeNull()
})

test('a remembered choice that is damaged falls back where it does not fit', () => {
  const kept = { ...FIRST_CHOICE, width: 13, height: 13, near: false, rank: 'rank_3k', color: 'white', komi: 5.5 }
  expect(readChoice(JSON.parse(JSON.stringify(kept)) as Record<string, unknown>)).toEqual(kept)
  expect(readChoice({ width: 'wide', against: 'ghosts', clock: 7, periods: -1 })).toEqual(FIRST_CHOICE)
})
