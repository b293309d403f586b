import { onScopeDispose } from 'vue'

/** How many places are remembered in which the focus was. */
const MAX_PLACES = 8

let givingBack = false
/** Whether the focus that comes now was given back, and nobody went there. */
export const isGivenBack = (): boolean => givingBack

/**
 * Where a key takes what has the focus out of the page (a notice that is dismissed, a strip that is closed), the focus goes
 * back to where it was before, or else to `otherwise`: from the page itself neither a key nor a screen reader goes on.
 * What a pointer removes leaves the focus alone: a field that gets it would bring the keyboard of a phone up.
 */
export function useKeptFocus(otherwise: () => HTMLElement | null): void {
  let places: HTMLElement[] = []
  let byKey = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const noteKey = (): void => { byKey = true }
  const notePointer = (): void => { byKey = false }
  function noteFocus({ target }: FocusEvent): void {
    if (target instanceof HTMLElement) places = [...places.filter(place => place !== target && place.isConnected), target].slice(-MAX_PLACES)
  }
  function giveBack(): void {
    const { activeElement, body } = document
    if (activeElement !== null && activeElement !== body) return
    places = places.filter(place => place.isConnected)
    for (const place of [...places.toReversed(), otherwise()]) {
      givingBack = true
      place?.focus({ preventScroll: true })
      givingBack = false
      // What is hidden or off takes no focus.
      if (document.activeElement !== body) return
    }
  }
  const observer = new MutationObserver(() => {
    const last = places.at(-1)
    if (!byKey || !last || last.isConnected) return
    // Whoever removed it may know a better place: that is given first.
    clearTimeout(timer)
    timer = setTimeout(giveBack)
  })

  window.addEventListener('keydown', noteKey, { capture: true })
  window.addEventListener('pointerdown', notePointer, { capture: true })
  document.addEventListener('focusin', noteFocus)
  observer.observe(document.body, { childList: true, subtree: true })
  onScopeDispose(() => {
    clearTimeout(timer)
    observer.disconnect()
    window.removeEventListener('keydown', noteKey, { capture: true })
    window.removeEventListener('pointerdown', notePointer, { capture: true })
    document.removeEventListener('focusin', noteFocus)
  })
}
