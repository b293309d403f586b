import type { GameView } from '@/api'

/** The game of the first start, as the desktop shell opens it too. */
export const FAMOUS_GAME = 'ear-reddening-1846.sgf'

/** Whether a person is here for the first time: nothing was chosen before, and nothing is open but the game of the first start. */
export function isFirstStart(welcomed: boolean, games: readonly GameView[]): boolean {
  const nothingOfOnesOwn = games.length === 0 || (games.length === 1 && games[0]?.fileName === FAMOUS_GAME && !games[0].modified)
  return !welcomed && nothingOfOnesOwn
}

/** The record of the famous game. It is fetched when it is asked for. */
export async function famousRecord(): Promise<string> {
  return (await import('../../../../tests/fixtures/games/ear-reddening-1846.sgf?raw')).default
}
