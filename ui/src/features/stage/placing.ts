import type { Vertex } from '@/api'
import { useGames } from '@/features/game'
import { usePlay } from '@/features/play'
import { useSettings } from '@/features/settings'
import { playStoneSound } from './sound'
import { stonesTaken } from './spoken'

/** Plays a move on the board, in the game that is played or into the record, and makes its sound. */
export function usePlacing(): (vertex: Vertex) => Promise<void> {
  const games = useGames()
  const played = usePlay()
  const { preferences } = useSettings()

  return async (vertex) => {
    if (played.live) {
      // Moves are made at the end of a game that is played, by whose turn it is; what may be played, the back end says.
      if (!played.atTip) played.sayLookingBack()
      else if (played.mayMove && await played.turn(vertex) && preferences.sound) playStoneSound(0)
      return
    }
    const before = games.position?.stones ?? []
    const update = await games.play(vertex)
    if (!update || !preferences.sound || vertex === null) return
    playStoneSound(stonesTaken(before, update.position.stones))
  }
}
