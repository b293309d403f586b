import { onScopeDispose } from 'vue'
import { useGames } from '@/features/game'

/**
 * Lets a game be dragged out of the window: as a file from the desktop's window; from a browser into a folder as a file,
 * where the browser can do that, and into any program that takes text. What a browser drags has to be there at once, so it is
 * made ready when the tab is pressed.
 */
export function useDragOut(): { prepare(gameId: string): void, begin(event: DragEvent, gameId: string): void } {
  const games = useGames()
  let ready: { readonly gameId: string, readonly name: string, readonly sgf: string } | undefined
  let address: string | undefined

  function forget(): void {
    if (address !== undefined) URL.revokeObjectURL(address)
    address = undefined
  }
  onScopeDispose(forget)

  async function prepare(gameId: string): Promise<void> {
    ready = undefined
    if (games.nativeDialogs) return
    const file = await games.fileOf(gameId)
    if (file) ready = { gameId, ...file }
  }
  function begin(event: DragEvent, gameId: string): void {
    if (games.nativeDialogs) {
      // The web view's own drag carries no file that another program could take.
      event.preventDefault()
      void games.dragOut(gameId)
      return
    }
    const { dataTransfer } = event
    if (!dataTransfer || ready?.gameId !== gameId) {
      // A drag that carries nothing is none.
      event.preventDefault()
      return
    }
    forget()
    address = URL.createObjectURL(new Blob([ready.sgf], { type: 'application/x-go-sgf' }))
    dataTransfer.effectAllowed = 'copy'
    dataTransfer.setData('text/plain', ready.sgf)
    // Its parts are divided by colons.
    dataTransfer.setData('DownloadURL', `application/x-go-sgf:${ready.name.replace(/:/g, ' ')}:${address}`)
  }
  return { prepare: gameId => void prepare(gameId), begin }
}
