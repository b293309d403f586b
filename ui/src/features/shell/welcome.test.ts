import { mount } from '@vue/test-utils'
import { afterEach, describe, expect, test } from 'vitest'
import { provideBackend, type GameView } from '@/api'
import { useAnalysis } from '@/features/analysis'
import { useGames } from '@/features/game'
import { readPreferences } from '@/features/settings/preferences'
import { useProblems } from '@/features/problems'
import { useSettings } from '@/features/settings'
import { i18n } from '@/i18n'
import { FAMOUS, startApp } from '@/testing'
import ShellWelcome from './ShellWelcome.vue'
import { useShell } from './store'
import { isFirstStart } from './welcome'

let leave: (() => void) | undefined
afterEach(() => leave?.())

const open = (...ids: string[]): GameView[] => ids.map(gameId => ({ gameId }) as GameView)

describe('the first start', () => {
  test('is one where nothing was chosen before and nothing of one\'s own is open', () => {
    expect(isFirstStart(false, { games: open(), firstGame: null })).toBe(true)
    expect(isFirstStart(false, { games: open('g1'), firstGame: 'g1' })).toBe(true)
    expect(isFirstStart(true, { games: open(), firstGame: null })).toBe(false)
    expect(isFirstStart(false, { games: open('g1'), firstGame: null })).toBe(false)
    expect(isFirstStart(false, { games: open('g1', 'g2'), firstGame: 'g1' })).toBe(false)
  })

  test('was before this version for whoever kept settings then', () => {
    expect(readPreferences('').welcomed).toBe(false)
    expect(readPreferences('{"sound":false}').welcomed).toBe(true)
    expect(readPreferences('{"welcomed":false}').welcomed).toBe(false)
  })
})

async function shown(withGame: boolean) {
  const { backend } = await startApp({ game: withGame ? FAMOUS : undefined })
  const shell = useShell()
  const wrapper = mount(ShellWelcome, {
    props: { 'open': true, 'onUpdate:open': (open: boolean) => wrapper.setProps({ open }) },
    global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body,
  })
  leave = () => wrapper.unmount()
  await backend.settled()
  const click = async (selector: string): Promise<void> => { document.querySelector<HTMLElement>(selector)!.click(); await backend.settled() }
  return { backend, wrapper, click, shell }
}

test('the famous game is one key away, and the engine looks at it', async () => {
  const { backend, wrapper, click } = await shown(false)
  expect(document.activeElement?.getAttribute('data-action')).toBe('welcome-famous')
  await click('[data-action=welcome-famous]')
  expect(wrapper.props('open')).toBe(false)
  await backend.until(() => useAnalysis().wanted)
  expect(useGames().active?.fileName).toBe('ear-reddening-1846.sgf')
  expect(useGames().position?.moveNumber).toBe(127)
  expect(useSettings().preferences.welcomed).toBe(true)
})

test('who knows no rules learns them on the board', async () => {
  const { backend, wrapper, click, shell } = await shown(false)
  await click('[data-action=welcome-learn]')
  expect(wrapper.props('open')).toBe(false)
  await backend.until(() => useProblems().problem)
  expect([shell.room, useProblems().problem?.theme, useProblems().problem?.number]).toEqual(['problems', 'firstSteps', 1])
})

test('playing leads to the new game, and a look that is chosen holds at once', async () => {
  const { click, shell } = await shown(true)
  await click('input[value=dark]')
  expect(useSettings().theme).toBe('dark')
  await click('[data-action=welcome-play]')
  expect(shell.dialog).toBe('newGame')
})

test('a game that is opened from outside is an answer too', async () => {
  const { wrapper } = await shown(false)
  await useGames().openText('(;SZ[9];B[ee])')
  expect(wrapper.props('open')).toBe(false)
  expect(useSettings().preferences.welcomed).toBe(true)
})
