import { defineStore } from 'pinia'
import { computed, nextTick, shallowRef, watch } from 'vue'
import { CLUB_HASH, MAX_FILE_BYTES, useBackend, type ChosenFile, type Event, type Failure, type JudgedMove, type LibraryRescue, type NotKept, type UnreadFile } from '@/api'
import { leadFor, useAnalysis, useMistake, usePlayOut, usePreview } from '@/features/analysis'
import { pointName, turnedRight, type Orientation } from '@/features/board'
import { useEditing } from '@/features/edit'
import { handInDrafts, nearest, useGames } from '@/features/game'
import { useHelp } from '@/features/help'
import { useExercises, useLessons } from '@/features/lessons'
import { useLibrary, usePatternSearch, useReviews, useSources } from '@/features/library'
import { useNetworks } from '@/features/networks'
import { asSentence, useNotices } from '@/features/notices'
import { useModes, usePlay, type Mode } from '@/features/play'
import { useMine } from '@/features/mine'
import { useProblems } from '@/features/problems'
import { useRuntimes } from '@/features/runtimes'
import { useSettings } from '@/features/settings'
import { useNewGame } from '@/features/start'
import { useAutoplay, useBoardView, useGuessing, useInserting, useLinePractice, useScoring, useTrial } from '@/features/stage'
import { useTraining } from '@/features/training'
import { useUpdates } from '@/features/updates'
import { say } from '@/i18n'
import { listed, megabytes, signedPoints, wholeNumber } from '@/i18n/formats'
import { ACTION_NAMES, type ActionName } from './actions'
import { useActivity } from './activity'
import { possible, type WindowState } from './possible'
import { inTextField, isBeforeWindow } from './shortcuts'
import { isFirstStart } from './welcome'

/** Which dialog is open. */
export type DialogName = 'newGame' | 'info' | 'texts' | 'settings' | 'palette' | 'find' | 'shortcuts' | 'textBoard' | 'paste' | 'diagram' | 'booklet' | 'pattern' | 'players' | 'sources' | 'closedGames' | 'welcome'

const FRAME_MS = 16
/** News of what the engine found, and of what makes it void. */
const OF_POSITIONS: ReadonlySet<Event['event']> = new Set<Event['event']>(['analysis', 'graph', 'positionsChanged', 'engine'])

/** News of which games there are. */
const OF_GAMES: ReadonlySet<Event['event']> = new Set<Event['event']>(['gameOpened', 'gameChanged'])

/** The window itself: its start, its dialogs, and what every action does. */
export const useShell = defineStore('shell', () => {
  const backend = useBackend()
  const games = useGames()
  const analysis = useAnalysis()
  const lessons = useLessons()
  const exercises = useExercises()
  const problems = useProblems()
  const mine = useMine()
  const training = useTraining()
  const reviews = useReviews()
  const sources = useSources()
  const library = useLibrary()
  const patterns = usePatternSearch()
  const notices = useNotices()
  const shelf = useNetworks()
  const runtimes = useRuntimes()
  const updates = useUpdates()
  const help = useHelp()
  const preview = usePreview()
  const mistake = useMistake()
  const scoring = useScoring()
  const settings = useSettings()
  const editing = useEditing()
  const guessing = useGuessing()
  const linePractice = useLinePractice()
  const inserting = useInserting()
  const trial = useTrial()
  const autoplay = useAutoplay()
  const playOut = usePlayOut()
  const play = usePlay()
  const modes = useModes()
  const newGame = useNewGame()
  const view = useBoardView()
  const activity = useActivity()

  const started = shallowRef(false)
  const startFailure = shallowRef<Failure>()
  const version = shallowRef('')
  const canUpdate = shallowRef(false)
  const canBackUp = shallowRef(false)
  /** The system shows a menu bar for the window. */
  const hasMenuBar = shallowRef(false)
  const networks = computed(() => shelf.files)
  const dialog = shallowRef<DialogName>()
  /** With which part the settings open. */
  const settingsPart = shallowRef<'window' | 'networks' | 'updates'>('window')
  /** In a narrow window: which panel is under the board. */
  const tab = shallowRef<'analysis' | 'tree' | 'comment' | 'library'>('analysis')
  const narrow = shallowRef(false)
  /** Neither narrow nor wide: the library lies over the board as a drawer, which is open or not by itself. */
  const middle = shallowRef(false)
  const drawer = shallowRef(false)
  /** The server has rooms in which people play each other. */
  const rooms = shallowRef(false)
  /** The library has the whole window, or a question, or problems, or a training run, or the board. */
  const room = shallowRef<'board' | 'library' | 'lessons' | 'problems' | 'mine' | 'training'>('board')
  const connection = computed(() => backend.connection.value)

  /** What the engine found since the window last took it in. Each time costs most of a frame, and it comes in pieces. */
  let findings: Event[] = []
  let takingIn: ReturnType<typeof setTimeout> | undefined
  /** What is told of games while the window asks for everything, since the answer may be older; also of positions while it asks again: those of before may have to be forgotten first. */
  let held: Event[] | undefined

  // A game that is opened before the answer to the start would be replaced by it: whoever opens one waits for this.
  let starting: Promise<void> = Promise.resolve()

  /** Why open games are not kept, as it was told last, and the notice that says so. */
  let notKept: NotKept | null = null
  let keepingNotice: number | undefined
  function tellKeeping(now: NotKept | null): void {
    if (JSON.stringify(notKept) === JSON.stringify(now)) return
    notKept = now
    if (keepingNotice !== undefined) notices.dismiss(keepingNotice)
    keepingNotice = undefined
    if (!now) return
    const detail = now.kind === 'anotherProgram' ? say('notice.gamesNotKept.anotherProgram') : asSentence(now.reason)
    keepingNotice = notices.show({ tone: 'danger', lasting: true, title: say('notice.gamesNotKept.title'), detail, hint: say('notice.gamesNotKept.hint') })
  }

  /** Games get other names: nobody turns to one. */
  let renaming = false
  // Before anything is heard of the new run: its first game is not the first one of the run before.
  watch(backend.run, (_, before) => { if (before !== '') forgetGames() }, { flush: 'sync' })
  /** The back end was started again: whatever is kept by the name of a game is another one's. */
  function forgetGames(): void {
    clearTimeout(takingIn)
    takingIn = undefined
    findings = []
    held = undefined
    if (lessons.mode === 'turns') room.value = 'board'
    lessons.forgetGames()
    for (const store of [play, modes, mistake, playOut, preview, scoring, inserting, guessing, linePractice, autoplay]) store.$reset()
    analysis.forgetGames()
    renaming = true
    games.forget()
  }

  /** Asks the back end for everything that the window shows first; also after a lost connection. */
  function start(): Promise<void> {
    starting = askForEverything()
    return starting
  }

  async function askForEverything(): Promise<void> {
    startFailure.value = undefined
    held ??= []
    const since = analysis.engineNewsNow()
    // What is heard meanwhile says nothing of the positions that the figures here are about.
    const before = new Map(games.games.map(game => [game.gameId, game.version]))
    const answer = await backend.call('startup', {})
    if (answer.status === 'error') {
      letIn()
      // What is on the screen stays there until the connection is back, and everything is asked for again.
      if (!started.value || answer.error.kind !== 'disconnected') startFailure.value = answer.error
      return
    }
    const startup = answer.data
    await play.recall(startup.games.map(game => game.gameId))
    version.value = startup.version
    canUpdate.value = startup.canUpdate
    canBackUp.value = startup.canBackUp
    shelf.adopt(startup.networks)
    // After a lost connection the window stays divided as it is, and what is being changed here stays.
    if (started.value) settings.hear(startup.settings)
    else settings.adopt(startup.settings)
    games.nativeDialogs = startup.capabilities.nativeDialogs
    hasMenuBar.value = startup.capabilities.menuBar
    training.adopt(startup.canWatchTraining, startup.capabilities.paths)
    analysis.adoptEngine(startup.engine, since)
    const changed = startup.games.filter(({ gameId, version }) => before.has(gameId) && before.get(gameId) !== version).map(game => game.gameId)
    analysis.forgetChanged(changed)
    games.adopt(startup.games)
    letIn()
    if (games.active && changed.includes(games.active.gameId)) void analysis.lookUp(games.active.gameId, games.active.position.nodeId)
    games.adoptClosed(startup.closedGames)
    void nextTick(() => { renaming = false })
    tellKeeping(startup.notKept)
    if (!started.value) {
      if (startup.recovered > 0) notices.show({ tone: 'info', title: say('notice.recovered', {}, startup.recovered), detail: say('notice.recoveredDetail') })
      if (startup.setAside.length > 0) notices.show({ tone: 'warning', lasting: true, title: say('notice.setAside.title', {}, startup.setAside.length), detail: say('notice.setAside.detail', { files: listed(startup.setAside) }) })
      propose(startup.proposedNetwork)
      if (startup.restored) {
        const { games: count, keptAs } = startup.restored
        const now = say('library.restore.now', { games: say('library.count', { count: wholeNumber(count) }, count) })
        notices.show({ tone: 'success', lasting: true, title: say('library.restore.done'), detail: keptAs === '' ? now : `${now} ${say('library.restore.keptAs', { file: keptAs })}` })
      }
      tellRescue(startup.rescued)
      for (const notice of startup.notices) notices.show({ tone: 'warning', title: say('notice.start'), quoted: asSentence(notice) })
    }
    void games.openFiles(startup.given.map(({ path }) => ({ kind: 'path', path })))
    if (!started.value && isFirstStart(settings.preferences.welcomed, startup)) open('welcome')
    // A game that is played on is not analysed unasked.
    const unasked = startup.settings.analyseAtStart && (!play.view || play.over)
    // Said before anything is drawn, which keeps the page busy for a while: the engine thinks meanwhile.
    const analysed = unasked || startup.engine.analysing !== null || analysis.wanted ? analysis.turn(true) : undefined
    started.value = true
    void lessons.refresh()
    void reviews.refresh()
    await analysed
  }

  function tellRescue(rescued: LibraryRescue | null): void {
    if (rescued?.kind === 'failed') notices.failed(rescued.error, 'library.rescue.failed')
    if (rescued?.kind !== 'done') return
    const { games: count, lost, keptAs } = rescued
    const now = say('library.restore.now', { games: say('library.count', { count: wholeNumber(count) }, count) })
    const unread = lost > 0 ? [say('library.rescue.lost', { count: wholeNumber(lost) }, lost)] : []
    const detail = [now, ...unread, say('library.rescue.keptAs', { file: keptAs })].join(' ')
    notices.show({ tone: lost > 0 ? 'warning' : 'success', lasting: true, title: say('library.rescue.done'), detail })
  }

  function takeIn(): void {
    clearTimeout(takingIn)
    takingIn = undefined
    const found = findings
    findings = []
    for (const event of found) take(event)
  }

  /** Takes in what was held back. */
  function letIn(): void {
    const events = held ?? []
    held = undefined
    for (const event of events) receive(event)
  }

  function receive(event: Event): void {
    if (held && (OF_GAMES.has(event.event) || (started.value && OF_POSITIONS.has(event.event)))) {
      held.push(event)
      return
    }
    if (event.event === 'analysis' || event.event === 'graph') {
      findings.push(event)
      takingIn ??= setTimeout(takeIn, FRAME_MS)
      return
    }
    // In the order in which they came: a new network is told of after the last finding of the old one.
    takeIn()
    take(event)
  }

  function take(event: Event): void {
    switch (event.event) {
      case 'analysis': analysis.receive(event.payload); break
      case 'graph': analysis.receiveGraph(event.payload); break
      case 'positionsChanged': analysis.receivePositions(event.payload); break
      case 'engine': analysis.receiveEngine(event.payload); break
      case 'network': shelf.receive(event.payload); break
      case 'runtime': runtimes.receive(event.payload); break
      case 'update': updates.receive(event.payload); break
      case 'import': library.receiveImport(event.payload); break
      case 'source': sources.receive(event.payload); break
      case 'reviews': reviews.receive(event.payload); break
      case 'play': play.receive(event.payload); break
      case 'gameKept': play.receiveKept(event.payload); break
      case 'playOut': playOut.receive(event.payload); break
      case 'gamesNotKept': tellKeeping(event.payload ?? null); break
      case 'closedGames': games.adoptClosed(event.payload); break
      case 'fileGiven': void games.openFiles([{ kind: 'path', path: event.payload.path }]); break
      case 'menuChosen': chosen(event.payload.id); break
      case 'gameOpened': games.show(event.payload); break
      case 'gameChanged': void games.hear(event.payload, () => play.recall([event.payload.gameId])); break
      case 'settingsChanged': settings.hear(event.payload); break
      case 'pattern': patterns.receive(event.payload); break
      case 'libraryNotBackedUp': notices.failed(event.payload, 'library.backup.failed'); break
      case 'libraryChanged':
        void library.receiveChange()
        void lessons.refresh()
        break
    }
  }

  /** One dropped file or two are opened, a folder or many are brought into the library. */
  async function dropped(given: readonly ChosenFile[]): Promise<void> {
    await starting
    const files = given.filter(file => !games.isDragged(file))
    if (files.length > 3 || files.some(file => file.kind === 'path' && !/\.[a-z0-9]{2,4}$/i.test(file.path))) await library.importFiles(files)
    else await games.openFiles(files)
  }

  /** Says which of the files that were chosen or dropped did not come, and why. */
  function unread(files: readonly UnreadFile[]): void {
    const tell = (why: UnreadFile['why'], title: 'notice.filesUnread.title' | 'notice.filesTooLarge.title', detail: string): void => {
      const names = files.filter(file => file.why === why).map(file => file.name)
      if (names.length > 0) notices.show({ tone: 'danger', title: say(title, { files: listed(names) }), detail })
    }
    tell('unreadable', 'notice.filesUnread.title', say('notice.filesUnread.detail'))
    tell('tooLarge', 'notice.filesTooLarge.title', say('notice.filesTooLarge.detail', { size: megabytes(MAX_FILE_BYTES / 1024) }))
  }

  /** Shows the famous game and lets the engine look at it. */
  async function openFamous(): Promise<void> {
    if (!await games.openFamous()) return
    if (!analysis.wanted) await analysis.turn(true)
  }

  /** Opens a closed game again; one that was being played goes on. */
  async function reopen(id?: string): Promise<void> {
    const gameId = await games.reopen(id)
    if (gameId !== undefined) await play.recall([gameId])
  }

  /** All games of the file that is asked about are brought into the library. */
  async function importChoice(): Promise<void> {
    const choice = games.choosing
    if (!choice) return
    games.chooseNone()
    showLibrary()
    await library.importFiles([choice.file])
  }

  /** The problems of the file that is asked about are solved. */
  async function solveChoice(): Promise<void> {
    const choice = games.choosing
    if (!choice) return
    games.chooseNone()
    await ask(async () => { if (!await problems.openFile(choice.file)) await problems.openShelf() }, 'problems')
  }

  function open(name: DialogName): void {
    settingsPart.value = 'window'
    dialog.value = name
  }

  /** Asks for a newer version where the person allowed it. */
  async function lookForUpdate(): Promise<void> {
    if (!canUpdate.value) return
    await updates.lookByItself(() => {
      open('settings')
      settingsPart.value = 'updates'
    })
  }

  /** Says once, after the speed of this computer is known, that another network suits it better. */
  function propose(network: string | null): void {
    if (!network || settings.preferences.proposedNetwork === network) return
    settings.preferences.proposedNetwork = network
    const show = (): void => {
      open('settings')
      settingsPart.value = 'networks'
    }
    notices.show({ tone: 'info', title: say('networks.suits'), detail: network, action: { label: say('networks.look'), run: show } })
  }

  async function goToMistake(direction: 1 | -1): Promise<void> {
    const game = games.active
    if (!game) return
    const { line, lineIndex } = game.position
    const judgedAt = (index: number): JudgedMove | null => analysis.graph?.get(line[index] ?? -1)?.judged ?? null
    // The position before a mistake is shown, so the next one is looked for from behind it.
    const from = mistake.shown ? line.indexOf(mistake.shown.nodeId) : lineIndex
    for (let index = from + direction; index > 0 && index < line.length; index += direction) {
      if (judgedAt(index)?.mistake) {
        await mistake.show(line[index] ?? 0)
        return
      }
    }
    const judged = line.some((_, index) => judgedAt(index) !== null)
    notices.show(judged
      ? { tone: 'info', title: say('notice.noMistake') }
      : { tone: 'info', title: say('notice.noneJudged'), action: { label: say('actions.review'), run: () => void analysis.review() } })
  }

  /** To the next fork of the line; behind the last one to the end. */
  function goToFork(direction: 1 | -1): unknown {
    const node = games.active && nearest('fork', games.active, direction)
    return node === undefined ? games.navigate(direction === 1 ? 'last' : 'first') : games.goTo(node)
  }

  function goToComment(direction: 1 | -1): unknown {
    if (!games.active) return undefined
    const node = nearest('comment', games.active, direction)
    return node === undefined ? notices.show({ tone: 'info', title: say('notice.noComment') }) : games.goTo(node)
  }

  function otherGame(by: 1 | -1): void {
    const index = games.games.findIndex(game => game.gameId === games.activeId)
    const next = games.games[(index + by + games.games.length) % games.games.length]
    if (next) games.activate(next.gameId)
  }

  /** Says and shows the engine's first choice. */
  function hint(): void {
    if (play.live) {
      void play.hint()
      return
    }
    const best = analysis.shown?.candidates[0]
    const game = games.active
    if (!best || !game) {
      notices.show({ tone: 'info', title: say('notice.noHint'), ...(analysis.wanted ? {} : { action: { label: say('shell.analyse'), run: () => void analysis.turn(true) } }) })
      return
    }
    preview.show(best.vertex)
    const lead = leadFor(game.position.toMove, best.blackScoreLead)
    notices.announce(say('notice.hint', { point: best.vertex === null ? say('game.pass') : pointName(best.vertex, game.width, game.height), lead: signedPoints(lead) }))
  }

  async function pasteFromClipboard(): Promise<void> {
    try {
      const text = await navigator.clipboard.readText()
      if (text.trim()) { await games.openText(text); return }
    } catch { /* Reading the clipboard needs a permission that not every browser gives: the dialog takes the text instead. */ }
    open('paste')
  }

  // Whoever turns to a game wants to see it.
  function showGame(): void {
    // In a narrow window the list that it was chosen from lies where its panels are.
    if (room.value === 'library' && narrow.value) tab.value = 'analysis'
    room.value = 'board'
  }
  watch(() => games.activeId, () => { if (!renaming) showGame() })
  games.$onAction(({ name, after }) => { if (name === 'activate' || name === 'openRecord' || name === 'openFiles') after(showGame) })

  /** Stones that were set up at the beginning, and moves after them: a problem with its solution. */
  function isProblem(): boolean {
    const { active: game, position } = games
    return game !== undefined && position !== undefined && position.lineIndex === 0 && position.children.length > 0 && game.info.handicap === 0 && position.stones.some(stone => stone !== 0)
  }
  function offerProblem(): void {
    notices.show({ tone: 'info', title: say('problems.withSolution'), detail: say('problems.withSolutionDetail'), action: { label: say('actions.addProblems'), run: () => void addProblems() } })
  }
  /** Makes problems of the record on the board. */
  async function addProblems(): Promise<void> {
    const file = games.activeId === undefined ? undefined : await games.fileOf(games.activeId)
    if (file) await problems.addRecord(file.name, file.sgf, id => void ask(() => problems.openCollection(id), 'problems'))
  }

  /** Gives the window to the questions. */
  async function ask(begin: () => Promise<void>, where: 'lessons' | 'problems' | 'mine' = 'lessons'): Promise<void> {
    if (analysis.wanted) await analysis.turn(false)
    room.value = where
    await begin()
  }
  /** One of the turning points beside the board. */
  const solveTurn = (nodeId: number): unknown => helped('review', () => ask(() => lessons.openTurn(nodeId)))
  watch(room, (_, before) => {
    autoplay.stop()
    if (before === 'lessons') {
      lessons.leave()
      exercises.leave()
    }
    if (before === 'problems') void problems.leave()
  })

  function showLibrary(): void {
    if (room.value === 'library') return
    if (narrow.value) tab.value = 'library'
    else if (middle.value) drawer.value = true
    else settings.preferences.libraryOpen = true
  }

  async function focusLibrary(): Promise<void> {
    showLibrary()
    await nextTick()
    const field = document.querySelector<HTMLInputElement>('[data-action="library-search"]')
    field?.focus()
    field?.select()
  }

  /** Brings the comment's panel into sight, with the focus in its field. */
  async function writeComment(): Promise<void> {
    if (!games.active || play.live) return
    if (modes.playing) modes.enter('analyse')
    if (narrow.value) tab.value = 'comment'
    else settings.preferences.sideOpen = true
    settings.fold('comment', false)
    await nextTick()
    await nextTick()
    const field = document.querySelector<HTMLElement>('.comment-panel .comment')
    // What is written already is read until it is clicked.
    if (field instanceof HTMLTextAreaElement) field.focus()
    else field?.click()
  }

  /** Asks what the new game shall be: one that begins, or one that goes on from the position on the board. */
  function askForGame(from: boolean): void {
    newGame.playFrom(from)
    open('newGame')
  }

  /** Shows the tools, with the focus on the one in use. */
  async function openTools(shown: boolean): Promise<void> {
    editing.show(shown)
    if (!shown) return
    await nextTick()
    document.querySelector<HTMLElement>(`.stage [data-tool=${editing.tool}]`)?.focus()
  }

  /** The dead stones of a game that was played are looked at, and then agreed on. */
  async function settle(): Promise<void> {
    if (!scoring.score) {
      if (!scoring.waiting) await scoring.enter()
    } else if (await play.settle(scoring.score.dead)) scoring.leave()
  }

  /** Brings the panels of the board into sight. */
  function showPanels(): void {
    if (narrow.value) tab.value = 'analysis'
    else settings.preferences.sideOpen = true
  }
  // What was begun on the board is answered there, whatever began it.
  watch([() => scoring.open, () => guessing.active, () => linePractice.active, () => inserting.active, () => trial.active, () => playOut.progress !== undefined], (now, before) => {
    if (now.some((begun, at) => begun && !before[at])) showPanels()
  })

  /** Enters a mode; to play where nobody plays begins with a new game. */
  function enter(mode: Mode): void {
    if (mode === 'play' && !play.view) askForGame(true)
    else if (mode === 'review') review()
    else modes.enter(mode)
  }

  /** Shows the review, and goes on with it until every move is judged: a look for the graph alone judges none. */
  function review(): void {
    modes.enter('review')
    const moves = games.position?.line.slice(1) ?? []
    if (!analysis.askedReview && !moves.every(node => analysis.graph?.get(node)?.judged)) void analysis.review()
  }

  /** Does what helps, and shows where; in a rated game nothing does. */
  function helped(mode: Mode, help: () => unknown): unknown {
    if (play.guarded) return notices.show({ tone: 'info', title: say('play.noHelp') })
    modes.enter(mode)
    return help()
  }

  /** Changes the tree; not that of a game that is played. */
  function edited(edit: () => unknown): unknown {
    return play.live ? notices.show({ tone: 'info', title: say('play.noEdit') }) : edit()
  }

  // Whoever plays is not told what the engine thinks, until it is wanted again.
  watch(() => modes.playing, (playing) => { if (playing && analysis.wanted) void analysis.turn(false) })
  // Two passes lead to the count, and so does coming back to it. After the board has left what was counted before.
  watch(() => play.counting && play.atTip, (counting) => { if (counting) void scoring.enter() }, { flush: 'post' })

  /** Begins what is about the record itself: what is only tried out is dropped before. */
  async function ofRecord(begin: () => unknown): Promise<void> {
    if (trial.active) await trial.leave()
    await begin()
  }

  /** What a click on the board, or the board itself, is given to. Only the end of a game that is played is not left here. */
  interface BoardMode { readonly active: () => boolean, readonly leave: () => unknown, readonly ofTried?: boolean }
  const tryingOut: BoardMode = { active: () => trial.active, leave: trial.leave }
  // A position that is only tried out can be counted and played out as well.
  const boardModes: readonly BoardMode[] = [
    { active: () => scoring.open && !play.counting, leave: scoring.leave, ofTried: true },
    { active: () => editing.open, leave: () => editing.show(false) },
    { active: () => guessing.active, leave: guessing.stop },
    { active: () => linePractice.active, leave: linePractice.stop },
    { active: () => inserting.active, leave: inserting.cancel },
    { active: () => playOut.progress !== undefined && playOut.progress.gameId === games.activeId, leave: playOut.stop, ofTried: true },
    { active: () => autoplay.active, leave: autoplay.stop },
    tryingOut,
  ]
  // One at a time, wherever it was begun.
  for (const mode of boardModes) {
    watch(mode.active, (began) => {
      if (!began) return
      for (const other of boardModes) if (other !== mode && other.active() && !(mode.ofTried && other === tryingOut)) void other.leave()
    }, { flush: 'sync' })
  }

  const deeds: Record<ActionName, () => unknown> = {
    newGame: () => askForGame(false),
    playFrom: () => askForGame(true),
    openFile: () => games.choose(),
    paste: () => pasteFromClipboard(),
    copy: () => games.copy(),
    save: () => games.save(),
    saveAs: () => games.saveAsFile(),
    saveEvaluated: () => games.saveAsFile({ evaluations: true }),
    info: () => { if (games.active) return ofRecord(() => open('info')) },
    texts: () => edited(() => { if (games.active) return ofRecord(() => open('texts')) }),
    pass: () => !play.live ? games.play(null) : play.atTip ? play.turn(null) : play.sayLookingBack(),
    undo: () => play.live ? play.takeBack() : games.undo(),
    redo: () => edited(() => games.redo()),
    score: () => {
      if (scoring.open) scoring.leave()
      else if (play.guarded && !play.counting) notices.show({ tone: 'info', title: say('play.noHelp') })
      else return scoring.enter()
    },
    comment: () => writeComment(),
    deleteNode: () => edited(() => { if (games.position && games.position.lineIndex > 0) return games.removeVariation(games.position.nodeId) }),
    keepVariation: () => edited(() => { if (games.position && games.position.lineIndex > 0) return games.keepVariation(games.position.nodeId) }),
    openFrom: () => edited(() => { if (games.position && games.position.lineIndex > 0) return games.openFrom(games.position.nodeId) }),
    promote: () => edited(() => { if (games.position) return games.promote(games.position.nodeId) }),
    copyVariation: () => {
      if (games.position) return games.copyVariation(games.position.nodeId)
    },
    cutVariation: () => edited(() => { if (games.position && games.position.lineIndex > 0) return games.cutVariation(games.position.nodeId) }),
    pasteVariation: () => edited(() => { if (games.position) return games.pasteVariation(games.position.nodeId) }),
    variationUp: () => edited(() => { if (games.position) return games.moveVariation(games.position.nodeId, true) }),
    variationDown: () => edited(() => { if (games.position) return games.moveVariation(games.position.nodeId, false) }),
    edit: () => edited(() => { if (games.active) return ofRecord(() => openTools(!editing.open)) }),
    tryOut: () => edited(() => { if (games.active) return trial.toggle() }),
    framePosition: () => edited(() => editing.frame()),
    addPractice: () => edited(() => isProblem() ? offerProblem() : lessons.addPosition()),
    addProblems: () => edited(() => addProblems()),
    guess: () => edited(() => { if (games.active) return ofRecord(guessing.toggle) }),
    practiseLines: () => edited(() => { if (games.active) return ofRecord(linePractice.toggle) }),
    insertMoves: () => edited(() => { if (games.active) return ofRecord(inserting.toggle) }),
    diagram: () => { if (games.active) open('diagram') },
    closeGame: () => { if (games.activeId !== undefined) return games.close(games.activeId) },
    reopenGame: () => reopen(),
    closedGames: () => open('closedGames'),
    next: () => games.navigate('next'),
    previous: () => games.navigate('previous'),
    tenNext: () => games.navigate('tenNext'),
    tenPrevious: () => games.navigate('tenPrevious'),
    first: () => games.navigate('first'),
    last: () => play.live ? play.toTip() : games.navigate('last'),
    nextVariation: () => games.navigate('nextVariation'),
    previousVariation: () => games.navigate('previousVariation'),
    mainLine: () => games.navigate('mainLine'),
    autoplay: () => { if (!play.live) autoplay.toggle() },
    nextMistake: () => goToMistake(1),
    previousMistake: () => goToMistake(-1),
    nextFork: () => goToFork(1),
    previousFork: () => goToFork(-1),
    nextComment: () => goToComment(1),
    previousComment: () => goToComment(-1),
    find: () => { if (games.active) open('find') },
    nextGame: () => otherGame(1),
    previousGame: () => otherGame(-1),
    analyse: () => modes.playing ? helped('analyse', () => analysis.turn(true)) : analysis.toggle(),
    sweep: () => helped(modes.playing ? 'analyse' : modes.mode, () => analysis.sweep ? analysis.stop() : analysis.sweepGame([1])),
    turningPoints: () => helped('review', () => ask(lessons.openTurns)),
    review: () => helped('review', () => analysis.askedReview ? analysis.stop() : analysis.review()),
    stop: () => {
      const mode = boardModes.find(one => one.active())
      if (mode) return mode.leave()
      if (activity.now) return analysis.stop()
    },
    equalise: () => helped('analyse', () => analysis.equalise()),
    sweepMoves: () => helped('analyse', () => analysis.sweepMoves()),
    playOut: () => edited(() => playOut.toggle()),
    compareNetworks: () => helped('analyse', () => {
      settings.preferences.list = settings.preferences.list === 'networks' ? 'candidates' : 'networks'
      showPanels()
    }),
    hint,
    playBest: () => {
      const best = analysis.shown?.candidates[0]
      if (best) return edited(() => games.play(best.vertex))
    },
    addLine: () => edited(() => preview.addLine()),
    candidates: () => { settings.preferences.showCandidates = !settings.preferences.showCandidates },
    ownership: () => {
      const order = ['off', 'squares', 'tint', 'smooth'] as const
      settings.preferences.ownership = order[(order.indexOf(settings.preferences.ownership) + 1) % order.length] ?? 'off'
    },
    policy: () => { settings.preferences.showPolicy = !settings.preferences.showPolicy },
    moveNumbers: () => {
      const order = ['off', 'all', 'last'] as const
      settings.preferences.moveNumbers = order[(order.indexOf(settings.preferences.moveNumbers as 'off') + 1) % order.length] ?? 'off'
    },
    numbersFromHere: () => view.countFromHere(),
    swapColors: () => { settings.preferences.swapColors = !settings.preferences.swapColors },
    coordinates: () => {
      const order = ['letters', 'numbers', 'chinese', 'none'] as const
      settings.preferences.coordinates = order[(order.indexOf(settings.preferences.coordinates) + 1) % order.length] ?? 'letters'
    },
    rotate: () => { settings.preferences.orientation = turnedRight(settings.preferences.orientation) },
    mirror: () => { settings.preferences.orientation = (settings.preferences.orientation ^ 1) as Orientation },
    focusBoard: () => {
      const board = document.querySelector<HTMLElement>('.stage .board')
      // Its cursor comes with the focus, and was put away by Escape while the focus stayed.
      board?.blur()
      board?.focus({ focusVisible: true } as FocusOptions)
    },
    textBoard: () => open('textBoard'),
    toggleLibrary: () => {
      if (narrow.value) tab.value = 'library'
      else if (middle.value) drawer.value = !drawer.value
      else settings.preferences.libraryOpen = !settings.preferences.libraryOpen
    },
    library: () => { room.value = room.value === 'library' ? 'board' : 'library' },
    searchLibrary: () => focusLibrary(),
    findPattern: () => open('pattern'),
    players: () => open('players'),
    booklet: () => open('booklet'),
    sources: () => open('sources'),
    practice: () => ask(() => {
      exercises.leave()
      return lessons.openDrills()
    }),
    exercises: () => ask(async () => {
      await lessons.openDrills()
      await exercises.open('score')
    }),
    problems: () => ask(problems.openShelf, 'problems'),
    firstSteps: () => ask(() => problems.openTheme('firstSteps'), 'problems'),
    myPlay: () => ask(mine.open, 'mine'),
    training: () => { room.value = 'training' },
    import: () => library.chooseImport(false),
    rooms: () => { window.location.hash = CLUB_HASH },
    toggleSide: () => { settings.preferences.sideOpen = !settings.preferences.sideOpen },
    fullScreen: () => backend.fullScreen?.(),
    theme: () => settings.change({ theme: settings.theme === 'light' ? 'dark' : 'light' }),
    settings: () => open('settings'),
    palette: () => open('palette'),
    help: () => help.show('begin'),
    shortcuts: () => open('shortcuts'),
    larger: () => { settings.preferences.textScale = Math.min(2, Math.round(settings.preferences.textScale * 10 + 1) / 10) },
    smaller: () => { settings.preferences.textScale = Math.max(0.8, Math.round(settings.preferences.textScale * 10 - 1) / 10) },
  }

  /** The board shows a question, not the game. */
  const asking = computed(() => room.value === 'lessons' || room.value === 'problems' || room.value === 'mine' || room.value === 'training')
  const state = computed<WindowState>(() => ({
    game: asking.value ? undefined : games.active, games: games.games.length, closed: games.closed.length, play: play.view && !play.over ? play.view : undefined, mayMove: play.mayMove, covered: room.value === 'library', narrow: narrow.value, rooms: rooms.value, fullScreen: backend.fullScreen !== undefined, training: training.possible,
  }))
  /** Whether an action can do anything now: what cannot is not offered. */
  const can = (name: ActionName): boolean =>
    room.value === 'library' && (name === 'undo' || name === 'redo') ? library.history[name] !== null : possible(name, state.value)

  /** What the keys of a game mean while a question is on the board. */
  const lessonDeeds: Partial<Record<ActionName, () => unknown>> = {
    next: () => exercises.kind ? exercises.stepBy(1) : lessons.stepBy(1), previous: () => exercises.kind ? exercises.stepBy(-1) : lessons.stepBy(-1),
    first: () => exercises.kind ? exercises.show(0) : lessons.show(lessons.line, 0), last: () => exercises.kind ? exercises.show(Infinity) : lessons.show(lessons.line, Infinity),
    stop: () => { room.value = 'board' },
  }

  const problemDeeds: Partial<Record<ActionName, () => unknown>> = {
    next: () => problems.stepBy(1), previous: () => problems.stepBy(-1), first: () => problems.show(0), last: () => problems.show(Infinity),
    undo: () => problems.mayTakeBack ? problems.takeBack() : problems.again(),
    stop: () => problems.collectionId === undefined ? room.value = 'board' : problems.openShelf(),
  }

  /** While the library has the window, its own changes are taken back and done again. */
  const libraryDeeds: Partial<Record<ActionName, () => unknown>> = { undo: () => library.undo(), redo: () => library.redo() }

  /** A page with nothing to step through. */
  const pageDeeds: Partial<Record<ActionName, () => unknown>> = { stop: () => { room.value = 'board' } }

  /** What an action does in the room that has the window, where that is something of its own. */
  function deedOfRoom(name: ActionName): (() => unknown) | undefined {
    switch (room.value) {
      case 'library': return can(name) ? libraryDeeds[name] : undefined
      case 'lessons': return lessonDeeds[name]
      case 'problems': return problemDeeds[name]
      case 'mine':
      case 'training': return pageDeeds[name]
      default: return undefined
    }
  }

  /** Whether the key of an action does anything now, wherever the window is. */
  const answers = (name: ActionName): boolean => deedOfRoom(name) !== undefined || can(name)

  function act(name: ActionName): void {
    handInDrafts()
    const own = deedOfRoom(name)
    if (own) void own()
    // A game that is not seen stays as it is.
    else if (room.value === 'board' || can(name)) void deeds[name]()
  }

  /** Does what was chosen in the system's menu bar: what the keys of the item do, and in a text what belongs to it. */
  function chosen(id: string): void {
    const name = ACTION_NAMES.find(one => one === id)
    const focused = document.activeElement
    if (!name || isBeforeWindow(focused)) return
    // There is no other way to a field's own history.
    if ((name === 'undo' || name === 'redo') && inTextField(focused)) document.execCommand(name)
    else act(name)
  }

  function $reset(): void {
    clearTimeout(takingIn)
    takingIn = undefined
    findings = []
    started.value = false
    startFailure.value = undefined
    dialog.value = undefined
    drawer.value = false
    room.value = 'board'
  }

  return { started, startFailure, version, canUpdate, canBackUp, hasMenuBar, networks, dialog, settingsPart, tab, narrow, middle, drawer, room, rooms, connection, start, receive, dropped, unread, reopen, importChoice, open, openFamous, solveChoice, lookForUpdate, showLibrary, enter, settle, can, answers, act, solveTurn, $reset }
})
