import { onScopeDispose } from 'vue'
import { useBackend } from '@/api'
import { handInDrafts, useGames } from '@/features/game'

/** Hands in what is being typed before the window goes: one that is closed or loaded anew takes no leave of its fields. */
export function useLeaving(): void {
  const games = useGames()
  onScopeDispose(useBackend().onLeave((waits) => {
    if (waits) handInDrafts()
    else games.atOnce(handInDrafts)
    return games.settled()
  }))
}
