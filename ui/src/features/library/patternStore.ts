import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { useBackend, type BoardTopology, type ContinuationView, type Failure, type GameView, type PatternCell, type PatternHit, type PatternProgress, type PatternResult, type RecordFilter, type Side } from '@/api'
import { joinedView, shiftOf, wrapped } from '@/features/board'
import { useNotices } from '@/features/notices'
import { useSettings } from '@/features/settings'
import { useBoardView } from '@/features/stage'
import { say } from '@/i18n'
import { wholeNumber } from '@/i18n/formats'
import {
  cellsOf, isWhole, pointOfContinuation, possiblePlaces, questionFor, regionOn, shifted, usualPlace, wholeBoard,
  type DrawnPattern, type PatternPlace, type Region,
} from './pattern'
import { useLibrary } from './store'

/** What the hand on the board does: it draws the part that counts, or puts one thing on points. */
export type PatternTool = 'region' | PatternCell

/** Hits that are listed; all are counted. */
const MAX_LISTED = 10_000
/** Steps of drawing that can be taken back. */
const MAX_STEPS = 200
/** Points that get a letter. */
export const MAX_LETTERED = 12

/** The search for a pattern that is drawn on a small board. It outlives its dialog, so that one comes back to what was found. */
export const usePatternSearch = defineStore('patternSearch', () => {
  const backend = useBackend()
  const library = useLibrary()
  const notices = useNotices()
  const settings = useSettings()
  const view = useBoardView()

  const pattern = shallowRef<DrawnPattern>(emptyBoard(19, 19, 'plane'))
  /** Something was drawn or taken over, so that it is not replaced unasked. */
  const touched = shallowRef(false)
  const tool = shallowRef<PatternTool>('region')
  const wantedPlace = shallowRef<PatternPlace>()
  const anySymmetry = shallowRef(true)
  const anyColor = shallowRef(false)
  const nextPlayer = shallowRef<Side | ''>('')
  const firstMove = shallowRef<number | null>(null)
  const lastMove = shallowRef<number | null>(null)
  /** Only the games that the list of the library shows; it holds for the continuations beside the board as well. */
  const listedOnly = shallowRef(false)
  const past = shallowRef<readonly DrawnPattern[]>([])

  const running = shallowRef(false)
  const progress = shallowRef<Omit<PatternProgress, 'hits' | 'searchId'>>()
  const hits = shallowRef<readonly PatternHit[]>([])
  const result = shallowRef<PatternResult>()
  const failure = shallowRef<Failure>()
  /** What the answer is about: where it was drawn, and how it was looked for. */
  const answered = shallowRef<{ pattern: DrawnPattern, place: PatternPlace }>()
  // Other windows of the same person hear of their own searches by the same event.
  let searchId = Math.floor(Math.random() * 0x4000_0000)

  const places = computed(() => possiblePlaces(pattern.value))
  const place = computed<PatternPlace>({
    get: () => wantedPlace.value && places.value.includes(wantedPlace.value) ? wantedPlace.value : usualPlace(pattern.value),
    set: (wanted) => { wantedPlace.value = wanted },
  })
  /** Which games are looked through. */
  const filter = computed<RecordFilter>(() => listedOnly.value ? library.filter : {})
  /** The answer belongs to the pattern on the board. */
  const fresh = computed(() => answered.value?.pattern === pattern.value)
  /** How games went on from the pattern, with their points on the board and their letters. */
  const continuations = computed(() => {
    const about = answered.value
    if (!about || !result.value) return []
    const letters = new Map<number, string>()
    return result.value.continuations.map((continuation) => {
      const point = pointOfContinuation(about.pattern, about.place, continuation)
      // A point has one letter, that of its most frequent continuation, whoever plays there: two would lie over each other.
      if (point !== undefined && !letters.has(point) && letters.size < MAX_LETTERED) letters.set(point, String.fromCharCode(65 + letters.size))
      return { continuation, point, letter: point === undefined ? '' : letters.get(point) ?? '' }
    })
  })

  /** The letters as they stand on the board, each in the colour that plays there most often. */
  const letters = computed(() => continuations.value.flatMap(({ continuation, point, letter }, index) =>
    point === undefined || letter === '' || continuations.value.findIndex(other => other.point === point) !== index ? [] : [{ point, letter, black: continuation.black }]))

  function change(next: DrawnPattern): void {
    past.value = [...past.value, pattern.value].slice(-MAX_STEPS)
    pattern.value = next
    touched.value = true
  }

  /** Takes the position of a game over; the part that counts stays if it is on the board. */
  function take(game: GameView): void {
    const { width: columns, height: rows, topology, position } = game
    const same = columns === pattern.value.columns && rows === pattern.value.rows
    const region = same ? regionOn({ columns, rows, topology }, pattern.value.region) : wholeBoard(columns, rows)
    const { orientation } = settings.preferences
    const joined = joinedView({ columns, rows }, topology, orientation, view.panOf(game.gameId))
    const cells = cellsOf(position.stones)
    if (!joined) return change({ columns, rows, topology, cells, region })
    // As it is seen: what lies over the edge of the record can be chosen then.
    const pushed = shiftOf(joined, orientation)
    const shift = { x: wrapped(pushed.x, columns), y: wrapped(pushed.y, rows) }
    change({ columns, rows, topology, cells: shifted(cells, columns, rows, shift), region, shift })
  }

  /** What the dialog begins with: the position on the board, until something else is drawn. */
  function begin(game: GameView | undefined): void {
    if (touched.value || !game) return
    take(game)
    past.value = []
    touched.value = false
  }

  /** Everything off the board. */
  function clear(): void {
    const { columns, rows, topology, region } = pattern.value
    change({ ...emptyBoard(columns, rows, topology), region })
  }

  function resize(columns: number, rows: number): void {
    if (columns !== pattern.value.columns || rows !== pattern.value.rows) change(emptyBoard(columns, rows, pattern.value.topology))
  }

  /** Joins the edges, or lets them end. */
  function join(topology: BoardTopology): void {
    const { columns, rows, cells, region } = pattern.value
    change({ columns, rows, topology, cells, region: regionOn({ columns, rows, topology }, region) })
  }

  /** Puts something on points; `going` adds to the same step, as while the pointer is drawn over the board. */
  function paint(points: readonly number[], cell: PatternCell, going = false): void {
    const cells = [...pattern.value.cells]
    for (const point of points) cells[point] = cell
    const next = { ...pattern.value, cells }
    if (going) pattern.value = next
    else change(next)
  }

  /** Chooses the part that counts. */
  function select(region: Region, going = false): void {
    const next = { ...pattern.value, region }
    if (going) pattern.value = next
    else change(next)
  }

  function selectAll(): void {
    if (!isWhole(pattern.value)) change({ ...pattern.value, region: wholeBoard(pattern.value.columns, pattern.value.rows) })
  }

  function undo(): void {
    const before = past.value.at(-1)
    if (!before) return
    past.value = past.value.slice(0, -1)
    pattern.value = before
  }

  function forgetAnswer(): void {
    running.value = false
    progress.value = undefined
    result.value = undefined
    failure.value = undefined
    hits.value = []
    answered.value = undefined
  }

  async function run(): Promise<void> {
    searchId++
    const ticket = searchId
    const about = { pattern: pattern.value, place: place.value }
    forgetAnswer()
    running.value = true
    answered.value = about
    const answer = await backend.call('search_pattern', questionFor(about.pattern, {
      place: about.place, anySymmetry: anySymmetry.value, anyColor: anyColor.value, nextPlayer: nextPlayer.value,
      firstMove: firstMove.value, lastMove: lastMove.value, filter: filter.value,
    }, ticket, MAX_LISTED))
    if (ticket !== searchId) return
    running.value = false
    if (answer.status === 'error') {
      answered.value = undefined
      if (answer.error.kind !== 'cancelled') failure.value = answer.error
      return
    }
    result.value = answer.data
    hits.value = answer.data.hits
    notices.announce(say('library.pattern.found', { count: wholeNumber(answer.data.found) }, answer.data.found))
  }

  /** Takes what the search reports while it runs. */
  function receive(update: PatternProgress): void {
    if (!running.value || update.searchId !== searchId) return
    progress.value = { searched: update.searched, total: update.total, found: update.found }
    // Reported hits are added to what is listed, so that nothing moves under the pointer.
    const listed = new Set(hits.value.map(({ id }) => id))
    const more = update.hits.filter(({ id }) => !listed.has(id))
    if (more.length > 0) hits.value = [...hits.value, ...more]
  }

  /** Ends the search; what was found so far stays. */
  async function stop(): Promise<void> {
    const answer = await backend.call('cancel_pattern', {})
    if (answer.status === 'error') notices.failed(answer.error)
  }

  /** Puts a continuation's stone into the pattern and looks for what it is then. */
  async function follow({ black }: ContinuationView, point: number | undefined): Promise<void> {
    if (point === undefined || !fresh.value) return
    paint([point], black ? 'black' : 'white')
    await run()
  }

  function $reset(): void {
    searchId++
    pattern.value = emptyBoard(19, 19, 'plane')
    touched.value = false
    past.value = []
    tool.value = 'region'
    wantedPlace.value = undefined
    anySymmetry.value = true
    anyColor.value = false
    nextPlayer.value = ''
    firstMove.value = null
    lastMove.value = null
    listedOnly.value = false
    forgetAnswer()
  }

  return {
    pattern, tool, place, places, anySymmetry, anyColor, nextPlayer, firstMove, lastMove, listedOnly, filter, past, running, progress, hits, result, failure, fresh, continuations, letters,
    begin, take, clear, resize, join, paint, select, selectAll, undo, run, receive, stop, follow, $reset,
  }
})

function emptyBoard(columns: number, rows: number, topology: BoardTopology): DrawnPattern {
  return { columns, rows, topology, cells: new Array<PatternCell>(columns * rows).fill('empty'), region: wholeBoard(columns, rows) }
}
