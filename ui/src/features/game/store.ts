import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import {
  useBackend, type Answer, type ChosenFile, type ClosedGame, type ClosingQuestion, type FoundPlaces, type GameChanged, type GameInfo, type GameList, type GameUpdate, type GameView, type LinkView, type MarkView, type NewGame, type NodeAnnotations,
  type PositionView, type Side, type Step, type TextReading, toBase64, type TreeView, type TrialStep, type UnsavedChanges, type Vertex,
} from '@/api'
import { useNotices } from '@/features/notices'
import { say, type MessageKey } from '@/i18n'
import { listed } from '@/i18n/formats'
import { playerName } from '@/i18n/opponents'
import { downloadFile, withEnding } from './download'
import { minutesAhead } from './minutesAhead'
import { grown, nodeAfter, withoutBranch } from './treeIndex'

/** The games that are open, as the back end last described them. It owns them; this store asks and shows. */
export const useGames = defineStore('games', () => {
  const backend = useBackend()
  const notices = useNotices()
  const games = shallowRef<readonly GameView[]>([])
  const activeId = shallowRef<string>()
  /** The game that is only looked at: the next one from the library takes its place, until it is changed or kept. */
  const previewId = shallowRef<string>()
  /** What is being opened, for the window to say so. */
  const opening = shallowRef(0)
  /** Games that are begun, and shown by the answer. */
  const beginning = shallowRef(0)
  /** Games that can be opened again, the last closed first. */
  const closed = shallowRef<readonly ClosedGame[]>([])
  /** Games whose notice of repairs was closed. */
  const repairsRead = shallowRef<ReadonlySet<string>>(new Set())
  /** A game that is to be closed as soon as this is decided. */
  const asked = shallowRef<{ game: GameView, question: ClosingQuestion }>()

  const active = computed(() => games.value.find(game => game.gameId === activeId.value))
  const position = computed(() => active.value?.position)

  // One command of a game after the other: an answer that overtakes another would show an old position.
  let queue: Promise<unknown> = Promise.resolve()
  let isHurried = false
  function inTurn<T>(work: () => Promise<T>): Promise<T | Answer<never>> {
    const run = backend.run.value
    // A game may have another's name by the time it is its turn.
    const begin = (): Promise<T | Answer<never>> => backend.run.value === run ? work() : Promise.resolve({ status: 'error', error: { kind: 'disconnected' } })
    const turn = isHurried ? begin() : queue.then(begin, begin)
    queue = isHurried ? Promise.allSettled([queue, turn]) : turn
    return turn
  }

  /** Sends what this changes at once: a page that goes does not live to see the answers that come before. */
  function atOnce(change: () => void): void {
    isHurried = true
    try {
      change()
    } finally {
      isHurried = false
    }
  }

  /** Until the changes that were made so far are answered. */
  const settled = (): Promise<unknown> => queue

  /** Takes what is open in the back end, the game that was opened last in front; tabs stand in the order of opening. */
  function adopt(list: readonly GameView[]): void {
    // A game may have gone on since it was described.
    const newest = (view: GameView): GameView => games.value.find(known => known.gameId === view.gameId && known.version > view.version) ?? view
    games.value = list.toReversed().map(newest)
    if (!list.some(game => game.gameId === activeId.value)) activeId.value = list[0]?.gameId
    nameWindow()
  }

  function add(view: GameView): void {
    const known = games.value.some(game => game.gameId === view.gameId)
    games.value = known ? games.value.map(game => game.gameId === view.gameId ? view : game) : [...games.value, view]
  }

  function show(view: GameView): void {
    add(view)
    activeId.value = view.gameId
    nameWindow()
  }

  function patch(update: GameUpdate): void {
    const known = games.value.find(game => game.gameId === update.gameId)
    if (!known || update.version < known.version) return
    const followed = (): TreeView | undefined => {
      if (update.grown) return grown(known.tree, update.grown)
      if (update.cut) return withoutBranch(known.tree, update.cut)
      // What lies before a step was told elsewhere, or not yet.
      return update.treeRevision === known.tree.revision ? known.tree : undefined
    }
    const tree = update.tree ?? followed()
    const { position, info, modified, canUndo, canRedo, trial, version } = update
    // A change of a tree that this window has not seen: all of it is asked for.
    const change = { position, info: info ?? known.info, modified, canUndo, canRedo, trial, version }
    games.value = games.value.map(game => game === known ? { ...game, ...change, tree: tree ?? game.tree } : game)
    if (!tree) void refresh(update.gameId)
    if (update.modified) keep(update.gameId)
    if (update.info) nameWindow()
  }

  /** Takes a game from the window that is closed; the one beside it is shown. */
  function remove(gameId: string): void {
    const index = games.value.findIndex(game => game.gameId === gameId)
    if (index < 0) return
    const rest = games.value.filter(game => game.gameId !== gameId)
    if (activeId.value === gameId) activeId.value = (rest[index] ?? rest[index - 1])?.gameId
    if (asked.value?.game.gameId === gameId) asked.value = undefined
    games.value = rest
    nameWindow()
  }

  /** What this window opens itself is shown by its own answer. */
  async function nothingOpens(): Promise<void> {
    const left = (): number => opening.value + beginning.value
    if (left() === 0) return
    await new Promise<void>((resolve) => {
      const end = watch(left, (left) => {
        if (left > 0) return
        end()
        resolve()
      })
    })
  }

  /** A command changed a game, opened one or closed one. One of another window is asked for, after what has to come before. */
  async function hear({ gameId, version }: GameChanged, before: () => Promise<unknown>): Promise<void> {
    const isNews = (): boolean => {
      const known = games.value.find(game => game.gameId === gameId)
      return known ? version === null || known.version < version : version !== null
    }
    if (!isNews()) return
    await nothingOpens()
    // Behind what this window has under way: its own answer says the same.
    await inTurn(async () => {
      if (!isNews()) return
      if (version === null) {
        remove(gameId)
        return
      }
      await before()
      const answer = await backend.call('get_game', { gameId })
      // It may be closed by now, which is told as well.
      if (answer.status === 'error') return
      if (games.value.some(game => game.gameId === gameId)) replace(gameId, answer.data)
      else games.value = [...games.value, answer.data]
      activeId.value ??= gameId
      nameWindow()
    })
  }

  /** A game that was only looked at stays open. */
  function keep(gameId: string): void {
    if (previewId.value === gameId) previewId.value = undefined
  }

  /** Takes what is said of a game, unless something newer is known. */
  function replace(gameId: string, change: Partial<GameView>): void {
    const isOld = (game: GameView): boolean => change.version !== undefined && change.version < game.version
    games.value = games.value.map(game => game.gameId === gameId && !isOld(game) ? { ...game, ...change } : game)
    if (change.modified) keep(gameId)
    nameWindow()
  }

  /** The library has a game that is played: as it is now, unless it has gone on meanwhile. */
  function kept(gameId: string, recordId: string, whole: boolean): void {
    const game = games.value.find(known => known.gameId === gameId)
    if (game && (game.recordId !== recordId || (whole && game.modified))) replace(gameId, { recordId, ...(whole ? { modified: false } : {}) })
  }

  function nameWindow(): void {
    const title = active.value ? titleOf(active.value) : ''
    backend.setTitle(title ? `${title} – Honinbo` : 'Honinbo')
  }

  function activate(gameId: string): void {
    activeId.value = gameId
    nameWindow()
  }

  /** Whether a game was opened. It is shown unless it is taken in another way, which may answer false. */
  async function opened(work: Promise<Answer<GameView>>, take: (view: GameView) => unknown = show): Promise<boolean> {
    opening.value++
    const answer = await work
    opening.value--
    if (answer.status === 'error') {
      notices.failed(answer.error, 'notice.notOpened')
      return false
    }
    if (await take(answer.data) === false) return false
    const serious = answer.data.diagnostics.filter(diagnostic => diagnostic.serious).length
    if (serious > 0) notices.announce(say('game.diagnostics.announce', {}, serious))
    return true
  }

  /** Files with several games, in which the person is to choose; the first is asked about now. */
  const choices = shallowRef<readonly { file: ChosenFile, list: GameList }[]>([])
  const choosing = computed(() => choices.value[0])

  /** Opens files and shows the last of them, unless the person turned to another game meanwhile. */
  async function openFiles(files: readonly ChosenFile[]): Promise<void> {
    let shown = activeId.value
    for (const file of files) {
      await openSource(file, (view) => {
        if (activeId.value !== shown) return add(view)
        show(view)
        shown = view.gameId
      })
    }
  }

  /** Opens the game of a file; of several the person chooses. */
  async function openSource(file: ChosenFile, take = show): Promise<boolean> {
    opening.value++
    const answer = await (file.kind === 'path'
      ? backend.call('open_file', { path: file.path })
      : backend.call('open_content', { name: file.name, base64: file.base64 }))
    const list = answer.status === 'error' && answer.error.kind === 'severalGames' ? await backend.call('list_games', file) : undefined
    opening.value--
    if (!list) return opened(Promise.resolve(answer), take)
    if (list.status === 'error') {
      notices.failed(list.error, 'notice.notOpened')
      return false
    }
    choices.value = [...choices.value, { file, list: list.data }]
    return true
  }

  /** Opens games of the file that is asked about. */
  async function openChosen(numbers: number[]): Promise<void> {
    const choice = choosing.value
    if (!choice) return
    chooseNone()
    opening.value++
    const answer = await backend.call('open_games', { source: choice.file, games: numbers })
    opening.value--
    if (answer.status === 'error') notices.failed(answer.error, 'notice.notOpened')
    else for (const view of answer.data) show(view)
  }

  function chooseNone(): void {
    choices.value = choices.value.slice(1)
  }

  /** Lets the person choose files and opens them. */
  async function choose(): Promise<void> {
    await openFiles(await backend.chooseRecords({ multiple: true }))
  }

  /** Opens a record that is given as text. An address is none, and nobody asked for the network. */
  async function openText(text: string, name = ''): Promise<boolean> {
    if (/^https?:\/\/\S+$/i.test(text.trim())) {
      notices.show({ tone: 'info', title: say('game.pastedAddress.title'), detail: say('game.pastedAddress.detail') })
      return false
    }
    return openSource({ kind: 'content', name, base64: toBase64(new TextEncoder().encode(text)) })
  }
  /** Counts the records that are wanted. */
  let latestRecord = 0
  /** Opens a record. As a `preview` it takes the place of the game that was looked at before it. */
  async function openRecord(id: string, { preview = false } = {}): Promise<boolean> {
    const ticket = ++latestRecord
    const known = games.value.find(game => game.recordId === id)
    if (known) {
      if (!preview) keep(known.gameId)
      activate(known.gameId)
      return true
    }
    return opened(backend.call('open_record', { id }), preview ? view => takePreview(view, ticket) : show)
  }
  /** Shows a record in the place of the one that was looked at before it, unless another one is wanted by now. */
  async function takePreview(view: GameView, ticket: number): Promise<boolean> {
    if (ticket !== latestRecord) {
      await close(view.gameId)
      return false
    }
    // The one before may have been changed, kept or replaced while this one was read.
    const left = games.value.find(game => game.gameId === previewId.value)
    show(view)
    previewId.value = view.gameId
    if (!left || left.modified) return true
    // At once, so that there is never a tab too many; it comes back where it cannot be closed.
    games.value = games.value.filter(game => game.gameId !== view.gameId).flatMap(game => game === left ? [view] : [game])
    await close(left.gameId, 'ask', left)
    return true
  }
  /** Opens a record after so many moves of its main line. */
  async function openRecordAt(id: string, moves: number): Promise<boolean> {
    if (!await openRecord(id, { preview: true }) || !active.value) return false
    await goTo(nodeAfter(active.value.tree, moves))
    return true
  }
  /** Opens the famous game where it is famous. */
  const openFamous = (): Promise<boolean> => opened(backend.call('open_famous', {}))
  const startNew = (asked: NewGame): Promise<boolean> => opened(backend.call('new_game', { ...asked, minutesAhead: minutesAhead() }))

  /** Closes a game; where its file or its record lacks something of it, the person is asked first. */
  async function close(
    gameId: string, changes: UnsavedChanges = 'ask', game = games.value.find(known => known.gameId === gameId),
  ): Promise<void> {
    asked.value = undefined
    const answer = await inTurn(() => backend.call('close_game', { gameId, changes }))
    const failed = answer.status === 'error' && answer.error.kind !== 'notFound'
    const question = answer.status === 'ok' ? answer.data.question : null
    if (game && (failed || question) && !games.value.some(known => known.gameId === gameId)) games.value = [...games.value, game]
    if (failed) {
      notices.failed(answer.error, 'notice.notClosed')
      return
    }
    if (game && question) {
      activate(gameId)
      asked.value = { game, question }
      return
    }
    if (game) notices.announce(say('game.closed.announce', { game: titleOf(game) }))
    remove(gameId)
  }

  /** A game stays open that was to be closed. */
  function keepOpen(): void {
    asked.value = undefined
  }

  function adoptClosed(list: readonly ClosedGame[]): void {
    closed.value = list
  }

  /** Opens a closed game again, without a name the last one; the answer is its name among the open ones. */
  async function reopen(id = closed.value[0]?.id): Promise<string | undefined> {
    if (id === undefined) {
      notices.show({ tone: 'info', title: say('game.closed.none') })
      return undefined
    }
    return await opened(backend.call('reopen_game', { id })) ? activeId.value : undefined
  }

  async function updated(work: () => Promise<Answer<GameUpdate>>, doing?: MessageKey): Promise<GameUpdate | undefined> {
    const answer = await inTurn(work)
    if (answer.status === 'ok') {
      patch(answer.data)
      return answer.data
    }
    notices.failed(answer.error, doing)
    return undefined
  }

  function withActive<T>(work: (gameId: string) => Promise<T>): Promise<T | undefined> {
    return activeId.value === undefined ? Promise.resolve(undefined) : work(activeId.value)
  }

  const play = (vertex: Vertex) => withActive(gameId => updated(() => backend.call('play', { gameId, vertex })))
  const goTo = (nodeId: number) => withActive(gameId => updated(() => backend.call('go_to', { gameId, nodeId })))
  const navigate = (step: Step) => withActive(gameId => updated(() => backend.call('navigate', { gameId, step })))
  /** Begins to try out moves that the record is not to have, or drops or keeps them. */
  const tryOut = (step: TrialStep) => withActive(gameId => updated(() => backend.call('try_out', { gameId, step })))
  const promote = (nodeId: number) => withActive(gameId => updated(() => backend.call('promote_variation', { gameId, nodeId })))
  const undo = () => withActive(gameId => updated(() => backend.call('undo_edit', { gameId })))
  /** Takes the last change of a game back, whichever is shown. */
  const undoIn = (gameId: string) => updated(() => backend.call('undo_edit', { gameId }))
  const redo = () => withActive(gameId => updated(() => backend.call('redo_edit', { gameId })))
  const setComment = (gameId: string, nodeId: number, text: string): Promise<GameUpdate | undefined> =>
    // A field that goes because the back end was started again is about a game that has another name now.
    games.value.some(game => game.gameId === gameId)
      ? updated(() => backend.call('set_comment', { gameId, nodeId, text }), 'notice.commentNotKept')
      : Promise.resolve(undefined)

  const setAnnotations = (gameId: string, nodeId: number, annotations: NodeAnnotations) => updated(() => backend.call('set_annotations', { gameId, nodeId, annotations }))
  const setNodeName = (gameId: string, nodeId: number, name: string): Promise<GameUpdate | undefined> =>
    // As with a comment.
    games.value.some(game => game.gameId === gameId)
      ? updated(() => backend.call('set_node_name', { gameId, nodeId, name }))
      : Promise.resolve(undefined)
  const setMarks = (nodeId: number, marks: MarkView[], links: LinkView[]) =>
    withActive(gameId => updated(() => backend.call('set_marks', { gameId, nodeId, marks, links })))
  const setStones = (points: number[], stone: Side | null) => withActive(gameId => updated(() => backend.call('set_stones', { gameId, points, stone })))
  /** Puts a frame around the position on the board. */
  const frame = () => withActive(async (gameId) => {
    const answer = await inTurn(() => backend.call('frame_position', { gameId }))
    if (answer.status === 'ok') patch(answer.data)
    else if (answer.error.kind === 'invalidRequest') notices.show({
      tone: 'info', ...(active.value?.topology === 'plane' ? { title: say('edit.noFrame'), detail: say('edit.noFrameDetail') } : { title: say('edit.noFrameJoined') }),
    })
    else notices.failed(answer.error)
  })
  const setToMove = (side: Side) => withActive(gameId => updated(() => backend.call('set_to_move', { gameId, side })))
  const moveVariation = (nodeId: number, up: boolean) =>
    withActive(gameId => updated(() => backend.call('move_variation', { gameId, nodeId, up })))

  /** Asks for a whole game again that was changed by something else than a command of this store. */
  async function refresh(gameId: string): Promise<void> {
    const answer = await inTurn(() => backend.call('get_game', { gameId }))
    if (answer.status === 'ok') replace(gameId, answer.data)
    else notices.failed(answer.error)
  }

  /** Hangs a line below a node of the game that is shown; the position stays. */
  const addLine = (nodeId: number, moves: readonly Vertex[]) => withActive(gameId => updated(() => backend.call('add_line', { gameId, nodeId, moves: [...moves] })))

  /** Lets the game go on behind a node with what followed before. */
  const continueGame = (nodeId: number, following: number) => withActive(async (gameId) => {
    const answer = await inTurn(() => backend.call('continue_game', { gameId, nodeId, following }))
    if (answer.status === 'error') {
      notices.failed(answer.error)
      return undefined
    }
    patch(answer.data.update)
    return answer.data
  })

  /** The position at a node of a game, of the one that is shown if none is named, without going there. */
  async function positionAt(nodeId: number, gameId = activeId.value): Promise<PositionView | undefined> {
    if (gameId === undefined) return undefined
    const answer = await inTurn(() => backend.call('position_at', { gameId, nodeId }))
    if (answer.status === 'ok') return answer.data
    notices.failed(answer.error)
    return undefined
  }

  /** What was last copied, for windows that may not read the clipboard. */
  let copied = ''

  /** Puts a node and what follows it on the clipboard, as a record that other programs read too. */
  async function copyVariation(nodeId: number): Promise<boolean> {
    const gameId = activeId.value
    if (gameId === undefined) return false
    const text = await inTurn(() => backend.call('copy_variation', { gameId, nodeId }))
    if (text.status === 'error') {
      notices.failed(text.error)
      return false
    }
    copied = text.data.sgf
    try {
      await navigator.clipboard.writeText(copied)
    } catch { /* The window's own memory is enough to paste it here. */ }
    return true
  }

  async function cutVariation(nodeId: number): Promise<void> {
    // Copying may take a while, and another game be on the board after it.
    const gameId = activeId.value
    if (gameId !== undefined && await copyVariation(nodeId)) await removeVariation(nodeId, gameId)
  }

  /** Hangs what was copied below a node. */
  async function pasteVariation(nodeId: number): Promise<void> {
    // The browser may ask first whether the clipboard may be read.
    const gameId = activeId.value
    if (gameId === undefined) return
    let sgf = copied
    try {
      const text = await navigator.clipboard.readText()
      if (text.includes('(;')) sgf = text
    } catch { /* Not every browser lets it be read. */ }
    if (!sgf) {
      notices.show({ tone: 'info', title: say('game.nothingCopied') })
      return
    }
    await updated(() => backend.call('paste_variation', { gameId, nodeId, sgf }), 'notice.notPasted')
  }

  /** Deletes a branch of a game, of the one that is shown if none is named. */
  async function removeVariation(nodeId: number, gameId = activeId.value): Promise<void> {
    if (gameId === undefined) return
    const update = await updated(() => backend.call('delete_variation', { gameId, nodeId }))
    if (!update) return
    notices.show({
      tone: 'info', title: say('game.variation.deleted'),
      action: { label: say('action.undo'), run: () => void undoIn(gameId) },
    })
  }

  /** Removes every variation beside the line to a node. */
  async function keepVariation(nodeId: number): Promise<void> {
    await withActive(async (gameId) => {
      const update = await updated(() => backend.call('keep_variation', { gameId, nodeId }))
      if (!update) return
      if (!update.tree) notices.show({ tone: 'info', title: say('game.variation.noOthers') })
      else notices.show({ tone: 'info', title: say('game.variation.othersDeleted'), action: { label: say('action.undo'), run: () => void undoIn(gameId) } })
    })
  }

  /** Opens a new record that begins with the position at a node. */
  async function openFrom(nodeId: number): Promise<void> {
    await withActive(async (gameId) => {
      if (await opened(backend.call('open_from', { gameId, nodeId }))) notices.show({ tone: 'info', title: say('game.begunFrom.title'), detail: say('game.begunFrom.text') })
    })
  }

  /** Where the game that is shown has these words. */
  async function findPlaces(words: string): Promise<FoundPlaces | undefined> {
    const answer = await withActive(gameId => backend.call('find_places', { gameId, words }))
    if (answer?.status === 'ok') return answer.data
    if (answer) notices.failed(answer.error)
    return undefined
  }

  async function setInfo(info: GameInfo): Promise<boolean> {
    const gameId = activeId.value
    if (gameId === undefined) return false
    const answer = await inTurn(() => backend.call('set_game_info', { gameId, info }))
    if (answer.status === 'error') {
      notices.failed(answer.error, 'notice.infoNotKept')
      return false
    }
    replace(gameId, answer.data)
    return true
  }

  /** The ways to read the texts of a game, the one in force first. */
  async function textReadings(gameId: string): Promise<TextReading[]> {
    const answer = await inTurn(() => backend.call('text_readings', { gameId }))
    if (answer.status === 'ok') return answer.data
    notices.failed(answer.error)
    return []
  }

  async function readTexts(gameId: string, { taken, meant }: TextReading): Promise<boolean> {
    const answer = await inTurn(() => backend.call('read_texts', { gameId, taken, meant }))
    if (answer.status === 'error') {
      notices.failed(answer.error)
      return false
    }
    replace(gameId, answer.data)
    return true
  }

  /** Keeps the game in the library. */
  async function save(): Promise<void> {
    await withActive(async (gameId) => {
      const answer = await inTurn(() => backend.call('save_goban', { gameId }))
      if (answer.status === 'error') {
        notices.failed(answer.error, 'notice.notSaved')
        return
      }
      if (answer.data.duplicateOf === null) {
        replace(gameId, { recordId: answer.data.id, modified: false })
        notices.show({ tone: 'success', title: say('game.saved') })
        return
      }
      // It may be a copy beside a record that says more, and does not belong to that then.
      const game = await inTurn(() => backend.call('get_game', { gameId }))
      if (game.status === 'ok') replace(gameId, game.data)
      notices.show({ tone: 'info', title: say('game.savedDuplicate') })
    })
  }

  /** Writes the game, with what is known of its positions if wanted, to a file that the person chooses; a browser downloads it. True if it was written. */
  async function saveAsFile({ evaluations = false } = {}): Promise<boolean> {
    const saved = await withActive(async (gameId) => {
      const text = await inTurn(() => backend.call(evaluations ? 'export_evaluated' : 'export_sgf', { gameId }))
      if (text.status === 'error') {
        notices.failed(text.error, 'notice.notSaved')
        return false
      }
      const game = games.value.find(known => known.gameId === gameId)
      const name = game ? fileNameOf(game, '.sgf') : withEnding(text.data.fileName, '.sgf')
      const path = await backend.chooseSavePath(name)
      if (path !== undefined) {
        const update = await updated(() => backend.call('save_file', { gameId, path, evaluations }), 'notice.notSaved')
        if (update) notices.show({ tone: 'success', title: say('game.savedAs', { path }) })
        return update !== undefined
      }
      if (nativeDialogs.value) return false
      downloadFile(name, new Blob([text.data.sgf], { type: 'application/x-go-sgf' }))
      return true
    })
    return saved ?? false
  }

  /** An open game as a file, for whoever takes it elsewhere; undefined when it cannot be had. */
  async function fileOf(gameId: string): Promise<{ readonly name: string, readonly sgf: string } | undefined> {
    const text = await inTurn(() => backend.call('export_sgf', { gameId }))
    const game = games.value.find(known => known.gameId === gameId)
    return text.status === 'ok' && game ? { name: fileNameOf(game, '.sgf'), sgf: text.data.sgf } : undefined
  }

  /** The file that was dragged out of the window last. */
  let dragged: string | undefined

  /** Begins to drag a game out of the window as a file, by the system's own means. */
  async function dragOut(gameId: string): Promise<void> {
    const file = await inTurn(() => backend.call('drag_file', { gameId }))
    if (file.status === 'ok') dragged = file.data.path
    else notices.failed(file.error)
  }

  /** Whether a file that is dropped on the window was dragged out of it. */
  function isDragged(file: ChosenFile): boolean {
    return file.kind === 'path' && file.path === dragged
  }

  /** Puts the record on the clipboard. */
  async function copy(): Promise<void> {
    await withActive(async (gameId) => {
      const text = await inTurn(() => backend.call('export_sgf', { gameId }))
      if (text.status === 'error') {
        notices.failed(text.error)
        return
      }
      try {
        await navigator.clipboard.writeText(text.data.sgf)
        notices.show({ tone: 'success', title: say('game.copied') })
      } catch {
        notices.show({ tone: 'warning', title: say('game.notCopied.title'), detail: say('game.notCopied.detail') })
      }
    })
  }

  /** Writes a picture or a report to a file that the person chooses; a browser downloads it. True if it was written. */
  async function saveContent(fileName: string, content: Blob): Promise<boolean> {
    if (!nativeDialogs.value) {
      downloadFile(fileName, content)
      return true
    }
    const path = await backend.chooseSavePath(fileName)
    if (path === undefined) return false
    const answer = await backend.call('save_content', { path, base64: toBase64(new Uint8Array(await content.arrayBuffer())) })
    if (answer.status === 'error') {
      notices.failed(answer.error, 'notice.fileNotWritten')
      return false
    }
    notices.show({ tone: 'success', title: say('game.savedAs', { path }) })
    return true
  }

  const nativeDialogs = shallowRef(false)

  /** The names of games mean others from now on. */
  function forget(): void {
    games.value = []
    activeId.value = undefined
    previewId.value = undefined
    asked.value = undefined
    repairsRead.value = new Set()
  }

  /** The person knows what was repaired in a game. */
  function readRepairs(gameId: string): void {
    repairsRead.value = new Set([...repairsRead.value, gameId])
  }

  function $reset(): void {
    forget()
    opening.value = 0
    beginning.value = 0
    closed.value = []
    choices.value = []
  }

  return {
    games, active, activeId, previewId, position, opening, beginning, nativeDialogs, closed, asked, repairsRead, readRepairs, settled, atOnce, adopt, forget, adoptClosed, show, hear, receive: patch, kept, activate, keep, close, keepOpen, reopen, choosing, openChosen, chooseNone, openFiles, choose, openText, openRecord, openRecordAt, startNew, openFamous,
    play, goTo, navigate, tryOut, promote, undo, undoIn, refresh, addLine, continueGame, redo, setComment, setAnnotations, setNodeName, setMarks, setStones, frame, setToMove, moveVariation, keepVariation, openFrom, findPlaces, positionAt, copyVariation, cutVariation,
    pasteVariation, removeVariation, setInfo, textReadings, readTexts, save, saveAsFile, saveContent, fileOf, dragOut, isDragged, copy, $reset,
  }
})

/** What a game is called: its players, else its name, else where and when it was played, and only then its file. */
export function titleOf(game: Pick<GameView, 'info' | 'fileName'>): string {
  const { title, black, white, event, date } = game.info
  return playersTitle(black, white) || title || occasionTitle(event, date) || (game.fileName ?? '') || say('game.untitled')
}

/** What a file of a game is called: as the one that it came from, else after the game, without what no file system takes. */
export function fileNameOf(game: Pick<GameView, 'info' | 'fileName'>, ending: string): string {
  return withEnding(game.fileName ?? titleOf(game).replace(/[\\/:*?"<>|]/g, ' ').replace(/\s+/g, ' ').trim(), ending)
}

/** The two players as a title; empty where neither is known. */
export function playersTitle(black: string, white: string): string {
  return black || white ? `${playerName(black) || say('game.player.black')} – ${playerName(white) || say('game.player.white')}` : ''
}

/** Where and when a game was played; empty where neither is known. */
export const occasionTitle = (event: string, date: string): string => listed([event, date])
