import type { RoomTime } from '@/api'

export const CLOCKS = ['none', 'absolute', 'byoYomi', 'canadian', 'fischer'] as const
/** What a form asks of a clock. */
export interface ClockChoice {
  clock: typeof CLOCKS[number]
  mainMinutes: number
  periodSeconds: number
  periods: number
  stones: number
}
export const USUAL_CLOCK: Readonly<ClockChoice> = { clock: 'byoYomi', mainMinutes: 20, periodSeconds: 30, periods: 5, stones: 25 }

/** The same as the server takes it. */
export function timeOf({ clock, mainMinutes, periodSeconds, periods, stones }: Readonly<ClockChoice>): RoomTime | null {
  const main_seconds = mainMinutes * 60
  switch (clock) {
    case 'absolute': return { kind: 'absolute', main_seconds }
    case 'fischer': return { kind: 'fischer', main_seconds, increment_seconds: periodSeconds }
    case 'byoYomi': return { kind: 'byo_yomi', main_seconds, period_seconds: periodSeconds, periods }
    case 'canadian': return { kind: 'canadian', main_seconds, period_seconds: periodSeconds, stones }
    case 'none': return null
  }
}
