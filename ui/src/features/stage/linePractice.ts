import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import { useBackend, type PractisedPosition, type Side } from '@/api'
import { pointName } from '@/features/board'
import { useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { say } from '@/i18n'
import { listed } from '@/i18n/formats'
import { askedBelow, childAmong, leadingTo, parentOf, type RecordedMove } from './lineTree'

/** Milliseconds before the record answers, and before it goes on with another variation. */
const REPLY_MS = 450
const NEXT_LINE_MS = 1200

/**
 * Practise the variations of the record from the position on: the person plays one side, the record the other one. Every
 * position at which the record has a move for the person is asked until it was answered rightly.
 */
export const useLinePractice = defineStore('linePractice', () => {
  const backend = useBackend()
  const games = useGames()
  const notices = useNotices()
  const active = shallowRef(false)
  const side = shallowRef<Side>('black')
  const asked = shallowRef<ReadonlyMap<number, readonly RecordedMove[]>>(new Map())
  const known = shallowRef<ReadonlySet<number>>(new Set())
  /** Positions that were missed once; they are asked after the others. */
  const missedAt = shallowRef<ReadonlySet<number>>(new Set())
  /** What was played wrongly last, to be seen beside the move of the record. */
  const missed = shallowRef<number>()
  const all = computed(() => asked.value.size)

  let top = 0
  /** The position that an answer is awaited at. */
  const waitsAt = shallowRef<number>()
  /** Steps of an earlier run end by themselves. */
  let run = 0
  /** The notice that offers to keep the positions. */
  let offer: number | undefined

  /** Begins at the position on the board, or again from where it began with the moves of a side. */
  function start(as?: Side): void {
    const { active: game, position } = games
    if (!game || !position) return
    if (!active.value) top = position.nodeId
    const first = as ?? position.toMove
    const sides: Side[] = as ? [as] : [first, first === 'black' ? 'white' : 'black']
    const found = sides.map(one => ({ one, moves: askedBelow(game.tree, top, one) })).find(({ moves }) => moves.size > 0)
    if (!found) {
      notices.show({ tone: 'info', title: say('lines.none') })
      return
    }
    stop()
    withdraw()
    side.value = found.one
    asked.value = found.moves
    known.value = new Set()
    missedAt.value = new Set()
    active.value = true
    notices.announce(say(`lines.begin.${side.value}`))
    void goOn(top)
  }
  function stop(): void {
    run++
    active.value = false
    missed.value = undefined
    waitsAt.value = undefined
  }
  const toggle = (): void => active.value ? stop() : start()

  const pause = (milliseconds: number): Promise<void> => new Promise(resolve => void setTimeout(resolve, milliseconds))

  /** Lets the record move until the person is asked; where this variation has nothing to ask any more, in another one. */
  async function goOn(from: number): Promise<void> {
    const mine = ++run
    const still = (): boolean => active.value && mine === run
    const tree = games.active?.tree
    const due = new Set([...asked.value.keys()].filter(node => !known.value.has(node)))
    const next = [...due].find(node => !missedAt.value.has(node)) ?? [...due][0]
    if (!tree || next === undefined) {
      finish()
      return
    }
    const leads = leadingTo(tree, due)
    let node = from
    if (!leads.has(node)) {
      await pause(NEXT_LINE_MS)
      if (!still()) return
      missed.value = undefined
      // The move that is to be answered is seen being played.
      node = next === top ? top : parentOf(tree, next)
    }
    if (games.position?.nodeId !== node) await games.goTo(node)
    while (still() && !due.has(node)) {
      const child = childAmong(tree, node, leads)
      if (child === undefined) return
      await pause(REPLY_MS)
      if (!still()) return
      await games.goTo(child)
      node = child
    }
    if (still()) waitsAt.value = node
  }

  /** A move of the person. */
  async function play(point: number): Promise<void> {
    const game = games.active
    const at = waitsAt.value
    if (!game || at === undefined) return
    // Who looked elsewhere is brought back first.
    if (games.position?.nodeId !== at) {
      await games.goTo(at)
      return
    }
    const answers = asked.value.get(at) ?? []
    const right = answers.find(answer => answer.vertex === point)
    const goesOn = right ?? answers[0]
    if (!goesOn || games.position.stones[point]) return
    waitsAt.value = undefined
    missed.value = right ? undefined : point
    const name = (vertex: number): string => pointName(vertex, game.width, game.height)
    if (right) known.value = new Set([...known.value, at])
    else missedAt.value = new Set([...missedAt.value, at])
    notices.announce(right ? say('guess.right', { point: name(point) }) : say('lines.wrong', { points: listed(answers.map(({ vertex }) => name(vertex))) }))
    const mine = run
    await games.goTo(goesOn.nodeId)
    if (mine === run) await goOn(goesOn.nodeId)
  }

  function finish(): void {
    const gameId = games.activeId
    const positions = [...asked.value.keys()].map((nodeId): PractisedPosition => ({ nodeId, missed: missedAt.value.has(nodeId) }))
    offer = notices.show({
      tone: 'info',
      lasting: true,
      title: say('lines.done', {}, all.value),
      detail: missedAt.value.size > 0 ? say('lines.doneMissed', {}, missedAt.value.size) : say('lines.doneAtOnce'),
      action: gameId === undefined ? undefined : { label: say('lines.keep', {}, positions.length), run: () => void keep(gameId, positions) },
    })
    stop()
  }

  /** Keeps the positions among the cards that come back; the practice was the first answer to them. */
  async function keep(gameId: string, positions: PractisedPosition[]): Promise<void> {
    const found = await backend.call('keep_lines', { gameId, positions })
    if (found.status === 'error') notices.failed(found.error)
    else notices.show({ tone: 'success', title: say('lines.kept', {}, found.data.cards), detail: say('lines.keptDetail') })
  }

  /** What is offered is about a tree that may be another one by now. */
  function withdraw(): void {
    if (offer !== undefined) notices.dismiss(offer)
    offer = undefined
  }

  // What is edited is another tree to practise.
  watch([() => games.activeId, () => games.active?.tree.revision], () => {
    stop()
    withdraw()
  })

  return { active, side, known, missedAt, missed, all, waitsAt, start, stop, toggle, play, $reset: stop }
})
