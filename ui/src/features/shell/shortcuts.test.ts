import { describe, expect, test, vi } from 'vitest'
import { ACTIONS, keysInUse } from './actions'
import { chordOf, conflicts, inTextField, isKeyOfControl, shownChord } from './shortcuts'

const press = (key: string, more: KeyboardEventInit = {}): string | undefined => chordOf(new KeyboardEvent('keydown', { key, ...more }))

describe('chords', () => {
  test('are named by what is held and what is pressed', () => {
    expect(press('z', { ctrlKey: true })).toBe('Mod+z')
    expect(press('Z', { ctrlKey: true, shiftKey: true })).toBe('Mod+Shift+z')
    expect(press('ArrowLeft', { shiftKey: true })).toBe('Shift+ArrowLeft')
    expect(press('?', { shiftKey: true })).toBe('?')
    expect(press(' ')).toBe('Space')
  })

  test('are those of the Latin letters on layouts without them, and with Option on a Mac', () => {
    expect(press('я', { code: 'KeyZ', ctrlKey: true })).toBe('Mod+z')
    expect(press('Ф', { code: 'KeyA', shiftKey: true })).toBe('Shift+a')
    expect(press('ㅁ', { code: 'KeyA' })).toBe('a')
    expect(press('?', { code: 'Digit7', shiftKey: true })).toBe('?')
    // On Dvorak and AZERTY a letter is what it says, and a sign too.
    expect(press('a', { code: 'KeyQ' })).toBe('a')
    expect(press(',', { code: 'KeyW', ctrlKey: true })).toBe('Mod+,')
    expect(press('Dead', { code: 'KeyE' })).toBeUndefined()
    vi.spyOn(navigator, 'platform', 'get').mockReturnValue('MacIntel')
    expect(press('∑', { code: 'KeyW', altKey: true })).toBe('Alt+w')
    expect(press('Dead', { code: 'KeyE', altKey: true })).toBe('Alt+e')
    expect(press('ArrowUp', { code: 'ArrowUp', altKey: true })).toBe('Alt+ArrowUp')
  })

  test('modifiers alone and composing input methods are silent', () => {
    expect(press('Shift', { shiftKey: true })).toBeUndefined()
    expect(press('a', { isComposing: true })).toBeUndefined()
    expect(press('Process')).toBeUndefined()
    // WebKit tells of the key that ends a composition after its end, with the code of composing.
    const ending = new KeyboardEvent('keydown', { key: 'Enter' })
    Object.defineProperty(ending, 'keyCode', { value: 229 })
    expect(chordOf(ending)).toBeUndefined()
  })

  test('are shown with the names that the keys have', () => {
    expect(shownChord('Mod+Shift+z')).toMatch(/Ctrl\+Shift\+Z|⌘⇧Z/)
    expect(shownChord('ArrowLeft')).toBe('←')
    expect(shownChord('Space', () => '空格')).toBe('空格')
  })
})

test('the usual keys do not clash, and a chosen one that does is found', () => {
  expect([...conflicts(keysInUse({}))]).toEqual([])
  const clash = conflicts(keysInUse({ pass: ['n'] }))
  expect(clash.get('n')?.sort()).toEqual(['moveNumbers', 'pass'])
})

test('every action that is used while playing has a key', () => {
  for (const name of ['next', 'previous', 'first', 'last', 'pass', 'undo', 'analyse', 'palette', 'shortcuts', 'focusBoard'] as const) {
    expect(ACTIONS[name].keys.length).toBeGreaterThan(0)
  }
})

test('text fields keep their keys, buttons and sliders do not', () => {
  const make = (html: string): Element | null => { document.body.innerHTML = html; return document.body.firstElementChild }
  expect(inTextField(make('<textarea></textarea>'))).toBe(true)
  expect(inTextField(make('<input type="search">'))).toBe(true)
  expect(inTextField(make('<input type="checkbox">'))).toBe(false)
  expect(inTextField(make('<button></button>'))).toBe(false)
})

test('a slider, a choice and a checkbox keep the keys by which they are used, and no others', () => {
  const kept = (html: string): string[] => {
    document.body.innerHTML = html
    return ['ArrowLeft', 'Shift+ArrowUp', 'Home', 'PageDown', 'Space', 'Enter', 'Mod+ArrowLeft', 'a'].filter(chord => isKeyOfControl(document.body.firstElementChild, chord))
  }
  expect(kept('<input type="range">')).toEqual(['ArrowLeft', 'Shift+ArrowUp', 'Home', 'PageDown', 'Space', 'Enter'])
  expect(kept('<input type="radio">')).toEqual(['ArrowLeft', 'Shift+ArrowUp', 'Space', 'Enter'])
  expect(kept('<input type="checkbox">')).toEqual(['Space', 'Enter'])
  expect(kept('<button></button>')).toEqual(['Space', 'Enter'])
  expect(kept('<div></div>')).toEqual([])
})
