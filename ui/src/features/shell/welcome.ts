import type { Startup } from '@/api'

/** The game of the first start. */
export const FAMOUS_GAME = 'ear-reddening-1846.sgf'

/** Whether a person is here for the first time: nothing was chosen before, and nothing is open but the game of the first start. */
export function isFirstStart(welcomed: boolean, { games, firstGame }: Pick<Startup, 'games' | 'firstGame'>): boolean {
  return !welcomed && games.every(game => game.gameId === firstGame)
}

/** The record of the famous game. It is fetched when it is asked for. */
export async function famousRecord(): Promise<string> {
  return (await import('../../../../tests/fixtures/games/ear-reddening-1846.sgf?raw')).default
}
