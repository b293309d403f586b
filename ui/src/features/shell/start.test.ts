import { createPinia } from 'pinia'
import { expect, test, vi } from 'vitest'
import { createApp, nextTick, watch } from 'vue'
import { provideBackend, toBase64, type Event, type Settings, type Startup } from '@/api'
import { useAnalysis } from '@/features/analysis'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { useModes, usePlay } from '@/features/play'
import { readPreferences, useSettings, type Preferences } from '@/features/settings'
import { FAMOUS, startApp } from '@/testing'
import { useShell } from './store'

test('a game dropped before the start is answered is still there after it', async () => {
  const { backend } = await startApp()
  const slow = backend.hold('startup')

  const shell = useShell()
  const started = shell.start()
  const dropped = shell.dropped([{ kind: 'content', name: 'small.sgf', base64: toBase64(new TextEncoder().encode('(;SZ[9];B[ee])')) }])
  await backend.until(() => slow.waiting === 1)
  await backend.settled()
  slow.release()
  await Promise.all([started, dropped])

  expect(useGames().active?.width).toBe(9)
})

test('a game that the system or another window opens before the start is answered is still there after it', async () => {
  const { backend } = await startApp()
  const other = backend.another()
  await backend.until(() => other.connection.value === 'connected')
  const shell = useShell()
  const games = useGames()
  backend.listen(shell.receive)
  const open = async (text: string) => {
    const answer = await other.call('open_content', { name: 'small.sgf', base64: toBase64(new TextEncoder().encode(text)) })
    if (answer.status === 'error') throw new Error('not opened')
    return answer.data
  }
  for (const sizes of [[9, 7], [9, 7, 13, 11]]) {
    const slow = backend.hold('startup')
    const started = shell.start()
    await backend.until(() => slow.waiting === 1)
    shell.receive({ event: 'gameOpened', payload: await open(`(;SZ[${sizes.at(-2)}];B[ee])`) })
    await open(`(;SZ[${sizes.at(-1)}];B[ee])`)
    await backend.settled()
    slow.release()
    await started
    await backend.until(() => games.games.length === sizes.length)
    expect(games.games.map(game => game.width).toSorted()).toEqual(sizes.toSorted())
  }
})

test('a move that is made while the window asks for everything again stays on the board', async () => {
  const { backend } = await startApp({ game: '(;SZ[9];B[ee])', at: 1 })
  const shell = useShell()
  const games = useGames()
  await shell.start()
  const slow = backend.hold('startup')
  const started = shell.start()
  await backend.until(() => slow.waiting === 1)
  await games.play(0)
  slow.release()
  await started
  expect(games.position?.moveNumber).toBe(2)
})

test('a window whose connection is lost once more while it asks for everything keeps what it shows', async () => {
  const { backend } = await startApp({ game: FAMOUS })
  const shell = useShell()
  await shell.start()
  backend.refuse('startup', { kind: 'disconnected' })
  await shell.start()
  expect([shell.startFailure, useGames().active === undefined]).toEqual([undefined, false])
})

test('the engine is told what to think about before the window draws', async () => {
  const { backend } = await startApp({ game: FAMOUS })
  const shell = useShell()
  const drawnWhenAsked: boolean[] = []
  backend.onCall((name) => { if (name === 'set_analysis') drawnWhenAsked.push(shell.started) })
  await shell.start()
  expect(drawnWhenAsked[0]).toBe(false)
  expect(shell.started).toBe(true)
})

test('the review begins where only the graph was drawn, and not again once every move is judged', async () => {
  const { backend } = await startApp({ game: '(;SZ[9]KM[7.5]RU[Chinese];B[ee];W[aa];B[gg])' })
  const shell = useShell()
  const analysis = useAnalysis()
  backend.listen(shell.receive)
  await shell.start()
  const finished = (): Promise<unknown> => backend.until(() => analysis.lastSweep?.state.kind === 'finished')
  await analysis.sweepGame([1])
  await finished()
  const sweeps = (): unknown[] => backend.asked('sweep_game').map(asked => (asked as { passes: unknown }).passes)
  const before = sweeps().length
  shell.enter('review')
  await backend.until(() => sweeps().length === before + 1)
  expect(sweeps().at(-1)).toEqual([1, 100])
  await finished()
  await backend.until(() => useGames().position?.line.slice(1).every(node => analysis.graph?.get(node)?.judged))
  shell.enter('review')
  await backend.settled()
  expect(sweeps()).toHaveLength(before + 1)
})

test('that open games cannot be kept stands there until they can', async () => {
  const { backend } = await startApp()
  const shell = useShell()
  await shell.start()
  await backend.settled()
  const shown = (): unknown[] => useNotices().notices.filter(notice => notice.lasting).map(notice => [notice.title, notice.detail])
  const full: Event = { event: 'gamesNotKept', payload: { kind: 'unwritable', reason: '/data/open: no space left on device' } }
  shell.receive(full)
  expect(shown()).toEqual([['Open games cannot be kept', '/data/open: no space left on device.']])
  for (const notice of useNotices().notices) useNotices().dismiss(notice.id)
  shell.receive(full)
  expect(shown()).toEqual([])
  shell.receive({ event: 'gamesNotKept', payload: null })
  shell.receive(full)
  expect(shown()).toHaveLength(1)
  shell.receive({ event: 'gamesNotKept', payload: null })
  expect(shown()).toEqual([])
  shell.receive({ event: 'gamesNotKept', payload: { kind: 'anotherProgram' } })
  expect(shown()).toEqual([['Open games cannot be kept', 'Another Honinbo has the same data folder and keeps its own games there.']])
})

test('that the library was not backed up by itself is said with the reason', async () => {
  await startApp()
  useShell().receive({ event: 'libraryNotBackedUp', payload: { kind: 'library', message: 'there is no room', hint: 'free some space' } })
  expect(useNotices().notices.at(-1)).toMatchObject({ tone: 'danger', title: 'The library was not backed up', quoted: 'There is no room. Free some space.' })
})

test('what became of a backup is said in the words of the window, and the back end’s own as a quotation', async () => {
  const { backend } = await startApp()
  const startup = await backend.call('startup', {})
  if (startup.status === 'error') throw new Error('it does not start')
  const call = backend.call
  const starts = (more: Partial<Startup>): void => {
    vi.spyOn(backend, 'call').mockImplementation(async (name, args) => name === 'startup' ? { status: 'ok', data: { ...startup.data, ...more } } as never : call(name, args))
  }
  starts({ restored: { games: 1, keptAs: 'before-restore-2026-11-28.sqlite' }, notices: ['the settings cannot be read'] })
  await useShell().start()
  await backend.settled()
  const told = useNotices().notices
  expect(told.find(notice => notice.lasting)).toMatchObject({ tone: 'success', title: 'The backup was restored', detail: 'In the library now: One game. What was there before is kept as before-restore-2026-11-28.sqlite.' })
  expect(told.find(notice => notice.title === 'Note at startup')).toMatchObject({ quoted: 'The settings cannot be read.' })
  vi.restoreAllMocks()
})

test.each([
  [{ kind: 'done', games: 12, lost: 0, keptAs: 'library.sqlite.damaged' }, { tone: 'success', title: 'The library was rescued', detail: 'In the library now: 12 games. The damaged file is kept as library.sqlite.damaged.' }],
  [{ kind: 'done', games: 12, lost: 1, keptAs: 'library.sqlite.damaged-2' }, { tone: 'warning', title: 'The library was rescued', detail: 'In the library now: 12 games. One game could not be read. The damaged file is kept as library.sqlite.damaged-2.' }],
  [{ kind: 'failed', error: { kind: 'library', message: 'the library is in use by another program', hint: 'close it' } }, { tone: 'danger', title: 'The library could not be rescued', quoted: 'The library is in use by another program. Close it.' }],
] as const)('what became of a rescue is said in the words of the window: %o', async (rescued, notice) => {
  const { backend } = await startApp()
  const startup = await backend.call('startup', {})
  if (startup.status === 'error') throw new Error('it does not start')
  const call = backend.call
  const data: Startup = { ...startup.data, rescued }
  vi.spyOn(backend, 'call').mockImplementation(async (name, args) => name === 'startup' ? { status: 'ok', data } as never : call(name, args))
  await useShell().start()
  await backend.settled()
  expect(useNotices().notices).toContainEqual(expect.objectContaining(notice))
  vi.restoreAllMocks()
})

test('kept games that cannot be read are named, with where they are now', async () => {
  const { backend } = await startApp({ files: { 'closed/c1.json': '{ torn', 'open/g1.json': '{ torn' } })
  await useShell().start()
  await backend.settled()
  const told = useNotices().notices.find(notice => notice.lasting)
  expect(told?.title).toBe('2 kept games cannot be read')
  expect(told?.detail).toMatch(/open.g1\.unreadable.*closed.c1\.unreadable/)
})

test('a window follows what another one does with the games', async () => {
  const { backend } = await startApp({ game: '(;SZ[9];B[ee])' })
  const shell = useShell()
  const games = useGames()
  const play = usePlay()
  backend.listen(shell.receive)
  await shell.start()
  const other = backend.another()
  await backend.until(() => other.connection.value === 'connected')
  const first = games.active!.gameId
  const asked = (): number => backend.asked('get_game').length

  // What this window does itself is told by the answer: it asks for nothing.
  await games.navigate('last')
  await games.play(0)
  await backend.settled()
  expect(asked()).toBe(0)

  const stones = (): number => games.active?.position.stones.filter(stone => stone !== 0).length ?? 0
  expect(stones()).toBe(2)
  await other.call('play', { gameId: first, vertex: 1 })
  await backend.until(() => stones() === 3)
  await other.call('set_comment', { gameId: first, nodeId: 0, text: 'from over there' })
  await other.call('navigate', { gameId: first, step: 'first' })
  await backend.until(() => games.position?.comment === 'from over there')
  expect(stones()).toBe(0)

  // A game that is begun there is here as well, as one that is played; the one on the board stays.
  const board = { width: 9, height: 9, topology: 'plane' as const, rules: 'chinese', komi: 7, handicap: 0, black: '', white: '', minutesAhead: null }
  const begun = await other.call('start_play', { game: board, seats: { black: null, white: null }, clock: null, teaching: null })
  const second = begun.status === 'ok' ? begun.data.game.gameId : ''
  await backend.until(() => games.games.length === 2)
  expect([games.activeId, play.plays.get(second)?.view.toMove]).toEqual([first, 'black'])
  await other.call('play_turn', { gameId: second, vertex: 40, insist: false })
  await backend.until(() => play.plays.get(second)?.view.toMove === 'white')
  await backend.until(() => games.games.find(game => game.gameId === second)?.position.stones[40] === 1)

  await other.call('close_game', { gameId: first, changes: 'leave' })
  await backend.until(() => games.games.length === 1)
  expect(games.activeId).toBe(second)
})

test('after the back end was started again nothing of one game lands on another that has its name now', async () => {
  const { backend } = await startApp({ game: '(;SZ[9];B[ee])' })
  const shell = useShell()
  const games = useGames()
  const play = usePlay()
  const analysis = useAnalysis()
  const modes = useModes()
  backend.listen(shell.receive)
  await shell.start()
  const [first] = games.games
  const board = { width: 9, height: 9, topology: 'plane' as const, rules: 'chinese', komi: 7, handicap: 0, black: '', white: '', minutesAhead: null }
  await play.start({ game: board, seats: { black: null, white: null }, clock: null, teaching: null })
  const played = games.activeId ?? ''
  for (const point of [40, 41, 42]) await play.turn(point)
  modes.enter('review')
  analysis.receiveGraph({ gameId: played, values: [{ nodeId: 0, blackWinProb: 0.5, blackScoreLead: 77, visits: 1, judged: null }], sweep: null })
  await games.openText('(;SZ[13];B[aa];W[bb])')
  await games.close(first!.gameId, 'leave')
  games.activate(played)

  // The next name on is the game's that was opened after it; what is still asked of the played one is not done there.
  const restarted = backend.restart()
  await backend.until(() => backend.connection.value !== 'connected')
  const asked = [games.play(0), games.play(1)]
  await restarted
  await backend.until(() => backend.connection.value === 'connected')
  await Promise.all(asked)
  await shell.start()
  const [game, other] = games.games
  expect([game?.width, other?.width, other?.gameId]).toEqual([9, 13, played])
  expect(other?.position.moveNumber).toBe(0)
  expect(analysis.graphs.get(played)?.get(0)?.blackScoreLead).not.toBe(77)
  games.activate(played)
  expect([play.view, modes.mode]).toEqual([undefined, 'analyse'])

  // The played game goes on.
  games.activate(game!.gameId)
  expect(play.view?.toMove).toBe('white')
  await games.goTo(play.view?.tip ?? 0)
  expect(await play.turn(43)).toBe(true)
  expect(play.view?.toMove).toBe('black')
})

test('what another window changed while the connection was lost is not shown with the values of before', async () => {
  const { backend } = await startApp({ game: '(;SZ[9]KM[7.5]RU[Chinese];B[ee])', at: 0, settings: { analyseAtStart: false } })
  const shell = useShell()
  const games = useGames()
  const analysis = useAnalysis()
  backend.listen(shell.receive)
  await shell.start()
  const changed = games.activeId ?? ''
  await games.openText('(;SZ[13];B[aa];W[bb])')
  const untouched = games.activeId ?? ''
  games.activate(changed)
  await backend.settled()
  const other = backend.another()
  await backend.until(() => other.connection.value === 'connected')
  const value = (nodeId: number) => ({ nodeId, blackWinProb: 0.5, blackScoreLead: 77, visits: 5000, judged: null })
  for (const gameId of [changed, untouched]) analysis.receiveGraph({ gameId, values: [value(0), value(1)], sweep: null })

  backend.drop()
  await backend.until(() => backend.connection.value !== 'connected')
  await other.call('set_stones', { gameId: changed, points: [0], stone: 'black' })
  await backend.until(() => backend.connection.value === 'connected')
  await shell.start()
  expect(games.active?.position.stones[0]).toBe(1)
  const leads = (gameId: string): unknown[] => [0, 1].map(node => analysis.graphs.get(gameId)?.get(node)?.blackScoreLead)
  expect(leads(changed)).not.toContain(77)
  expect(leads(untouched)).toEqual([77, 77])
  // What is known of the position that it is now is asked for.
  expect(backend.asked('known_analysis')).toContainEqual({ gameId: changed, nodeId: 0 })
})

test('a window stays divided as it is when the connection comes back, and follows what else was chosen meanwhile', async () => {
  const { backend } = await startApp()
  const shell = useShell()
  const settings = useSettings()
  backend.listen(shell.receive)
  await shell.start()
  settings.preferences.sideWidth = 400
  await settings.kept()
  const other = backend.another()
  await backend.until(() => other.connection.value === 'connected')

  backend.drop()
  await backend.until(() => backend.connection.value !== 'connected')
  const answer = await other.call('startup', {})
  if (answer.status === 'error') throw new Error('no start')
  const now = answer.data.settings
  const window = JSON.stringify({ ...readPreferences(now.window), sideWidth: 300, coordinates: 'chinese' })
  await other.call('set_settings', { ...now, theme: 'dark', window })
  await backend.until(() => backend.connection.value === 'connected')
  await shell.start()
  expect(settings.settings.theme).toBe('dark')
  expect(settings.preferences).toMatchObject({ sideWidth: 400, coordinates: 'chinese' })
})

test('a review of another window goes on while this one draws its graph', async () => {
  const { backend } = await startApp({ game: FAMOUS })
  const shell = useShell()
  const analysis = useAnalysis()
  const other = backend.another()
  await backend.until(() => other.connection.value === 'connected')
  await backend.allow(40)
  const gameId = 'g1'
  const review = await other.call('sweep_game', { gameId, passes: [1, 100], worst: null, seconds: null, unasked: false })
  backend.listen(shell.receive)
  await shell.start()
  await analysis.sweepGame([1], { unasked: true })
  await backend.allow(400)
  await backend.until(() => analysis.sweep)
  expect(analysis.sweep).toMatchObject({ serial: review.status === 'ok' ? review.data.serial : 0, passes: 2 })
})

test('what the engine finds is taken in once a frame, and in the order of its news', async () => {
  const { backend } = await startApp()
  const shell = useShell()
  const analysis = useAnalysis()
  await shell.start()
  let drawn = 0
  watch(() => analysis.graphs, () => { drawn++ }, { flush: 'post' })
  const found = (nodeId: number): Event => ({ event: 'graph', payload: { gameId: 'g', values: [{ nodeId, blackWinProb: 0.5, blackScoreLead: 1, visits: 1, judged: null }], sweep: null } })
  for (const node of [1, 2, 3]) {
    shell.receive(found(node))
    await nextTick()
  }
  expect(drawn).toBe(0)
  await backend.until(() => analysis.graphs.get('g')?.size === 3)
  await nextTick()
  expect(drawn).toBe(1)

  // What the network before still found is not shown as the new one's opinion.
  shell.receive(found(4))
  shell.receive({ event: 'engine', payload: { ...analysis.engine, serial: analysis.engine.serial + 1 } })
  await new Promise((resolve) => { setTimeout(resolve, 50) })
  expect(analysis.graphs.get('g')).toBeUndefined()
})

test('steps lead to forks and then to the end, and to comments as long as there are some', async () => {
  const { backend } = await startApp()
  const shell = useShell()
  const games = useGames()
  await games.openText('(;SZ[9];B[ee](;W[cc]C[why];B[gg])(;W[cg]))')
  await games.navigate('first')
  for (const [step, index] of [['nextFork', 1], ['nextFork', 3], ['previousFork', 1], ['previousFork', 0], ['nextComment', 2]] as const) {
    shell.act(step)
    await backend.until(() => games.position?.lineIndex === index)
  }
  shell.act('nextComment')
  await backend.settled()
  expect(games.position?.lineIndex).toBe(2)
  expect(useNotices().notices.map(notice => notice.title)).toEqual(['No more comments in this direction'])
})

test('a library that lies over the board comes and goes by itself, whatever a wide window shows', async () => {
  const { backend } = await startApp()
  const shell = useShell()
  const { preferences } = useSettings()
  shell.middle = true
  for (const libraryOpen of [true, false]) {
    preferences.libraryOpen = libraryOpen
    await nextTick()
    expect(shell.drawer).toBe(false)
    shell.act('searchLibrary')
    expect(shell.drawer).toBe(true)
    shell.act('searchLibrary')
    expect(shell.drawer).toBe(true)
    shell.act('toggleLibrary')
    expect(shell.drawer).toBe(false)
    shell.act('toggleLibrary')
    expect(shell.drawer).toBe(true)
    shell.act('toggleLibrary')
    expect(preferences.libraryOpen).toBe(libraryOpen)
  }
  await backend.settled()
})

test('a window follows what is chosen in another one, but for how it is divided itself', async () => {
  const { backend } = await startApp()
  const shell = useShell()
  const settings = useSettings()
  backend.listen(shell.receive)
  await shell.start()
  const other = backend.another()
  await backend.until(() => other.connection.value === 'connected')
  const choose = async (patch: Partial<Settings>, preferences: Partial<Preferences> = {}): Promise<void> => {
    const answer = await other.call('startup', {})
    if (answer.status === 'error') throw new Error('no start')
    const now = answer.data.settings
    await other.call('set_settings', { ...now, ...patch, window: JSON.stringify({ ...readPreferences(now.window), ...preferences }) })
  }

  settings.fold('tree', true)
  settings.preferences.sideWidth = 400
  await settings.kept()
  await choose({ theme: 'contrast', visits: 50 }, { coordinates: 'chinese', figures: ['loss'], folded: [], sideWidth: 300 })
  await backend.until(() => settings.preferences.coordinates === 'chinese')
  expect(settings.settings).toMatchObject({ theme: 'contrast', visits: 50 })
  expect(settings.preferences).toMatchObject({ figures: ['loss'], folded: ['tree'], sideWidth: 400 })
  // What is heard is not sent back.
  const sent = backend.asked('set_settings').length
  await backend.settled()
  expect(backend.asked('set_settings')).toHaveLength(sent)

  // What is being changed here stays, and what is chosen over there meanwhile is kept with it.
  const slow = backend.hold('set_settings')
  settings.change({ boardTheme: 'flat' })
  await backend.until(() => slow.waiting === 1)
  settings.change({ boardTheme: 'wood', theme: 'light' })
  await choose({ language: 'ja', theme: 'dark' }, { sound: false })
  await backend.until(() => settings.settings.language === 'ja')
  expect(settings.settings).toMatchObject({ boardTheme: 'wood', theme: 'light' })
  slow.release()
  await settings.kept()
  const kept = async (): Promise<unknown> => other.call('startup', {})
  expect(await kept()).toMatchObject({ data: { settings: { boardTheme: 'wood', theme: 'light', language: 'ja' } } })
  expect(settings.preferences.sound).toBe(false)

  // Two windows that choose different things before either has heard of the other do not undo one another.
  const third = backend.another()
  await backend.until(() => third.connection.value === 'connected')
  const deaf = createApp({ render: () => null })
  provideBackend(deaf, third)
  const pinia = createPinia()
  deaf.use(pinia)
  const theirs = useSettings(pinia)
  theirs.adopt({ ...settings.settings, window: JSON.stringify(settings.preferences) })
  settings.change({ visits: 77 })
  settings.preferences.nextMoves = false
  await settings.kept()
  theirs.change({ threads: 2 })
  theirs.preferences.palette = 'colourBlind'
  await theirs.kept()
  expect(await kept()).toMatchObject({ data: { settings: { visits: 77, threads: 2 } } })
  await backend.until(() => settings.preferences.palette === 'colourBlind' && settings.settings.threads === 2)
  expect([settings.preferences.nextMoves, settings.settings.visits]).toEqual([false, 77])
})
