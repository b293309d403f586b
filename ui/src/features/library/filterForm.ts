import type { RecordFilter } from '@/api'

/** The filter form as it is typed: everything is text until it is used. */
export interface FilterForm {
  player: string
  /** The colour of `player`; empty: either. */
  color: '' | 'black' | 'white'
  opponent: string
  dateFrom: string
  dateTo: string
  winner: '' | 'black' | 'white'
  result: '' | 'score' | 'resignation' | 'time' | 'forfeit' | 'draw' | 'unknown'
  size: string
  komi: string
  event: string
  place: string
  rules: string
  minRank: string
  minHandicap: string
  maxHandicap: string
  minMoves: string
  maxMoves: string
}

export const EMPTY_FORM: Readonly<FilterForm> = {
  player: '', color: '', opponent: '', dateFrom: '', dateTo: '', winner: '', result: '', size: '', komi: '', event: '', place: '', rules: '', minRank: '',
  minHandicap: '', maxHandicap: '', minMoves: '', maxMoves: '',
}

/** What a date field takes: a year, a month or a day. */
const DATE = /^\d{4}(?:-\d{1,2}(?:-\d{1,2})?)?$/u
/** One side for a square board, or `13x9`. */
const SIZE = /^(\d{1,2})(?:\s*[x×:]\s*(\d{1,2}))?$/u

function count(text: string): number | null {
  return /^\d{1,4}$/u.test(text.trim()) ? Number(text) : null
}

/** Fields in which something stands that cannot be asked for. */
export function wrongFields(form: Readonly<FilterForm>): (keyof FilterForm)[] {
  const wrong = (field: keyof FilterForm, fits: (text: string) => boolean): boolean => form[field].trim() !== '' && !fits(form[field].trim())
  const checks: [keyof FilterForm, (text: string) => boolean][] = [
    ['dateFrom', text => DATE.test(text)], ['dateTo', text => DATE.test(text)], ['size', text => SIZE.test(text)],
    ['komi', text => /^-?\d{1,3}(?:[.,]\d{1,2})?$/u.test(text)], ['minRank', text => /^\d{1,2}\s*[kdp]$/iu.test(text)],
    ['minHandicap', text => count(text) !== null], ['maxHandicap', text => count(text) !== null],
    ['minMoves', text => count(text) !== null], ['maxMoves', text => count(text) !== null],
  ]
  return checks.flatMap(([field, fits]) => wrong(field, fits) ? [field] : [])
}

/** The form as conditions; what is empty asks for nothing. */
export function conditionsOf(form: Readonly<FilterForm>): RecordFilter {
  const [, width, height] = SIZE.exec(form.size.trim()) ?? []
  const player = form.player.trim()
  const opponent = form.opponent.trim()
  const texts: RecordFilter = form.color === '' || player === ''
    ? { player, opponent }
    : form.color === 'black' ? { black: player, white: opponent } : { white: player, black: opponent }
  const conditions: RecordFilter = {
    ...texts, dateFrom: form.dateFrom.trim(), dateTo: form.dateTo.trim(), winner: form.winner, result: form.result,
    event: form.event.trim(), place: form.place.trim(), rules: form.rules.trim(),
    minRank: form.minRank.replaceAll(/\s/gu, '').toLowerCase(),
    width: width === undefined ? null : Number(width), height: width === undefined ? null : Number(height ?? width),
    komi: form.komi.trim() === '' ? null : Number(form.komi.trim().replace(',', '.')),
    minHandicap: count(form.minHandicap), maxHandicap: count(form.maxHandicap), minMoves: count(form.minMoves), maxMoves: count(form.maxMoves),
  }
  return Object.fromEntries(Object.entries(conditions).filter(([, value]) => value !== '' && value !== null))
}
