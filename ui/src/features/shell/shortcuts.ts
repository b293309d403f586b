import { isComposing } from '@/components/composing'

/** Names of keys as they are written down: `Ctrl+Shift+Z`, `ArrowLeft`, `F2`, `a`. `Mod` is Command on a Mac and Control elsewhere. */

export const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform)

/** What the key says; where a layout has no Latin letters, or Option makes a sign of one on a Mac, what it says on a Latin one. */
function keyOf(event: KeyboardEvent): string {
  const { key } = event
  const isOther = (key.length === 1 && key > '\u007f') || (event.altKey && isMac())
  const latin = isOther ? /^(?:Key|Digit)(.)$/.exec(event.code)?.[1] : undefined
  return latin?.toLowerCase() ?? (key === ' ' ? 'Space' : key.length === 1 ? key.toLowerCase() : key)
}

/** The chord of a key press, or undefined for a modifier alone and while an input method composes. */
export function chordOf(event: KeyboardEvent): string | undefined {
  if (isComposing(event) || event.key === 'Process') return undefined
  if (['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock'].includes(event.key)) return undefined
  const mod = isMac() ? event.metaKey : event.ctrlKey
  const other = isMac() ? event.ctrlKey : event.metaKey
  const key = keyOf(event)
  if (key === 'Dead') return undefined
  // A sign such as ? already says that Shift was needed to type it.
  const shift = event.shiftKey && (event.key.length > 1 || /^[a-z]$/.test(key))
  return [mod ? 'Mod' : '', other ? 'Other' : '', event.altKey ? 'Alt' : '', shift ? 'Shift' : '', key].filter(Boolean).join('+')
}

const SHOWN: Record<string, string> = { ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓' }

/** A chord as it is shown to the person, with the names of keys in the language. */
export function shownChord(chord: string, nameOf: (key: string) => string | undefined = () => undefined): string {
  const mac = isMac()
  return chord.split('+').map((part) => {
    if (part === 'Mod') return mac ? '⌘' : 'Ctrl'
    if (part === 'Other') return mac ? '⌃' : 'Meta'
    if (part === 'Alt') return mac ? '⌥' : 'Alt'
    if (part === 'Shift') return mac ? '⇧' : nameOf('Shift') ?? 'Shift'
    return SHOWN[part] ?? nameOf(part) ?? (part.length === 1 ? part.toUpperCase() : part)
  }).join(mac ? '' : '+')
}

/** Whether the press belongs to a text field. */
export function inTextField(target: EventTarget | null): boolean {
  return target instanceof HTMLElement
    && (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio], [type=button], [type=range]), textarea, select'))
}

const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
/** Keys by which a control is used, beside Space and Enter. */
const KEYS_OF_INPUT: Readonly<Record<string, readonly string[]>> = { radio: ARROWS, range: [...ARROWS, 'Home', 'End', 'PageUp', 'PageDown'] }

/** Whether a dialog or a menu has the focus: the window behind it hears of nothing. */
export function isBeforeWindow(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('[role=dialog], [role=menu], [role=listbox]') !== null
}

/** Whether the control that has the focus is used by this key: a slider by its arrows, a checkbox by Space. */
export function isKeyOfControl(target: EventTarget | null, chord: string): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (chord === 'Enter' || chord === 'Space') return target.closest('button, a, input, [role=slider], [role=tab], summary') !== null
  return target instanceof HTMLInputElement && Boolean(KEYS_OF_INPUT[target.type]?.includes(chord.replace(/^Shift\+/, '')))
}

/** Chords that several actions claim, with those actions. */
export function conflicts(keysOf: Readonly<Record<string, readonly string[]>>): Map<string, string[]> {
  const claims = new Map<string, string[]>()
  for (const [action, chords] of Object.entries(keysOf)) for (const chord of chords) claims.set(chord, [...claims.get(chord) ?? [], action])
  return new Map([...claims].filter(([, actions]) => actions.length > 1))
}
