import type { ClockKind, NewGame, Side, StartPlay } from '@/api'

/** What a person chose for a game to be played. */
export interface PlayWish {
  /** An opponent's id, `person` for two persons, or empty for a record that is only written. */
  readonly opponent: string
  readonly color: Side | 'random'
  readonly clock: ClockKind | 'none'
  readonly mainMinutes: number
  readonly periodSeconds: number
  readonly periods: number
  readonly stones: number
  readonly teaching: boolean
  /** A style for opponents of a rank; empty for none. */
  readonly style: string
  /** An opponent of a rank becomes stronger or weaker as the score goes. */
  readonly adaptive: boolean
}

export const USUAL_WISH: PlayWish = {
  opponent: 'medium', color: 'black', clock: 'none', mainMinutes: 10, periodSeconds: 30, periods: 3, stones: 25, teaching: false, style: '', adaptive: false,
}

/** Points from which a loss is asked about. */
const ASK_FROM = 5

/** The opponent as the back end names it: a rank with its style. */
export function opponentId({ opponent, style, adaptive }: PlayWish): string {
  if (!isRank(opponent)) return opponent
  return opponent + (style === '' ? '' : `+${style}`) + (adaptive ? '+adaptive' : '')
}

export const isRank = (opponent: string): boolean => /^rank_\d+[kd]$/.test(opponent)

/** The same as the back end takes it. `chance` decides the colour where it is left to it, 0 to 1. */
export function toStart(wish: PlayWish, game: NewGame, chance: number): StartPlay {
  const person: Side | null = wish.opponent === 'person' ? null : wish.color === 'random' ? chance < 0.5 ? 'black' : 'white' : wish.color
  return {
    game, person, opponent: wish.opponent === 'person' ? null : opponentId(wish),
    clock: wish.clock === 'none'
      ? null
      : { kind: wish.clock, mainSeconds: wish.mainMinutes * 60, periodSeconds: wish.periodSeconds, periods: wish.periods, stones: wish.stones },
    // Nobody is warned in a rated game.
    teaching: wish.teaching && wish.opponent !== 'rated' ? ASK_FROM : null,
  }
}
