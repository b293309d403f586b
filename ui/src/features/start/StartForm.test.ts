import { flushPromises, mount } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { usePlay } from '@/features/play'
import { useSettings } from '@/features/settings'
import { i18n } from '@/i18n'
import { startApp, type AppOptions } from '@/testing'
import StartForm from './StartForm.vue'
import { useNewGame } from './store'

let leave: (() => void) | undefined
afterEach(() => leave?.())

async function shown(options: AppOptions = {}) {
  const { backend } = await startApp(options)
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') useGames().adopt(startup.data.games)
  const wrapper = mount(StartForm, { global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  leave = () => wrapper.unmount()
  const settle = async (): Promise<void> => { await backend.settled(); await flushPromises() }
  await settle()
  return { wrapper, settle, backend }
}

test('one press begins the game that was played last', async () => {
  const { wrapper, settle } = await shown()
  await wrapper.get('[data-size-choice="13"]').setValue(true)
  await wrapper.get('[data-color=white]').setValue(true)
  // What is remembered is part of what the settings keep.
  const kept: unknown = JSON.parse(JSON.stringify(useSettings().preferences.newGame))
  expect(kept).toMatchObject({ width: 13, height: 13, color: 'white' })
  await wrapper.get('form').trigger('submit')
  await settle()
  expect(useGames().active?.width).toBe(13)
  expect(usePlay().person).toBe('white')
  expect(wrapper.emitted('begun')).toHaveLength(1)
})

test('a rated game after one with handicap is even', async () => {
  const { wrapper, settle } = await shown()
  useNewGame().change({ handicap: 4 })
  await settle()
  useNewGame().change({ rated: true })
  await wrapper.get('form').trigger('submit')
  await settle()
  expect(usePlay().view?.rated).toBe(true)
  expect(useGames().active?.info).toMatchObject({ handicap: 0, komi: 7.5 })
})

test('the slider leaves the rank that is near, and comes back to it', async () => {
  const { wrapper } = await shown()
  const start = useNewGame()
  expect(start.choice.near).toBe(true)
  expect(wrapper.get('[data-test=rank]').text()).toBe('20 kyu')
  await wrapper.get('[data-field=rank]').setValue('1')
  expect(start.choice).toMatchObject({ near: false, rank: start.ranks[1] })
  await wrapper.get('[data-field=near]').setValue(true)
  expect(start.rank).toBe(start.near)
})

test('who has just learnt the rules is met on small boards, and somebody else takes the place on a large one', async () => {
  const { wrapper, settle } = await shown()
  const start = useNewGame()
  await wrapper.get('[data-size-choice="9"]').setValue(true)
  await settle()
  expect(start.ranks.slice(0, 6)).toEqual(['pupil_1', 'pupil_2', 'pupil_3', 'pupil_4', 'pupil_5', 'rank_20k'])
  await wrapper.get('[data-field=rank]').setValue('1')
  expect(wrapper.get('[data-test=rank]').text()).toBe('First steps 2')
  expect(wrapper.find('[data-field=style]').exists()).toBe(false)
  await wrapper.get('[data-size-choice="19"]').setValue(true)
  await settle()
  expect(start.ranks[0]).toBe('rank_20k')
  expect(wrapper.get('[data-test=rank]').text()).toBe('20 kyu')
  // Nobody is asked for who does not play on this board.
  await wrapper.get('form').trigger('submit')
  await settle()
  expect(usePlay().view?.seats.white).toMatch(/^rank_20k/)
})

test('a game against who has just learnt the rules begins without a style', async () => {
  const { wrapper, settle } = await shown()
  useNewGame().change({ style: 'local', adaptive: true, near: false, rank: 'pupil_4' })
  await wrapper.get('form').trigger('submit')
  await settle()
  expect(usePlay().view?.seats.white).toBe('pupil_4')
})

test('a figure of the clock is taken when it is written, and an empty field leaves it', async () => {
  const { wrapper } = await shown()
  const start = useNewGame()
  await wrapper.get('[data-field=clock]').setValue('byoYomi')
  const field = wrapper.get<HTMLInputElement>('[data-field=period-seconds]')
  const write = async (text: string, event: 'input' | 'change'): Promise<void> => {
    field.element.value = text
    await field.trigger(event)
  }
  await write('45', 'change')
  await write('', 'input')
  expect([field.element.value, start.choice.periodSeconds]).toEqual(['', 45])
  await write('', 'change')
  expect([field.element.value, start.choice.periodSeconds]).toEqual(['45', 45])
  await write('9999', 'change')
  expect([field.element.value, start.choice.periodSeconds]).toEqual(['3600', 3600])
})

test('a stone on the empty board is the first move', async () => {
  const { settle } = await shown()
  await useNewGame().begin(40)
  await settle()
  expect(usePlay().view?.seats.white).toBe('rank_20k+adaptive')
  expect(useGames().position?.stones[40]).not.toBe(0)
})

test('a board to analyse on is played against nobody, and a size of its own stays within the possible', async () => {
  const { wrapper, settle } = await shown()
  await wrapper.get('[data-against=nobody]').setValue(true)
  expect(wrapper.find('[data-color]').exists()).toBe(false)
  await wrapper.get('[data-action=other-boards]').trigger('click')
  const columns = wrapper.get<HTMLInputElement>('[data-field=columns]')
  columns.element.value = '99'
  await columns.trigger('change')
  expect(useNewGame().choice.width).toBe(52)
  await useNewGame().begin(0)
  await settle()
  expect(usePlay().view).toBeUndefined()
  expect(useGames().position?.stones[0]).not.toBe(0)
})

test('two opponents are chosen with their styles, and play while the person watches', async () => {
  const { wrapper, settle } = await shown()
  await wrapper.get('[data-against=watch]').setValue(true)
  for (const field of ['[data-color]', '[data-field=rated]', '[data-field=teaching]', '[data-field=own-name]', '[data-field=rank]']) expect(wrapper.find(field).exists(), field).toBe(false)
  await wrapper.get('[data-field=seat-black]').setValue('rank_20k')
  await wrapper.get('[data-field=style-black]').setValue('territorial')
  await wrapper.get('[data-field=seat-white]').setValue('easy')
  expect(wrapper.find('[data-field=style-white]').exists(), 'a level has no style').toBe(false)
  await wrapper.get('[data-field=pace]').setValue('10')
  await wrapper.get('form').trigger('submit')
  await settle()
  const play = usePlay()
  expect(play.view?.seats).toEqual({ black: 'rank_20k+territorial', white: 'easy' })
  expect([play.watched, play.person, play.mayMove]).toEqual([true, null, false])
})

test('an opponent that is not there any more gives its seat to one that needs no network', async () => {
  const { wrapper, settle } = await shown()
  useNewGame().change({ against: 'watch', blackSeat: 'Removed', whiteSeat: 'rank_3k+local' })
  await settle()
  expect(useNewGame().seats).toEqual({ black: 'medium', white: 'rank_3k+local' })
  expect(wrapper.get<HTMLSelectElement>('[data-field=seat-black]').element.value).toBe('medium')
})

test('an engine with a plus sign in its name has no style', async () => {
  const { wrapper, settle } = await shown()
  usePlay().opponents = [...usePlay().opponents, { id: 'A+B', kind: 'engine', needsNetwork: false, command: 'ab' }, { id: 'network:b18+x.bin.gz', kind: 'network', needsNetwork: true, command: '' }]
  useNewGame().change({ against: 'watch', blackSeat: 'A+B', whiteSeat: 'network:b18+x.bin.gz' })
  await settle()
  expect(useNewGame().seats).toEqual({ black: 'A+B', white: 'network:b18+x.bin.gz' })
  const field = wrapper.get<HTMLSelectElement>('[data-field=seat-white]').element
  expect([field.value, field.selectedOptions[0]?.text]).toEqual(['network:b18+x.bin.gz', 'b18+x'])
  expect(wrapper.find('[data-field=style-black]').exists()).toBe(false)
})

const RECORD = '(;SZ[7]RU[Japanese]KM[5.5]AB[cc];B[dd];W[ee];B[de];W[ed])'

test('the position on the board is the first choice, and the empty board the usual one', async () => {
  const { wrapper, settle } = await shown({ game: RECORD, at: 3 })
  const choices = wrapper.findAll<HTMLInputElement>('[name=start-from]')
  expect(choices.map(({ element }) => [element.dataset.from, element.checked])).toEqual([['here', false], ['empty', true]])
  expect(wrapper.find('[data-size-choice]').exists()).toBe(true)
  useNewGame().change({ against: 'nobody', rated: true, color: 'black' })
  await wrapper.get('[data-from=here]').setValue(true)
  await settle()
  // The record says what is played on and by which rules; nobody is no opponent, and it is not rated.
  for (const field of ['[data-size-choice]', '[data-against=nobody]', '[data-field=handicap]', '[data-field=rated]']) expect(wrapper.find(field).exists(), field).toBe(false)
  expect(useNewGame().game).toMatchObject({ against: 'rank', rated: false })
  expect(useNewGame().ranks[0], 'who has just learnt the rules plays on 7x7').toBe('pupil_1')
  expect(wrapper.get<HTMLInputElement>('[data-color=white]').element.checked, 'who is to move').toBe(true)
  await wrapper.get('[data-color=black]').setValue(true)
  expect(useNewGame().color).toBe('black')
  await wrapper.get('[data-from=empty]').setValue(true)
  expect(useNewGame().choice, 'what was chosen for other games stays').toMatchObject({ against: 'nobody', rated: true, color: 'black' })
})

test('an empty board is nothing to play on from', async () => {
  const { wrapper } = await shown({ game: '(;SZ[9])' })
  useNewGame().playFrom(true)
  expect(wrapper.find('[name=start-from]').exists()).toBe(false)
  expect(useNewGame().from).toBeUndefined()
})

test('a position is played on in a game of its own', async () => {
  const { wrapper, settle } = await shown({ game: RECORD, at: 3 })
  const original = useGames().active
  useNewGame().change({ near: false, rank: 'pupil_1' })
  useNewGame().playFrom(true)
  await wrapper.get('form').trigger('submit')
  await settle()
  expect(useGames().activeId).not.toBe(original?.gameId)
  expect(useGames().active).toMatchObject({ width: 7, info: { rules: 'japanese', komi: 5.5 }, position: { moveNumber: 3, toMove: 'white' } })
  expect(usePlay().view).toMatchObject({ seats: { black: 'pupil_1', white: null }, rated: false, tip: 3, begin: 3 })
  expect(useNewGame().from, 'the next game begins on an empty board').toBeUndefined()
})
