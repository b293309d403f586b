import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { useBackend, type CardAnswer, type CardRef, type CardSolution, type CardView, type DrillState, type FactView, type HelpsAt, type LineView, type Side, type TurningPoints, type Vertex } from '@/api'
import { useAnalysis } from '@/features/analysis'
import { pointName } from '@/features/board'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { usePlay } from '@/features/play'
import { useSettings } from '@/features/settings'
import { say } from '@/i18n'
import { listed, plainPoints, wholeNumber } from '@/i18n/formats'

/** What a session of practice takes before it asks whether to go on. */
const SESSION_MS = 5 * 60_000

/** Which moves are played on the board of the question. */
export type ShownLine = 'answer' | 'played' | 'better' | `fact${number}`
type Phase = 'asking' | 'judging' | 'wrong' | 'right' | 'solved'

const NO_DRILLS: DrillState = { total: 0, due: 0, nextDue: null }

/** The question on the board, of a game's turning points or of the cards that come back. */
export const useLessons = defineStore('lessons', () => {
  const backend = useBackend()
  const games = useGames()
  const analysis = useAnalysis()
  const notices = useNotices()
  const play = usePlay()
  const { preferences } = useSettings()

  /** What is asked; nothing while the room is closed. */
  const mode = shallowRef<'turns' | 'drills'>()
  const gameId = shallowRef<string>()
  const side = shallowRef<Side | null>(null)
  const turns = shallowRef<readonly CardView[]>()
  const index = shallowRef(0)
  const drill = shallowRef<CardView>()
  const drills = shallowRef<DrillState>(NO_DRILLS)
  const loading = shallowRef(false)

  const phase = shallowRef<Phase>('asking')
  /** The move that is judged or was judged last. */
  const tried = shallowRef<Vertex>(null)
  const answer = shallowRef<CardAnswer>()
  const solution = shallowRef<CardSolution>()
  /** What is borne out about the move of the game; undefined until it is known. */
  const facts = shallowRef<readonly FactView[]>()
  /** The engine looked for a reason, and is sure of none. */
  const unsure = shallowRef(false)
  const kept = shallowRef(false)
  const due = shallowRef<number | null>(null)
  /** It was answered wrongly, or given up, at least once. */
  const missed = shallowRef(false)
  const line = shallowRef<ShownLine>('answer')
  const step = shallowRef(0)

  const tries = shallowRef(0)
  const right = shallowRef(0)
  let began = 0
  const resting = shallowRef(false)
  /** Counts questions: an answer to an earlier one says nothing of this one. */
  let asked = 0
  /** The question whose solution is on its way: no move answers it any more. */
  let revealing: number | undefined

  const card = computed(() => mode.value === 'drills' ? drill.value : turns.value?.[index.value])
  const isLast = computed(() => mode.value === 'turns' && index.value >= (turns.value?.length ?? 0) - 1)
  /** The game of the turning points is being reviewed; a look for the graph alone judges nothing. */
  const reviewing = computed(() => mode.value === 'turns' && analysis.reviewing && analysis.sweep?.gameId === gameId.value ? analysis.sweep : undefined)

  const lines = computed((): Partial<Record<ShownLine, LineView>> => ({
    ...(answer.value && { answer: answer.value.line }),
    ...(solution.value?.played && { played: solution.value.played.line }),
    // A record's moves are marked on the board; none of them goes on.
    ...(solution.value && !card.value?.recorded && { better: solution.value.better }),
    ...Object.fromEntries((facts.value ?? []).map((fact, at) => [`fact${at}`, fact.line])),
  }))
  /** The sentence whose moves are shown. */
  const shownFact = computed(() => facts.value?.find((_, at) => line.value === `fact${at}`))
  const shown = computed(() => lines.value[line.value])
  /** The stones on the board: of the position, or after some moves of the line. */
  const stones = computed(() => (step.value > 0 ? shown.value?.boards[step.value - 1] : undefined) ?? card.value?.board.stones ?? [])
  const mayAnswer = computed(() => card.value !== undefined && (phase.value === 'asking' || phase.value === 'wrong') && step.value === 0)

  const nameOf = (vertex: Vertex): string => {
    const board = card.value?.board
    return vertex === null || !board ? say('lessons.pass') : pointName(vertex, board.width, board.height)
  }
  const playerOf = (player: Side): string => say(player === 'black' ? 'game.player.black' : 'game.player.white')

  /** What is asked, in words. */
  const question = computed(() => {
    const now = card.value
    return now ? say(mode.value === 'turns' ? 'lessons.find' : now.recorded ? 'lessons.recall' : 'lessons.findGood', { player: playerOf(now.board.toMove) }) : ''
  })
  /** The right move, or all of the record's. */
  const better = computed(() => {
    const found = solution.value
    if (!found) return ''
    return card.value?.recorded ? say('lines.wrong', { points: listed(found.good.map(({ vertex }) => nameOf(vertex))) }) : say('lessons.better', { point: nameOf(found.best) })
  })
  /** What became of the answer, in words. */
  const verdict = computed(() => {
    if (phase.value === 'judging') return say('lessons.checking', { point: nameOf(tried.value) })
    const found = answer.value
    if (!found || phase.value === 'asking') return ''
    if (card.value?.recorded) return say(found.accepted ? 'lessons.inRecord' : 'lessons.notInRecord', { point: nameOf(tried.value) })
    const lost = Math.round(found.pointsLost * 10) / 10
    const words = { point: nameOf(tried.value), points: plainPoints(lost) }
    if (found.accepted) return say(found.isBest ? 'lessons.best' : lost > 0 ? 'lessons.asGood' : 'lessons.equal', words)
    const reply = found.line.moves[1]
    const opponent = card.value?.board.toMove === 'black' ? 'white' : 'black'
    return reply === undefined ? say('lessons.wrong', words) : say('lessons.replied', { ...words, player: playerOf(opponent), reply: nameOf(reply) })
  })

  function clear(): void {
    asked++
    phase.value = 'asking'
    tried.value = null
    answer.value = undefined
    solution.value = undefined
    facts.value = undefined
    unsure.value = false
    missed.value = false
    line.value = 'answer'
    step.value = 0
    kept.value = card.value?.kept ?? false
    due.value = null
  }

  function ask(): void {
    clear()
    if (!card.value) return
    notices.announce(question.value)
    // The search goes on while the person thinks; one that fails says so with the answer.
    void backend.call('prepare_card', { card: card.value.card })
  }

  /** Only what helps at the rank that the person chose. */
  const helps = (): HelpsAt | null => preferences.findRank === '' ? null : { rank: preferences.findRank, least: preferences.findShare }

  /** The turning points of the game on the board, beside it. */
  const points = shallowRef<TurningPoints & { readonly gameId: string }>()

  /** Asks which moves decided the game on the board. */
  async function loadPoints(): Promise<void> {
    const id = games.activeId
    if (id === undefined) return
    const found = await backend.call('turning_points', { gameId: id, side: null, helps: helps() })
    if (found.status === 'ok' && games.activeId === id) points.value = { gameId: id, ...found.data }
  }

  const nodeOf = (one: CardView | undefined): number | undefined => one?.card.kind === 'turn' ? one.card.nodeId : undefined

  /** The turning point at a node of the game on the board. */
  async function openTurn(nodeId: number): Promise<void> {
    await openTurns()
    if (side.value !== null && !turns.value?.some(one => nodeOf(one) === nodeId)) await choose(null)
    const at = turns.value?.findIndex(one => nodeOf(one) === nodeId) ?? -1
    if (at <= 0) return
    index.value = at
    ask()
  }

  /** The turning points of the game on the board; one that was not reviewed is reviewed first. */
  async function openTurns(): Promise<void> {
    const id = games.activeId
    if (id === undefined) return
    if (mode.value !== 'turns' || gameId.value !== id) {
      turns.value = undefined
      // Whoever played is asked about their own moves.
      side.value = play.view?.gameId === id ? play.person : null
      tries.value = 0
      right.value = 0
    }
    mode.value = 'turns'
    gameId.value = id
    await loadTurns()
    const known = turns.value
    if (known && known.length === 0 && !reviewing.value && !analysis.reviewed.has(id) && unjudged.value) await analysis.findWorst()
  }
  const unjudged = shallowRef(false)

  async function loadTurns(): Promise<void> {
    const id = gameId.value
    if (id === undefined) return
    const wanted = ++asked
    loading.value = true
    const found = await backend.call('turning_points', { gameId: id, side: side.value, helps: helps() })
    loading.value = false
    if (wanted !== asked) return
    if (found.status === 'error') {
      notices.failed(found.error)
      return
    }
    unjudged.value = found.data.judged < found.data.moves
    turns.value = found.data.cards
    index.value = 0
    ask()
  }

  /** More moves are judged: the cards are chosen anew, but for the one that is being solved. */
  async function chooseAgain(): Promise<void> {
    await loadPoints()
    const id = gameId.value
    if (mode.value !== 'turns' || id === undefined || id !== games.activeId || loading.value) return
    if (!card.value) return loadTurns()
    const whose = side.value
    const found = await backend.call('turning_points', { gameId: id, side: whose, helps: helps() })
    const now = card.value
    if (found.status === 'error' || mode.value !== 'turns' || gameId.value !== id || side.value !== whose || !now || loading.value) return
    unjudged.value = found.data.judged < found.data.moves
    // The same object: a card that changes is a question that begins.
    turns.value = [...found.data.cards.filter(one => nodeOf(one) !== nodeOf(now)), now].sort((a, b) => a.number - b.number)
    index.value = turns.value.indexOf(now)
  }

  async function choose(whose: Side | null): Promise<void> {
    side.value = whose
    await loadTurns()
  }

  /** The cards that are due. */
  async function openDrills(): Promise<void> {
    mode.value = 'drills'
    tries.value = 0
    right.value = 0
    began = Date.now()
    resting.value = false
    await loadDrill()
  }

  async function loadDrill(): Promise<void> {
    const wanted = ++asked
    loading.value = true
    const found = await backend.call('next_drill', {})
    loading.value = false
    if (wanted !== asked) return
    if (found.status === 'error') {
      notices.failed(found.error)
      return
    }
    drills.value = found.data.state
    drill.value = found.data.card ?? undefined
    ask()
  }

  /** How many cards are due. */
  async function refresh(): Promise<void> {
    const found = await backend.call('drill_state', {})
    if (found.status === 'ok') drills.value = found.data
  }

  function count(good: boolean): void {
    if (missed.value) return
    tries.value++
    if (good) right.value++
    missed.value = !good
  }

  async function give(vertex: Vertex): Promise<void> {
    const now = card.value
    if (!now || !mayAnswer.value || revealing === asked) return
    const question = asked
    const before = phase.value
    tried.value = vertex
    phase.value = 'judging'
    notices.announce(verdict.value)
    const found = await backend.call('answer_card', { card: now.card, vertex, replier: preferences.replyRank || null })
    if (question !== asked) return
    if (found.status === 'error') {
      phase.value = before
      notices.failed(found.error, 'notice.noAnalysis')
      return
    }
    answer.value = found.data
    kept.value = found.data.kept.kept
    due.value = found.data.kept.due
    count(found.data.accepted)
    line.value = 'answer'
    // A wrong move is answered on the board.
    step.value = Math.min(found.data.accepted ? 1 : 2, found.data.line.moves.length)
    phase.value = found.data.accepted ? 'right' : 'wrong'
    notices.announce(verdict.value)
    if (found.data.accepted) await solve(now.card, false)
  }

  async function solve(which: CardRef, givenUp: boolean): Promise<boolean> {
    const question = asked
    const found = await backend.call('card_solution', { card: which, givenUp })
    if (question !== asked) return false
    if (found.status === 'error') {
      notices.failed(found.error, 'notice.noAnalysis')
      return false
    }
    solution.value = found.data
    kept.value = found.data.kept.kept
    due.value = found.data.kept.due
    void explain(which)
    return true
  }

  /** Lets the engine find out what can be said of the move of the game. */
  async function explain(which: CardRef): Promise<void> {
    const question = asked
    const found = await backend.call('card_facts', { card: which, rank: preferences.findRank || null })
    if (question !== asked) return
    // Without them the answer stands for itself.
    facts.value = found.status === 'ok' ? found.data.facts : []
    unsure.value = found.status === 'ok' && found.data.facts.length === 0
  }

  /** The person does not find it. */
  async function reveal(): Promise<void> {
    const now = card.value
    // A right answer is followed by its solution, and is not given up by asking for that.
    const mayReveal = phase.value === 'asking' || phase.value === 'wrong'
    if (!now || solution.value || !mayReveal || revealing === asked) return
    const question = asked
    revealing = question
    const isSolved = await solve(now.card, !missed.value)
    if (question === asked) revealing = undefined
    if (!isSolved) return
    count(false)
    phase.value = 'solved'
    show('better', 0)
  }

  /** Takes the wrong move back. */
  function again(): void {
    phase.value = 'asking'
    step.value = 0
  }

  /** Shows a line after so many of its moves. */
  function show(which: ShownLine, at = 1): void {
    line.value = which
    step.value = Math.max(0, Math.min(at, lines.value[which]?.moves.length ?? 0))
  }
  const stepBy = (by: number): void => show(line.value, step.value + by)

  async function next(): Promise<void> {
    if (mode.value === 'drills') {
      if (Date.now() - began >= SESSION_MS && drills.value.due > 1) {
        resting.value = true
        return
      }
      await loadDrill()
      return
    }
    if (isLast.value) return
    index.value++
    ask()
  }
  function previous(): void {
    if (mode.value !== 'turns' || index.value === 0) return
    index.value--
    ask()
  }
  /** After five minutes: five more. */
  async function goOn(): Promise<void> {
    began = Date.now()
    resting.value = false
    await loadDrill()
  }

  /** Keeps the card among those that come back, or puts it away. */
  async function keep(wanted: boolean): Promise<void> {
    const now = card.value
    if (!now) return
    const found = await backend.call(wanted ? 'keep_card' : 'remove_card', { card: now.card })
    if (found.status === 'error') {
      notices.failed(found.error)
      return
    }
    kept.value = found.data.kept
    due.value = found.data.due
    notices.announce(say(wanted ? 'lessons.added' : 'lessons.removed'))
    await refresh()
  }

  /** Keeps the position on the board of the game. */
  async function addPosition(): Promise<void> {
    const game = games.active
    if (!game) return
    const found = await backend.call('keep_position', { gameId: game.gameId, nodeId: game.position.nodeId })
    if (found.status === 'error') notices.failed(found.error)
    else notices.show({ tone: 'info', title: say('lessons.added') })
    await refresh()
  }

  /** Writes all cards into a file. */
  async function exportDeck(): Promise<void> {
    const found = await backend.call('export_deck', {})
    if (found.status === 'error') notices.failed(found.error, 'notice.fileNotWritten')
    else await games.saveContent(found.data.fileName, new Blob([found.data.sgf], { type: 'application/x-go-sgf' }))
  }

  /** Writes all cards into a package for Anki. */
  async function exportAnki(): Promise<void> {
    const found = await backend.call('export_anki_deck', { name: 'Honinbo' })
    if (found.status === 'error') notices.failed(found.error, 'notice.fileNotWritten')
    else await games.saveContent('practice.apkg', new Blob([Uint8Array.from(atob(found.data.base64), letter => letter.charCodeAt(0))], { type: 'application/octet-stream' }))
  }

  /** Takes the cards of files in. */
  async function importDeck(): Promise<void> {
    for (const source of await backend.chooseRecords({ multiple: true })) {
      const found = await backend.call('import_deck', { source })
      if (found.status === 'error') {
        notices.failed(found.error)
        continue
      }
      const { added, known } = found.data
      if (added + known === 0) notices.show({ tone: 'warning', title: say('lessons.deck.none'), detail: say('lessons.deck.noneDetail') })
      else notices.show({ tone: 'success', title: say('lessons.deck.imported', { count: wholeNumber(added), known: wholeNumber(known) }, added) })
    }
    await (mode.value === 'drills' && !drill.value ? loadDrill() : refresh())
  }

  /** The room is closed. */
  function leave(): void {
    asked++
    mode.value = undefined
    drill.value = undefined
    void refresh()
  }

  /** The names of games mean others from now on; cards of the deck are of none. */
  function forgetGames(): void {
    if (mode.value === 'turns') $reset()
    points.value = undefined
  }

  function $reset(): void {
    asked++
    mode.value = undefined
    gameId.value = undefined
    side.value = null
    turns.value = undefined
    drill.value = undefined
    drills.value = NO_DRILLS
    index.value = 0
    resting.value = false
    tries.value = 0
    right.value = 0
    facts.value = undefined
    points.value = undefined
  }

  return {
    mode, gameId, side, turns, index, drills, loading, phase, tried, answer, solution, kept, due, line, step, tries, right, resting, unjudged,
    card, isLast, reviewing, lines, shown, stones, mayAnswer, question, better, verdict, nameOf, playerOf,
    facts, unsure, shownFact, points, openTurn, openTurns, loadTurns, chooseAgain, choose, openDrills, refresh, give, reveal, again, show, stepBy, next, previous, goOn, keep, addPosition, exportDeck, exportAnki, importDeck, leave, forgetGames, $reset,
  }
})
