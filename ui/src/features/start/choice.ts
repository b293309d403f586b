import type { BoardTopology, ClockKind, GameOffer, NodeRef, Seats, Side, StartPlay } from '@/api'
import { isPupil } from '@/features/play'

/** Whom a game is played against: a rank, a level or another program, a second person, nobody (a board to analyse on); or two opponents play. */
export const AGAINST = ['rank', 'engine', 'person', 'nobody', 'watch'] as const
export type Against = (typeof AGAINST)[number]
export const CLOCKS = ['none', 'absolute', 'byoYomi', 'canadian', 'fischer'] as const satisfies readonly (ClockKind | 'none')[]
const COLORS = ['black', 'white', 'random'] as const
/** Seconds between the moves of two opponents. */
export const PACES = [0, 1, 2, 5, 10] as const

/** What a person chooses for a new game. The last choice is remembered. */
export interface GameChoice {
  width: number
  height: number
  topology: BoardTopology
  against: Against
  /** The opponent is about as strong as the person; otherwise `rank`. */
  near: boolean
  /** An opponent's id, of a rank or of who has just learnt the rules. */
  rank: string
  /** An opponent's id, of a level or an installed engine. */
  engine: string
  rated: boolean
  /** The opponents of a game of two of them, with their styles. */
  blackSeat: string
  whiteSeat: string
  /** Seconds between their moves. */
  pace: number
  color: Side | 'random'
  /** A ruleset's name; empty for the most usual one, which the back end names. */
  rules: string
  /** Points; null for what is usual. */
  komi: number | null
  handicap: number
  black: string
  white: string
  clock: ClockKind | 'none'
  mainMinutes: number
  periodSeconds: number
  periods: number
  stones: number
  teaching: boolean
  /** A style for opponents of a rank; empty for none. */
  style: string
  /** An opponent of a rank becomes stronger or weaker as the score goes. */
  adaptive: boolean
}

/** What somebody finds who is here for the first time. */
export const FIRST_CHOICE: Readonly<GameChoice> = {
  width: 9, height: 9, topology: 'plane', against: 'rank', near: true, rank: '', engine: 'medium', rated: false, color: 'black',
  blackSeat: 'medium', whiteSeat: 'medium', pace: 1,
  rules: '', komi: null, handicap: 0, black: '', white: '', clock: 'none', mainMinutes: 10, periodSeconds: 30, periods: 3, stones: 25,
  teaching: false, style: '', adaptive: false,
}

const oneOf = <T extends string>(values: readonly T[], value: unknown, otherwise: T): T => values.includes(value as T) ? value as T : otherwise
const whole = (value: unknown, low: number, high: number, otherwise: number): number =>
  typeof value === 'number' && Number.isInteger(value) && value >= low && value <= high ? value : otherwise
const text = (value: unknown, otherwise: string): string => typeof value === 'string' ? value.slice(0, 100) : otherwise
const truth = (value: unknown, otherwise: boolean): boolean => typeof value === 'boolean' ? value : otherwise

/** Reads the choice of an older, newer or damaged version: what does not fit is as at first. */
export function readChoice(raw: Readonly<Record<string, unknown>>): GameChoice {
  const first = FIRST_CHOICE
  return {
    // What a board can be at all, the back end says when the game is offered.
    width: whole(raw.width, 1, 255, first.width),
    height: whole(raw.height, 1, 255, first.height),
    topology: oneOf<BoardTopology>(['plane', 'torus'], raw.topology, first.topology),
    against: oneOf(AGAINST, raw.against, first.against),
    near: truth(raw.near, first.near),
    rank: text(raw.rank, first.rank),
    engine: text(raw.engine, first.engine),
    rated: truth(raw.rated, first.rated),
    blackSeat: text(raw.blackSeat, first.blackSeat),
    whiteSeat: text(raw.whiteSeat, first.whiteSeat),
    pace: PACES.find(seconds => seconds === raw.pace) ?? first.pace,
    color: oneOf(COLORS, raw.color, first.color),
    rules: text(raw.rules, first.rules),
    komi: typeof raw.komi === 'number' && Number.isFinite(raw.komi) ? raw.komi : null,
    handicap: whole(raw.handicap, 0, 9, first.handicap),
    black: text(raw.black, first.black),
    white: text(raw.white, first.white),
    clock: oneOf(CLOCKS, raw.clock, first.clock),
    mainMinutes: whole(raw.mainMinutes, 0, 600, first.mainMinutes),
    periodSeconds: whole(raw.periodSeconds, 1, 3600, first.periodSeconds),
    periods: whole(raw.periods, 1, 100, first.periods),
    stones: whole(raw.stones, 1, 100, first.stones),
    teaching: truth(raw.teaching, first.teaching),
    style: text(raw.style, first.style),
    adaptive: truth(raw.adaptive, first.adaptive),
  }
}

/** Points from which a loss is asked about. */
const ASK_FROM = 5

/** `rank_5k` of `rank_5k+territorial+adaptive`. */
export const rankOf = (opponent: string): string => opponent.split('+')[0] ?? opponent

/** A choice without what the board or the opponent do not allow, with the komi that is played with. */
export function fitted(choice: GameChoice, offer: GameOffer): GameChoice & { komi: number } {
  const rated = choice.rated && choice.against === 'rank' && offer.rated
  const ruleset = offer.rulesets.find(({ name }) => name === choice.rules) ?? offer.rulesets[0]
  return {
    ...choice, rated,
    handicap: !rated && offer.handicaps.includes(choice.handicap) ? choice.handicap : 0,
    rules: ruleset?.name ?? choice.rules,
    // Komi and handicap that were chosen are for other games: a rated one is even.
    komi: rated && ruleset ? ruleset.komi : choice.komi ?? offer.komi,
  }
}

/** The opponent as the back end names it: a rank with its style. */
export function opponentId(choice: GameChoice, offer: GameOffer): string {
  if (choice.against === 'engine') return choice.engine
  if (choice.rated) return 'rated'
  const wanted = choice.near || choice.rank === '' ? offer.near.opponent : choice.rank
  if (isPupil(wanted)) return wanted
  return rankOf(wanted) + (choice.style === '' ? '' : `+${choice.style}`) + (choice.adaptive || wanted.endsWith('+adaptive') ? '+adaptive' : '')
}

/** Who has each colour where the person has this one. */
function seated(choice: GameChoice, offer: GameOffer, person: Side | null): Seats {
  if (choice.against === 'watch') return { black: choice.blackSeat, white: choice.whiteSeat }
  if (person === null) return { black: null, white: null }
  const opponent = opponentId(choice, offer)
  return person === 'black' ? { black: null, white: opponent } : { black: opponent, white: null }
}

/**
 * The game as the back end takes it. `chance` decides the colour where it is left to it, 0 to 1. Against an opponent, who
 * has a name, the person's own one goes with whichever colour that is. `from` is a position that is played on.
 */
export function toStart(wanted: GameChoice, offer: GameOffer, chance: number, ownName = '', from: NodeRef | null = null): StartPlay {
  const choice = fitted(wanted, offer)
  const watched = choice.against === 'watch'
  const alone = choice.against === 'person' || choice.against === 'nobody'
  const person = alone || watched ? null : choice.color === 'random' ? chance < 0.5 ? 'black' : 'white' : choice.color
  const named = (side: Side): string => alone ? choice[side] : side === person ? ownName : ''
  const { width, height, topology, rules, komi, handicap } = choice
  return {
    game: { width, height, topology, rules, komi, handicap, black: named('black'), white: named('white') },
    from,
    seats: seated(choice, offer, person),
    pace: watched ? choice.pace : null,
    clock: choice.clock === 'none'
      ? null
      : { kind: choice.clock, mainSeconds: choice.mainMinutes * 60, periodSeconds: choice.periodSeconds, periods: choice.periods, stones: choice.stones },
    // Nobody is warned in a rated game, nor where two people or two opponents play.
    teaching: choice.teaching && person !== null && !choice.rated ? ASK_FROM : null,
  }
}
