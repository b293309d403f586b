import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { useBackend, type ChosenFile, type EditRecords, type Failure, type ImportProgress, type LibraryStats, type RecordFilter, type RecordGroup, type RecordSort, type RecordSummary } from '@/api'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'

/** Records fetched in one go. */
export const PAGE_SIZE = 100

/** A part of the library: all of it, a folder with those in it, a tag, or what was deleted. */
export interface LibraryPlace {
  readonly kind: 'all' | 'folder' | 'tag' | 'bin'
  readonly name: string
}

export const WHOLE_LIBRARY: LibraryPlace = { kind: 'all', name: '' }

function filterOf({ kind, name }: LibraryPlace): RecordFilter {
  switch (kind) {
    case 'all': return {}
    case 'folder': return { folder: name }
    case 'tag': return { tag: name }
    case 'bin': return { deleted: true }
  }
}

/** Folders with the games of those in them, as choosing one lists them; the back end counts each folder alone. */
function withInner(folders: readonly RecordGroup[]): RecordGroup[] {
  return folders.map(({ name }) => ({
    name, games: folders.filter(other => other.name === name || other.name.startsWith(`${name}/`)).reduce((sum, { games }) => sum + games, 0),
  }))
}

/** The library as its list shows it: pages that were looked at, by their number. */
export const useLibrary = defineStore('library', () => {
  const backend = useBackend()
  const notices = useNotices()

  const text = shallowRef('')
  const sort = shallowRef<RecordSort>('added')
  const descending = shallowRef(true)
  /** Which part is listed. */
  const place = shallowRef(WHOLE_LIBRARY)
  const folders = shallowRef<readonly RecordGroup[]>([])
  const tags = shallowRef<readonly RecordGroup[]>([])
  /** How many match; undefined until the first answer. */
  const total = shallowRef<number>()
  const pages = shallowRef<ReadonlyMap<number, readonly RecordSummary[]>>(new Map())
  const failure = shallowRef<Failure>()
  const loading = shallowRef(false)
  const progress = shallowRef<ImportProgress>()
  const stats = shallowRef<LibraryStats>()
  let latest = 0 // Answers of an older query are dropped.
  const asked = new Set<number>()

  async function fetchPage(page: number): Promise<void> {
    if (asked.has(page)) return
    asked.add(page)
    const ticket = latest
    loading.value = true
    const answer = await backend.call('search_records', {
      text: text.value, filter: filterOf(place.value), sort: sort.value, descending: descending.value, offset: page * PAGE_SIZE, limit: PAGE_SIZE,
    })
    if (ticket !== latest) return
    loading.value = false
    if (answer.status === 'ok') {
      total.value = answer.data.total
      pages.value = new Map(pages.value).set(page, answer.data.records)
      failure.value = undefined
    } else {
      failure.value = answer.error
      asked.delete(page)
    }
  }

  /** Asks anew. What is on the screen stays until the answer is there. */
  async function refresh(): Promise<void> {
    latest++
    const ticket = latest
    loading.value = true
    const answer = await backend.call('search_records', {
      text: text.value, filter: filterOf(place.value), sort: sort.value, descending: descending.value, offset: 0, limit: PAGE_SIZE,
    })
    if (ticket !== latest) return
    loading.value = false
    asked.clear()
    if (answer.status === 'error') {
      failure.value = answer.error
      return
    }
    failure.value = undefined
    asked.add(0)
    total.value = answer.data.total
    pages.value = new Map([[0, answer.data.records]])
  }

  /** The folders and tags that can be chosen. One that is chosen and gone meanwhile is left for the whole library. */
  async function fetchGroups(): Promise<void> {
    const [foundFolders, foundTags] = await Promise.all([backend.call('list_folders', {}), backend.call('list_tags', {})])
    if (foundFolders.status === 'ok') folders.value = withInner(foundFolders.data)
    if (foundTags.status === 'ok') tags.value = foundTags.data
    const { kind, name } = place.value
    const known = kind === 'folder' ? foundFolders : kind === 'tag' ? foundTags : undefined
    if (known?.status === 'ok' && !known.data.some(group => group.name === name)) await goTo(WHOLE_LIBRARY)
  }

  function goTo(wanted: LibraryPlace): Promise<void> {
    place.value = wanted
    return refresh()
  }

  /** Puts a record into a folder and changes its tags. */
  async function file(id: string, change: Omit<EditRecords, 'ids'>): Promise<boolean> {
    const { folder, addTags = [], removeTags = [] } = change
    // What changes nothing would still be a step to take back.
    if (typeof folder !== 'string' && addTags.length === 0 && removeTags.length === 0) return true
    const answer = await backend.call('edit_records', { ids: [id], ...change })
    if (answer.status === 'ok') return true
    notices.failed(answer.error, 'notice.notFiled')
    return false
  }

  function search(words: string): Promise<void> {
    text.value = words
    return refresh()
  }

  function sortBy(key: RecordSort, down: boolean): Promise<void> {
    sort.value = key
    descending.value = down
    return refresh()
  }

  /** Fetches what a part of the list needs. */
  function ensure(first: number, last: number): void {
    for (let page = Math.floor(first / PAGE_SIZE); page <= Math.floor(last / PAGE_SIZE); page++) void fetchPage(page)
  }

  function recordAt(index: number): RecordSummary | undefined {
    return pages.value.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE]
  }

  async function rename(id: string, title: string): Promise<boolean> {
    const before = pages.value
    pages.value = new Map([...before].map(([page, records]) => [page, records.map(record => record.id === id ? { ...record, title } : record)]))
    const answer = await backend.call('rename_record', { id, title })
    if (answer.status === 'ok') return true
    pages.value = before
    notices.failed(answer.error, 'notice.notRenamed')
    return false
  }

  async function remove(ids: readonly string[]): Promise<void> {
    const answer = await backend.call('delete_records', { ids: [...ids] })
    if (answer.status === 'error') {
      notices.failed(answer.error, 'notice.notDeleted')
      return
    }
    notices.show({
      tone: 'info', title: say('library.deleted', {}, ids.length),
      action: { label: say('action.undo'), run: () => void restore(ids) },
    })
    await refresh()
  }

  async function restore(ids: readonly string[]): Promise<void> {
    const answer = await backend.call('restore_records', { ids: [...ids] })
    if (answer.status === 'error') {
      notices.failed(answer.error)
      return
    }
    notices.announce(say('library.place.restored', {}, ids.length))
    await refresh()
  }

  async function importFiles(files: readonly ChosenFile[]): Promise<void> {
    const paths = files.flatMap(file => file.kind === 'path' ? [file.path] : [])
    if (paths.length > 0) {
      const answer = await backend.call('import_paths', { paths })
      if (answer.status === 'error') notices.failed(answer.error, 'notice.notImported')
    }
    for (const file of files) {
      if (file.kind !== 'content') continue
      const answer = await backend.call('import_content', { name: file.name, base64: file.base64 })
      if (answer.status === 'error') notices.failed(answer.error, 'notice.notImported')
    }
  }

  async function chooseImport(folder: boolean): Promise<void> {
    await importFiles(await backend.chooseRecords({ multiple: true, folder }))
  }

  async function cancelImport(): Promise<void> {
    const answer = await backend.call('cancel_import', {})
    if (answer.status === 'error') notices.failed(answer.error)
  }

  function receiveImport(update: ImportProgress): void {
    progress.value = update
    if (update.finished) {
      notices.announce(say('library.import.done', { added: update.added, duplicates: update.duplicates }))
      void refresh()
    }
  }

  function closeReport(): void {
    progress.value = undefined
  }

  async function countAll(): Promise<void> {
    const answer = await backend.call('library_stats', {})
    if (answer.status === 'ok') stats.value = answer.data
  }

  function $reset(): void {
    latest++
    asked.clear()
    text.value = ''
    place.value = WHOLE_LIBRARY
    folders.value = []
    tags.value = []
    total.value = undefined
    pages.value = new Map()
    failure.value = undefined
    loading.value = false
    progress.value = undefined
  }

  return {
    text, place, folders, tags, sort, descending, total, pages, failure, loading, progress, stats, search, sortBy, goTo, fetchGroups, file, refresh, ensure, recordAt, rename, remove, restore,
    importFiles, chooseImport, cancelImport, receiveImport, closeReport, countAll, $reset,
  }
})
