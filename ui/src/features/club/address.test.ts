import { expect, test } from 'vitest'
import { hashOf, invitationLink, linkTo, readPlace, roomIn, type Place } from './address'

test('every place has an address that leads back to it', () => {
  const places: Place[] = [
    { name: 'lobby' }, { name: 'room', room: '20391877', watch: false }, { name: 'room', room: '20391877', watch: true },
    { name: 'room', room: 'ai_rank_5k', watch: false }, { name: 'room', room: 'a/b #?%', watch: false }, { name: 'game', game: 17 }, { name: 'tournament', tournament: 3 }, { name: 'lesson', lesson: '20391877' },
    { name: 'server' }, { name: 'sign-in' }, { name: 'link' }, { name: 'logged-out' }, { name: 'invitation', code: 'c0de'.repeat(16) },
  ]
  for (const place of places) expect(readPlace(hashOf(place))).toEqual(place)
})

test('what is no address of a room is the lobby', () => {
  for (const hash of ['', '#', '#/rooms', '#/rooms/', '#/rooms/room/', '#/rooms/room/%E0%A4%A', '#/rooms/game/0', '#/rooms/game/x', '#/rooms/game/1e99', '#/rooms/tournament/', '#/rooms/tournament/-1', '#/rooms/lesson/', '#/rooms/invitation/', '#/rooms/invitation/short', '#/rooms/lesson/ai_hard', '#/elsewhere/room/1']) {
    expect(readPlace(hash), hash).toEqual({ name: 'lobby' })
  }
})

test('a number is found however it was written, and in a link', () => {
  for (const text of ['20391877', ' 2039 1877 ', '2039-1877', linkTo('20391877'), 'https://go.example.org/#/rooms/lesson/20391877']) expect(roomIn(text), text).toBe('20391877')
  expect(roomIn('ai_hard')).toBe('ai_hard')
  for (const text of ['', '2039187', '203918777', 'Anna', 'https://go.example.org/']) expect(roomIn(text), text).toBeUndefined()
})

test('a link says nothing about who made it', () => {
  window.history.replaceState(null, '', '/?token=secret#/rooms')
  expect(linkTo('20391877')).not.toContain('secret')
  expect(invitationLink('c0de')).not.toContain('secret')
  window.history.replaceState(null, '', '/')
})
