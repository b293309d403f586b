import { mount } from '@vue/test-utils'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { provideBackend } from '@/api'
import { useGames } from '@/features/game'
import { testApp } from '@/testing/app'
import { i18n } from '@/i18n'
import LibraryExplorer from './LibraryExplorer.vue'

beforeEach(() => { vi.useFakeTimers() })
afterEach(() => { vi.useRealTimers() })

async function atStart(options: Parameters<typeof testApp>[0] = {}) {
  const { backend } = testApp(options)
  const games = useGames()
  const startup = await backend.call('startup', {})
  if (startup.status === 'ok') games.adopt(startup.data.games)
  await games.navigate('first')
  if (!games.active) throw new Error('there is no game')
  const wrapper = mount(LibraryExplorer, { props: { game: games.active }, global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  const asked = (): number => backend.calls.filter(call => call.name === 'explore_position').length
  return { backend, games, wrapper, asked }
}

test('shows how games went on, asks again where the board goes, and tells what is chosen', async () => {
  const { games, wrapper, asked } = await atStart()
  await vi.advanceTimersByTimeAsync(200)
  const rows = wrapper.findAll('[data-point]')
  expect(rows.map(row => row.attributes('data-point'))).toEqual(['R6', 'C6'])
  for (const part of ['25', '1998–2019', '−0.1']) expect(rows[0]?.text()).toContain(part)
  await rows[0]?.trigger('click')
  expect(wrapper.emitted('play')).toEqual([[13 * 19 + 16]])

  await games.play(13 * 19 + 16)
  await wrapper.setProps({ game: games.active! })
  // Until the new answer is there, the old moves are not played on the new position.
  await wrapper.find('[data-point]').trigger('click')
  expect(wrapper.emitted('play')).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(200)
  expect(asked()).toBe(2)
  expect(wrapper.findAll('[data-point]').map(row => row.attributes('data-point'))).toEqual(['C6'])
})

test('a comment asks nothing, a changed library asks again', async () => {
  const { backend, games, wrapper, asked } = await atStart()
  await vi.advanceTimersByTimeAsync(200)
  await games.setComment(games.active!.position.nodeId, 'quiet')
  await wrapper.setProps({ game: games.active! })
  await vi.advanceTimersByTimeAsync(200)
  expect(asked()).toBe(1)
  backend.emit({ event: 'libraryChanged' })
  await vi.advanceTimersByTimeAsync(200)
  expect(asked()).toBe(2)
  wrapper.unmount()
  backend.emit({ event: 'libraryChanged' })
  await vi.advanceTimersByTimeAsync(200)
  expect(asked()).toBe(2)
})

test('a slow library is asked one question at a time, and the last one counts', async () => {
  const { backend, games, wrapper, asked } = await atStart()
  const real = backend.call.bind(backend)
  const held: (() => void)[] = []
  vi.spyOn(backend, 'call').mockImplementation(async (name, args) => {
    const answer = await real(name, args)
    if (name === 'explore_position') await new Promise<void>((resolve) => { held.push(resolve) })
    return answer
  })
  await vi.advanceTimersByTimeAsync(200)
  for (const point of [13 * 19 + 16, 0]) {
    await games.play(point)
    await wrapper.setProps({ game: games.active! })
    await vi.advanceTimersByTimeAsync(200)
  }
  expect(asked()).toBe(1)
  held[0]?.()
  await vi.advanceTimersByTimeAsync(1)
  expect(asked()).toBe(2)
  expect(wrapper.find('[data-point]').exists()).toBe(false)
  held[1]?.()
  await vi.advanceTimersByTimeAsync(1)
  expect(wrapper.findAll('[data-point]').map(row => row.attributes('data-point'))).toEqual(['C6'])
})

test('a failure is said in its place, and trying again helps', async () => {
  const failures: Record<string, unknown> = { explore_position: { kind: 'library', message: 'the file is damaged', hint: 'check it' } }
  const { wrapper } = await atStart({ failures })
  await vi.advanceTimersByTimeAsync(200)
  expect(wrapper.find('[role=alert]').text()).toContain('damaged')
  delete failures.explore_position
  await wrapper.find('button').trigger('click')
  await vi.advanceTimersByTimeAsync(1)
  expect(wrapper.findAll('[data-point]')).toHaveLength(2)
})
