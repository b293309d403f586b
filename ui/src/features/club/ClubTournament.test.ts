import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { nextTick } from 'vue'
import type { Tournament } from '@/api'
import { i18n } from '@/i18n'
import ClubTournament from './ClubTournament.vue'

/** Two players, who have played one round. */
const PLAYED: Tournament = {
  id: 1, title: 'Spring cup', system: 'swiss', stage: 'running', organiser: 'Tomo', organises: true, you: null, planned: 5, without_rematch: 5,
  bar: null, handicap_less: null, can_pair: true, can_take_back: false, terms: { time: { kind: 'none' } } as unknown as Tournament['terms'],
  table: [0, 1].map(player => ({ player, name: ['Anna', 'Ben'][player]!, rank: '', attendance: 'here', place: player + 1, start: 0, score: 1 - player, sos: 0, sodos: 0, rounds: [{ opponent: 1 - player, color: 1, result: 'won' }] })),
  rounds: [{ games: [{ black: 0, white: 1, room: '12345678', result: 'black', handicap: 0, rematch: false }], bye: null }],
}

beforeEach(() => { setActivePinia(createPinia()) })

/** The page of a tournament, and what was asked of the server since. */
async function shown(tournament: Tournament) {
  const asked: string[] = []
  vi.stubGlobal('WebSocket', class { addEventListener(): void {} send(): void {} close(): void {} })
  vi.stubGlobal('fetch', (path: string, { method = 'GET' }: RequestInit) => {
    if (method !== 'GET') asked.push(path)
    return Promise.resolve({ ok: true, status: 200, headers: new Headers(), text: () => Promise.resolve(JSON.stringify(tournament)) } as Response)
  })
  const wrapper = mount(ClubTournament, { props: { tournament: 1, narrow: false }, global: { plugins: [i18n] }, attachTo: document.body })
  onTestFinished(() => { wrapper.unmount() })
  await vi.waitFor(() => wrapper.get('h1'))
  const press = async (action: string): Promise<void> => {
    document.querySelector<HTMLElement>(`[data-action=${action}]`)!.click()
    await nextTick()
    await nextTick()
  }
  return { wrapper, asked, press }
}

test('a tournament whose rounds are not all played is closed only after a question', async () => {
  const { asked, press } = await shown(PLAYED)
  await press('finish-tournament')
  expect(asked).toEqual([])
  expect(document.querySelector('[role=dialog]')?.textContent).toContain('Only 1 of 5 rounds have been played.')
  await press('finish-surely')
  expect(asked).toEqual(['/api/tournaments/1/finish'])
})

test('after the last round no question is asked', async () => {
  const { asked, press } = await shown({ ...PLAYED, planned: 1 })
  await press('finish-tournament')
  expect(asked).toEqual(['/api/tournaments/1/finish'])
})

test('a pairing is taken back while that can be done', async () => {
  const { wrapper, asked, press } = await shown({ ...PLAYED, can_take_back: true })
  expect(wrapper.get('[data-action=take-round-back]').text()).toBe('Take back the pairing of round 1')
  await press('take-round-back')
  expect(asked).toEqual(['/api/tournaments/1/take-back'])
  const played = await shown(PLAYED)
  expect(played.wrapper.find('[data-action=take-round-back]').exists()).toBe(false)
})

test('who meets again is told, and the organiser before that', async () => {
  const game = PLAYED.rounds[0]!.games[0]!
  const { wrapper } = await shown({ ...PLAYED, planned: 2, without_rematch: 1, rounds: [...PLAYED.rounds, { games: [{ ...game, rematch: true }], bye: null }] })
  expect(wrapper.get('[data-test=long-tournament]').text()).toContain('meet again after round 1')
  expect(wrapper.get('[data-test=pairing-rematch]').text()).toBe('Rematch')
})

test('the organiser corrects and reopens a tournament that is over', async () => {
  const { wrapper, asked, press } = await shown({ ...PLAYED, stage: 'over' })
  expect([wrapper.find('[data-field=result]').exists(), wrapper.find('[data-action=pair-round]').exists()]).toEqual([true, false])
  await press('reopen-tournament')
  expect(asked).toEqual(['/api/tournaments/1/reopen'])
})
