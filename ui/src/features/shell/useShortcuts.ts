import { computed, onScopeDispose, type ComputedRef } from 'vue'
import { useGames } from '@/features/game'
import { useSettings } from '@/features/settings'
import { useText } from '@/i18n'
import { ACTION_NAMES, keysInUse, type ActionName } from './actions'
import { chordOf, inTextField, isBeforeWindow, isKeyOfControl, shownChord } from './shortcuts'
import { useShell } from './store'

/** Makes the keys of the window work. Silent in text fields, in dialogs and menus, and while an input method composes. */
export function useShortcuts(): void {
  const shell = useShell()
  const settings = useSettings()
  const games = useGames()
  const byChord = computed(() => {
    const map = new Map<string, ActionName>()
    const keys = keysInUse(settings.preferences.keys)
    for (const name of ACTION_NAMES) for (const chord of keys[name]) if (!map.has(chord)) map.set(chord, name)
    return map
  })

  function onKey(event: KeyboardEvent): void {
    if (event.defaultPrevented) return
    const chord = chordOf(event)
    if (!chord) return
    const target = event.target
    const strong = chord.startsWith('Mod+') || /^F\d/.test(chord)
    const ofText = /Arrow/.test(chord) || ['Mod+z', 'Mod+Shift+z', 'Mod+y', 'Mod+c', 'Mod+v', 'Mod+x', 'Mod+a', 'Mod+b', 'Mod+i'].includes(chord)
    if (inTextField(target) && (!strong || ofText)) {
      // A field that knows no bold or italic leaves these to the menu bar of a Mac, which would take them for its own.
      if (chord === 'Mod+b' || chord === 'Mod+i') event.preventDefault()
      return
    }
    if (isBeforeWindow(target)) return
    if (isKeyOfControl(target, chord)) return
    const name = byChord.value.get(chord)
    if (!name) return
    // Words that are selected are copied as everywhere.
    if (name === 'copyVariation' && window.getSelection()?.toString()) return
    // A key that does nothing here is left to the page, which may be scrolled by it; the commands of a browser are never meant.
    if (strong || shell.answers(name)) event.preventDefault()
    shell.act(name)
  }
  window.addEventListener('keydown', onKey)

  // A record on the clipboard is opened where it is pasted, unless it is pasted into a text or before the window.
  function onPaste(event: ClipboardEvent): void {
    if (inTextField(event.target) || isBeforeWindow(event.target)) return
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (text.trim()) {
      event.preventDefault()
      void games.openText(text)
    }
  }
  window.addEventListener('paste', onPaste)
  onScopeDispose(() => {
    window.removeEventListener('keydown', onKey)
    window.removeEventListener('paste', onPaste)
  })
}

/** The first key of each action, as it is shown. */
export function useShownKeys(): ComputedRef<Record<ActionName, string>> {
  const settings = useSettings()
  const { t, locale } = useText()
  return computed(() => {
    void locale.value
    const keys = keysInUse(settings.preferences.keys)
    return Object.fromEntries(ACTION_NAMES.map(name => [name, keys[name][0] ? shownChord(keys[name][0], key => keyName(key, t)) : ''])) as Record<ActionName, string>
  })
}

const NAMED = ['Home', 'End', 'PageUp', 'PageDown', 'Delete', 'Enter', 'Space', 'Escape', 'Shift', 'F2'] as const

/** What a key is called in the language. */
export function keyName(key: string, t: ReturnType<typeof useText>['t']): string | undefined {
  const named = NAMED.find(name => name === key)
  return named && t(`key.${named}`)
}
