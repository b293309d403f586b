import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { useBackend, type ExerciseAnswer, type ExerciseJudged, type ExerciseKind, type ExerciseView, type KindFigures, type Side, type Vertex } from '@/api'
import { pointName } from '@/features/board'
import { minutesAhead } from '@/features/game'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'
import { plainPoints } from '@/i18n/formats'

/** What a session takes before it asks whether to go on. */
const SESSION_MS = 5 * 60_000
const LETTERS = 'ABCD'

export const EXERCISE_KINDS = ['score', 'count', 'ladder', 'biggest'] as const satisfies readonly ExerciseKind[]
type Phase = 'asking' | 'judging' | 'judged'

/** To the nearest half, as komi has them. */
const halves = (points: number): string => plainPoints(Math.round(points * 2) / 2)
const tenths = (points: number): string => plainPoints(Math.round(points * 10) / 10)

/** One exercise after the other, from the games of the library. */
export const useExercises = defineStore('exercises', () => {
  const backend = useBackend()
  const notices = useNotices()

  /** What is practised; nothing while the cards are. */
  const kind = shallowRef<ExerciseKind>()
  const exercise = shallowRef<ExerciseView>()
  const loading = shallowRef(false)
  const phase = shallowRef<Phase>('asking')
  const judged = shallowRef<ExerciseJudged>()
  const figures = shallowRef<readonly KindFigures[]>([])
  /** Moves of the line that are on the board. */
  const step = shallowRef(0)
  /** Any point may be the biggest move, not the marked ones alone. */
  const anywhere = shallowRef(false)
  /** Who is ahead by how much, as the person says it. */
  const ahead = shallowRef<Side>('black')
  const points = shallowRef(0)
  const tried = shallowRef<Vertex>(null)

  const tries = shallowRef(0)
  const right = shallowRef(0)
  const resting = shallowRef(false)
  let began = 0
  /** Counts questions: an answer to an earlier one says nothing of this one. */
  let asked = 0

  const board = computed(() => exercise.value?.board)
  const line = computed(() => judged.value?.line ?? undefined)
  const stones = computed(() => (step.value > 0 ? line.value?.boards[step.value - 1] : undefined) ?? board.value?.stones ?? [])
  const isNumber = computed(() => kind.value === 'score' || kind.value === 'count')
  /** The moves to choose among, by their letters. */
  const choices = computed(() => kind.value !== 'biggest' ? [] : (exercise.value?.marks ?? []).map((point, at) => ({ point, letter: LETTERS[at] ?? '' })))
  const own = computed(() => figures.value.find(one => one.kind === kind.value))

  const nameOf = (vertex: Vertex): string => vertex === null || !board.value ? say('lessons.pass') : pointName(vertex, board.value.width, board.value.height)
  const playerOf = (side: Side): string => say(side === 'black' ? 'game.player.black' : 'game.player.white')
  /** A game that is over has a winner; in one that goes on somebody is ahead. */
  const leadWords = (blackLead: number): string =>
    Math.abs(blackLead) < 0.25 ? say(kind.value === 'count' ? 'exercises.draw' : 'exercises.even') : say(kind.value === 'count' ? 'exercises.wins' : 'exercises.ahead', { player: playerOf(blackLead > 0 ? 'black' : 'white'), points: halves(Math.abs(blackLead)) })

  const question = computed(() => {
    if (!exercise.value) return ''
    const asks = exercise.value.exercise.kind
    const player = playerOf(exercise.value.board.toMove)
    return asks === 'ladder' || asks === 'biggest' ? say(`exercises.ask.${asks}`, { player }) : say(`exercises.ask.${asks}`)
  })
  /** What became of the answer, in words. */
  const verdict = computed(() => {
    const found = judged.value
    if (!found) return ''
    if (found.works !== null) return say(found.works ? 'exercises.ladderWorks' : 'exercises.ladderFails')
    if (found.blackLead !== null) {
      const off = Math.round(found.error * 2) / 2
      return [leadWords(found.blackLead), off === 0 ? say('exercises.exact') : say('exercises.off', { points: halves(off) })].join(' ')
    }
    const best = found.moves[0]
    const words = { point: nameOf(tried.value), points: tenths(found.error) }
    if (best?.vertex === tried.value || found.error === 0) return say('lessons.best', words)
    return say(!found.right ? 'lessons.wrong' : found.error < 0.05 ? 'lessons.equal' : 'lessons.asGood', words)
  })

  function clear(): void {
    asked++
    phase.value = 'asking'
    judged.value = undefined
    step.value = 0
    points.value = 0
    ahead.value = 'black'
    tried.value = null
  }

  async function open(wanted: ExerciseKind): Promise<void> {
    kind.value = wanted
    tries.value = 0
    right.value = 0
    began = Date.now()
    resting.value = false
    exercise.value = undefined
    void loadFigures()
    await load()
  }

  async function load(): Promise<void> {
    const wanted = kind.value
    if (!wanted) return
    const ticket = ++asked
    loading.value = true
    const found = await backend.call('next_exercise', { kind: wanted })
    if (ticket !== asked) return
    loading.value = false
    // What was answered stays as it is until then.
    clear()
    if (found.status === 'error') {
      exercise.value = undefined
      notices.failed(found.error, 'notice.noAnalysis')
      return
    }
    exercise.value = found.data.exercise ?? undefined
    if (!exercise.value) return
    notices.announce(question.value)
    // The search goes on while the person thinks; one that fails says so with the answer.
    void backend.call('prepare_exercise', { exercise: exercise.value.exercise })
  }

  async function loadFigures(): Promise<void> {
    const found = await backend.call('exercise_figures', { minutesAhead: minutesAhead() })
    if (found.status === 'ok') figures.value = found.data.kinds
  }

  async function give(answer: ExerciseAnswer): Promise<void> {
    const now = exercise.value
    if (!now || phase.value !== 'asking') return
    const ticket = asked
    tried.value = answer.kind === 'move' ? answer.vertex : null
    phase.value = 'judging'
    const found = await backend.call('answer_exercise', { exercise: now.exercise, answer })
    if (ticket !== asked) return
    if (found.status === 'error') {
      phase.value = 'asking'
      notices.failed(found.error, 'notice.noAnalysis')
      return
    }
    judged.value = found.data
    phase.value = 'judged'
    tries.value++
    if (found.data.right) right.value++
    notices.announce(`${say(found.data.right ? 'exercises.right' : 'exercises.wrong')} ${verdict.value}`)
    void loadFigures()
  }
  const giveLead = (): Promise<void> => give({ kind: 'lead', blackLead: ahead.value === 'black' ? points.value : -points.value })
  const giveMove = (vertex: Vertex): Promise<void> => give({ kind: 'move', vertex })
  const giveLadder = (works: boolean): Promise<void> => give({ kind: 'ladder', works })

  function show(at: number): void {
    step.value = Math.max(0, Math.min(at, line.value?.moves.length ?? 0))
  }
  const stepBy = (by: number): void => show(step.value + by)

  async function next(): Promise<void> {
    if (Date.now() - began >= SESSION_MS) {
      resting.value = true
      return
    }
    await load()
  }
  /** After five minutes: five more. */
  async function goOn(): Promise<void> {
    began = Date.now()
    resting.value = false
    await load()
  }

  function leave(): void {
    asked++
    kind.value = undefined
    exercise.value = undefined
    loading.value = false
  }

  function $reset(): void {
    leave()
    clear()
    figures.value = []
    anywhere.value = false
    tries.value = 0
    right.value = 0
    resting.value = false
  }

  return {
    kind, exercise, loading, phase, judged, figures, step, anywhere, ahead, points, tried, tries, right, resting,
    board, line, stones, isNumber, choices, own, question, verdict, nameOf, playerOf, leadWords, tenths,
    open, load, give, giveLead, giveMove, giveLadder, show, stepBy, next, goOn, leave, $reset,
  }
})
