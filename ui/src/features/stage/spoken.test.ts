import { mount } from '@vue/test-utils'
import { TooltipProvider } from 'reka-ui'
import { expect, onTestFinished, test } from 'vitest'
import { defineComponent, h } from 'vue'
import { provideBackend } from '@/api'
import { BoardView, parsePointName } from '@/features/board'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import { useScoring } from './scoring'
import StageBoard from './StageBoard.vue'

/** The board of a record, and what is spoken. */
async function shown(record: string) {
  const { backend } = await startApp()
  const games = useGames()
  const notices = useNotices()
  await games.openText(record)
  const Window = defineComponent(() => () => h(TooltipProvider, () => games.active && h(StageBoard, { game: games.active })))
  const wrapper = mount(Window, { attachTo: document.body, global: { plugins: [i18n, app => provideBackend(app, backend)] } })
  onTestFinished(() => wrapper.unmount())
  const said = async (name: string): Promise<string> => {
    await wrapper.vm.$nextTick()
    wrapper.getComponent(BoardView).vm.$emit('visit', parsePointName(name, 9, 9)!)
    return notices.spoken.replace('\u00a0', '')
  }
  const spoken = async (): Promise<string> => {
    await wrapper.vm.$nextTick()
    return notices.spoken.replace('\u00a0', '')
  }
  return { backend, games, said, spoken, wrapper }
}

/** White takes one stone in the corner with the fourth move; two moves of Black follow each other then. */
const TAKE = '(;SZ[9];B[aa];W[ab];B[ee];W[ba];B[gg];B[gc])'

test('a move that takes stones says how many, and whose move it was the stone says', async () => {
  const { games, spoken } = await shown(TAKE)
  const { line } = games.active!.position
  await games.goTo(line[3]!)
  expect(await spoken()).toBe('Move 3, Black E5')
  await games.goTo(line[4]!)
  expect(await spoken()).toBe('Move 4, White B9, one stone captured')
  // A jump takes nothing from the board before it.
  await games.goTo(line[2]!)
  await games.goTo(line[4]!)
  expect(await spoken()).toBe('Move 4, White B9')
  await games.goTo(line[6]!)
  expect(await spoken()).toBe('Move 6, Black G7')
})

test('the cursor says what is drawn on its point', async () => {
  const { games, said } = await shown('(;SZ[9]AB[ee]TR[ee]LB[cc:A]CR[dd]DD[aa])')
  await games.navigate('first')
  expect(await said('E5')).toBe('E5, black stone, Triangle')
  expect(await said('C7')).toBe('C7, empty, label A')
  expect(await said('D6')).toBe('D6, empty, Circle')
  expect(await said('J1')).toBe('J1, empty')
})

test('while the game is counted the cursor says what is dead and whose ground it is', async () => {
  const { backend, games, said, wrapper } = await shown('(;SZ[9]AB[da][db][dc][dd][de][df][dg][dh][di]AW[ea][eb][ec][ed][ee][ef][eg][eh][ei][aa])')
  await games.navigate('first')
  await wrapper.vm.$nextTick()
  const scoring = useScoring()
  await scoring.byHand()
  await scoring.toggle(parsePointName('A9', 9, 9)!)
  await backend.settled()
  await wrapper.vm.$nextTick()
  expect(await said('A9')).toBe('A9, white stone, dead, Black’s territory')
  expect(await said('B5')).toBe('B5, empty, Black’s territory')
  expect(await said('H5')).toBe('H5, empty, White’s territory')
  expect(await said('D5')).toBe('D5, black stone')
})
