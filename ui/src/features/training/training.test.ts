import { mount, type VueWrapper } from '@vue/test-utils'
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { useSettings } from '@/features/settings'
import { i18n } from '@/i18n'
import { duration } from '@/i18n/formats'
import { startApp, type TestBackend } from '@/testing'
import TrainingRoom from './TrainingRoom.vue'
import { useTraining } from './store'

/** A run of six generations on 5x5, and the first games of the seventh: made by `honinbo train`, without its networks and rows. */
const RUN = join(import.meta.dirname, '../../../../tests/fixtures/training/five')

let wrapper: VueWrapper | undefined
afterEach(() => wrapper?.unmount())

async function begin(): Promise<{ backend: TestBackend, folder: string, training: ReturnType<typeof useTraining> }> {
  const { backend } = await startApp({ paths: true, settings: { threads: 1 } })
  const folder = join(backend.dataDir, 'five')
  cpSync(RUN, folder, { recursive: true })
  const training = useTraining()
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') training.adopt(startup.data.canWatchTraining, startup.data.capabilities.paths)
  return { backend, folder, training }
}
const room = (backend: TestBackend): VueWrapper => wrapper = mount(TrainingRoom, { global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })

test('a run is chosen by its folder, and told in words, charts and a table', async () => {
  const { backend, folder, training } = await begin()
  expect([training.possible, training.mayChoose, training.isWithout]).toEqual([true, true, true])
  const page = room(backend)
  expect(page.text()).toContain('honinbo train runs/five --size 5')
  await page.get('[data-field=training-folder]').setValue(folder)
  await page.get('form').trigger('submit')
  await backend.until(() => training.seen !== undefined && training.policy !== undefined)
  expect(useSettings().preferences.trainingFolder).toBe(folder)
  const { status } = training
  expect(status).toMatchObject({ generations: 6, board: [5, 5, false], step: 'selfplay', unread: 0, trouble: '' })
  expect(page.get('[data-fact=now]').text()).toContain('Generation 7 now')
  expect(page.get('[data-fact=games] dd').text()).toBe(String(status?.cost.games))
  // Times beside each other have one form.
  expect(['time', 'processors'].map(fact => page.get(`[data-fact=${fact}] dd`).text())).toEqual([status?.cost.seconds, status?.cost.processorSeconds].map(seconds => duration(seconds ?? NaN)))
  const last = status?.strengths.at(-1)
  expect(page.get('[data-test=elo-words]').text()).toMatch(/^Generation 6: [+−]?[\d,]+ Elo \([+−]?[\d,]+ to [+−]?[\d,]+\)/)
  expect(page.get('[data-test=training-elo] [role=img]').attributes('aria-label')).toContain('intervals of 95%')
  expect(page.findAll('[data-test=training-elo] .dot:not(.hollow)')).toHaveLength(7)
  expect(page.findAll('[data-test=training-elo] .dot.hollow')).toHaveLength(status?.strengths.filter(one => !one.taken).length ?? -1)
  expect(page.findAll('[data-test=training-losses] polyline')).toHaveLength(5)
  expect(page.findAll('[data-test=training-table] tbody tr')).toHaveLength(6)
  expect(page.get('[data-test=training-table] tbody tr').text()).toContain(String(last?.generation))
})

test('a run that was stopped does not look as if it were under way', async () => {
  const { backend, folder, training } = await begin()
  writeFileSync(join(folder, '.lock'), '')
  const page = room(backend)
  await training.watchFolder(folder)
  await backend.until(() => training.status !== undefined)
  expect(page.get('[data-fact=now]').text()).toBe(`Generation 7Stopped; go on with “honinbo train ${folder}”`)
  expect(page.find('[data-fact=left]').exists()).toBe(false)
})

test('the policy of the empty board is looked at through the generations', async () => {
  const { backend, folder, training } = await begin()
  const page = room(backend)
  await training.watchFolder(folder)
  await backend.until(() => training.policy !== undefined)
  const slider = page.get<HTMLInputElement>('[data-field=training-generation]')
  expect([slider.element.min, slider.element.max, slider.element.value]).toEqual(['0', '5', '5'])
  const newest = training.policy
  expect(newest).toHaveLength(26)
  expect(newest?.reduce((sum, share) => sum + Math.max(0, share), 0)).toBeCloseTo(1, 3)
  await slider.setValue('0')
  await backend.until(() => training.policy !== newest)
  expect(training.generation).toBe(1)
  expect(page.get('[data-test=policy-words]').text()).toMatch(/^Generation 1: \w\d first, with \d+\.\d%; fair komi/)
  expect(page.get('[data-test=elo-words]').text()).toContain('Generation 1: ')
  expect(page.get('[data-test=loss-words]').text()).toContain('Generation 1, after ')
  await slider.setValue('5')
  expect(training.policy).toBe(newest)
})

test('games are followed as they are played, looked at, and opened as boards', async () => {
  const { backend, folder, training } = await begin()
  const page = room(backend)
  await training.watchFolder(folder)
  await backend.until(() => training.seen !== undefined)
  const before = training.game
  expect(before?.generation).toBe(7)
  expect(page.findAll('[data-game]')).toHaveLength(24)
  expect(page.get('[data-test=training-game]').text()).toMatch(/, (Black|White) wins by [^,]+$/)
  expect(page.get('[data-game][aria-pressed=true] b').text()).toMatch(/^[BW]\+/)
  const part = join(folder, `games/000007/${String(before?.file).padStart(6, '0')}.part`)
  appendFileSync(part, readFileSync(part, 'utf8').split('\n')[0]!)
  await training.look()
  expect(training.game).toMatchObject({ generation: 7, file: before?.file, index: (before?.index ?? 0) + 1 })
  // One that the person chose stays.
  await page.get(`[data-game="${before?.generation}-${before?.file}-${before?.index}"]`).trigger('click')
  appendFileSync(part, readFileSync(part, 'utf8').split('\n')[0]!)
  await training.look()
  expect(training.game).toEqual(before)
  await page.get('[data-action=open-training-game]').trigger('click')
  const games = useGames()
  await backend.until(() => games.active !== undefined)
  expect(games.active).toMatchObject({ width: 5, height: 5 })
  expect(games.active?.position.line.length).toBe((before?.moves ?? 0) + 1)
})

test('nothing is read anew while nothing changes, and what goes wrong is said', async () => {
  const { backend, folder, training } = await begin()
  const page = room(backend)
  await training.watchFolder(folder)
  const known = training.status
  await training.look()
  expect(training.status).toBe(known)
  appendFileSync(join(folder, 'status.jsonl'), '{"event":"tomorrow"}\n{"event":"trouble","generation":7,"reason":"the store is full"}\n')
  await training.look()
  expect(page.text()).toContain('One line of status.jsonl could not be read')
  expect(page.text()).toContain('Last trouble of this generation: the store is full')
  // What is known stays while the folder is away.
  rmSync(join(folder, 'run.toml'))
  await training.look()
  expect(page.get('[role=alert]').text()).toContain('has no run')
  expect(page.find('[data-test=training-facts]').exists()).toBe(true)
  writeFileSync(join(folder, 'run.toml'), 'boards = 5')
  await training.watchFolder(`${folder} `)
  expect(page.text()).toContain('is no configuration of a run')
  expect(page.find('[data-test=training-facts]').exists()).toBe(false)
})

test('where no paths may be named there is no page', async () => {
  const { backend } = await startApp({ settings: { threads: 1 } })
  const startup = await backend.call('startup', {})
  expect(startup.status === 'ok' && startup.data.canWatchTraining).toBe(false)
  const refused = await backend.call('training_status', { folder: '/', known: '' })
  expect(refused.status === 'error' && refused.error.kind).toBe('notPossibleHere')
})
