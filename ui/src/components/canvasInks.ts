import { onScopeDispose } from 'vue'

/** Colours and font of the theme for what is drawn on a canvas. */
export interface CanvasInks {
  /** The value of a custom property such as `--accent`. */
  color(name: string): string
  readonly fontFamily: string
}

/** Reads them off an element; each property once, since reading a style makes the browser work out the whole page. */
function inksOf(element: Element): CanvasInks {
  const style = getComputedStyle(element)
  const known = new Map<string, string>()
  return {
    color(name) {
      let value = known.get(name)
      if (value === undefined) known.set(name, value = style.getPropertyValue(name))
      return value
    },
    fontFamily: style.fontFamily,
  }
}

/** Paints a canvas once in each frame in which that was asked for, and whenever the theme or the font is another. */
export function usePainting(paint: () => void): { request: () => void, inks: (element: Element) => CanvasInks } {
  let frame = 0
  // Read once in each theme.
  let known: CanvasInks | undefined
  function request(): void {
    frame ||= requestAnimationFrame(() => { frame = 0; paint() })
  }
  const renew = (): void => { known = undefined; request() }
  const observer = new MutationObserver(renew)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'lang'] })
  // A contrast theme of the system is put on and off while the window is open.
  const forced = window.matchMedia('(forced-colors: active)')
  forced.addEventListener('change', renew)
  onScopeDispose(() => {
    observer.disconnect()
    forced.removeEventListener('change', renew)
    cancelAnimationFrame(frame)
  })
  return { request, inks: element => known ??= inksOf(element) }
}
