import { shallowRef } from 'vue'
import famousGame from '../../../../tests/fixtures/games/ear-reddening-1846.sgf?raw'
import { asFailure, type Answer, type Backend, type CommandName, type Commands, type Connection } from '../backend'
import type { ContinuationView, EngineStatus, EqualVisits, Event, GameView, LibraryChange, LibraryHistory, NetworkOpinion, RecordSummary, SavedRecordSearch, Settings } from '../bindings'
import { chooseInBrowser, dropInBrowser } from '../browserFiles'
import { chance, pretendedAnalysis, pretendedValue } from './analysis'
import { createFakeFiling } from './filing'
import { FakeGame, Refused } from './game'
import { createFakePlays } from './play'
import { chainAt } from './position'

type Handlers = { [Name in CommandName]: (args: Commands[Name][0]) => Commands[Name][1] }

export interface FakeOptions {
  /** Milliseconds before an answer; 0 answers in the same turn of the loop. */
  readonly delayMs?: number
  /** Milliseconds between two reports of a search; 0 never reports by itself. */
  readonly reportEveryMs?: number
  /** Records in the library. */
  readonly records?: number
  /** A game is open when the window starts. */
  readonly withGame?: boolean
  /** The record of that game. */
  readonly game?: string
  /** Answers of commands that should fail. */
  readonly failures?: Partial<Record<CommandName, unknown>>
  readonly engine?: Partial<EngineStatus>
  readonly notices?: string[]
  /** What the person chose before. */
  readonly settings?: Partial<Settings>
}

export interface FakeBackend extends Backend {
  /** What was called, in order. */
  readonly calls: { name: CommandName, args: unknown }[]
  /** Tells the window something. */
  emit(event: Event): void
  /** One report of the search that is on, as the timer would make it. */
  report(): void
}

const NAMES = ['Shusaku', '柯洁', '古力', 'Cho Chikun', 'Go Seigen', '芈昱廷', '조훈현', '이창호', 'Takemiya Masaki', '聂卫平', '大竹英雄', 'Otake Hideo']
const EVENTS = ['Castle game', '名人戰', 'LG杯', 'Honinbo title match', 'Ing Cup', '天元戰', 'Jubango', '']

const TEXT = new TextDecoder()

/** A back end in memory, for developing the window alone and for its tests. It pretends to think. */
export function createFakeBackend(options: FakeOptions = {}): FakeBackend {
  const { delayMs = 0, reportEveryMs = 100, records: recordCount = 240, withGame = true, game: firstGame = famousGame } = options
  const listeners = new Set<(event: Event) => void>()
  const emit = (event: Event): void => { for (const listener of [...listeners]) listener(event) }
  const games = new Map<string, FakeGame>()
  const calls: FakeBackend['calls'] = []
  let nextGame = 1
  let settings: Settings = {
    language: '', theme: '', boardTheme: 'wood', network: '', visits: 0, analysisEngine: '', threads: 0, evaluationsMib: 512, analyseAtStart: true, window: '', ...options.settings,
  }
  let engine: EngineStatus = {
    state: { kind: 'ready' }, network: 'b10c384h6nbttflrs', device: 'cpu', evaluationsPerSecond: 412, analysing: null, ...options.engine,
  }
  let visits = 0
  let sequence = 0
  let limit = 0
  let equal: EqualVisits | undefined
  let sweep: ReturnType<typeof setInterval> | undefined
  let sweeping: string | undefined

  const texts = new Map<string, string>()
  const makeRecord = (index: number): RecordSummary => {
    const pick = (list: string[], seed: number): string => list[Math.floor(chance(index, seed) * list.length)] ?? ''
    const black = pick(NAMES, 1)
    const white = pick(NAMES.filter(name => name !== black), 2)
    return {
      id: `r${index}`, title: index % 17 === 3 ? 'My favourite' : '', black, blackRank: `${1 + Math.floor(chance(index, 3) * 9)}p`,
      white, whiteRank: `${1 + Math.floor(chance(index, 4) * 9)}p`, event: pick(EVENTS, 5), place: '', source: '', topology: 'plane',
      date: `${1930 + Math.floor(chance(index, 6) * 90)}-${String(1 + Math.floor(chance(index, 7) * 12)).padStart(2, '0')}-${String(1 + Math.floor(chance(index, 8) * 28)).padStart(2, '0')}`,
      result: chance(index, 9) > 0.5 ? (chance(index, 10) > 0.5 ? 'B+R' : 'B+2.5') : (chance(index, 11) > 0.5 ? 'W+R' : 'W+0.5'),
      rules: 'japanese', width: 19, height: 19, komi: 6.5, handicap: 0, moves: 90 + Math.floor(chance(index, 12) * 220), addedAt: 1_760_000_000 - index * 3600,
    }
  }
  // A very large library is only made up where it is looked at.
  const endless = recordCount > 50_000
  let records: RecordSummary[] = endless ? [] : Array.from({ length: recordCount }, (_, index) => makeRecord(index))
  let deleted: RecordSummary[] = []
  const filing = createFakeFiling()
  const present = (id: string): boolean => records.some(record => record.id === id)
  const searches = new Map<string, SavedRecordSearch>()
  // What was changed, by what the library was before it and after it.
  const changes: { change: LibraryChange, before: () => void, after: () => void }[] = []
  let nDone = 0
  function remember(): () => void {
    const [recordsThen, deletedThen, searchesThen, filedThen] = [records, deleted, [...searches], filing.remember()]
    return () => {
      records = recordsThen
      deleted = deletedThen
      searches.clear()
      for (const [name, search] of searchesThen) searches.set(name, search)
      filedThen()
    }
  }
  function changed(what: string, games: number, work: () => void): null {
    const before = remember()
    work()
    changes.splice(nDone, changes.length, { change: { what, games }, before, after: remember() })
    nDone = changes.length
    emit({ event: 'libraryChanged' })
    return null
  }
  const history = (): LibraryHistory => ({ undo: changes[nDone - 1]?.change ?? null, redo: changes[nDone]?.change ?? null })
  const continuation = (x: number, y: number, count: number): ContinuationView =>
    ({ black: true, x, y, games: count, blackWins: Math.floor(count / 2), whiteWins: Math.floor(count / 3), firstYear: 1998, lastYear: 2019, strongest: '9p' })

  function adopt(game: FakeGame): GameView {
    games.set(game.gameId, game)
    return game.whole()
  }
  function gameOf(id: string): FakeGame {
    const game = games.get(id)
    if (!game) throw new Refused({ kind: 'notFound', message: `there is no open game ${id}` })
    return game
  }
  function fromText(text: string, name: string): FakeGame {
    if (!text.includes('(')) throw new Refused({ kind: 'unreadableFile', file: name, message: 'there is no game in this file: not one bracket opens' })
    return FakeGame.fromSgf(`g${nextGame++}`, text, name)
  }
  function decoded(base64: string): string {
    return TEXT.decode(Uint8Array.from(atob(base64), sign => sign.charCodeAt(0)))
  }
  function turned<T>(value: T): T { visits = 0; return value }
  function report(): void {
    if (engine.analysing === null) return
    const game = games.get(engine.analysing)
    if (!game) return
    visits += 37 + Math.floor(8 * chance(visits))
    const running = limit === 0 || visits < limit
    if (!running) visits = limit
    const pretended = pretendedAnalysis(game, visits, ++sequence, running)
    const even = equal?.nodeId === game.current ? equal.visits : undefined
    if (even === undefined) emit({ event: 'analysis', payload: pretended })
    else emit({ event: 'analysis', payload: { ...pretended, focus: 7, candidates: pretended.candidates.map(candidate => ({ ...candidate, visits: even })) } })
    emit({ event: 'graph', payload: { gameId: game.gameId, values: [pretendedValue(game, game.current, visits)], done: 0, total: 0 } })
    if (!running) engine = { ...engine, analysing: null }
  }
  if (reportEveryMs > 0) setInterval(report, reportEveryMs)

  if (withGame) adopt(FakeGame.fromSgf(`g${nextGame++}`, firstGame, 'ear-reddening-1846.sgf'))
  for (const game of games.values()) game.goTo(127)

  const handlers: Handlers = {
    startup: () => ({
      version: '0.1.0', capabilities: { paths: false, nativeDialogs: false }, settings, engine,
      networks: [{ fileName: 'b10c384h6nbttflrs.bin.gz', sizeKib: 38_000, bundled: true }, { fileName: 'b18c384nbt-humanv0.bin.gz', sizeKib: 99_000, bundled: false }],
      games: [...games.values()].map(game => game.whole()), firstGame: null, recovered: 0, notices: options.notices ?? [],
    }),
    set_settings: (wanted) => { settings = wanted; return settings },
    engine_status: () => engine,
    new_game: asked => adopt(FakeGame.fresh(`g${nextGame++}`, asked)),
    open_content: ({ name, base64 }) => adopt(fromText(decoded(base64), name)),
    open_file: ({ path }) => { throw new Refused({ kind: 'notPossibleHere', message: `this host has no file ${path}` }) },
    open_record: ({ id }) => {
      const game = fromText(texts.get(id) ?? famousGame, '')
      const record = records.find(known => known.id === id)
      if (!record) throw new Refused({ kind: 'notFound', message: 'this record is no longer in the library' })
      game.recordId = id
      if (!texts.has(id)) game.info = { ...game.info, black: record.black, blackRank: record.blackRank, white: record.white, whiteRank: record.whiteRank, date: record.date, event: record.event, result: record.result, title: record.title }
      return adopt(game)
    },
    close_game: ({ gameId }) => { games.delete(gameId); return null },
    get_game: ({ gameId }) => gameOf(gameId).whole(),
    continue_game: ({ gameId, nodeId, following }) => {
      const game = gameOf(gameId)
      const update = turned(game.paste(nodeId, game.copy(following)))
      return { update: game.goTo(nodeId), moves: update.position.line.length - update.position.lineIndex, leftOut: [{ nodeId: following, vertex: 60 }] }
    },
    position_at: ({ gameId, nodeId }) => gameOf(gameId).viewAt(nodeId),
    move_variation: ({ gameId, nodeId, up }) => gameOf(gameId).moveAmongSiblings(nodeId, up),
    copy_variation: ({ gameId, nodeId }) => ({ fileName: 'variation.sgf', sgf: gameOf(gameId).copy(nodeId) }),
    paste_variation: ({ gameId, nodeId, sgf }) => turned(gameOf(gameId).paste(nodeId, sgf)),
    set_stones: ({ gameId, points, stone }) => turned(gameOf(gameId).setStones(points, stone)),
    set_to_move: ({ gameId, side }) => turned(gameOf(gameId).setToMove(side)),
    set_marks: ({ gameId, nodeId, marks, links }) => gameOf(gameId).setMarks(nodeId, marks, links),
    play: ({ gameId, vertex }) => turned(gameOf(gameId).play(vertex)),
    go_to: ({ gameId, nodeId }) => turned(gameOf(gameId).goTo(nodeId)),
    navigate: ({ gameId, step }) => turned(gameOf(gameId).navigate(step)),
    delete_variation: ({ gameId, nodeId }) => turned(gameOf(gameId).remove(nodeId)),
    promote_variation: ({ gameId, nodeId }) => gameOf(gameId).promote(nodeId),
    undo_edit: ({ gameId }) => turned(gameOf(gameId).turnBack()),
    redo_edit: ({ gameId }) => turned(gameOf(gameId).turnOn()),
    set_comment: ({ gameId, nodeId, text }) => gameOf(gameId).setComment(nodeId, text),
    set_game_info: ({ gameId, info }) => { const game = gameOf(gameId); game.info = info; game.modified = true; return game.whole() },
    export_evaluated: ({ gameId }) => ({ fileName: gameOf(gameId).fileName ?? 'game.sgf', sgf: gameOf(gameId).sgf() }),
    export_sgf: ({ gameId }) => ({ fileName: gameOf(gameId).fileName ?? 'game.sgf', sgf: gameOf(gameId).sgf() }),
    save_file: ({ gameId }) => gameOf(gameId).update(false),
    save_content: () => null,
    save_game: ({ gameId }) => {
      const game = gameOf(gameId)
      const id = game.recordId ?? `r${Date.now()}`
      texts.set(id, game.sgf())
      if (!game.recordId) {
        records = [{
          id, ...game.info, place: '', source: '', topology: 'plane', blackRank: game.info.blackRank, whiteRank: game.info.whiteRank, width: game.width, height: game.height,
          moves: game.view().line.length - 1, addedAt: Math.floor(Date.now() / 1000),
        }, ...records]
      }
      game.recordId = id
      game.modified = false
      emit({ event: 'libraryChanged' })
      return { id, duplicateOf: null }
    },
    score: ({ gameId, dead }) => {
      const game = gameOf(gameId)
      const { stones } = game.view()
      const gone = new Set((dead ?? []).flatMap(point => stones[point] ? chainAt(stones, point, game.width, game.height).chain : []))
      const owner = stones.map((stone, point) => gone.has(point) ? -stone : stone)
      const count = (side: number): number => owner.filter(value => value === side).length
      const part = (side: number, bonus: number): { territory: number, stones: number, prisoners: number, bonus: number, total: number } =>
        ({ territory: 0, stones: count(side), prisoners: 0, bonus, total: count(side) + bonus })
      const black = part(1, 0)
      const white = part(-1, game.info.komi)
      const blackLead = black.total - white.total
      return { dead: [...gone], owner, black, white, blackLead, result: blackLead > 0 ? `B+${blackLead}` : blackLead < 0 ? `W+${-blackLead}` : '0' }
    },
    set_analysis: ({ gameId, running, visits: wanted, equal: compared }) => {
      equal = compared ?? undefined
      engine = { ...engine, analysing: running ? gameId : null }
      limit = wanted
      visits = 0
      emit({ event: 'engine', payload: engine })
      return engine
    },
    sweep_game: ({ gameId, visits: wantedVisits }) => {
      const game = gameOf(gameId)
      const { line } = game.view()
      let done = 0
      clearInterval(sweep)
      sweeping = gameId
      sweep = setInterval(() => {
        const part = line.slice(done, done + 9)
        done += part.length
        const finished = done >= line.length
        // Before it is told: whoever hears of the end may begin another one.
        if (finished) {
          clearInterval(sweep)
          sweeping = undefined
        }
        emit({ event: 'graph', payload: { gameId, values: part.map(id => pretendedValue(game, id, wantedVisits)), done, total: finished ? 0 : line.length } })
      }, 40)
      return null
    },
    stop_sweep: () => {
      clearInterval(sweep)
      if (sweeping) emit({ event: 'graph', payload: { gameId: sweeping, values: [], done: 1, total: 0 } })
      sweeping = undefined
      return null
    },
    play_out: ({ gameId, nodeId }) => {
      const game = gameOf(gameId)
      game.goTo(nodeId)
      game.play(null)
      emit({ event: 'playOut', payload: { gameId, moves: 1, blackScoreLead: 3.5 } })
      turned(game.play(null))
      return { moves: 2, score: handlers.score({ gameId, dead: [] }) }
    },
    compare_networks: ({ gameId, network, visits: wantedVisits }) => {
      const game = gameOf(gameId)
      const opinion = (name: string, after: number): NetworkOpinion => {
        const { blackWinProb, blackScoreLead, candidates } = pretendedAnalysis(game, 400, after, false)
        const thought = candidates.slice(after).map((candidate, order) => ({ ...candidate, order, visits: wantedVisits === 1 ? 0 : candidate.visits }))
        return { network: name, humanStyle: name.includes('human'), visits: wantedVisits, blackWinProb, blackScoreLead: blackScoreLead ?? 0, candidates: thought }
      }
      return { nodeId: game.current, first: opinion(engine.network, 0), second: opinion(network.replace('.bin.gz', ''), 1) }
    },
    end_comparison: () => null,
    ...createFakePlays({ gameOf, open: (asked) => { const game = FakeGame.fresh(`g${nextGame++}`, asked); games.set(game.gameId, game); return game }, emit }),
    run: () => { throw new Refused({ kind: 'engineUnavailable', message: 'there is no engine in memory', hint: 'use the real back end' }) },
    save_goban: ({ goban }) => {
      const id = `r${Date.now()}`
      texts.set(id, goban)
      return { id, duplicateOf: null }
    },
    cancel: () => null,
    search_records: ({ text, filter = {}, sort, descending, offset, limit: most }) => {
      if (endless && !text && Object.keys(filter).length === 0) return { total: recordCount, records: Array.from({ length: Math.min(most, recordCount - offset) }, (_, place) => makeRecord(offset + place)) }
      const words = `${text} ${filter.text ?? ''}`.toLowerCase().split(/\s+/).filter(Boolean)
      const key = { added: 'addedAt', date: 'date', black: 'black', white: 'white', moves: 'moves', changed: 'addedAt', result: 'result' } as const
      const found = (filter.deleted ? deleted : records)
        .filter(record => filing.meets(record.id, filter))
        .filter(record => words.every(word => `${record.title} ${record.black} ${record.white} ${record.event} ${record.date}`.toLowerCase().includes(word)))
        .sort((a, b) => (a[key[sort]] < b[key[sort]] ? -1 : a[key[sort]] > b[key[sort]] ? 1 : 0) * (descending ? -1 : 1))
      return { total: found.length, records: found.slice(offset, offset + most) }
    },
    rename_record: ({ id, title }) => changed('rename', 1, () => { records = records.map(record => record.id === id ? { ...record, title } : record) }),
    delete_records: ({ ids }) => changed('delete', ids.length, () => {
      deleted = [...deleted, ...records.filter(record => ids.includes(record.id))]
      records = records.filter(record => !ids.includes(record.id))
    }),
    restore_records: ({ ids }) => changed('restore', ids.length, () => {
      records = [...records, ...deleted.filter(record => ids.includes(record.id))]
      deleted = deleted.filter(record => !ids.includes(record.id))
    }),
    import_paths: () => null,
    import_content: ({ name, base64 }) => {
      const broken = !decoded(base64).includes('(;')
      emit({ event: 'import', payload: {
        games: broken ? 0 : 1, added: broken ? 0 : 1, duplicates: 0, files: 1, totalFiles: 1, skipped: 0, part: 1, gamesPerSecond: 1, secondsLeft: 0,
        problems: broken ? [{ file: name, line: 1, refused: true, message: 'there is no game in this file' }] : [], finished: true, cancelled: false,
      } })
      return null
    },
    cancel_import: () => null,
    library_stats: () => ({ games: records.length, players: NAMES.length, sizeKib: 4096 }),
    get_records: ({ ids }) => ids.flatMap(id => records.filter(record => record.id === id)),
    record_details: ({ id }) => {
      const summary = [...records, ...deleted].find(record => record.id === id)
      if (!summary) throw new Refused({ kind: 'notFound', message: 'this record is no longer in the library' })
      return { summary, ...filing.of(id), copies: [] }
    },
    edit_records: change => changed('edit', change.ids.length, () => filing.edit(change)),
    list_folders: () => filing.folders(present),
    make_folder: () => null,
    rename_folder: () => null,
    remove_folder: () => null,
    list_tags: () => filing.tags(present),
    list_searches: () => [...searches.values()],
    save_search: search => changed('search', 0, () => { searches.set(search.name, search) }),
    remove_search: ({ name }) => changed('search', 0, () => { searches.delete(name) }),
    library_history: history,
    undo_library: () => {
      if (nDone > 0) changes[--nDone]?.before()
      emit({ event: 'libraryChanged' })
      return history()
    },
    redo_library: () => {
      if (nDone < changes.length) changes[nDone++]?.after()
      emit({ event: 'libraryChanged' })
      return history()
    },
    search_pattern: ({ limit: most, searchId, anyColor }) => {
      const hits = records.slice(0, Math.min(most, 40)).map((record, place) => ({ id: record.id, moveNumber: 4 + place % 30, swapped: anyColor && place % 3 === 1 }))
      emit({ event: 'pattern', payload: { searchId, searched: Math.floor(records.length / 2), total: records.length, found: Math.min(3, hits.length), hits: hits.slice(0, 3) } })
      return { searched: records.length, found: hits.length, blackWins: 22, whiteWins: 18, hits, continuations: [continuation(0, 1, 25), continuation(1, 2, 15)], tree: [], complete: true }
    },
    cancel_pattern: () => null,
    explore_position: ({ gameId }) => {
      const game = gameOf(gameId)
      const { stones, toMove } = game.view()
      const free = (x: number, y: number): boolean => game.width === 19 && game.height === 19 && stones[y * 19 + x] === 0
      const pretended = [
        { continuation: { ...continuation(16, 13, 25), black: toMove === 'black' }, value: { blackWinProb: 0.47, blackScoreLead: -0.5, visits: 120 }, pointsLost: 0.1 },
        { continuation: { ...continuation(2, 13, 15), black: toMove === 'black' }, value: null, pointsLost: null },
      ]
      const lines = pretended.filter(({ continuation: { x, y } }) => x !== null && y !== null && free(x, y))
      const found = lines.reduce((sum, line) => sum + line.continuation.games, 0)
      return {
        found, blackWins: Math.floor(found / 2), whiteWins: Math.floor(found / 3), lines, value: { blackWinProb: 0.48, blackScoreLead: -0.4, visits: 500 },
        hits: records.slice(0, Math.min(20, found)).map(record => ({ id: record.id, moveNumber: 12, swapped: false })),
      }
    },
    list_players: ({ text, limit: most }) => NAMES.filter(name => name.toLowerCase().includes(text.toLowerCase())).slice(0, most)
      .map((name, place) => ({ name, otherNames: [], games: 60 - place, wins: 35, losses: 20 })),
    player_page: ({ name }) => {
      const line = (what: string): { what: string, games: number, wins: number, losses: number } => ({ what, games: 30, wins: 18, losses: 11 })
      return {
        player: { name, otherNames: [], games: 60, wins: 35, losses: 20 }, byColor: [line('black'), line('white')],
        byOpponent: NAMES.filter(other => other !== name).map(line), byYear: ['1998', '1999', '2000', '2001'].map(line), byOpening: ['4-4 + 3-4', '4-4 + 4-4'].map(line),
        ratings: [1500, 1560, 1610, 1590].map((rating, place) => ({ month: `${1998 + place}-06`, rating, games: 15 * (place + 1) })),
        mistakes: (['opening', 'middleGame', 'endgame'] as const).map((phase, place) => ({ phase, moves: 400, meanLoss: 0.4 + place / 5, mistakes: 20, blunders: 4 })),
        alike: name === '古力' ? [{ name: '古力九段', otherNames: [], games: 2, wins: 1, losses: 1 }] : [],
      }
    },
    join_players: () => null,
    part_player: () => null,
    library_report: () => ({
      games: records.length, deleted: deleted.length, players: NAMES.length, copies: 0, blackWins: 120, whiteWins: 118, firstDate: '1930-01-01', lastDate: '2019-12-28',
      sizeKib: 4096, evaluations: 1000, evaluationsKib: 800, byYear: [], bySize: [{ what: '19x19', games: records.length, wins: 120, losses: 118 }], byRules: [], byResult: [],
    }),
    export_records: ({ ids, format }) => ({ games: ids?.length ?? 0, fileName: `games.${format}`, base64: btoa('(;GM[1])') }),
    backup_library: ({ path }) => ({ path: path || '/data/backups/library-1.sqlite' }),
    check_library: () => ({ games: records.length, problems: [], repaired: [] }),
    clear_evaluations: () => null,
  }

  return {
    connection: shallowRef<Connection>('connected'),
    calls,
    emit,
    report,
    async call<Name extends CommandName>(name: Name, args: Commands[Name][0]): Promise<Answer<Commands[Name][1]>> {
      calls.push({ name, args })
      if (delayMs > 0) await new Promise(resolve => setTimeout(resolve, delayMs))
      const failure = options.failures?.[name]
      if (failure !== undefined) return { status: 'error', error: asFailure(name, failure) }
      try {
        return { status: 'ok', data: structuredClone(handlers[name](args)) }
      } catch (error) {
        if (error instanceof Refused) return { status: 'error', error: error.error }
        throw error
      }
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    chooseRecords: chooseInBrowser,
    chooseSavePath: () => Promise.resolve(undefined),
    onDrop: dropInBrowser,
    setTitle(title) { document.title = title },
  }
}
