import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import GameTree from './GameTree.vue'
import { useGames } from './index'

test('the menu key asks about the node on the board, whichever event tells of it, and a press about its place', async () => {
  const { backend } = await startApp()
  const games = useGames()
  await games.openText('(;SZ[9];B[ee];W[cc])')
  await games.navigate('last')
  const game = games.active!
  const wrapper = mount(GameTree, { props: { game }, global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  const tree = wrapper.get('[role=group]')
  await tree.trigger('keydown', { key: 'ContextMenu' })
  await tree.trigger('keydown', { key: 'F10', shiftKey: true })
  await tree.trigger('contextmenu', { clientX: 5000, clientY: 5000 })
  expect(wrapper.emitted('menu')?.map(([node]) => node)).toEqual(Array(3).fill(game.position.nodeId))
  // Nothing stands where the pointer is.
  await tree.trigger('pointerdown')
  await tree.trigger('contextmenu', { clientX: 5000, clientY: 5000 })
  expect(wrapper.emitted('menu')).toHaveLength(3)
  wrapper.unmount()
})
