/** Colours and font of the theme for what is drawn on a canvas. */
export interface CanvasInks {
  /** The value of a custom property such as `--accent`. */
  color(name: string): string
  readonly fontFamily: string
}

/** Reads them off an element; each property once, since reading a style makes the browser work out the whole page. */
export function inksOf(element: Element): CanvasInks {
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
