import { defineStore } from 'pinia'
import { computed, shallowRef, watch } from 'vue'
import { useBackend, type GameOffer, type Opponent, type Side } from '@/api'
import { useAnalysis } from '@/features/analysis'
import { hasStones, useGames } from '@/features/game'
import { useNotices } from '@/features/notices'
import { isPupil, usePlay } from '@/features/play'
import { useSettings } from '@/features/settings'
import { AGAINST, fitted, rankOf, readChoice, toStart, type GameChoice } from './choice'

/** The new game that a person has in mind, and what the back end offers for it. */
export const useNewGame = defineStore('newGame', () => {
  const backend = useBackend()
  const games = useGames()
  const play = usePlay()
  const analysis = useAnalysis()
  const settings = useSettings()
  const notices = useNotices()

  const choice = computed(() => readChoice(settings.preferences.newGame))
  /** The position on the board, where it can be played on. */
  const here = computed(() => {
    const game = games.active
    if (!game || play.guarded || !hasStones(game.position)) return undefined
    const { gameId, width, height, topology, position: { nodeId, moveNumber, toMove } } = game
    return { at: { gameId, nodeId }, width, height, topology, moveNumber, toMove }
  })
  const wished = shallowRef(false)
  /** The new game goes on from the position on the board. */
  const from = computed(() => wished.value ? here.value : undefined)
  /** The colour that was chosen for this position; who is to move there otherwise. */
  const colorThere = shallowRef<Side | 'random'>()
  const color = computed(() => from.value ? colorThere.value ?? from.value.toMove : choice.value.color)
  /** The board of the new game. */
  const board = computed(() => from.value ?? choice.value)
  const offer = shallowRef<GameOffer>()
  const beginning = shallowRef(false)
  /** Who can play: without an engine nobody does who needs one, and pupils know small boards alone. */
  const opponents = computed(() => play.opponents.filter(opponent =>
    (!opponent.needsNetwork || !analysis.failed) && (opponent.kind !== 'pupil' || offer.value?.pupils === true)))
  const ofKind = (kind: Opponent['kind']): string[] => opponents.value.filter(opponent => opponent.kind === kind).map(opponent => opponent.id)
  /** Weakest first: below the ranks are those who have just learnt the rules. */
  const ranks = computed(() => [...ofKind('pupil'), ...ofKind('rank')])
  const kinds = computed(() => AGAINST.filter(kind => kind === 'rank' ? ranks.value.length > 0 || play.opponents.length === 0 : kind !== 'nobody' || !from.value))
  const against = computed(() => kinds.value.includes(choice.value.against) ? choice.value.against : kinds.value[0] ?? 'engine')
  /** No opponent is asked: two persons, or one who analyses. */
  const alone = computed(() => against.value === 'person' || against.value === 'nobody')
  const engine = computed(() => {
    const able = opponents.value.filter(({ kind }) => kind === 'level' || kind === 'network' || kind === 'engine')
    return (able.find(opponent => opponent.id === choice.value.engine) ?? able[0])?.id ?? choice.value.engine
  })
  /** The opponents of a game of two of them; `medium`, which needs no network, for one that is not there. */
  const seats = computed(() => {
    const there = (seat: string): string => opponents.value.length === 0 || opponents.value.some(({ id }) => id === seat || id === rankOf(seat)) ? seat : 'medium'
    return { black: there(choice.value.blackSeat), white: there(choice.value.whiteSeat) }
  })
  const near = computed(() => offer.value && rankOf(offer.value.near.opponent))
  /** The rank that is chosen, by hand or as the one that is near. */
  const rank = computed(() => choice.value.near || !ranks.value.includes(choice.value.rank) ? near.value ?? ranks.value[0] ?? '' : choice.value.rank)
  /** Nothing can be said about how it plays. */
  const pupil = computed(() => isPupil(rank.value))
  /** The choice with who is there. */
  const able = computed(() => ({
    ...choice.value, against: against.value, engine: engine.value, rank: rank.value, blackSeat: seats.value.black, whiteSeat: seats.value.white, color: color.value, rated: choice.value.rated && !from.value,
  }))
  /** As it will be played. */
  const game = computed(() => offer.value && fitted(able.value, offer.value))
  /** The person's stone is the first. */
  const first = computed(() => alone.value || (against.value !== 'watch' && choice.value.color === 'black' && (game.value ?? choice.value).handicap === 0))

  /** What a click on the empty board does. */
  const click = computed(() => against.value === 'watch' ? 'watchFirst' : first.value ? 'firstStone' : 'otherFirst')

  let latest = 0 // Answers to an older choice are dropped.
  let failed = false
  async function ask(): Promise<void> {
    const ticket = ++latest
    const { width, height, topology } = board.value
    const { rules, handicap } = choice.value
    const answer = await backend.call('offer_game', { width, height, topology, rules, handicap })
    if (ticket !== latest) return
    if (answer.status === 'ok') {
      offer.value = answer.data
      failed = false
    } else if (offer.value || failed) notices.failed(answer.error)
    else {
      // What was remembered is no board: the usual one is offered instead.
      failed = true
      settings.preferences.newGame = {}
    }
  }

  /** The offer for the choice as it is. */
  let asked: Promise<void> | undefined
  /** Keeps the offer up to date from now on; opponents are asked for anew, as engines may have been added. */
  function open(): void {
    void play.fetchOpponents()
    asked = ask()
  }
  watch(
    () => [board.value.width, board.value.height, board.value.topology, choice.value.rules, choice.value.handicap].join(),
    () => { if (asked) asked = ask() },
    { flush: 'sync' },
  )

  function change(patch: Partial<GameChoice>): void {
    settings.preferences.newGame = { ...choice.value, ...patch }
  }

  /** Gives a colour to an opponent where two of them play. */
  const seat = (side: Side, opponent: string): void => change(side === 'black' ? { blackSeat: opponent } : { whiteSeat: opponent })

  /** Whether the new game goes on from the position on the board; not where there is none. */
  function playFrom(there: boolean): void {
    colorThere.value = undefined
    wished.value = there
  }
  function chooseColor(wanted: Side | 'random'): void {
    if (from.value) colorThere.value = wanted
    else change({ color: wanted })
  }

  /** Begins the game, with a first stone where it is the person's turn. */
  async function begin(stone?: number): Promise<boolean> {
    if (beginning.value) return false
    beginning.value = true
    await asked
    if (!offer.value) {
      beginning.value = false
      return false
    }
    const wanted = toStart(able.value, offer.value, Math.random(), settings.settings.ownName, from.value?.at)
    const free = against.value === 'nobody'
    const begun = free ? await games.startNew(wanted.game) : await play.start(wanted)
    // The engine gives no advice while a game is played.
    if (begun && !free) await analysis.turn(false)
    if (begun && stone !== undefined) {
      if (free) await games.play(stone)
      else if (play.mayMove) await play.turn(stone)
    }
    if (begun) playFrom(false)
    beginning.value = false
    return begun
  }

  function $reset(): void {
    latest++
    playFrom(false)
    asked = undefined
    offer.value = undefined
    failed = false
  }

  return { choice, here, from, color, offer, game, opponents, kinds, against, alone, engine, seats, first, click, ranks, near, rank, pupil, beginning, open, change, seat, playFrom, chooseColor, begin, $reset }
})
