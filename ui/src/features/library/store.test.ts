import { describe, expect, test, vi } from 'vitest'
import { useNotices } from '@/features/notices'
import { testApp } from '@/testing/app'
import { changeInWords, PAGE_SIZE, useLibrary } from './store'

describe('the library', () => {
  test('pages are fetched when they come into sight, each once', async () => {
    const { backend } = testApp({ records: 1000 })
    const library = useLibrary()
    await library.refresh()
    expect(library.total).toBe(1000)
    expect(library.recordAt(0)).toBeDefined()
    expect(library.recordAt(550)).toBeUndefined()
    library.ensure(540, 610)
    library.ensure(545, 615)
    await vi.waitFor(() => expect(library.recordAt(610)).toBeDefined())
    const offsets = backend.calls.filter(call => call.name === 'search_records').map(call => (call.args as { offset: number }).offset)
    expect(offsets).toEqual([0, 5 * PAGE_SIZE, 6 * PAGE_SIZE])
  })

  test('the answer to an older filter is dropped', async () => {
    const { backend } = testApp({ records: 300 })
    const library = useLibrary()
    const real = backend.call.bind(backend)
    let releaseFirst: (() => void) | undefined
    let count = 0
    vi.spyOn(backend, 'call').mockImplementation(async (name, args) => {
      const answer = await real(name, args)
      if (name === 'search_records' && ++count === 1) await new Promise<void>((resolve) => { releaseFirst = resolve })
      return answer
    })
    const first = library.search('')
    await vi.waitFor(() => expect(releaseFirst).toBeDefined())
    await library.search('柯洁')
    const found = library.total
    releaseFirst?.()
    await first
    expect(library.total).toBe(found)
    expect(found).toBeLessThan(300)
  })

  test('what was deleted comes back by undo', async () => {
    testApp({ records: 20 })
    const library = useLibrary()
    await library.refresh()
    const id = library.recordAt(4)?.id ?? ''
    await library.remove([id])
    expect(library.total).toBe(19)
    useNotices().notices.at(-1)?.action?.run()
    await vi.waitFor(() => expect(library.total).toBe(20))
  })

  test('a name that could not be kept goes back to the old one, and is said', async () => {
    testApp({ records: 5, failures: { rename_record: { kind: 'library', message: 'read-only', hint: 'choose another folder' } } })
    const library = useLibrary()
    await library.refresh()
    const record = library.recordAt(1)
    expect(await library.rename(record?.id ?? '', 'New')).toBe(false)
    expect(library.recordAt(1)?.title).toBe(record?.title)
    expect(useNotices().notices).toHaveLength(1)
  })

  test('a damaged library is said in its place, and trying again helps when it is mended', async () => {
    const failures: Record<string, unknown> = { search_records: { kind: 'library', message: 'the file is damaged', hint: 'run honinbo library check' } }
    testApp({ records: 5, failures })
    const library = useLibrary()
    await library.refresh()
    expect(library.failure?.kind).toBe('library')
    delete failures.search_records
    await library.refresh()
    expect(library.failure).toBeUndefined()
    expect(library.total).toBe(5)
  })

  test('a folder lists what is in the folders inside it, a tag what has it', async () => {
    testApp({ records: 20 })
    const library = useLibrary()
    await library.fetchGroups()
    expect(library.folders).toEqual([{ name: 'openings', games: 2 }, { name: 'openings/sanrensei', games: 1 }])
    await library.goTo({ kind: 'folder', name: 'openings' })
    expect(library.total).toBe(2)
    await library.goTo({ kind: 'tag', name: 'study' })
    expect(library.total).toBe(2)
  })

  test('a tag that nothing has any more is left for the whole library', async () => {
    testApp({ records: 20 })
    const library = useLibrary()
    await library.goTo({ kind: 'tag', name: 'study' })
    for (const id of ['r0', 'r2']) expect(await library.file([id], { removeTags: ['study'] })).toBe(true)
    await library.fetchGroups()
    expect(library.place.kind).toBe('all')
    expect(library.total).toBe(20)
  })

  test('what is in the bin is listed there and brought back from it', async () => {
    testApp({ records: 20 })
    const library = useLibrary()
    await library.remove(['r4'])
    await library.goTo({ kind: 'bin', name: '' })
    expect(library.recordAt(0)?.id).toBe('r4')
    await library.restore(['r4'])
    expect(library.total).toBe(0)
  })
})

describe('several records at once', () => {
  async function listed() {
    const { backend } = testApp({ records: 1000 })
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
    const { library, names } = await listed()
    await library.chooseTo(2)
    expect(await library.file(names(), { folder: 'joseki', addTags: ['3-3'] })).toBe(true)
    await library.fetchGroups()
    expect(library.folders.find(({ name }) => name === 'joseki')?.games).toBe(3)
    useNotices().notices.at(-1)?.action?.run()
    await vi.waitFor(() => expect(library.folders.some(({ name }) => name === 'joseki')).toBe(false), { timeout: 20_000 })
  })

  test('another list has nothing chosen', async () => {
    const { library, names } = await listed()
    library.toggleChosen(1)
    await library.search('柯洁')
    expect(names()).toEqual([])
  })

  test('are written into a file of the person\'s choice, or given to the browser', async () => {
    const { backend, library } = await listed()
    const asked = () => backend.calls.filter(call => call.name === 'export_records').map(call => call.args)
    await library.exportRecords(['r1', 'r2'], 'zip', { place: () => Promise.resolve('/tmp/games.zip'), download: undefined })
    expect(asked()).toEqual([{ ids: ['r1', 'r2'], format: 'zip', path: '/tmp/games.zip', evaluations: false }])
    await library.exportRecords(['r1'], 'sgf', { place: () => Promise.resolve(undefined), download: undefined })
    expect(asked()).toHaveLength(1)
    await library.exportRecords(['r1'], 'sgf', { evaluations: true, place: () => Promise.resolve('/tmp/one.sgf'), download: undefined })
    expect(asked()[1]).toEqual({ ids: ['r1'], format: 'sgf', path: '/tmp/one.sgf', evaluations: true })
    const download = vi.fn(() => Promise.resolve(true))
    await library.exportRecords(['r1'], 'sgf', { place: () => Promise.resolve(undefined), download })
    expect(download).toHaveBeenCalledWith('games.sgf', expect.any(Blob))
  })
})

describe('changes of the library', () => {
  test('are taken back and done again, and say what they were', async () => {
    testApp({ records: 20 })
    const library = useLibrary()
    await library.refresh()
    await library.remove(['r4', 'r5'])
    await library.fetchGroups()
    expect(library.history).toEqual({ undo: { what: 'delete', games: 2 }, redo: null })
    await library.undo()
    expect(library.total).toBe(20)
    expect(useNotices().notices.at(-1)?.title).toBe('Taken back: deleting 2 games')
    await library.redo()
    expect(library.total).toBe(18)
    expect(library.history.redo).toBeNull()
  })

  test('the offer does not take back what came later', async () => {
    testApp({ records: 20 })
    const library = useLibrary()
    await library.refresh()
    await library.file(['r4'], { folder: 'a' })
    const offer = useNotices().notices.at(-1)?.action
    await library.rename('r5', 'Later')
    offer?.run()
    await vi.waitFor(() => expect(useNotices().notices.at(-1)?.title).toContain('Something else was changed'), { timeout: 20_000 })
    expect(library.recordAt(5)?.title).toBe('Later')
  })

  test('a change of a kind that this window does not know is a change all the same', () => {
    testApp()
    expect(changeInWords({ what: 'teleport', games: 3 })).toBe('the last change')
  })
})

describe('saved searches', () => {
  test('are kept, run, renamed and removed', async () => {
    const { backend } = testApp({ records: 200 })
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
    await library.removeSearch('Ours')
    expect(library.place.kind).toBe('all')
    expect(library.searches).toEqual([])
  })
})
