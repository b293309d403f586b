import { mount } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import { defineComponent, h, nextTick } from 'vue'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import GameAnnotate from './GameAnnotate.vue'
import { useGames } from './index'

let leave: (() => void) | undefined
afterEach(() => {
  leave?.()
  leave = undefined
})

/** The open card of a game's first move, whose annotations and name it changes. */
async function opened(sgf: string) {
  const { backend } = await startApp()
  const games = useGames()
  await games.openText(sgf)
  await games.navigate('next')
  const Window = defineComponent(() => () => games.active && h(GameAnnotate, { game: games.active, onAnnotate: games.setAnnotations, onRename: games.setNodeName }))
  const wrapper = mount(Window, { global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  leave = () => wrapper.unmount()
  await wrapper.get('[data-action=annotate]').trigger('click')
  await nextTick()
  const field = <E extends HTMLElement>(name: string): E => document.querySelector<E>(`[data-field=${name}]`)!
  const choose = (name: string, value: string): void => {
    const select = field<HTMLSelectElement>(name)
    select.value = value
    select.dispatchEvent(new Event('change', { bubbles: true }))
  }
  const sgfNow = async (): Promise<string> => {
    await backend.settled()
    return (await games.fileOf(games.activeId ?? ''))?.sgf ?? ''
  }
  return { backend, games, wrapper, field, choose, sgfNow }
}

test('annotations are chosen one after the other without waiting for an answer, and undone', async () => {
  const { backend, games, choose, sgfNow } = await opened('(;SZ[9];B[ee]BM[1]XX[kept];W[cc])')
  choose('move-annotation', 'veryGood')
  choose('position-annotation', 'goodForBlack')
  choose('hotspot', 'normal')
  expect(await sgfNow()).toBe('(;SZ[9];B[ee]XX[kept]TE[2]GB[1]HO[1];W[cc])')
  expect(games.active?.tree.annotated).toEqual([{ nodeId: games.position?.nodeId, annotations: { onMove: 'veryGood', onPosition: 'goodForBlack', hotspot: 'normal' } }])
  for (let change = 0; change < 3; change++) await games.undo()
  await backend.settled()
  expect(games.position?.annotations).toEqual({ onMove: 'bad', onPosition: null, hotspot: null })
  expect(games.active?.modified).toBe(false)
})

test('the first entry takes an annotation away', async () => {
  const { field, choose, sgfNow } = await opened('(;SZ[9];B[ee]DO[]DM[1])')
  expect([field<HTMLSelectElement>('move-annotation').value, field<HTMLSelectElement>('position-annotation').value]).toEqual(['doubtful', 'even'])
  choose('move-annotation', '')
  expect(await sgfNow()).toBe('(;SZ[9];B[ee]DM[1])')
})

test('a position without a move has none to annotate', async () => {
  const { games, field } = await opened('(;SZ[9];AB[ee];W[cc])')
  expect(field<HTMLSelectElement>('move-annotation').disabled).toBe(true)
  await games.navigate('next')
  await nextTick()
  expect(field<HTMLSelectElement>('move-annotation').disabled).toBe(false)
})

test('a name belongs to the node where it was typed, also when the card is closed by a key', async () => {
  const { games, field, sgfNow } = await opened('(;SZ[9];B[ee]N[old];W[cc])')
  const name = field<HTMLInputElement>('node-name')
  expect(name.value).toBe('old')
  name.value = ' The ladder '
  name.dispatchEvent(new Event('input', { bubbles: true }))
  await games.navigate('next')
  expect(await sgfNow()).toBe('(;SZ[9];B[ee]N[The ladder];W[cc])')
  await nextTick()
  expect(name.value).toBe('')
  name.value = 'Next'
  name.dispatchEvent(new Event('input', { bubbles: true }))
  name.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  await nextTick()
  expect(await sgfNow()).toBe('(;SZ[9];B[ee]N[The ladder];W[cc]N[Next])')
})
