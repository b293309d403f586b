import { mount } from '@vue/test-utils'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { nextTick } from 'vue'
import { provideBackend, type ReviewQueue } from '@/api'
import { useAnalysis } from '@/features/analysis'
import { useGames } from '@/features/game'
import { useReviews } from '@/features/library'
import { useSettings } from '@/features/settings'
import SettingsWindow from '@/features/settings/SettingsWindow.vue'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import { LONG_MS, useLongReviews } from './useLongReviews'

const GAME = '(;SZ[9]KM[7.5]RU[Chinese]PB[Alice]PW[Bob];B[ee];W[aa];B[gg])'
let now = 0
let focused = false
let leave: (() => void) | undefined
beforeEach(() => {
  now = 0
  focused = false
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  vi.spyOn(document, 'hasFocus').mockImplementation(() => focused)
})
afterEach(() => {
  leave?.()
  vi.restoreAllMocks()
})

async function started(allowed = true) {
  const { backend } = await startApp({ game: GAME })
  const shown: [title: string, body: string][] = []
  const asked = vi.fn(() => Promise.resolve(allowed))
  const heard = { ...backend, notifier: { allowed: asked, show: (title: string, body: string) => void shown.push([title, body]) } }
  const wrapper = mount({ components: { SettingsWindow }, setup: () => { useLongReviews(); return { all: () => true } }, template: '<form><SettingsWindow :shows="all" /></form>' }, { global: { plugins: [i18n, app => provideBackend(app, heard)] } })
  leave = () => wrapper.unmount()
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') useGames().adopt(startup.data.games)
  backend.listen((event) => { if (event.event === 'graph') useAnalysis().receiveGraph(event.payload) })
  const box = wrapper.get<HTMLInputElement>('[data-field=notify]')
  const want = async (): Promise<void> => {
    await box.setValue(true)
    await backend.settled()
  }
  /** A review of the game on the board that takes so long. */
  const review = async (milliseconds: number): Promise<void> => {
    const before = useAnalysis().lastSweep?.serial
    await useAnalysis().review()
    await backend.until(() => useAnalysis().lastSweep?.serial !== before)
    await nextTick()
    now += milliseconds
    await backend.until(() => useAnalysis().lastSweep?.state.kind === 'finished')
    await nextTick()
  }
  return { backend, shown, asked, box, want, review }
}

test('nobody is asked and nothing is told unless it is wanted', async () => {
  const { backend, shown, asked, review } = await started()
  await backend.allow(20)
  const done = review(LONG_MS)
  await backend.allow(null)
  await done
  expect(asked).not.toHaveBeenCalled()
  expect(shown).toEqual([])
})

test('a long review is told when the window is not in front, once', async () => {
  const { shown, asked, box, want } = await started()
  await want()
  expect(asked).toHaveBeenCalledTimes(1)
  expect([box.element.checked, useSettings().preferences.notify]).toEqual([true, true])
  const analysis = useAnalysis()
  const gameId = useGames().active!.gameId
  const sweep = async (serial: number, kind: 'running' | 'finished' | 'stopped', at: number): Promise<void> => {
    now = at
    analysis.receiveGraph({ gameId, values: [], sweep: { serial, state: { kind }, visits: 100, pass: 1, passes: 1, done: 0, total: 4, unsettled: false } })
    await nextTick()
  }
  await sweep(101, 'running', 0)
  await sweep(101, 'running', LONG_MS)
  await sweep(101, 'finished', LONG_MS)
  expect(shown).toEqual([['The review is finished', 'Alice – Bob']])
  // One that was quick, one that was stopped, and one that the person waited for.
  await sweep(102, 'running', 40_000)
  await sweep(102, 'finished', 41_000)
  await sweep(103, 'running', 50_000)
  await sweep(103, 'stopped', 90_000)
  focused = true
  await sweep(104, 'running', 100_000)
  await sweep(104, 'finished', 200_000)
  expect(shown).toHaveLength(1)
})

test('so is the end of the list of games', async () => {
  const { shown, want } = await started()
  await want()
  const queue = async (waiting: number, done: number, at: number): Promise<void> => {
    now = at
    const queue: ReviewQueue = { waiting, done, failed: 0, offered: 0, asked: true, state: { kind: 'idle' }, secondsLeft: null }
    useReviews().receive(queue)
    await nextTick()
  }
  await queue(3, 0, 0)
  await queue(1, 2, 500_000)
  await queue(0, 3, 900_000)
  expect(shown).toEqual([['The review is finished', '3 games reviewed']])
  await queue(2, 0, 1_000_000)
  await queue(0, 0, 2_000_000)
  expect(shown).toHaveLength(1)
})

test('where notices are refused the box stays empty', async () => {
  const { box, want } = await started(false)
  await want()
  expect([box.element.checked, useSettings().preferences.notify]).toEqual([false, false])
})
