import type { BarItem, MenuBar, MenuRole, SystemItem } from '@/api'
import type { MessageKey, Say } from '@/i18n'
import type { ActionName } from './actions'

/** A line, something that the window does, or something that the system does by itself. */
export type MenuEntry = '-' | ActionName | `system.${SystemItem}`

interface MenuPlan {
  readonly title: MessageKey
  readonly role: MenuRole
  readonly items: readonly MenuEntry[]
}

/** The menus of a Mac, in the order that its guidelines give. */
export const MENUS: readonly MenuPlan[] = [
  {
    title: 'shell.brand',
    role: 'plain',
    items: ['system.about', '-', 'settings', '-', 'system.services', '-', 'system.hide', 'system.hideOthers', 'system.showAll', '-', 'system.quit'],
  },
  {
    title: 'menuBar.menu.file',
    role: 'plain',
    items: ['newGame', 'playFrom', 'openFile', 'paste', 'reopenGame', 'closedGames', '-', 'closeGame', 'save', 'saveAs', 'saveEvaluated', '-', 'import', 'sources', '-', 'copy', 'diagram', 'booklet', '-', 'info', 'texts'],
  },
  {
    title: 'menuBar.menu.edit',
    role: 'plain',
    items: ['undo', 'redo', '-', 'system.cut', 'system.copy', 'system.paste', 'system.selectAll', '-', 'copyVariation', 'cutVariation', 'pasteVariation', 'deleteNode', 'keepVariation', 'promote', 'openFrom', '-', 'edit', 'framePosition', 'insertMoves', 'comment'],
  },
  {
    title: 'menuBar.menu.view',
    role: 'plain',
    items: ['candidates', 'ownership', 'policy', 'moveNumbers', 'coordinates', '-', 'rotate', 'mirror', 'swapColors', 'textBoard', '-', 'toggleLibrary', 'toggleSide', '-', 'larger', 'smaller', 'theme', '-', 'fullScreen'],
  },
  {
    title: 'shell.group.game',
    role: 'plain',
    items: ['pass', 'score', '-', 'first', 'previous', 'next', 'last', 'mainLine', 'find', '-', 'tryOut', 'autoplay', 'guess', 'practiseLines', 'playOut'],
  },
  {
    title: 'shell.group.analysis',
    role: 'plain',
    items: ['analyse', 'sweep', 'review', 'turningPoints', 'stop', '-', 'hint', 'playBest', 'addLine', '-', 'nextMistake', 'previousMistake', 'compareNetworks'],
  },
  {
    title: 'shell.group.library',
    role: 'plain',
    items: ['library', 'searchLibrary', 'findPattern', 'players', '-', 'firstSteps', 'problems', 'exercises', 'practice', 'addPractice', 'addProblems', 'myPlay', '-', 'training'],
  },
  {
    title: 'shell.group.window',
    role: 'window',
    items: ['system.minimize', 'system.zoom', '-', 'nextGame', 'previousGame', '-', 'system.bringAllToFront'],
  },
  { title: 'menuBar.menu.help', role: 'help', items: ['help', 'shortcuts', 'palette'] },
]

/** Where the name of an action on a Mac is another one than elsewhere, or means the text being typed as well. */
const OTHER_NAMES: Partial<Record<ActionName, MessageKey>> = { settings: 'menuBar.settings', undo: 'action.undo' }

/** The keys of what the system does by itself. */
export const KEYS_OF_SYSTEM: ReadonlySet<string> = new Set(['Mod+x', 'Mod+c', 'Mod+v', 'Mod+a', 'Mod+h', 'Mod+Alt+h', 'Mod+m', 'Mod+q'])

/** The keys that a menu shows. Those without Command would be taken from whoever types. */
export function keysInMenu(chords: readonly string[]): string | null {
  return chords.find(chord => (chord.startsWith('Mod+') || /^F\d/.test(chord)) && !KEYS_OF_SYSTEM.has(chord)) ?? null
}

/** What one entry is called. */
export function nameOf(entry: Exclude<MenuEntry, '-'>): MessageKey {
  if (isOfSystem(entry)) return `menuBar.item.${systemItem(entry)}`
  return OTHER_NAMES[entry] ?? `actions.${entry}`
}

function isOfSystem(entry: MenuEntry): entry is `system.${SystemItem}` {
  return entry.startsWith('system.')
}

function systemItem(entry: `system.${SystemItem}`): SystemItem {
  return entry.slice('system.'.length) as SystemItem
}

/** The menus in a language, with these keys, and with what can be done now. */
export function menuBar(t: Say, keys: Readonly<Record<ActionName, readonly string[]>>, can: (name: ActionName) => boolean): MenuBar {
  function item(entry: MenuEntry): BarItem {
    if (entry === '-') return { kind: 'separator' }
    const label = t(nameOf(entry))
    if (isOfSystem(entry)) return { kind: 'system', item: systemItem(entry), label }
    return { kind: 'action', id: entry, label, keys: keysInMenu(keys[entry]), enabled: can(entry) }
  }
  return { menus: MENUS.map(({ title, role, items }) => ({ role, label: t(title), items: items.map(item) })) }
}
