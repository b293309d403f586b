/**
 * Whether a press belongs to an input method that composes. WebKit ends the composition before it tells of the key that
 * ended it, which is known by its code alone.
 */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229

/** For a dialog that Escape would close: the key ends the composition alone. */
export function keepWhileComposing(event: KeyboardEvent): void {
  if (isComposing(event)) event.preventDefault()
}
