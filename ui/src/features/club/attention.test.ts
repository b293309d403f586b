import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nextTick, shallowRef } from 'vue'
import { createLocalBackend, provideBackend, type ClubInvitation, type RoomState } from '@/api'
import { useSettings } from '@/features/settings'
import { playCallSound } from '@/features/stage'
import { i18n } from '@/i18n'
import { useAttention } from './attention'
import { useLobby } from './lobby'
import { useRoom } from './room'
import { useClub } from './session'

vi.mock('@/features/stage', () => ({ playCallSound: vi.fn(), playPassSound: vi.fn(), playStoneSound: vi.fn() }))

let focused = false
let leave: (() => void) | undefined
beforeEach(() => {
  setActivePinia(createPinia())
  focused = false
  vi.mocked(playCallSound).mockClear()
  vi.spyOn(document, 'hasFocus').mockImplementation(() => focused)
})
afterEach(() => {
  leave?.()
  vi.restoreAllMocks()
})

function page() {
  const shown: string[] = []
  const backend = { ...createLocalBackend(), notifier: { allowed: () => Promise.resolve(true), show: (words: string, body: string) => void shown.push(`${words}: ${body}`) } }
  const wrapper = mount({ setup: () => { useAttention(shallowRef('Room 7')) }, template: '<p />' }, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  leave = () => wrapper.unmount()
  useClub().person = { username: 'Ben', guest: false, operator: false }
  const player = (name: string) => ({ name, engine: false, online: true })
  const is = async (stage: RoomState['stage'], turn: RoomState['turn']): Promise<void> => {
    useRoom().state = { stage, turn, players: [player('Anna'), player('Ben')] } as unknown as RoomState
    await nextTick()
  }
  const invite = async (...rooms: string[]): Promise<void> => {
    useLobby().invitations = rooms.map((room_id): ClubInvitation => ({ room_id, from: 'Gil', lesson: true, terms: null }))
    await nextTick()
  }
  return { shown, is, invite }
}

test('the title says that it is one’s move, and that one is invited', async () => {
  const { is, invite } = page()
  expect(document.title).toBe('Room 7 · 本因坊')
  await invite('8')
  expect(document.title).toBe('● Invitation · Room 7 · 本因坊')
  await is('playing', 2)
  expect(document.title).toBe('● Your move · Room 7 · 本因坊')
  await is('playing', 1)
  await invite()
  expect(document.title).toBe('Room 7 · 本因坊')
})

test('a game that begins and an invitation are heard, each once', async () => {
  const { is, invite } = page()
  await is('waiting', 1)
  await is('playing', 1)
  await is('playing', 2)
  expect(playCallSound).toHaveBeenCalledTimes(1)
  await invite('8')
  await invite('8')
  expect(playCallSound).toHaveBeenCalledTimes(2)
  useSettings().preferences.sound = false
  await invite('8', '9')
  expect(playCallSound).toHaveBeenCalledTimes(2)
})

test('the system tells it only where that is wanted and the page is not in front', async () => {
  const { shown, is, invite } = page()
  await is('waiting', 1)
  await is('playing', 2)
  await invite('8')
  expect(shown).toEqual([])
  useSettings().preferences.notify = true
  await is('waiting', 1)
  await is('playing', 1)
  await is('playing', 2)
  await invite('8', '9')
  expect(shown).toEqual(['The game has begun: Anna – Ben', 'Your move: Anna – Ben', 'Invitation: Gil invites you to a lesson'])
  focused = true
  await is('playing', 1)
  await is('playing', 2)
  expect(shown).toHaveLength(3)
})
