import { i18n, say } from './index'

const kept = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>()

function numbers(name: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const locale = i18n.global.locale.value
  const key = `${locale} ${name}`
  let format = kept.get(key)
  if (!format) kept.set(key, format = new Intl.NumberFormat(locale, options))
  return format as Intl.NumberFormat
}

/** A chance of 0..1 as `52.1` without its sign. */
export function percentFigure(share: number): string {
  return numbers('percent', { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(share * 100)
}

/** A chance of 0..1 as `52.1%`. */
export function percent(share: number): string {
  return numbers('percentSign', { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(share)
}

/** The share of wins among games that somebody won, as `52.1%`; a dash where nobody won any. */
export function winPercent(wins: number, losses: number): string {
  return wins + losses > 0 ? percent(wins / (wins + losses)) : '–'
}

/** A chance of 0..1 as `52%`. */
export function wholePercent(share: number): string {
  return numbers('wholePercent', { style: 'percent', maximumFractionDigits: 0 }).format(share)
}

/** A lead in points as `+0.8` or `−3.5`; a dash where nobody counted any. */
export function signedPoints(points: number | null): string {
  if (points === null) return '–'
  const rounded = Math.round(points * 10) / 10
  return numbers('signed', { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: 'exceptZero' })
    .format(rounded === 0 ? 0 : rounded).replace('-', '−')
}

/** The same without its tenths, for where there is no room for them: `+1` or `−4`. */
export function signedWholePoints(points: number | null): string {
  if (points === null) return '–'
  const rounded = Math.round(points)
  return rounded === 0 ? '0' : rounded > 0 ? `+${rounded}` : `−${-rounded}`
}

/** Points without a sign, as `6.5` or `7`. */
export function plainPoints(points: number): string {
  const shown = numbers('points', { maximumFractionDigits: 2 }).format(points)
  return shown === '-0' ? '0' : shown
}

/** Visits in at most four signs: `87`, `1.2k`, `35k`, `2.1M`. The letters are the same in every Go program. */
export function shortCount(count: number): string {
  const digits = (value: number, letter: string): string =>
    numbers(value < 9.95 ? 'one' : 'none', { maximumFractionDigits: value < 9.95 ? 1 : 0, useGrouping: false }).format(value) + letter
  if (count < 1000) return String(Math.round(count))
  return count < 999_500 ? digits(count / 1000, 'k') : digits(count / 1_000_000, 'M')
}

/** A moment, given in seconds since 1970, as day and time: `Mar 4, 2026, 15:30`. */
export function dayAndTime(seconds: number): string {
  const locale = i18n.global.locale.value
  const key = `${locale} dayAndTime`
  let format = kept.get(key)
  if (!format) kept.set(key, format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))
  return (format as Intl.DateTimeFormat).format(seconds * 1000)
}

/** The day on which a moment is where the person is, given in seconds since 1970, as records write it: `2026-03-04`. */
export function dayHere(seconds: number): string {
  const moment = new Date(seconds * 1000)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}

/** When something was, as records write it, up to the last of several dates without what it shares with the first: `1996-05-30–06-01`. */
export function dateSpan(first: string, last: string): string {
  if (!last) return first
  const [one, other] = [first.split('-'), last.split('-')]
  const differs = one.length === other.length ? one.findIndex((part, at) => part !== other[at]) : 0
  return `${first}–${other.slice(Math.max(differs, 0)).join('-')}`
}

/** Parts in a row with the language's separator, as `D4, Q16`. Not `Intl.ListFormat`: what it joins without an "and" runs together in Chinese and Japanese. */
export function listed(parts: readonly string[]): string {
  return parts.filter(part => part !== '').join(say('format.separator'))
}

/** A whole number with the language's grouping. */
export function wholeNumber(count: number): string {
  // Nothing to group, and the digits are the same in all languages of the window: the first formatter takes long to make.
  if (Number.isInteger(count) && count >= 0 && count < 1000) return String(count)
  return numbers('whole', { maximumFractionDigits: 0 }).format(count)
}

/** A rating as `1500`: players read its four digits as one figure, and never as a count. */
export function ratingFigure(rating: number): string {
  return String(Math.round(rating))
}

// Units are messages: `Intl` spaces them differently in each language, and not as its players write them.
/** A size in megabytes, as `12 MB`, a small one as `0.4 MB`, and one that would be none as `34 kB`. */
export function megabytes(kib: number): string {
  const size = kib * 1024 / 1e6
  if (size > 0 && size < 0.05) return say('format.kilobytes', { count: withDigits(Math.max(1, size * 1000), 0) })
  return say('format.megabytes', { count: withDigits(size, size < 9.95 ? 1 : 0) })
}

/** A time in the unit that suits it: `48 s`, `12 min`, `3.5 h`. */
export function duration(seconds: number): string {
  if (seconds < 120) return say('format.seconds', { count: withDigits(seconds, 0) })
  if (seconds < 7200) return say('format.minutes', { count: withDigits(seconds / 60, 0) })
  return say('format.hours', { count: withDigits(seconds / 3600, 1) })
}

const withDigits = (value: number, digits: number): string => numbers(`rounded ${digits}`, { maximumFractionDigits: digits }).format(value)

/** A difference in Elo as `+312` or `−40`. */
export function signedElo(elo: number): string {
  const rounded = Math.round(elo)
  return numbers('elo', { signDisplay: 'exceptZero', maximumFractionDigits: 0 }).format(rounded === 0 ? 0 : rounded).replace('-', '−')
}

/** A mean loss, as `2.314`. */
export function lossFigure(loss: number): string {
  return numbers('loss', { minimumFractionDigits: 3, maximumFractionDigits: 3 }).format(loss)
}
