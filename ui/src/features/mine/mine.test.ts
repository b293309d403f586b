import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { provideBackend } from '@/api'
import { useReviews } from '@/features/library'
import { useNotices } from '@/features/notices'
import { usePlay } from '@/features/play'
import { useSettings } from '@/features/settings'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import MineRoom from './MineRoom.vue'
import { useMine } from './store'

/** Black leaves three stones in atari for a corner at move 17. */
const MOVES = ';B[ee];W[cc];B[ed];W[de];B[ef];W[df];B[gg];W[dd];B[gc];W[ec];B[cg];W[eg];B[fh];W[fe];B[aa];W[fd];B[ha];W[ff]'
const RECORDS = `(;SZ[9]KM[0.5]RU[Chinese]PB[Aya]PW[Ben]DT[2026-01-05]${MOVES})(;SZ[9]KM[0.5]RU[Chinese]PB[Aya]PW[Cho]DT[2026-02-05];B[aa]${MOVES.slice(6)})`

test('nobody is taken for the person unasked, least of all the computer', async () => {
  // The first of them has won most games.
  const { backend } = await startApp({ records: `${RECORDS}(;SZ[9]PB[]PW[Honinbo 20k]RE[W+R];B[ee])(;SZ[9]PB[]PW[Honinbo 20k]RE[W+R];B[ff])(;SZ[9]PB[]PW[Honinbo 20k]RE[W+R];B[gg])`, settings: { threads: 1 } })
  const [mine, settings] = [useMine(), useSettings()]
  await mine.open()
  const wrapper = mount(MineRoom, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  expect([mine.name, mine.page, settings.settings.ownName]).toEqual(['', undefined, ''])
  expect(wrapper.text()).toContain('Which one are you?')
  const offered = wrapper.findAll('[data-action=choose-name]')
  expect(offered.map(one => one.find('bdi').text())).toEqual(['Aya', 'Ben', 'Cho'])
  await offered[1]?.trigger('click')
  await backend.until(() => mine.page?.games === 1)
  expect(settings.settings.ownName).toBe('Ben')
})

test('own games are reviewed, told by class, opened and practised', async () => {
  const { backend } = await startApp({ records: RECORDS, settings: { threads: 1 } })
  const [mine, reviews, settings] = [useMine(), useReviews(), useSettings()]
  backend.listen((event) => { if (event.event === 'reviews') reviews.receive(event.payload) })
  settings.change({ ownName: 'Aya' })
  await mine.open()
  expect([mine.name, mine.page?.games, mine.page?.judged]).toEqual(['Aya', 2, 0])
  const wrapper = mount(MineRoom, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  await wrapper.find('[data-action=review-mine]').trigger('click')
  await backend.until(() => mine.page?.judged === 2)
  expect(wrapper.find('[data-test=mine-judged]').text()).toBe('2 of 2 games are reviewed and count here.')
  const all = mine.page?.classes.find(one => one.class === 'all')?.rate
  expect(all?.moves).toBeGreaterThan(15)
  expect(wrapper.find('[data-group=all] .row').text()).toMatch(/\d+ of \d+ moves/)

  // Three stones that were left in atari are a mistake to any network.
  const row = wrapper.find('[data-group=kinds] .row')
  expect(row.exists()).toBe(true)
  await row.trigger('click')
  await backend.until(() => mine.positions.length > 0)
  await wrapper.find('[data-action=open-position]').trigger('click')
  const [first] = mine.positions
  expect(wrapper.emitted('record')).toEqual([[first?.record, (first?.number ?? 0) - 1]])
  await wrapper.find('[data-action=practise-weakness]').trigger('click')
  await backend.until(() => (mine.page?.trainings.length ?? 0) > 0)
  expect(wrapper.find('[data-test=mine-proof]').text()).toContain('not yet known')
})

test('somebody who has just played here says a name, under which that game counts', async () => {
  const { backend } = await startApp({ settings: { threads: 1 } })
  const [mine, play, settings] = [useMine(), usePlay(), useSettings()]
  const game = { width: 9, height: 9, topology: 'plane' as const, rules: 'chinese', komi: 7, handicap: 0, black: '', white: '' }
  backend.listen((event) => { if (event.event === 'play') play.receive(event.payload) })
  await play.start({ game, seats: { black: null, white: 'medium' }, clock: null, teaching: null })
  await play.turn(40)
  await backend.until(() => play.view?.thinking === false)
  await play.resign()
  await mine.open()
  const wrapper = mount(MineRoom, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  await backend.until(() => wrapper.find('[data-field=say-name]').exists())
  expect(wrapper.text()).toContain('Your games here have no name yet')
  await wrapper.find('[data-field=say-name]').setValue('Aya')
  await wrapper.find('[data-test=own-name]').trigger('submit')
  await backend.until(() => backend.asked('name_person').length === 1)
  expect(settings.settings.ownName).toBe('Aya')
  await backend.until(() => mine.page?.games === 1)
})

test('somebody without games is told what the page is for', async () => {
  const { backend } = await startApp({ settings: { threads: 1 } })
  const mine = useMine()
  await mine.open()
  const wrapper = mount(MineRoom, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  expect(wrapper.text()).toContain('No games yet')
})

test('an own name without games yet is kept, and nobody else is taken for the person', async () => {
  const { backend } = await startApp({ records: RECORDS, settings: { threads: 1 } })
  const [mine, settings] = [useMine(), useSettings()]
  settings.change({ ownName: 'Dora' })
  await mine.open()
  const wrapper = mount(MineRoom, { global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  expect(wrapper.find('[data-field=own-name]').element).toHaveProperty('value', 'Dora')
  expect(wrapper.text()).toContain('No games yet')
  expect(useNotices().notices).toEqual([])
  await wrapper.find('[data-field=own-name]').setValue('Ben')
  expect([settings.settings.ownName, mine.name]).toEqual(['Ben', 'Ben'])
  await backend.until(() => mine.page?.games === 1)
})

test('a game that leads to such positions is played by somebody who has a style', async () => {
  await startApp({ settings: { threads: 1 } })
  const [mine, settings] = [useMine(), useSettings()]
  settings.preferences.newGame = { against: 'engine', near: false, rank: 'pupil_2', rated: true }
  mine.steer('aggressive')
  expect(settings.preferences.newGame).toEqual({ against: 'rank', near: true, rank: 'pupil_2', rated: false, style: 'aggressive' })
  settings.preferences.newGame = { near: false, rank: 'rank_3k' }
  mine.steer('local')
  expect(settings.preferences.newGame).toMatchObject({ near: false, rank: 'rank_3k', style: 'local' })
})

test('positions are those of whoever is shown, however late others come', async () => {
  const { backend } = await startApp({ records: RECORDS, settings: { threads: 1 } })
  const [mine, settings] = [useMine(), useSettings()]
  settings.change({ ownName: 'Aya' })
  await mine.open()
  const asked: string[] = []
  const slow = backend.hold('weak_positions')
  const first = mine.look('all')
  await mine.choose('Ben')
  const second = mine.look('all')
  await backend.until(() => slow.waiting === 2)
  asked.push(...backend.asked('weak_positions').map(({ name }) => name))
  slow.releaseLast()
  await second
  const found = mine.positions
  slow.release()
  await first
  expect(asked).toEqual(['Aya', 'Ben'])
  expect(mine.positions).toBe(found)
})
