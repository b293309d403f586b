import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mount } from '@vue/test-utils'
import { describe, expect, test } from 'vitest'
import { nextTick } from 'vue'
import { provideBackend } from '@/api'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import GameCloseDialog from './GameCloseDialog.vue'
import { useGames } from './index'

describe('closing a game', () => {
  test('a game of a file is asked about when it differs from the file, and only then', async () => {
    await startApp({})
    const games = useGames()
    await games.openText('(;SZ[9];B[ee])', 'club.sgf')
    const same = games.activeId ?? ''
    await games.close(same)
    expect(games.asked).toBeUndefined()
    expect(games.games.some(game => game.gameId === same)).toBe(false)

    await games.openText('(;SZ[9];B[ee])', 'club.sgf')
    await games.play(0)
    const changed = games.activeId ?? ''
    await games.close(changed)
    expect(games.asked?.question).toEqual({ kind: 'changes', place: { kind: 'library' } })
    games.keepOpen()
    expect(games.games.some(game => game.gameId === changed)).toBe(true)
    await games.close(changed, 'leave')
    expect(games.games.some(game => game.gameId === changed)).toBe(false)
  })

  test('a closed game is opened again with what was changed', async () => {
    const { backend } = await startApp({})
    const games = useGames()
    await games.openText('(;SZ[9]PB[甲];B[ee])')
    await games.play(0)
    await games.close(games.activeId ?? '')
    const closed = await backend.call('closed_games', {})
    if (closed.status === 'ok') games.adoptClosed(closed.data)
    expect(games.closed[0]?.info.black).toBe('甲')
    expect(await games.reopen()).toBeDefined()
    expect(games.active?.tree.ids).toHaveLength(3)
  })
})

test('what another program wrote to the file of a game is shown, or replaced, as the person wants', async () => {
  const { backend } = await startApp({ paths: true })
  const games = useGames()
  games.nativeDialogs = true
  const path = join(backend.dataDir, 'club.sgf')
  writeFileSync(path, '(;SZ[9];B[ee])')
  await games.openFiles([{ kind: 'path', path }])
  const mine = games.activeId ?? ''
  await games.play(0)
  const theirs = '(;SZ[9]C[theirs];B[ee])'
  writeFileSync(path, theirs)
  const wrapper = mount(GameCloseDialog, { global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  const press = async (name: string): Promise<void> => {
    const dialog = [...document.querySelectorAll('[role=dialog]')].at(-1)
    ;[...dialog?.querySelectorAll('button') ?? []].find(button => button.textContent?.trim() === name)?.click()
    await nextTick()
    await games.settled()
  }
  await games.close(mine, 'save')
  expect(games.asked?.question).toEqual({ kind: 'fileChanged', name: 'club.sgf', path })
  expect(readFileSync(path, 'utf8')).toBe(theirs)
  await nextTick()
  expect(document.activeElement?.textContent?.trim()).toBe('Save as another file…')
  // Nobody chooses one here: the question stays.
  await press('Save as another file…')
  expect(games.asked).toBeDefined()

  await press('Open the file')
  await backend.until(() => games.games.length === 2)
  expect([games.asked, games.active?.position.comment]).toEqual([undefined, 'theirs'])
  await games.close(mine, 'save')
  await nextTick()
  await press('Replace the file')
  await backend.until(() => !games.games.some(game => game.gameId === mine))
  expect(readFileSync(path, 'utf8')).toContain('B[aa]')
  wrapper.unmount()
})

test('whoever wants no more questions is asked none for the next game, however slowly that is kept', async () => {
  const { backend } = await startApp({})
  const games = useGames()
  for (const name of ['one', 'two']) {
    await games.openText(`(;SZ[9]PB[${name}];B[ee])`)
    await games.play(0)
    await games.save()
    await games.play(1)
  }
  const wrapper = mount(GameCloseDialog, { global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body })
  const slow = backend.hold('set_settings')
  const [one, two] = games.games.slice(-2)
  await games.close(one!.gameId)
  await nextTick()
  document.querySelector<HTMLInputElement>('[role=dialog] input[type=checkbox]')!.click()
  document.querySelector<HTMLElement>('[role=dialog] [type=submit]')!.click()
  await backend.until(() => slow.waiting === 1)
  await backend.settled()
  expect(games.games).toContain(one)
  slow.release()
  await backend.until(() => !games.games.some(game => game.gameId === one!.gameId))
  await games.close(two!.gameId)
  expect(games.asked).toBeUndefined()
  wrapper.unmount()
})

test('of a file with several games the person chooses', async () => {
  await startApp({})
  const games = useGames()
  const before = games.games.length
  await games.openText('(;SZ[9]PB[a];B[ee])(;SZ[9]PB[b];B[aa])', 'two.sgf')
  expect(games.choosing?.list.games.map(game => game.black)).toEqual(['a', 'b'])
  expect(games.games).toHaveLength(before)
  await games.openChosen([1])
  expect(games.active?.info.black).toBe('b')
  expect(games.choosing).toBeUndefined()
})
