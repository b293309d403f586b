/** A scale whose ends and steps are round numbers. */
export interface Scale {
  readonly low: number
  readonly high: number
  readonly ticks: readonly number[]
}

/** The scale that holds all values, with about so many steps. */
export function scaleOf(values: readonly number[], steps = 4): Scale {
  const known = values.filter(Number.isFinite)
  const low = Math.min(...known, known.length > 0 ? Infinity : 0)
  const high = Math.max(...known, known.length > 0 ? -Infinity : 1)
  const range = high - low || Math.abs(high) || 1
  const rough = range / steps
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find(times => times * power >= rough * 0.999) ?? 10) * power
  const first = Math.floor(low / step + 1e-9)
  const last = Math.max(first + 1, Math.ceil(high / step - 1e-9))
  // Multiples, so that errors do not add up; ten digits are more than anybody reads.
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(10)))
  return { low: ticks[0] ?? 0, high: ticks.at(-1) ?? 1, ticks }
}

/** Round whole numbers between two, for the names of places; where there is none, the first. */
export function places(first: number, last: number, steps = 6): number[] {
  const round = last > first ? scaleOf([first, last], Math.min(steps, last - first)).ticks.filter(tick => Number.isInteger(tick) && tick >= first && tick <= last) : []
  return round.length > 0 ? round : [first]
}
