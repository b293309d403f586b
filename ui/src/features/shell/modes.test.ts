import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { expect, onTestFinished, test } from 'vitest'
import { defineComponent, h, nextTick } from 'vue'
import { provideBackend } from '@/api'
import { useAnalysis, usePlayOut } from '@/features/analysis'
import { EditBar, useEditing } from '@/features/edit'
import { useGames } from '@/features/game'
import { useSettings } from '@/features/settings'
import { useGuessing, useInserting, useLinePractice, useScoring, useTrial } from '@/features/stage'
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

test('what is only tried out is dropped by whatever is about the record, and not by counting it', async () => {
  const { backend, games, editing, shell, press } = await shown()
  const [trial, scoring, guessing] = [useTrial(), useScoring(), useGuessing()]
  await press('g')
  await press('y')
  await games.settled()
  expect([trial.active, guessing.active]).toEqual([true, false])
  await games.play(0)
  await press('e')
  await backend.until(() => scoring.score)
  expect([trial.active, scoring.open]).toEqual([true, true])
  await press('Escape')
  expect([trial.active, scoring.open]).toEqual([true, false])
  const nodes = games.active?.tree.ids.length ?? 0
  await press('e', { ctrlKey: true })
  await backend.until(() => editing.open)
  expect([trial.active, games.active?.tree.ids.length]).toEqual([false, nodes - 1])
  await press('y')
  await games.settled()
  expect([trial.active, editing.open]).toEqual([true, false])
  shell.act('info')
  await backend.until(() => shell.dialog === 'info')
  expect(trial.active).toBe(false)
})

test('Escape leaves the mode of the board first and stops the engine then', async () => {
  const { press } = await shown()
  const [analysis, guessing, inserting] = [useAnalysis(), useGuessing(), useInserting()]
  await analysis.turn(true)
  await press('g')
  await press('Escape')
  expect([guessing.active, analysis.wanted]).toEqual([false, true])
  await press('y')
  await useGames().settled()
  await press('Escape')
  await useGames().settled()
  expect([useTrial().active, analysis.wanted]).toEqual([false, true])
  await press('i')
  await press('Escape')
  expect([inserting.active, analysis.wanted]).toEqual([false, true])
  await press('Escape')
  expect(analysis.wanted).toBe(false)
})
