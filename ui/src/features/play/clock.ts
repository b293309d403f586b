import type { ClockLeft } from '@/api'

/** Seconds of the running time from which the last ones are counted. */
export const WARN_FROM = 10

/** What a clock shows some seconds after it was reported. */
export interface ShownClock {
  /** `1:02:03`, `12:05` or `9.4`. */
  readonly text: string
  /** The clock runs in overtime. */
  readonly overtime: boolean
  readonly periods: number
  readonly stones: number
  /** Time is about to run out. */
  readonly urgent: boolean
  /** Whole seconds left of what runs, for counting aloud. */
  readonly seconds: number
}

/** Seconds as a clock shows them: tenths below ten seconds, so that the end is seen coming. */
export function clockText(seconds: number): string {
  const left = Math.max(0, seconds)
  if (left < 10) return (Math.floor(left * 10) / 10).toFixed(1)
  const whole = Math.floor(left)
  const two = (value: number): string => String(value).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}

/**
 * A clock as it stands `elapsed` seconds after it was reported; 0 for the one that does not run. What happens between two
 * periods the back end decides: here the running one only counts down to nothing.
 */
export function shownClock(clock: ClockLeft, elapsed: number): ShownClock {
  const overtime = clock.periodSeconds !== null
  const left = Math.max(0, (clock.periodSeconds ?? clock.mainSeconds) - elapsed)
  // Main time that runs out goes over into periods, where there are any: only the last of all is urgent.
  const last = overtime || (clock.periods === 0 && clock.stones === 0)
  return { text: clockText(left), overtime, periods: clock.periods, stones: clock.stones, urgent: left <= WARN_FROM && last, seconds: Math.ceil(left) }
}
