import type { Startup } from '@/api'

/** Whether a person is here for the first time: nothing was chosen before, and nothing is open but the game of the first start. */
export function isFirstStart(welcomed: boolean, { games, firstGame }: Pick<Startup, 'games' | 'firstGame'>): boolean {
  return !welcomed && games.every(game => game.gameId === firstGame)
}
