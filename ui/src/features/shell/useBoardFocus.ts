import { nextTick, watch } from 'vue'
import { useGames } from '@/features/game'
import { useShell } from './store'

/** Gives the focus to the board of a game that comes, or that one comes back to, where what had it is gone. */
export function useBoardFocus(): void {
  const games = useGames()
  const shell = useShell()
  let wanted = false
  // At once: what is there when the window starts did not come.
  watch([() => games.activeId, () => shell.room], () => { wanted = shell.started && games.activeId !== undefined && shell.room === 'board' }, { flush: 'sync' })
  watch([() => games.activeId, () => shell.room, () => shell.dialog], async () => {
    if (!wanted || shell.dialog !== undefined) return
    wanted = false
    // A dialog is gone one update after it was closed.
    await nextTick()
    if (document.activeElement !== document.body) return
    // Whoever begins by keyboard moves the cursor; where there are moves already the arrow keys go through them, and Enter brings it.
    const begins = games.active?.tree.ids.length === 1
    document.querySelector<HTMLElement>('.stage .board')?.focus({ preventScroll: true, ...(begins ? {} : { focusVisible: false }) } as FocusOptions)
  }, { flush: 'post' })
}
