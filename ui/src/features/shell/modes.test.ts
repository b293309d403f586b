import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { expect, onTestFinished, test } from 'vitest'
import { defineComponent, h, nextTick } from 'vue'
import { provideBackend } from '@/api'
import { useAnalysis, usePlayOut } from '@/features/analysis'
import { EditBar, useEditing } from '@/features/edit'
import { useGames } from '@/features/game'
import { useSettings } from '@/features/settings'
import { useGuessing, useInserting, useLinePractice, useScoring } from '@/features/stage'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import { useShell } from './store'
import { useShortcuts } from './useShortcuts'

/** A window with its keys on the first move of a game. */
async function shown() {
  const { backend } = await startApp()
  const games = useGames()
  useSettings()
  const shell = useShell()
  await games.openText('(;SZ[9];B[ee];W[cc];B[gg])')
  await games.navigate('first')
  await games.navigate('next')
  const editing = useEditing()
  const Window = defineComponent(() => {
    useShortcuts()
    return () => h(TooltipProvider, () => h('div', { class: 'stage' }, editing.open ? [h(EditBar)] : []))
  })
  const wrapper = mount(Window, { global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  onTestFinished(() => wrapper.unmount())
  const press = async (key: string, more: KeyboardEventInit = {}): Promise<void> => {
    (document.activeElement ?? document.body).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more }))
    await backend.settled()
    await nextTick()
  }
  return { backend, games, shell, editing, press }
}

test('the keyboard that opens the tools has the focus on them', async () => {
  const { editing, press } = await shown()
  await press('e', { ctrlKey: true })
  expect([editing.open, document.activeElement?.getAttribute('data-tool')]).toEqual([true, 'play'])
  await press('e', { ctrlKey: true })
  expect(editing.open).toBe(false)
})

test('the board is in one mode at a time, however it is entered', async () => {
  const { backend, editing, press } = await shown()
  const [guessing, inserting, playOut, scoring] = [useGuessing(), useInserting(), usePlayOut(), useScoring()]
  const modes = (): boolean[] => [editing.open, guessing.active, inserting.active, playOut.progress !== undefined, scoring.open]
  await press('e', { ctrlKey: true })
  await press('g')
  expect(modes()).toEqual([false, true, false, false, false])
  await press('G', { shiftKey: true })
  expect([...modes(), useLinePractice().active]).toEqual([false, false, false, false, false, true])
  await press('i')
  expect(useLinePractice().active).toBe(false)
  expect(modes()).toEqual([false, false, true, false, false])
  editing.show(true)
  expect(modes()).toEqual([true, false, false, false, false])
  await press('i')
  await press('e')
  await backend.until(() => scoring.score)
  expect(modes()).toEqual([false, false, false, false, true])
  const playing = playOut.start()
  expect(modes()).toEqual([false, false, false, true, false])
  await press('g')
  await playing
  expect(modes()).toEqual([false, true, false, false, false])
})

test('Escape leaves the mode of the board first and stops the engine then', async () => {
  const { press } = await shown()
  const [analysis, guessing, inserting] = [useAnalysis(), useGuessing(), useInserting()]
  await analysis.turn(true)
  await press('g')
  await press('Escape')
  expect([guessing.active, analysis.wanted]).toEqual([false, true])
  await press('i')
  await press('Escape')
  expect([inserting.active, analysis.wanted]).toEqual([false, true])
  await press('Escape')
  expect(analysis.wanted).toBe(false)
})
