import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { useBackend, type Answer, type ChosenFile, type EditRecords, type Failure, type FilesRead, type ImportProgress, type LibraryChange, type LibraryHistory, type LibraryStats, type RecordFacts, type RecordFilter, type RecordFormat, type RecordGroup, type RecordSort, type RecordSummary, type SavedRecordSearch } from '@/api'
import { useNotices } from '@/features/notices'
import { say, type MessageKey } from '@/i18n'
import { listed, wholeNumber } from '@/i18n/formats'
import { conditionsOf, EMPTY_FORM, type FilterForm } from './filterForm'

/** Records fetched in one go. */
export const PAGE_SIZE = 100

/** Records that one range or the whole list can choose: what is done to them is sent by name. */
export const MAX_CHOSEN = 10_000

/** A part of the library: all of it, a folder with those in it, a tag, what a saved search finds, or what was deleted. */
export interface LibraryPlace {
  readonly kind: 'all' | 'folder' | 'tag' | 'search' | 'bin'
  readonly name: string
}

export const WHOLE_LIBRARY: LibraryPlace = { kind: 'all', name: '' }

function filterOf({ kind, name }: LibraryPlace, searches: readonly SavedRecordSearch[]): RecordFilter {
  switch (kind) {
    case 'all': return {}
    case 'search': return searches.find(search => search.name === name)?.filter ?? {}
    case 'folder': return { folder: name }
    case 'tag': return { tag: name }
    case 'bin': return { deleted: true }
  }
}

const CHANGES = ['rename', 'delete', 'restore', 'edit', 'import', 'save', 'folder', 'tag', 'search', 'players', 'card', 'version', 'facts'] as const

/** A change of the library in words. One of a kind that this window does not know is a change all the same. */
export function changeInWords({ what, games }: LibraryChange): string {
  const known = CHANGES.find(kind => kind === what)
  return known ? say(`library.change.${known}`, { count: wholeNumber(games) }, games) : say('library.change.other')
}

/** What an import brought, fact by fact. */
export function importInWords({ added, duplicates, refusedFiles, cancelled }: ImportProgress): string[] {
  return [
    say(cancelled ? 'library.import.stopped' : 'library.import.imported', { count: wholeNumber(added) }, added),
    ...duplicates > 0 ? [say('library.import.duplicates', { count: wholeNumber(duplicates) }, duplicates)] : [],
    ...refusedFiles > 0 ? [say('library.import.refusedFiles', { count: wholeNumber(refusedFiles) }, refusedFiles)] : [],
  ]
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
  const searches = shallowRef<readonly SavedRecordSearch[]>([])
  /** The filter form as it was used last. */
  const form = shallowRef<Readonly<FilterForm>>(EMPTY_FORM)
  /** Games that a search for a pattern found, by their ids; empty: the list is not about such a search. */
  const found = shallowRef<readonly string[]>([])
  /** Conditions of the form, and those games, which count beside the part that is chosen. */
  const narrowed = computed<RecordFilter>(() => ({ ...conditionsOf(form.value), ...found.value.length > 0 ? { ids: [...found.value] } : {} }))
  /** What the list shows of the library, beside the words that are searched for. */
  const conditions = computed<RecordFilter>(() => ({ ...filterOf(place.value, searches.value), ...narrowed.value }))
  /** The same with those words, as one condition; words of a saved search count beside them. */
  const filter = computed<RecordFilter>(() => {
    const words = [conditions.value.text ?? '', text.value].map(part => part.trim()).filter(Boolean).join(' ')
    return words ? { ...conditions.value, text: words } : conditions.value
  })
  /** The list shows only a part of the library. */
  const isPart = computed(() => Object.keys(filter.value).length > 0)
  /** What can be taken back and done again. */
  const history = shallowRef<LibraryHistory>({ undo: null, redo: null })
  /** Records that are chosen together, by their ids. */
  const chosen = shallowRef<ReadonlySet<string>>(new Set())
  /** Place in the list from which a range goes on. */
  let anchor = 0
  /** How many match; undefined until the first answer. */
  const total = shallowRef<number>()
  const pages = shallowRef<ReadonlyMap<number, readonly RecordSummary[]>>(new Map())
  const failure = shallowRef<Failure>()
  const loading = shallowRef(false)
  const progress = shallowRef<ImportProgress>()
  const stats = shallowRef<LibraryStats>()
  let latest = 0 // Answers of an older query are dropped.
  const asked = new Set<number>()
  let latestGroups = 0 // So are those about older folders, tags and searches.

  async function fetchPage(page: number): Promise<void> {
    if (asked.has(page)) return
    asked.add(page)
    const ticket = latest
    loading.value = true
    const answer = await backend.call('search_records', {
      text: text.value, filter: conditions.value, sort: sort.value, descending: descending.value, offset: page * PAGE_SIZE, limit: PAGE_SIZE,
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
      text: text.value, filter: conditions.value, sort: sort.value, descending: descending.value, offset: 0, limit: PAGE_SIZE,
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
    const ticket = ++latestGroups
    const [foundFolders, foundTags, foundSearches, foundHistory] = await Promise.all([
      backend.call('list_folders', {}), backend.call('list_tags', {}), backend.call('list_searches', {}), backend.call('library_history', {}),
    ])
    if (ticket !== latestGroups) return
    if (foundFolders.status === 'ok') folders.value = withInner(foundFolders.data)
    if (foundTags.status === 'ok') tags.value = foundTags.data
    if (foundSearches.status === 'ok') searches.value = foundSearches.data
    if (foundHistory.status === 'ok') history.value = foundHistory.data
    const { kind, name } = place.value
    const known = kind === 'folder' ? foundFolders : kind === 'tag' ? foundTags : kind === 'search' ? foundSearches : undefined
    if (known?.status === 'ok' && !known.data.some(group => group.name === name)) await goTo(WHOLE_LIBRARY)
  }

  /** Something in the library changed, here or in another program: what is shown of it is asked for again. */
  async function receiveChange(): Promise<void> {
    if (total.value === undefined) return
    await Promise.all([refresh(), fetchGroups(), ...stats.value ? [countAll()] : []])
  }

  function goTo(wanted: LibraryPlace): Promise<void> {
    place.value = wanted
    choose([])
    const saved = wanted.kind === 'search' ? searches.value.find(search => search.name === wanted.name) : undefined
    if (saved) {
      // A saved search is the whole question: nothing that was typed before counts beside it.
      text.value = ''
      form.value = EMPTY_FORM
      found.value = []
      sort.value = saved.sort
      descending.value = saved.descending
    }
    return refresh()
  }

  /** Lists what meets the filter form; an empty one asks for nothing. */
  function narrow(wanted: Readonly<FilterForm>): Promise<void> {
    form.value = wanted
    choose([])
    return refresh()
  }

  /** Lists what a search for a pattern found, and nothing else; without any, the list is what it was beside it. */
  function showFound(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) {
      text.value = ''
      form.value = EMPTY_FORM
      place.value = WHOLE_LIBRARY
    }
    found.value = ids
    choose([])
    return refresh()
  }

  /** Takes every condition away beside the part that is chosen. */
  function widen(): Promise<void> {
    found.value = []
    return narrow(EMPTY_FORM)
  }

  /** Keeps what is listed now under a name. */
  async function saveSearch(name: string): Promise<boolean> {
    const search: SavedRecordSearch = { name, filter: { ...filter.value }, sort: sort.value, descending: descending.value }
    const answer = await backend.call('save_search', search)
    if (answer.status === 'error') {
      notices.failed(answer.error, 'notice.searchNotSaved')
      return false
    }
    searches.value = [...searches.value.filter(known => known.name !== name), search].sort((a, b) => a.name < b.name ? -1 : 1)
    void fetchGroups()
    await goTo({ kind: 'search', name })
    return true
  }

  async function renameSearch(name: string, to: string): Promise<boolean> {
    const search = searches.value.find(known => known.name === name)
    if (!search || name === to) return search !== undefined
    const listed = place.value.kind === 'search' && place.value.name === name
    const answer = await backend.call('rename_search', { from: name, to })
    if (answer.status === 'error') {
      notices.failed(answer.error, 'notice.searchNotSaved')
      return false
    }
    searches.value = [...searches.value.filter(known => known.name !== name && known.name !== to), { ...search, name: to }].sort((a, b) => a.name < b.name ? -1 : 1)
    void fetchGroups()
    if (listed) place.value = { kind: 'search', name: to }
    return true
  }

  async function removeSearch(name: string): Promise<void> {
    const answer = await backend.call('remove_search', { name })
    if (answer.status === 'error') {
      notices.failed(answer.error, 'notice.searchNotSaved')
      return
    }
    searches.value = searches.value.filter(known => known.name !== name)
    if (place.value.kind === 'search' && place.value.name === name) await goTo(WHOLE_LIBRARY)
    offerUndo(say('library.searches.removed', { name }), 'search')
  }

  /** Gives a folder, and those in it, another path. */
  async function renameFolder(name: string, to: string): Promise<boolean> {
    if (name === to) return true
    // The change may be heard of before its answer comes, and the place be left as one that is gone.
    const listed = place.value.kind === 'folder' && place.value.name === name
    const answer = await backend.call('rename_folder', { from: name, to })
    if (answer.status === 'error') {
      notices.failed(answer.error, 'notice.folderNotChanged')
      return false
    }
    if (listed) place.value = { kind: 'folder', name: to }
    await receiveChange()
    return true
  }

  /** Removes a folder and those in it; their games stay. */
  async function removeFolder(name: string): Promise<void> {
    const answer = await backend.call('remove_folder', { path: name })
    if (answer.status === 'error') {
      notices.failed(answer.error, 'notice.folderNotChanged')
      return
    }
    await receiveChange()
    offerUndo(say('library.folders.removed', { name }), 'folder')
  }

  /** The offer to take the last change back; it is gone as soon as another change is the last one. */
  let offer: number | undefined
  function offerUndo(title: string, what: string): void {
    if (offer !== undefined) notices.dismiss(offer)
    offer = notices.show({ tone: 'info', title, action: { label: say('action.undo'), run: () => void undoIfLast(what) } })
  }
  /** Takes a change back, unless another one came after it: that one is not meant. */
  async function undoIfLast(what: string): Promise<void> {
    const answer = await backend.call('library_history', {})
    if (answer.status === 'ok') history.value = answer.data
    if (history.value.undo?.what === what) await undo()
    else notices.show({ tone: 'info', title: say('library.change.notLast') })
  }

  async function stepped(work: Promise<Answer<LibraryHistory>>, said: MessageKey, change: LibraryChange | null): Promise<void> {
    if (offer !== undefined) notices.dismiss(offer)
    offer = undefined
    const answer = await work
    if (answer.status === 'error') {
      notices.failed(answer.error, 'notice.notTakenBack')
      return
    }
    history.value = answer.data
    if (change) notices.show({ tone: 'info', title: say(said, { change: changeInWords(change) }) })
    await receiveChange()
  }
  /** Takes the last change of the library back. */
  const undo = (): Promise<void> => stepped(backend.call('undo_library', {}), 'library.change.takenBack', history.value.undo)
  /** Does what was taken back once more. */
  const redo = (): Promise<void> => stepped(backend.call('redo_library', {}), 'library.change.doneAgain', history.value.redo)

  function choose(ids: Iterable<string>): void {
    const before = chosen.value.size
    chosen.value = new Set(ids)
    if (chosen.value.size > 0) notices.announce(say('library.chosen.count', { count: wholeNumber(chosen.value.size) }, chosen.value.size))
    else if (before > 0) notices.announce(say('library.chosen.none'))
  }

  /** Takes a record among the chosen ones, or out of them; ranges go on from it. */
  function toggleChosen(index: number): void {
    const id = recordAt(index)?.id
    if (id === undefined) return
    anchor = index
    const next = new Set(chosen.value)
    if (!next.delete(id)) next.add(id)
    choose(next)
  }

  /** A range begins here the next time. */
  function chooseFrom(index: number): void {
    anchor = index
  }

  /** Chooses everything between where the range began and here; what lies between is fetched first. */
  async function chooseTo(index: number): Promise<void> {
    const far = index < anchor ? Math.max(index, anchor - MAX_CHOSEN + 1) : Math.min(index, anchor + MAX_CHOSEN - 1)
    const [first, last] = far < anchor ? [far, anchor] : [anchor, far]
    const ticket = latest
    await fetchRange(first, last)
    if (ticket !== latest) return
    choose(Array.from({ length: last - first + 1 }, (_, place) => recordAt(first + place)?.id).filter(id => id !== undefined))
  }

  async function chooseAll(): Promise<void> {
    const count = total.value ?? 0
    if (count === 0) return
    anchor = 0
    await chooseTo(count - 1)
    if (count > MAX_CHOSEN) notices.show({ tone: 'info', title: say('library.chosen.most', { count: wholeNumber(MAX_CHOSEN) }) })
  }

  async function fetchRange(first: number, last: number): Promise<void> {
    for (let page = Math.floor(first / PAGE_SIZE); page <= Math.floor(last / PAGE_SIZE); page++) {
      if (pages.value.has(page)) continue
      asked.delete(page)
      await fetchPage(page)
    }
  }

  /** Writes records, with what is known of their positions if wanted, into a file of the person's choice; a browser downloads it. `place` asks for one, `download` gives it to the browser. */
  async function exportRecords(
    ids: readonly string[], format: RecordFormat,
    { place: ask, download, evaluations = false }: { evaluations?: boolean, place: (fileName: string) => Promise<string | undefined>, download: ((fileName: string, content: Blob) => Promise<boolean>) | undefined },
  ): Promise<void> {
    const path = download ? '' : await ask(`games.${format}`)
    if (path === undefined) return
    const answer = await backend.call('export_records', { ids: [...ids], format, path, evaluations })
    if (answer.status === 'error') {
      notices.failed(answer.error, 'notice.fileNotWritten')
      return
    }
    const { games, fileName, base64 } = answer.data
    if (download) await download(fileName, new Blob([Uint8Array.from(atob(base64), sign => sign.charCodeAt(0))]))
    notices.show({ tone: 'success', title: say('library.export.done', { count: wholeNumber(games) }, games) })
  }

  /** Puts records into a folder and changes their tags. */
  async function file(ids: readonly string[], change: Omit<EditRecords, 'ids'>): Promise<boolean> {
    const { folder, addTags = [], removeTags = [] } = change
    // What changes nothing would still be a step to take back.
    if (typeof folder !== 'string' && addTags.length === 0 && removeTags.length === 0) return true
    const answer = await backend.call('edit_records', { ids: [...ids], ...change })
    if (answer.status === 'ok') {
      offerUndo(say('library.file.done', { count: wholeNumber(ids.length) }, ids.length), typeof folder === 'string' ? 'folder' : 'tag')
      return true
    }
    notices.failed(answer.error, 'notice.notFiled')
    return false
  }

  /** Writes facts into records; true also where nothing is filled in, which changes nothing. */
  async function setFacts(ids: readonly string[], facts: RecordFacts): Promise<boolean> {
    if (Object.values(facts).every(text => text.trim() === '')) return true
    const answer = await backend.call('edit_records', { ids: [...ids], facts })
    if (answer.status === 'ok') {
      offerUndo(say('library.facts.done', { count: wholeNumber(ids.length) }, ids.length), 'facts')
      return true
    }
    notices.failed(answer.error, 'notice.factsNotKept')
    return false
  }

  /** Makes another version of a game a game of its own. */
  async function partVersion(id: string, sgf: string): Promise<boolean> {
    const answer = await backend.call('part_version', { id, sgf })
    if (answer.status === 'ok') {
      offerUndo(say('library.versions.done'), 'version')
      return true
    }
    notices.failed(answer.error, 'notice.notParted')
    return false
  }

  function search(words: string): Promise<void> {
    text.value = words
    choose([])
    return refresh()
  }

  function sortBy(key: RecordSort, down: boolean): Promise<void> {
    sort.value = key
    descending.value = down
    choose([])
    return refresh()
  }

  /** Fetches what a part of the list needs. */
  function ensure(first: number, last: number): void {
    for (let page = Math.floor(first / PAGE_SIZE); page <= Math.floor(last / PAGE_SIZE); page++) void fetchPage(page)
  }

  function recordAt(index: number): RecordSummary | undefined {
    return pages.value.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE]
  }

  function nameInList(id: string, title: string): void {
    pages.value = new Map([...pages.value].map(([page, records]) => [page, records.map(record => record.id === id ? { ...record, title } : record)]))
  }
  async function rename(id: string, title: string): Promise<boolean> {
    const before = [...pages.value.values()].flat().find(record => record.id === id)?.title
    nameInList(id, title)
    const answer = await backend.call('rename_record', { id, title })
    if (answer.status === 'ok') return true
    // The list may be another one by now.
    if (before !== undefined) nameInList(id, before)
    notices.failed(answer.error, 'notice.notRenamed')
    return false
  }

  /** The offers to bring deleted games back. */
  let restorations: number[] = []

  async function remove(ids: readonly string[]): Promise<void> {
    const answer = await backend.call('delete_records', { ids: [...ids] })
    if (answer.status === 'error') {
      notices.failed(answer.error, 'notice.notDeleted')
      return
    }
    choose([...chosen.value].filter(id => !ids.includes(id)))
    restorations.push(notices.show({
      tone: 'info', title: say('library.deleted', {}, ids.length),
      action: { label: say('action.undo'), run: () => void restore(ids) },
    }))
    await refresh()
  }

  async function restore(ids: readonly string[]): Promise<void> {
    const answer = await backend.call('restore_records', { ids: [...ids] })
    if (answer.status === 'error') {
      notices.failed(answer.error)
      return
    }
    choose([...chosen.value].filter(id => !ids.includes(id)))
    notices.announce(say('library.place.restored', {}, ids.length))
    await refresh()
  }

  /** The bin is listed and not empty; conditions only hide what is in it. */
  const hasBin = computed(() => place.value.kind === 'bin' && (total.value !== 0 || text.value.trim() !== '' || Object.keys(narrowed.value).length > 0))

  /** Deletes for good what is in the bin, whatever the list shows of it. */
  async function emptyBin(): Promise<void> {
    const answer = await backend.call('empty_bin', {})
    if (answer.status === 'error') {
      notices.failed(answer.error, 'notice.binNotEmptied')
      return
    }
    choose([])
    // What the offers would take back is gone, and with it the steps of before.
    for (const id of offer === undefined ? restorations : [...restorations, offer]) notices.dismiss(id)
    restorations = []
    offer = undefined
    notices.show({ tone: 'info', title: say('library.bin.emptied') })
    await receiveChange()
  }

  /** Files that the page reads, before they are imported or opened. */
  const reading = shallowRef<FilesRead>()
  function receiveReading(update: FilesRead | undefined): void {
    reading.value = update
  }

  async function importFiles(files: readonly ChosenFile[]): Promise<void> {
    const paths = files.flatMap(file => file.kind === 'path' ? [file.path] : [])
    if (paths.length > 0) {
      const answer = await backend.call('import_paths', { paths })
      if (answer.status === 'error') notices.failed(answer.error, 'notice.notImported')
    }
    const contents = files.filter(file => file.kind === 'content')
    // They are one import, with one report, which begins with the last of them.
    const batch = Math.floor(Math.random() * 0x4000_0000)
    // Until the import itself says how far it is.
    if (contents.length > 0) reading.value = { done: contents.length, total: contents.length }
    for (const [at, { name, base64 }] of contents.entries()) {
      const answer = await backend.call('import_content', { name, base64, batch, remaining: contents.length - 1 - at })
      if (answer.status === 'error') {
        notices.failed(answer.error, 'notice.notImported')
        break
      }
    }
    if (contents.length > 0) reading.value = undefined
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
      notices.announce(listed(importInWords(update)))
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
    found.value = []
    folders.value = []
    tags.value = []
    searches.value = []
    history.value = { undo: null, redo: null }
    chosen.value = new Set()
    total.value = undefined
    pages.value = new Map()
    failure.value = undefined
    loading.value = false
    progress.value = undefined
  }

  return {
    text, place, folders, tags, searches, form, found, narrowed, narrow, showFound, widen, filter, isPart, history, chosen, sort, descending, total, pages, failure, loading, progress, stats, search, sortBy, goTo, fetchGroups, receiveChange,
    saveSearch, renameSearch, removeSearch, renameFolder, removeFolder, undo, redo, choose, toggleChosen, chooseFrom, chooseTo, chooseAll, exportRecords, file, setFacts, partVersion, refresh, ensure, recordAt, rename, remove, restore, hasBin, emptyBin,
    importFiles, chooseImport, cancelImport, receiveImport, receiveReading, reading, closeReport, countAll, $reset,
  }
})
