import { expect, test } from 'vitest'
import type { RoomState, RoomTerms, RoomTime } from '@/api'
import { absenceWords, colorAgain, invitationWords, mayPlay, ratingsLine, termsWords, timeWords } from './terms'

const terms = (change: Partial<RoomTerms>): RoomTerms => ({ width: 19, height: 19, topology: 'plane', rules: 'chinese', komi: 7.5, handicap: 0, time: null, rated: false, delay_seconds: 0, ...change })

test('time is written as players write it', () => {
  const times: readonly [RoomTime | null, string][] = [
    [null, 'No clock'],
    [{ kind: 'absolute', main_seconds: 1800 }, '30 min'],
    [{ kind: 'fischer', main_seconds: 600, increment_seconds: 10 }, '10 min + 10 s a move'],
    [{ kind: 'byo_yomi', main_seconds: 45, period_seconds: 30, periods: 5 }, '45 s + 5 × 30 s'],
    [{ kind: 'canadian', main_seconds: 0, period_seconds: 300, stones: 25 }, '0 min + 25 stones in 300 s'],
    [{ kind: 'canadian', main_seconds: 0, period_seconds: 10, stones: 1 }, '0 min + 1 stone in 10 s'],
  ]
  for (const [time, words] of times) expect(timeWords(time)).toBe(words)
})

test('everything that was agreed on is in one line', () => {
  expect(termsWords(terms({}))).toBe('19 × 19 · Chinese · Komi 7.5 · No clock')
  expect(termsWords(terms({ width: 9, height: 13, topology: 'torus', handicap: 4, komi: null }))).toBe('9 × 13 · torus · Chinese · 4 handicap stones · No clock')
})

test('ratings stand in a line with their boards, and a young one with a question mark', () => {
  const rating = { width: 19, height: 19, rating: 1710, deviation: 80, games: 30, provisional: false }
  expect(ratingsLine([rating, { ...rating, width: 9, height: 9, rating: 1662, provisional: true }])).toBe('19 × 19 1710 · 9 × 9 1662?')
  expect(termsWords(terms({ rated: true }))).toBe('19 × 19 · Chinese · Komi 7.5 · No clock · Rated')
  expect(termsWords(terms({ delay_seconds: 300 }))).toBe('19 × 19 · Chinese · Komi 7.5 · No clock · shown 5 min later')
})

test('an invitation says what will be played', () => {
  const invitation = { room_id: '1', from: 'Gil', lesson: false, terms: terms({ komi: -60, rated: true, time: { kind: 'absolute', main_seconds: 60 } }) }
  expect(invitationWords(invitation)).toBe('Gil invites you to a game · 19 × 19 · Chinese · Komi -60 · 1 min · Rated')
  expect(invitationWords({ ...invitation, lesson: true, terms: null })).toBe('Gil invites you to a lesson')
})

test('whoever waits for somebody is told what comes of it', () => {
  const score = { black: 40, white: 48.5 }
  const counted = { dead: [], revision: 0, proposed: true, agreed: [], settled_in_seconds: null, score }
  const words = (counting: RoomState['counting'], claimable: number | null = null, stage: RoomState['stage'] = 'counting'): string => absenceWords({ stage, counting, claimable_in_seconds: claimable }, 'Finn', 0)
  expect(words(counted)).toBe('Finn is away. Accept the count: it stands if Finn is not back within five minutes.')
  expect(words({ ...counted, agreed: [1], settled_in_seconds: 300 })).toMatch(/^Finn is away\. If that stays so, this count stands at .*1970/)
  expect(words({ ...counted, proposed: false })).toMatch(/^Finn is away\. Mark the stones as the engine proposed/)
  expect(words(null, 86_400, 'adjourned')).toMatch(/^Finn is away\. If that stays so, you can claim the game at .*1970/)
  expect(words(null, 0, 'adjourned')).toBe('Finn has been away for a week. You can claim the game.')
  expect(words(null, null, 'adjourned')).toBe('')
})

test('a guest cannot sit down in a rated game', () => {
  const [guest, anna] = [true, false].map(guest => ({ username: 'x', guest }))
  expect([mayPlay(terms({ rated: true }), guest), mayPlay(terms({ rated: true }), anna), mayPlay(terms({}), guest)]).toEqual([false, true, true])
})

test('the colours are exchanged in the same game again, but the weaker player keeps the handicap stones', () => {
  expect([colorAgain(1, 0), colorAgain(2, 0)]).toEqual(['white', 'black'])
  expect([colorAgain(1, 4), colorAgain(2, 4)]).toEqual(['black', 'white'])
})
