import type { Seats, Side } from '@/api'

/** The colour of the person who plays an opponent; null where two persons play, and where none does. */
export const personOf = ({ black, white }: Seats): Side | null =>
  (black === null) === (white === null) ? null : black === null ? 'black' : 'white'

/** Whether nobody plays but opponents. */
export const isWatched = ({ black, white }: Seats): boolean => black !== null && white !== null
