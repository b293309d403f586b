import type { ClubInvitation, ClubPerson, ClubRating, RoomColor, RoomState, RoomTerms, RoomTime } from '@/api'
import { say } from '@/i18n'
import { boardWords } from '@/i18n/boards'
import { dayAndTime, plainPoints } from '@/i18n/formats'
import { rulesetName } from '@/i18n/rulesets'

/** Between facts that stand in one line. */
const BETWEEN = ' · '

/** `10 min + 5 × 30 s`, as players write it. */
export function timeWords(time: RoomTime | null): string {
  if (!time) return say('play.clockKind.none')
  const main = mainWords(time.main_seconds)
  switch (time.kind) {
    case 'absolute': return main
    case 'fischer': return say('club.time.fischer', { main, seconds: plainPoints(time.increment_seconds) })
    case 'byo_yomi': return say('club.time.byoYomi', { main, periods: time.periods, seconds: plainPoints(time.period_seconds) })
    case 'canadian': return say('club.time.canadian', { main, stones: time.stones, seconds: plainPoints(time.period_seconds) }, time.stones)
  }
}

function mainWords(seconds: number): string {
  return seconds % 60 === 0 ? say('format.minutes', { count: seconds / 60 }) : say('format.seconds', { count: plainPoints(seconds) })
}

/** `1662`, or `1662?` as long as it says little. */
export const ratingFigure = ({ rating, provisional }: ClubRating): string => provisional ? `${rating}?` : String(rating)

/** Ratings in one line, with the boards they are for. */
export function ratingsLine(ratings: readonly ClubRating[]): string {
  return ratings.map(one => `${boardWords({ ...one, topology: 'plane' })} ${ratingFigure(one)}`).join(BETWEEN)
}

/** Everything that was agreed on, in one line. */
export function termsWords(terms: RoomTerms): string {
  return [
    boardWords(terms), rulesetName(terms.rules),
    ...(terms.handicap > 1 ? [say('game.handicapStones', {}, terms.handicap)] : []),
    ...(terms.komi === null ? [] : [say('game.komiIs', { komi: plainPoints(terms.komi) })]),
    timeWords(terms.time),
    ...(terms.rated ? [say('club.rating.rated')] : []),
    ...(terms.delay_seconds ? [say('club.new.watchedLater', { time: mainWords(terms.delay_seconds) })] : []),
  ].join(BETWEEN)
}

/** Who invites to what. */
export function invitationWords({ from, lesson, terms }: ClubInvitation): string {
  const words = say(lesson ? 'club.lobby.invitesLesson' : 'club.lobby.invites', { name: from })
  return terms === null ? words : [words, termsWords(terms)].join(BETWEEN)
}

/** Whether somebody can sit down: what a guest plays does not count. */
export function mayPlay({ rated }: Pick<RoomTerms, 'rated'>, person: ClubPerson | undefined): boolean {
  return !(rated && person?.guest)
}

/** The colour of whoever had `mine`, in the same game again: the other one, unless handicap stones are for the weaker player. */
export function colorAgain(mine: RoomColor, handicap: number): 'black' | 'white' {
  return (mine === 1) === (handicap > 0) ? 'black' : 'white'
}

/** What comes of it that a player stays away: when the count stands, or when the game can be claimed. Empty where a clock says it. */
export function absenceWords({ stage, counting, claimable_in_seconds: claimable }: Pick<RoomState, 'stage' | 'counting' | 'claimable_in_seconds'>, name: string, now: number): string {
  if (stage === 'counting' && counting) {
    if (counting.settled_in_seconds !== null) return say('club.room.settles', { name, time: dayAndTime(now + counting.settled_in_seconds) })
    return say(counting.proposed ? 'club.room.awayAccept' : 'club.room.awayMarks', { name })
  }
  if (stage === 'adjourned' && claimable !== null) return claimable > 0 ? say('club.room.claimFrom', { name, time: dayAndTime(now + claimable) }) : say('club.room.claimNow', { name })
  return ''
}

/** What a room is played by, to make another one like it. */
export function termsOf(state: RoomState): RoomTerms {
  return {
    width: state.board[0]?.length ?? 19, height: state.board.length, topology: state.topology, rules: state.rules, komi: state.komi, handicap: state.handicap, time: state.time, rated: state.rated, delay_seconds: state.delay_seconds,
  }
}
