import type { PositionView } from '@/api'

/** Whether there is anything on the board. */
export const hasStones = ({ stones }: PositionView): boolean => stones.some(stone => stone !== 0)
