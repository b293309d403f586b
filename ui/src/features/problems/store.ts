import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { toBase64, useBackend, type Answer, type CardBoard, type ChosenFile, type GroupFate, type LineView, type ProblemAsked, type ProblemCollection, type ProblemCounted, type ProblemOrder, type ProblemRating, type ProblemRuling, type ProblemSet, type ProblemSolution, type ProblemState, type ProblemTheme, type ProblemTry, type ProblemView, type ShippedProblems, type Side, type Vertex } from '@/api'
import { pointName } from '@/features/board'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'
import { listed, plainPoints, wholeNumber } from '@/i18n/formats'

/**
 * `asking`: the person is to move; `open`: as well, after a move that the file does not know; `trying`: a move is judged;
 * then it is `wrong` or `solved`, or the solution is `shown`.
 */
type Phase = 'asking' | 'open' | 'trying' | 'wrong' | 'solved' | 'shown'

/** How often the clock of a set is drawn. */
const TICK_MS = 250

/** A position on the way, to which a move that the file does not know is taken back. */
interface Reached {
  readonly moves: readonly Vertex[]
  readonly board: CardBoard
  readonly comment: string
}

/** Collections of problems, and the one that is solved. */
export const useProblems = defineStore('problems', () => {
  const backend = useBackend()
  const notices = useNotices()

  const collections = shallowRef<readonly ProblemCollection[]>([])
  /** What comes with the program, by theme; a theme that was begun is a collection too. */
  const shipped = shallowRef<readonly ShippedProblems[]>([])
  const rating = shallowRef<ProblemRating | null>(null)
  const loading = shallowRef(false)
  /** The collection that is solved; none while one is chosen. */
  const collectionId = shallowRef<string>()
  const order = shallowRef<ProblemOrder>('open')
  const problem = shallowRef<ProblemView>()
  /** The set against the clock, of which the problem is one. */
  const set = shallowRef<ProblemSet>()
  const secondsLeft = shallowRef(0)

  const phase = shallowRef<Phase>('asking')
  const reached = shallowRef<Reached>()
  const before = shallowRef<readonly Reached[]>([])
  /** The move that is judged or was judged last. */
  const tried = shallowRef<Vertex>(null)
  const answer = shallowRef<ProblemTry>()
  const solution = shallowRef<ProblemSolution>()
  const counted = shallowRef<ProblemCounted | null>(null)
  /** What the referee says of the position on the board. */
  const ruling = shallowRef<ProblemRuling>()
  const judging = shallowRef(false)
  /** The referee's line is on show. */
  const following = shallowRef(false)
  const step = shallowRef(0)
  const tries = shallowRef(0)
  const right = shallowRef(0)
  /** It was answered wrongly, or given up, at least once. */
  const missed = shallowRef(false)
  /** Counts questions: an answer to an earlier one says nothing of this one. */
  let asked = 0
  /** The question whose solution is on its way: no move answers it any more. */
  let revealing: number | undefined

  const collection = computed(() => collections.value.find(({ id }) => id === collectionId.value))
  /** The position that the moves on show begin with. */
  const base = computed(() => phase.value === 'shown' ? problem.value?.board : reached.value?.board)
  /** The moves on show: how a wrong move is punished, or what is right. */
  const line = computed((): LineView | undefined => following.value ? ruling.value?.line : phase.value === 'shown' ? solution.value?.line
    : phase.value === 'wrong' || phase.value === 'solved' ? answer.value?.line : undefined)
  const length = computed(() => line.value?.moves.length ?? 0)
  const stones = computed(() => (step.value > 0 ? line.value?.boards[step.value - 1] : undefined) ?? base.value?.stones ?? [])
  const mayAnswer = computed(() => problem.value !== undefined && (phase.value === 'asking' || phase.value === 'open'))
  /** Moves can be taken back to where the file knew the position. */
  const mayTakeBack = computed(() => phase.value === 'open' && before.value.length > 0)
  const isOver = computed(() => set.value?.over ?? false)
  /** It was answered: the referee may tell moves. */
  const mayTell = computed(() => phase.value === 'wrong' || phase.value === 'solved' || phase.value === 'shown')
  /** In a set against the clock nobody is asked before the answer. */
  const mayAsk = computed(() => problem.value !== undefined && phase.value !== 'trying' && !judging.value && (!set.value || mayTell.value))

  const nameOf = (vertex: Vertex): string => {
    const board = base.value
    return vertex === null || !board ? say('lessons.pass') : pointName(vertex, board.width, board.height)
  }
  const playerOf = (player: Side): string => say(player === 'black' ? 'game.player.black' : 'game.player.white')

  /** What became of the move, in words. */
  const verdict = computed(verdictWords)

  function verdictWords(): string {
    if (phase.value === 'trying') return say('lessons.checking', { point: nameOf(tried.value) })
    if (phase.value === 'shown') return say('problems.shown')
    const found = answer.value
    const board = problem.value?.board
    if (!found || !board) return ''
    const reply = found.line.moves[1]
    const words = { point: nameOf(tried.value), player: playerOf(board.toMove === 'black' ? 'white' : 'black'), reply: nameOf(reply ?? null) }
    switch (found.verdict) {
      case 'refused': return say('problems.refused', words)
      case 'solved': return say('problems.solved')
      case 'right': return say(reply === null ? 'problems.right.pass' : 'problems.right.reply', words)
      case 'wrong': return say(found.proved ? (reply == null ? 'problems.wrong.provedAlone' : 'problems.wrong.proved') : reply === undefined ? 'problems.wrong.alone' : found.engine ? 'problems.wrong.engine' : reply === null ? 'problems.wrong.pass' : 'problems.wrong.reply', words)
      case 'unknown': return unknownWords(found, words)
    }
  }

  function unknownWords({ opinion, line: { moves } }: ProblemTry, words: Readonly<Record<string, string>>): string {
    const reply = moves[1] === null ? 'pass' : 'reply'
    return opinion?.kind === 'loses'
      ? say(`problems.unknown.loses.${reply}`, { ...words, points: plainPoints(Math.round(opinion.points)) })
      : say(`problems.unknown.${opinion?.kind === 'keeps' || opinion?.kind === 'holds' ? opinion.kind : 'unclear'}.${reply}`, words)
  }

  /** What is asked, in words: the file's, or those for the theme of a problem that came with the program. */
  const task = computed((): string => {
    const now = problem.value
    if (!now?.theme) return now?.text ?? ''
    switch (now.theme) {
      case 'firstSteps': return say(`problems.firstSteps.${stepName(now)}.text`)
      case 'seki': return say(`problems.task.seki.${isOwn(now) ? 'keep' : 'kill'}`)
      default: return say(`problems.task.${now.theme}`)
    }
  })
  /** The problem is about stones of who is to play. */
  const isOwn = ({ board, marked }: ProblemView): boolean => marked[0] !== undefined && board.stones[marked[0]] === (board.toMove === 'black' ? 1 : 2)
  /** What there is to learn from a step that was made. */
  const learnt = (now: ProblemView): string => say(`problems.firstSteps.${stepName(now)}.done`)
  /** The words of the steps are numbered as they are. */
  const stepName = ({ number }: ProblemView): 'step01' => `step${String(number).padStart(2, '0')}` as 'step01'

  /** What the file says: of the move, or of the step of the solution that is shown. */
  const comment = computed(() => phase.value === 'shown'
    ? solution.value?.comments[step.value - 1] ?? ''
    : phase.value === 'solved' && problem.value?.theme === 'firstSteps' ? learnt(problem.value)
    : phase.value === 'trying' ? '' : answer.value && phase.value !== 'asking' ? answer.value.comment : reached.value?.comment ?? '')

  function adopt(state: ProblemState): void {
    collections.value = state.collections
    shipped.value = state.shipped
    rating.value = state.rating
  }

  /** Asks which collections there are. */
  async function refresh(): Promise<void> {
    const found = await backend.call('problem_state', {})
    if (found.status === 'ok') adopt(found.data)
    else notices.failed(found.error)
  }

  /** Shows the collections. */
  async function openShelf(): Promise<void> {
    await leaveSet()
    asked++
    collectionId.value = undefined
    problem.value = undefined
    loading.value = true
    await refresh()
    loading.value = false
  }

  /** Takes the problems of a file in, and says where there are none. */
  async function takeIn(source: ChosenFile): Promise<{ readonly collection: ProblemCollection, readonly isNew: boolean } | undefined> {
    loading.value = true
    const found = await backend.call('open_problems', { source })
    loading.value = false
    if (found.status === 'error') {
      notices.failed(found.error, 'notice.notOpened')
      return undefined
    }
    const { collection: opened, isNew } = found.data
    if (!opened) notices.show({ tone: 'warning', title: say('problems.none'), detail: say('problems.noneDetail') })
    return opened ? { collection: opened, isNew } : undefined
  }

  const addedWords = ({ problems }: ProblemCollection): string => say('problems.added', { count: wholeNumber(problems) }, problems)

  /** Takes the problems of a file in and begins with them. */
  async function openFile(source: ChosenFile): Promise<boolean> {
    const question = ++asked
    const found = await takeIn(source)
    if (!found) return false
    if (found.isNew) notices.announce(addedWords(found.collection))
    if (question === asked) await openCollection(found.collection.id)
    return true
  }

  /** Makes problems of a record; `open` begins with them, if the person wants to. */
  async function addRecord(name: string, sgf: string, open: (collectionId: string) => void): Promise<void> {
    const found = await takeIn({ kind: 'content', name, base64: toBase64(new TextEncoder().encode(sgf)) })
    if (!found) return
    const { collection: added, isNew } = found
    notices.show({ tone: 'success', title: isNew ? addedWords(added) : say('problems.known'), action: { label: say('problems.solve'), run: () => open(added.id) } })
  }

  /** Begins with the problems of a theme that come with the program. */
  async function openTheme(theme: ProblemTheme): Promise<void> {
    const question = ++asked
    loading.value = true
    const found = await backend.call('open_shipped_problems', { theme })
    loading.value = false
    if (question !== asked) return
    if (found.status === 'error') notices.failed(found.error)
    else if (found.data.collection) await openCollection(found.data.collection.id)
  }

  /** What a collection is called. */
  const nameOfCollection = ({ name, theme }: Pick<ProblemCollection, 'name' | 'theme'>): string =>
    theme ? say(`problems.theme.${theme}`) : name || say('game.untitled')

  /** Begins with a collection that may not have been asked for yet. */
  async function openCollection(id: string): Promise<void> {
    const question = ++asked
    await refresh()
    if (question === asked) await solve(id)
  }

  async function chooseFile(): Promise<void> {
    const [source] = await backend.chooseRecords({ multiple: false })
    if (source) await openFile(source)
  }

  async function remove(id: string): Promise<void> {
    const found = await backend.call('remove_problems', { collectionId: id })
    if (found.status === 'error') notices.failed(found.error)
    else {
      adopt(found.data)
      notices.show({ tone: 'info', title: say('problems.removed'), detail: say('problems.removedDetail') })
    }
  }

  /** Begins with the problems of a collection. */
  async function solve(id: string): Promise<void> {
    await leaveSet()
    collectionId.value = id
    tries.value = 0
    right.value = 0
    problem.value = undefined
    await load(() => backend.call('next_problem', { collectionId: id, order: order.value, after: null }))
  }

  async function choose(wanted: ProblemOrder): Promise<void> {
    order.value = wanted
    if (collectionId.value !== undefined && !set.value) await solve(collectionId.value)
  }

  async function load(call: () => Promise<Answer<ProblemAsked>>): Promise<void> {
    const question = ++asked
    loading.value = true
    const found = await call()
    loading.value = false
    if (question !== asked) return
    if (found.status === 'error') notices.failed(found.error)
    else take(found.data)
  }

  function take(found: ProblemAsked): void {
    asked++
    if (set.value) keepTime(found.set ?? undefined)
    problem.value = found.problem ?? undefined
    phase.value = 'asking'
    reached.value = found.problem ? { moves: [], board: found.problem.board, comment: '' } : undefined
    before.value = []
    tried.value = null
    answer.value = undefined
    solution.value = undefined
    counted.value = null
    step.value = 0
    forgetRuling()
    missed.value = false
    if (found.problem) notices.announce([say('problems.toPlay', { player: playerOf(found.problem.board.toMove) }), task.value].filter(Boolean).join('. '))
  }

  /** The problem after this one. */
  async function next(): Promise<void> {
    const id = collectionId.value
    if (id === undefined) return
    if (set.value) await load(() => backend.call('next_in_set', {}))
    else await load(() => backend.call('next_problem', { collectionId: id, order: order.value, after: problem.value?.number ?? null }))
  }

  function count(solved: boolean): void {
    if (missed.value) return
    tries.value++
    if (solved) right.value++
    missed.value = true
  }

  async function give(vertex: Vertex): Promise<void> {
    const now = problem.value
    const here = reached.value
    if (!now || !here || !mayAnswer.value || revealing === asked) return
    const question = asked
    const earlier = phase.value
    tried.value = vertex
    answer.value = undefined
    forgetRuling()
    phase.value = 'trying'
    notices.announce(verdict.value)
    const found = await backend.call('try_problem', { problem: now.problem, moves: [...here.moves], vertex })
    if (question !== asked) return
    if (found.status === 'error') {
      phase.value = earlier
      notices.failed(found.error, 'notice.noAnalysis')
      return
    }
    judged(found.data, here, earlier)
    notices.announce([verdict.value, comment.value].filter(Boolean).join('. '))
  }

  function judged(found: ProblemTry, here: Reached, earlier: Phase): void {
    answer.value = found
    if (set.value) keepTime(found.set ?? undefined)
    note(found.counted)
    const after = { moves: found.moves, board: found.board, comment: found.comment }
    switch (found.verdict) {
      case 'refused': phase.value = earlier; break
      case 'right':
        reached.value = after
        before.value = []
        phase.value = 'asking'
        break
      case 'solved':
        count(true)
        phase.value = 'solved'
        step.value = found.line.moves.length
        break
      case 'unknown':
        if (found.opinion?.kind !== 'loses') {
          before.value = [...before.value, here]
          reached.value = after
          phase.value = 'open'
          break
        }
        fail(found)
        break
      case 'wrong': fail(found)
    }
  }

  function fail(found: ProblemTry): void {
    count(false)
    phase.value = 'wrong'
    step.value = Math.min(2, found.line.moves.length)
  }

  function note(found: ProblemCounted | null): void {
    counted.value = found ?? counted.value
    if (found) rating.value = found.after
  }

  function forgetRuling(): void {
    ruling.value = undefined
    judging.value = false
    following.value = false
  }

  /** Asks the referee about the position that the line on show begins with. */
  async function askReferee(): Promise<void> {
    const now = problem.value
    if (!now || !mayAsk.value) return
    const question = asked
    const here = reached.value
    const moves = phase.value === 'shown' ? [] : [...here?.moves ?? []]
    const at = phase.value
    ruling.value = undefined
    judging.value = true
    notices.announce(say('problems.referee.asking'))
    const found = await backend.call('judge_problem', { problem: now.problem, moves })
    // A position that was left meanwhile, as by taking a move back, is not the one on the board.
    if (question !== asked || phase.value !== at || reached.value !== here) return
    judging.value = false
    if (found.status === 'error') {
      notices.failed(found.error)
      return
    }
    ruling.value = found.data
    notices.announce([...rulingWords(found.data), rightWords.value].filter(Boolean).join(' '))
  }

  /** Who moves first, and what becomes of the group then, in words. */
  function rulingRows({ solverFirst, opponentFirst }: ProblemRuling): { readonly first: string; readonly fate: string }[] {
    const solver = base.value?.toMove ?? 'black'
    const other = solver === 'black' ? 'white' : 'black'
    return [
      { first: say('problems.referee.first', { player: playerOf(solver) }), fate: fateWords(solverFirst.fate) },
      { first: say('problems.referee.first', { player: playerOf(other) }), fate: fateWords(opponentFirst.fate) },
    ]
  }
  const rulingWords = (found: ProblemRuling): string[] => rulingRows(found).map(({ first, fate }) => `${first}: ${fate}`)

  function fateWords(fate: GroupFate): string {
    switch (fate.kind) {
      case 'notProved': return say(`problems.referee.notProved.${fate.reason}`)
      case 'ko': return say('problems.referee.fate.ko', { player: playerOf(fate.first), count: wholeNumber(fate.threats) }, fate.threats)
      case 'lives': return say(fate.whole ? 'problems.referee.fate.lives' : 'problems.referee.fate.part')
      default: return say(`problems.referee.fate.${fate.kind}`)
    }
  }

  /** The first moves that are proved to be right, once the problem was answered. */
  const rightWords = computed(() => {
    const found = ruling.value
    if (!found || !mayTell.value) return ''
    const isProved = found.solverFirst.fate.kind !== 'notProved' && found.opponentFirst.fate.kind !== 'notProved'
    if (!found.decides) return isProved ? say('problems.referee.same') : ''
    return found.right.length > 0 ? say('problems.referee.right', { points: listed(found.right.map(nameOf)) }) : ''
  })

  /** Shows the referee's line, or what was there before. */
  function follow(): void {
    if (!ruling.value || !mayTell.value) return
    following.value = !following.value
    step.value = Math.min(1, length.value)
  }

  /** Takes the wrong move back. */
  function again(): void {
    if (phase.value !== 'wrong') return
    forgetRuling()
    phase.value = before.value.length > 0 ? 'open' : 'asking'
    answer.value = undefined
    step.value = 0
  }

  /** Takes the last move back that the file does not know. */
  function takeBack(): void {
    const last = before.value.at(-1)
    if (!mayTakeBack.value || !last) return
    forgetRuling()
    before.value = before.value.slice(0, -1)
    reached.value = last
    answer.value = undefined
    phase.value = before.value.length > 0 ? 'open' : 'asking'
  }

  /** The person does not find it, or wants to see it once more. */
  async function reveal(): Promise<void> {
    const now = problem.value
    if (!now || phase.value === 'trying' || phase.value === 'shown' || revealing === asked) return
    const question = asked
    revealing = question
    const found = await backend.call('problem_solution', { problem: now.problem, givenUp: phase.value !== 'solved' && !missed.value })
    if (question !== asked) return
    revealing = undefined
    if (found.status === 'error') {
      notices.failed(found.error)
      return
    }
    forgetRuling()
    solution.value = found.data
    if (set.value) keepTime(found.data.set ?? undefined)
    note(found.data.counted)
    if (phase.value !== 'solved') count(false)
    phase.value = 'shown'
    step.value = Math.min(1, found.data.line.moves.length)
    notices.announce(verdict.value)
  }

  /** Shows the position after so many moves of the line. */
  function show(at: number): void {
    step.value = Math.max(0, Math.min(at, length.value))
  }
  const stepBy = (by: number): void => show(step.value + by)

  // The clock of a set is the back end's; between its answers the time that passes here is taken off.
  let ticking: ReturnType<typeof setInterval> | undefined
  let until = 0
  function keepTime(now: ProblemSet | undefined): void {
    set.value = now
    clearInterval(ticking)
    ticking = undefined
    secondsLeft.value = now?.secondsLeft ?? 0
    if (!now || now.over) return
    until = performance.now() + now.secondsLeft * 1000
    ticking = setInterval(tick, TICK_MS)
  }
  function tick(): void {
    secondsLeft.value = Math.max(0, (until - performance.now()) / 1000)
    if (secondsLeft.value > 0) return
    clearInterval(ticking)
    ticking = undefined
    void askForTime()
  }
  async function askForTime(): Promise<void> {
    const found = await backend.call('problem_state', {})
    if (found.status === 'error' || !set.value) return
    adopt(found.data)
    keepTime(found.data.set ?? undefined)
    if (isOver.value) notices.announce(say('problems.set.timeUp'))
  }

  /** Begins a set against the clock. */
  async function startSet(id: string, count: number, seconds: number): Promise<void> {
    const question = ++asked
    loading.value = true
    const found = await backend.call('start_problem_set', { collectionId: id, order: order.value, count, seconds })
    loading.value = false
    if (question !== asked) return
    if (found.status === 'error') {
      notices.failed(found.error)
      return
    }
    collectionId.value = id
    tries.value = 0
    right.value = 0
    keepTime(found.data.set ?? undefined)
    take(found.data)
  }

  /** A set that is left is over. */
  async function leaveSet(): Promise<void> {
    const going = set.value && !set.value.over
    keepTime(undefined)
    if (going) await backend.call('end_problem_set', {})
  }

  /** The room is closed. */
  async function leave(): Promise<void> {
    asked++
    problem.value = undefined
    collectionId.value = undefined
    await leaveSet()
  }

  function $reset(): void {
    asked++
    keepTime(undefined)
    collections.value = []
    shipped.value = []
    rating.value = null
    collectionId.value = undefined
    order.value = 'open'
    problem.value = undefined
  }

  return {
    collections, shipped, rating, loading, collectionId, order, problem, set, secondsLeft, phase, tried, answer, solution, counted, ruling, judging, following, step, tries, right, missed, reached,
    collection, base, line, length, stones, task, mayAnswer, mayTakeBack, isOver, mayTell, mayAsk, rightWords, verdict, comment, nameOf, nameOfCollection, playerOf,
    rulingRows, askReferee, follow, refresh, openShelf, openFile, openCollection, openTheme, addRecord, chooseFile, remove, solve, choose, next, give, again, takeBack, reveal, show, stepBy, startSet, leave, $reset,
  }
})
