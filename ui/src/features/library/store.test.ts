import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { useNotices } from '@/features/notices'
import { recordsOf, someRecords, startApp } from '@/testing'
import { changeInWords, importInWords, PAGE_SIZE, useLibrary } from './store'

const withRecords = (count: number) => startApp({ records: someRecords(count) })
/** The ids of so many records. */
const ids = async (backend: Parameters<typeof recordsOf>[0], count: number): Promise<string[]> => (await recordsOf(backend)).slice(0, count).map(({ id }) => id)

/** Two records in folders one inside the other, and two with a tag. */
async function filed(count: number) {
  const { backend } = await withRecords(count)
  const [first = '', second = '', third = ''] = await ids(backend, 3)
  await backend.call('edit_records', { ids: [first], folder: 'openings', addTags: ['study'], removeTags: [] })
  await backend.call('edit_records', { ids: [second], folder: 'openings/sanrensei', addTags: [], removeTags: [] })
  await backend.call('edit_records', { ids: [third], folder: null, addTags: ['study'], removeTags: [] })
  return { backend, tagged: [first, third] }
}

describe('the library', () => {
  test('pages are fetched when they come into sight, each once', async () => {
    const { backend } = await withRecords(1000)
    const library = useLibrary()
    await library.refresh()
    expect(library.total).toBe(1000)
    expect(library.recordAt(0)).toBeDefined()
    expect(library.recordAt(550)).toBeUndefined()
    library.ensure(540, 610)
    library.ensure(545, 615)
    await backend.until(() => library.recordAt(610))
    const offsets = backend.calls.filter(call => call.name === 'search_records').map(call => (call.args as { offset: number }).offset)
    expect(offsets).toEqual([0, 5 * PAGE_SIZE, 6 * PAGE_SIZE])
  })

  test('the answer to an older filter is dropped', async () => {
    const { backend } = await withRecords(300)
    const library = useLibrary()
    const slow = backend.hold('search_records')
    const first = library.search('')
    const second = library.search('柯洁')
    await backend.until(() => slow.waiting === 2)
    slow.releaseLast()
    await second
    const found = library.total
    slow.release()
    await first
    expect(library.total).toBe(found)
    expect(found).toBeGreaterThan(0)
    expect(found).toBeLessThan(300)
  })

  test('what was deleted comes back by undo', async () => {
    const { backend } = await withRecords(20)
    const library = useLibrary()
    await library.refresh()
    const id = library.recordAt(4)?.id ?? ''
    await library.remove([id])
    expect(library.total).toBe(19)
    useNotices().notices.at(-1)?.action?.run()
    await backend.until(() => library.total === 20)
  })

  test('a name that could not be kept goes back to the old one, and is said', async () => {
    const { backend } = await withRecords(5)
    const library = useLibrary()
    await library.refresh()
    const record = library.recordAt(1)
    backend.refuse('rename_record', { kind: 'disconnected' })
    expect(await library.rename(record?.id ?? '', 'New')).toBe(false)
    expect(library.recordAt(1)?.title).toBe(record?.title)
    expect(useNotices().notices).toHaveLength(1)
  })

  test('a damaged library is said in its place, and trying again helps when it is mended', async () => {
    const { backend } = await startApp({ files: { 'library.sqlite': 'no library' } })
    const library = useLibrary()
    await library.refresh()
    expect(library.failure?.kind).toBe('library')
    rmSync(join(backend.dataDir, 'library.sqlite'))
    const before = backend.run.value
    await backend.restart()
    await backend.until(() => backend.run.value !== before)
    await library.refresh()
    expect(library.failure).toBeUndefined()
    expect(library.total).toBe(0)
  })

  test('a folder lists what is in the folders inside it, a tag what has it', async () => {
    await filed(20)
    const library = useLibrary()
    await library.fetchGroups()
    expect(library.folders).toEqual([{ name: 'openings', games: 2 }, { name: 'openings/sanrensei', games: 1 }])
    await library.goTo({ kind: 'folder', name: 'openings' })
    expect(library.total).toBe(2)
    await library.goTo({ kind: 'tag', name: 'study' })
    expect(library.total).toBe(2)
  })

  test('a tag that nothing has any more is left for the whole library', async () => {
    const { tagged } = await filed(20)
    const library = useLibrary()
    await library.goTo({ kind: 'tag', name: 'study' })
    for (const id of tagged) expect(await library.file([id], { removeTags: ['study'] })).toBe(true)
    await library.fetchGroups()
    expect(library.place.kind).toBe('all')
    expect(library.total).toBe(20)
  })

  test('what is in the bin is listed there and brought back from it', async () => {
    const { backend } = await withRecords(20)
    const one = await ids(backend, 1)
    const library = useLibrary()
    await library.remove(one)
    await library.goTo({ kind: 'bin', name: '' })
    expect(library.recordAt(0)?.id).toBe(one[0])
    await library.restore(one)
    expect(library.total).toBe(0)
  })

  test('the bin is emptied as a whole, also of what the list does not show, and undo does not offer it', async () => {
    const { backend } = await withRecords(20)
    const library = useLibrary()
    await library.refresh()
    await library.remove(await ids(backend, 3))
    await library.goTo({ kind: 'bin', name: '' })
    expect(library.hasBin).toBe(true)
    await library.search('nobody is called so')
    expect([library.total, library.hasBin]).toEqual([0, true])
    const offers = () => useNotices().notices.filter(notice => notice.action)
    expect(offers()).not.toEqual([])
    await library.emptyBin()
    expect(offers(), 'what it would bring back is gone').toEqual([])
    await library.search('')
    expect([library.total, library.hasBin]).toEqual([0, false])
    expect(library.history).toEqual({ undo: null, redo: null })
    await library.goTo({ kind: 'all', name: '' })
    expect(library.total).toBe(17)
  })
})

describe('several records at once', () => {
  async function listed() {
    const { backend } = await withRecords(1000)
    const library = useLibrary()
    await library.refresh()
    return { backend, library, names: () => [...library.chosen] }
  }

  test('are chosen one by one and as a range, also over what was not fetched yet', async () => {
    const { library, names } = await listed()
    library.toggleChosen(3)
    library.toggleChosen(5)
    expect(names()).toEqual([library.recordAt(3)!.id, library.recordAt(5)!.id])
    library.toggleChosen(3)
    expect(names()).toEqual([library.recordAt(5)!.id])
    await library.chooseTo(250)
    expect(names()).toHaveLength(248)
    await library.chooseTo(2)
    expect(names()).toEqual([2, 3].map(index => library.recordAt(index)!.id))
    await library.chooseAll()
    expect(names()).toHaveLength(1000)
  })

  test('are deleted together, and are not chosen any more', async () => {
    const { library, names } = await listed()
    await library.chooseTo(9)
    await library.remove(names())
    expect(names()).toEqual([])
    expect(library.total).toBe(990)
  })

  test('are filed as one change, with the offer to take it back', async () => {
    const { backend, library, names } = await listed()
    await library.chooseTo(2)
    expect(await library.file(names(), { folder: 'joseki', addTags: ['3-3'] })).toBe(true)
    await library.fetchGroups()
    expect(library.folders.find(({ name }) => name === 'joseki')?.games).toBe(3)
    useNotices().notices.at(-1)?.action?.run()
    await backend.until(() => library.folders.every(({ name }) => name !== 'joseki'))
  })

  test('another list has nothing chosen', async () => {
    const { library, names } = await listed()
    library.toggleChosen(1)
    await library.search('柯洁')
    expect(names()).toEqual([])
  })

  test('are written into a file of the person\'s choice, or given to the browser', async () => {
    const { backend } = await startApp({ records: someRecords(2), paths: true })
    const library = useLibrary()
    const [one = '', two = ''] = await ids(backend, 2)
    const path = (name: string): string => join(backend.dataDir, name)
    const to = (name: string | undefined) => ({ place: () => Promise.resolve(name && path(name)), download: undefined })
    await library.exportRecords([one, two], 'zip', to('games.zip'))
    expect(readFileSync(path('games.zip')).subarray(0, 2).toString()).toBe('PK')
    await library.exportRecords([one], 'sgf', to(undefined))
    expect(backend.asked('export_records')).toHaveLength(1)
    await library.exportRecords([one], 'sgf', { evaluations: true, ...to('one.sgf') })
    expect(readFileSync(path('one.sgf'), 'utf8')).toMatch(/^\(;/)
    expect(backend.asked('export_records')[1]).toEqual({ ids: [one], format: 'sgf', path: path('one.sgf'), evaluations: true })
    const download = vi.fn(() => Promise.resolve(true))
    await library.exportRecords([one], 'sgf', { place: () => Promise.resolve(undefined), download })
    expect(download).toHaveBeenCalledWith(expect.stringMatching(/\.sgf$/), expect.any(Blob))
  })
})

describe('changes of the library', () => {
  test('are taken back and done again, and say what they were', async () => {
    const { backend } = await withRecords(20)
    const library = useLibrary()
    await library.refresh()
    await library.remove(await ids(backend, 2))
    await library.fetchGroups()
    expect(library.history).toEqual({ undo: { what: 'delete', games: 2 }, redo: null })
    await library.undo()
    expect(library.total).toBe(20)
    expect(useNotices().notices.at(-1)?.title).toBe('Undone: deleting 2 games')
    await library.redo()
    expect(library.total).toBe(18)
    expect(library.history.redo).toBeNull()
  })

  test('the offer does not take back what came later', async () => {
    const { backend } = await withRecords(20)
    const library = useLibrary()
    await library.refresh()
    await library.file([library.recordAt(4)!.id], { folder: 'a' })
    const offer = useNotices().notices.at(-1)?.action
    await library.rename(library.recordAt(5)!.id, 'Later')
    offer?.run()
    await backend.until(() => useNotices().notices.at(-1)?.title.includes('has changed since'))
    expect(library.recordAt(5)?.title).toBe('Later')
  })

  test('a change of a kind that this window does not know is a change all the same', async () => {
    await startApp()
    expect(changeInWords({ what: 'teleport', games: 3 })).toBe('the last change')
  })
})

describe('saved searches', () => {
  test('are kept, run, renamed and removed', async () => {
    const { backend } = await filed(200)
    const library = useLibrary()
    await library.goTo({ kind: 'tag', name: 'study' })
    await library.search('a')
    await library.sortBy('date', false)
    const found = library.total
    expect(await library.saveSearch('Mine')).toBe(true)
    expect(backend.calls.find(call => call.name === 'save_search')?.args).toEqual({ name: 'Mine', filter: { tag: 'study', text: 'a' }, sort: 'date', descending: false })
    expect(library.place).toEqual({ kind: 'search', name: 'Mine' })
    expect(library.text).toBe('')

    await library.goTo({ kind: 'all', name: '' })
    await library.sortBy('added', true)
    await library.goTo({ kind: 'search', name: 'Mine' })
    expect(library.sort).toBe('date')
    expect(library.total).toBe(found)

    expect(await library.renameSearch('Mine', 'Ours')).toBe(true)
    expect(library.place.name).toBe('Ours')
    await library.fetchGroups()
    expect(library.searches.map(({ name }) => name)).toEqual(['Ours'])
    await library.undo()
    expect(library.searches.map(({ name }) => name), 'renaming is one step').toEqual(['Mine'])
    await library.redo()
    await library.goTo({ kind: 'search', name: 'Ours' })
    await library.removeSearch('Ours')
    expect(library.place.kind).toBe('all')
    expect(library.searches).toEqual([])
  })
})

test('what a pattern search found is the list, which is narrowed, left and widened like any other', async () => {
  const { backend } = await withRecords(20)
  const library = useLibrary()
  await library.search('nobody')
  const found = await ids(backend, 3)
  await library.showFound(found)
  expect([library.text, library.total]).toEqual(['', 3])
  expect([0, 1, 2].map(index => library.recordAt(index)?.id).sort()).toEqual([...found].sort())
  await library.goTo({ kind: 'bin', name: '' })
  expect(library.total).toBe(0)
  await library.goTo({ kind: 'all', name: '' })
  expect(library.total).toBe(3)
  expect(await library.saveSearch('Pattern')).toBe(true)
  expect([library.found.length, library.total]).toEqual([0, 3])
  await library.goTo({ kind: 'all', name: '' })
  await library.showFound(found)
  await library.widen()
  expect(library.total).toBe(20)
})

test('a folder gets another path with those in it, and is removed without its games', async () => {
  await filed(10)
  const library = useLibrary()
  await library.fetchGroups()
  await library.goTo({ kind: 'folder', name: 'openings' })
  expect(library.total).toBe(2)
  expect(await library.renameFolder('openings', 'fuseki')).toBe(true)
  expect(library.place).toEqual({ kind: 'folder', name: 'fuseki' })
  expect(library.folders.map(({ name }) => name)).toEqual(['fuseki', 'fuseki/sanrensei'])
  expect(library.total).toBe(2)
  expect(await library.renameFolder('fuseki', 'fuseki/inner'), 'no folder goes into itself').toBe(false)
  await library.removeFolder('fuseki')
  expect(library.folders).toEqual([])
  expect(library.place.kind).toBe('all')
  expect(library.total).toBe(10)
  await library.undo()
  expect(library.folders).toHaveLength(2)
})

test('forty files that a browser gives are one import, which says forty', async () => {
  const { backend } = await startApp({})
  const library = useLibrary()
  backend.listen((event) => { if (event.event === 'import') library.receiveImport(event.payload) })
  const content = (text: string): string => btoa(text)
  const files = Array.from({ length: 42 }, (_, index) => ({ kind: 'content' as const, name: 'game.sgf', base64: content(
    index === 40 ? 'no brackets at all' : index === 41 ? '(;SZ[19];B[aa];W[cc])' : `(;SZ[19];B[${String.fromCharCode(97 + index % 19, 97 + Math.floor(index / 19))}];W[cc])`) }))
  await library.importFiles(files)
  await backend.until(() => library.progress?.finished)
  expect(importInWords(library.progress!)).toEqual(['40 games imported', 'One was there already', 'One file has no game'])
  await library.refresh()
  expect(library.total).toBe(40)
})

test('a search that was just saved stays listed, though an answer that does not know it comes after it', async () => {
  const { backend } = await withRecords(3)
  const library = useLibrary()
  await library.refresh()
  const slow = backend.hold('list_searches')
  const older = library.fetchGroups()
  await backend.until(() => slow.waiting === 1)
  await library.saveSearch('Mine')
  slow.release()
  await older
  await backend.settled()
  expect(library.place).toEqual({ kind: 'search', name: 'Mine' })
  expect(library.searches.map(({ name }) => name)).toEqual(['Mine'])
})

test('a name that could not be given leaves the list that was asked for meanwhile', async () => {
  const { backend } = await withRecords(300)
  const library = useLibrary()
  await library.refresh()
  const slow = backend.hold('rename_record')
  const renamed = library.rename('987654', 'Nobody')
  await library.search('柯洁')
  const found = library.pages
  slow.release()
  expect(await renamed).toBe(false)
  expect(library.pages).toBe(found)
})
