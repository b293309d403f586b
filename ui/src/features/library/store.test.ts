import { describe, expect, test, vi } from 'vitest'
import { useNotices } from '@/features/notices'
import { testApp } from '@/testing/app'
import { PAGE_SIZE, useLibrary } from './store'

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
    for (const id of ['r0', 'r2']) expect(await library.file(id, { removeTags: ['study'] })).toBe(true)
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
