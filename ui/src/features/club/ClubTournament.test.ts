import { flushPromises, mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { Tournament } from '@/api'
import { i18n } from '@/i18n'
import ClubTournament from './ClubTournament.vue'

/** Two players, who have played one round. */
const PLAYED: Tournament = {
  id: 1, title: 'Spring cup', system: 'swiss', stage: 'running', organiser: 'Tomo', organises: true, you: null, planned: 5, without_rematch: 5,
  bar: null, handicap_less: null, can_pair: true, can_take_back: false, terms: { time: { kind: 'none' } } as unknown as Tournament['terms'],
  table: [0, 1].map(player => ({ player, name: ['Anna', 'Ben'][player]!, rank: '', attendance: 'here', place: player + 1, start: 0, score: 1 - player, sos: 0, sodos: 0, rounds: [{ opponent: 1 - player, color: 1, result: 'won' }] })),
  rounds: [{ games: [{ black: 0, white: 1, room: '12345678', result: 'black', handicap: 0, rematch: false }], bye: null }],
  rests: [],
}

beforeEach(() => { setActivePinia(createPinia()) })

/** Four players in the second round: Anna and Ben play, Carl has the bye, and Dora has half a point. */
const PAIRED: Tournament = {
  ...PLAYED,
  table: ['Anna', 'Ben', 'Carl', 'Dora', 'Eva'].map((name, player) => ({ ...PLAYED.table[0]!, player, name, rounds: [] })),
  rounds: [PLAYED.rounds[0]!, { games: [{ black: 0, white: 1, room: '87654321', result: null, handicap: 0, rematch: false }], bye: 2 }],
  rests: [{ round: 1, player: 3, points: 'half' }, { round: 3, player: 1, points: 'nothing' }],
}

/** The page of a tournament, and what was asked of the server since. */
async function shown(tournament: Tournament, refused?: (body: Record<string, unknown>) => string | undefined) {
  const asked: string[] = []
  const bodies: Record<string, unknown>[] = []
  vi.stubGlobal('WebSocket', class { addEventListener(): void {} send(): void {} close(): void {} })
  vi.stubGlobal('fetch', (path: string, { method = 'GET', body }: RequestInit) => {
    if (method !== 'GET') asked.push(path)
    if (typeof body === 'string') {
      const sent = JSON.parse(body) as Record<string, unknown>
      bodies.push(sent)
      const kind = refused?.(sent)
      if (kind) return Promise.resolve({ ok: false, status: 409, headers: new Headers(), text: () => Promise.resolve(JSON.stringify({ error: { kind, message: '' } })) } as Response)
    }
    return Promise.resolve({ ok: true, status: 200, headers: new Headers(), text: () => Promise.resolve(JSON.stringify(tournament)) } as Response)
  })
  const wrapper = mount(ClubTournament, { props: { tournament: 1, narrow: false }, global: { plugins: [i18n] }, attachTo: document.body })
  onTestFinished(() => { wrapper.unmount() })
  await vi.waitFor(() => wrapper.get('h1'))
  const press = async (action: string): Promise<void> => {
    document.querySelector<HTMLElement>(`[data-action=${action}]`)!.click()
    await flushPromises()
  }
  return { wrapper, asked, bodies, press }
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

test('the organiser takes a pairing apart, exchanges its colours, and enters a result of those whom it shows', async () => {
  const { wrapper, asked, bodies, press } = await shown(PAIRED)
  await press('take-apart')
  await press('exchange-colors')
  await wrapper.get('[data-game="0"] [data-field=result]').setValue('white')
  await flushPromises()
  expect(asked).toEqual(['/api/tournaments/1/pairings', '/api/tournaments/1/pairings', '/api/tournaments/1/results'])
  expect(bodies).toEqual([
    { round: 1, one: 0, other: 1, change: 'unpair', rematch: false },
    { round: 1, one: 0, other: 1, change: 'exchange', rematch: false },
    { round: 1, game: 0, black: 0, white: 1, result: 'white' },
  ])
})

test('a result that was entered by a slip is taken back in the last round, and stays where that is refused', async () => {
  const game = PAIRED.rounds[1]!.games[0]!
  const slip = { ...PAIRED, rounds: [PAIRED.rounds[0]!, { games: [{ ...game, result: 'draw' as const }], bye: 2 }] }
  const { wrapper, bodies } = await shown(slip, ({ result }) => result === null ? 'game_begun' : undefined)
  const field = wrapper.get<HTMLSelectElement>('[data-game="0"] [data-field=result]')
  const open = field.get<HTMLOptionElement>('option[value=""]')
  expect([open.element.disabled, open.text()]).toEqual([false, 'Not played yet'])
  await field.setValue('')
  await flushPromises()
  expect([bodies, field.element.value]).toEqual([[{ round: 1, game: 0, black: 0, white: 1, result: null }], 'draw'])
  // Of one that is over nothing is taken back.
  const over = await shown({ ...slip, stage: 'over' })
  expect(over.wrapper.get<HTMLOptionElement>('[data-game="0"] [data-field=result] option[value=""]').element.disabled).toBe(true)
})

test('two are paired who have no game, and two others exchange their places', async () => {
  const { wrapper, bodies, press } = await shown(PAIRED)
  const [first, second] = [wrapper.get('[data-field=first-player]'), wrapper.get('[data-field=second-player]')]
  expect(first.findAll('option').map(option => option.text())).toEqual(['First player', 'Anna (against Ben)', 'Ben (against Anna)', 'Carl (no game)', 'Dora (no game)', 'Eva (no game)'])
  const disabled = (action: string): boolean => wrapper.get(`[data-action=${action}]`).attributes('disabled') !== undefined
  expect([disabled('pair-two'), disabled('exchange-places')]).toEqual([true, true])
  await first.setValue('0')
  await second.setValue('1')
  expect([disabled('pair-two'), disabled('exchange-places')]).toEqual([true, true])
  await second.setValue('2')
  expect([disabled('pair-two'), disabled('exchange-places')]).toEqual([true, false])
  await press('exchange-places')
  await first.setValue('3')
  await second.setValue('2')
  expect([disabled('pair-two'), disabled('exchange-places')]).toEqual([false, true])
  await press('pair-two')
  expect(bodies).toEqual([
    { round: 1, one: 0, other: 2, change: 'exchange', rematch: false },
    { round: 1, one: 3, other: 2, change: 'pair', rematch: false },
  ])
})

test('people who have met are paired again only after a question', async () => {
  const { wrapper, bodies, press } = await shown(PAIRED, ({ rematch }) => rematch === false ? 'rematch' : undefined)
  await wrapper.get('[data-field=first-player]').setValue('3')
  await wrapper.get('[data-field=second-player]').setValue('2')
  await press('pair-two')
  await vi.waitFor(() => { expect(document.querySelector('[role=dialog]')?.textContent).toContain('would meet again') })
  expect(bodies).toHaveLength(1)
  await press('pair-again')
  await vi.waitFor(() => { expect(document.querySelector('[role=dialog]')).toBeNull() })
  expect(bodies[1]).toEqual({ round: 1, one: 3, other: 2, change: 'pair', rematch: true })
})

test('rounds without a game are worth what the organiser says, those to come too', async () => {
  const { wrapper, asked, bodies, press } = await shown(PAIRED)
  expect(wrapper.findAll('[data-idle]').map(row => row.get('.words').text())).toEqual(['Carlbye', 'DoraHalf a point', 'Evano game'])
  await wrapper.get('[data-idle=Eva] [data-field=rest]').setValue('half')
  await flushPromises()
  expect(wrapper.findAll('[data-test=planned-pauses] li span').map(row => row.text())).toEqual(['Ben sits out round 4: No point'])
  await press('remove-pause')
  await wrapper.get('[data-field=paused]').setValue('Anna')
  await wrapper.get('[data-field=paused-round]').setValue('2')
  await press('give-pause')
  expect(asked).toEqual(['/api/tournaments/1/rests', '/api/tournaments/1/rests', '/api/tournaments/1/rests'])
  expect(bodies).toEqual([
    { round: 1, player: 4, name: 'Eva', points: 'half' },
    { round: 3, player: 1, name: 'Ben', points: null },
    { round: 2, player: 0, name: 'Anna', points: 'half' },
  ])
})

test('the rounds that somebody missed who comes late are worth what the organiser says', async () => {
  const { wrapper, bodies, press } = await shown(PAIRED)
  await wrapper.get('[data-field=player]').setValue('Frida')
  await wrapper.get('[data-field=missed]').setValue('half')
  await press('add-player')
  expect(bodies).toEqual([{ username: 'Frida', rank: '', missed: 'half' }])
  const open = await shown({ ...PAIRED, rounds: [], rests: [], stage: 'open' })
  expect(open.wrapper.find('[data-field=missed]').exists()).toBe(false)
})

test('nobody but the organiser changes pairings, and in a round robin there are colours alone', async () => {
  const fields = ['[data-action=take-apart]', '[data-test=by-hand]', '[data-test=pauses]', '[data-field=rest]', '[data-action=exchange-colors]']
  const player = await shown({ ...PAIRED, organises: false })
  expect(fields.map(field => player.wrapper.find(field).exists())).toEqual([false, false, false, false, false])
  expect(player.wrapper.findAll('[data-idle]').map(row => row.attributes('data-idle'))).toEqual(['Carl', 'Dora'])
  const all = await shown({ ...PAIRED, system: 'round_robin', rests: [] })
  expect(fields.map(field => all.wrapper.find(field).exists())).toEqual([false, false, false, false, true])
})
