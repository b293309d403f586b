import type { MessageKey } from '@/i18n'
import { isMac } from './shortcuts'

/** Everything that can be done by a key, from the palette or from a menu: one table. */
export const ACTION_GROUPS = ['game', 'navigate', 'analysis', 'view', 'library', 'window'] as const
export type ActionGroup = (typeof ACTION_GROUPS)[number]

export const ACTIONS = {
  'newGame': { group: 'game', keys: ['Mod+n'] },
  'playFrom': { group: 'game', keys: [] },
  'openFile': { group: 'game', keys: ['Mod+o'] },
  'paste': { group: 'game', keys: [] },
  'copy': { group: 'game', keys: ['Mod+Shift+c'] },
  'save': { group: 'game', keys: ['Mod+s'] },
  'saveAs': { group: 'game', keys: ['Mod+Shift+s'] },
  'saveEvaluated': { group: 'game', keys: [] },
  'info': { group: 'game', keys: ['Mod+i'] },
  'texts': { group: 'game', keys: [] },
  'pass': { group: 'game', keys: ['p'] },
  'undo': { group: 'game', keys: ['Mod+z'] },
  'redo': { group: 'game', keys: ['Mod+Shift+z', 'Mod+y'] },
  'score': { group: 'game', keys: ['e'] },
  'comment': { group: 'game', keys: ['w'] },
  'copyVariation': { group: 'game', keys: ['Mod+c'] },
  'cutVariation': { group: 'game', keys: ['Mod+x'] },
  'pasteVariation': { group: 'game', keys: ['Mod+Shift+v'] },
  'deleteNode': { group: 'game', keys: ['Delete'] },
  'keepVariation': { group: 'game', keys: ['Shift+Delete'] },
  'promote': { group: 'game', keys: ['Shift+m'] },
  'variationUp': { group: 'game', keys: ['Alt+ArrowUp'] },
  'variationDown': { group: 'game', keys: ['Alt+ArrowDown'] },
  'edit': { group: 'game', keys: ['Mod+e'] },
  'tryOut': { group: 'game', keys: ['y'] },
  'framePosition': { group: 'game', keys: [] },
  'guess': { group: 'game', keys: ['g'] },
  'practiseLines': { group: 'game', keys: ['Shift+g'] },
  'addPractice': { group: 'game', keys: [] },
  'addProblems': { group: 'game', keys: [] },
  'openFrom': { group: 'game', keys: [] },
  'insertMoves': { group: 'game', keys: ['i'] },
  'diagram': { group: 'game', keys: ['Mod+Shift+e'] },
  'booklet': { group: 'game', keys: [] },
  // A browser keeps Mod+w and Mod+Shift+t for its own tabs.
  'closeGame': { group: 'game', keys: ['Mod+w', 'Alt+w'] },
  'reopenGame': { group: 'game', keys: ['Mod+Shift+t', 'Alt+t'] },
  'closedGames': { group: 'game', keys: [] },
  'next': { group: 'navigate', keys: ['ArrowRight'] },
  'previous': { group: 'navigate', keys: ['ArrowLeft'] },
  'tenNext': { group: 'navigate', keys: ['PageDown', 'Shift+ArrowRight'] },
  'tenPrevious': { group: 'navigate', keys: ['PageUp', 'Shift+ArrowLeft'] },
  'first': { group: 'navigate', keys: ['Home'] },
  'last': { group: 'navigate', keys: ['End'] },
  'nextVariation': { group: 'navigate', keys: ['ArrowDown'] },
  'previousVariation': { group: 'navigate', keys: ['ArrowUp'] },
  'mainLine': { group: 'navigate', keys: ['m'] },
  'autoplay': { group: 'navigate', keys: ['v'] },
  'nextMistake': { group: 'navigate', keys: ['Shift+ArrowDown'] },
  'previousMistake': { group: 'navigate', keys: ['Shift+ArrowUp'] },
  'nextFork': { group: 'navigate', keys: ['Mod+ArrowDown'] },
  'previousFork': { group: 'navigate', keys: ['Mod+ArrowUp'] },
  'nextComment': { group: 'navigate', keys: ['Mod+Shift+ArrowDown'] },
  'previousComment': { group: 'navigate', keys: ['Mod+Shift+ArrowUp'] },
  'find': { group: 'navigate', keys: ['Shift+f'] },
  'nextGame': { group: 'navigate', keys: ['Mod+PageDown'] },
  'previousGame': { group: 'navigate', keys: ['Mod+PageUp'] },
  'analyse': { group: 'analysis', keys: ['Space', 'a'] },
  'sweep': { group: 'analysis', keys: ['Shift+a'] },
  'review': { group: 'analysis', keys: ['Shift+e'] },
  'turningPoints': { group: 'analysis', keys: ['Shift+t'] },
  'stop': { group: 'analysis', keys: ['Escape'] },
  'equalise': { group: 'analysis', keys: ['q'] },
  'sweepMoves': { group: 'analysis', keys: ['s'] },
  'playOut': { group: 'analysis', keys: ['f'] },
  'compareNetworks': { group: 'analysis', keys: ['Shift+c'] },
  'hint': { group: 'analysis', keys: ['h'] },
  'playBest': { group: 'analysis', keys: ['Enter'] },
  'addLine': { group: 'analysis', keys: ['k'] },
  'candidates': { group: 'analysis', keys: ['c'] },
  'ownership': { group: 'analysis', keys: ['o'] },
  'policy': { group: 'analysis', keys: ['Shift+p'] },
  'moveNumbers': { group: 'view', keys: ['n'] },
  'numbersFromHere': { group: 'view', keys: ['Shift+n'] },
  'swapColors': { group: 'view', keys: ['Shift+x'] },
  'coordinates': { group: 'view', keys: ['x'] },
  'rotate': { group: 'view', keys: ['r'] },
  'mirror': { group: 'view', keys: ['Shift+r'] },
  'focusBoard': { group: 'view', keys: ['b'] },
  'textBoard': { group: 'view', keys: ['t'] },
  'library': { group: 'library', keys: ['l'] },
  'toggleLibrary': { group: 'library', keys: ['Mod+b'] },
  'searchLibrary': { group: 'library', keys: ['/', 'Mod+f'] },
  'findPattern': { group: 'library', keys: ['Mod+Shift+f'] },
  'players': { group: 'library', keys: [] },
  'practice': { group: 'library', keys: ['d'] },
  'exercises': { group: 'library', keys: ['Shift+s'] },
  'problems': { group: 'library', keys: ['Shift+l'] },
  'firstSteps': { group: 'library', keys: [] },
  'myPlay': { group: 'library', keys: ['Shift+w'] },
  'training': { group: 'library', keys: [] },
  'import': { group: 'library', keys: [] },
  'sources': { group: 'library', keys: [] },
  'toggleSide': { group: 'window', keys: ['Mod+j'] },
  'rooms': { group: 'window', keys: [] },
  'fullScreen': { group: 'window', get keys() { return isMac() ? ['Mod+Other+f'] : ['F11'] } },
  'theme': { group: 'window', keys: ['Shift+d'] },
  'settings': { group: 'window', keys: ['Mod+,'] },
  'palette': { group: 'window', keys: ['Mod+k'] },
  'help': { group: 'window', keys: ['F1'] },
  'shortcuts': { group: 'window', keys: ['?'] },
  'larger': { group: 'window', keys: ['Mod+='] },
  'smaller': { group: 'window', keys: ['Mod+-'] },
} as const satisfies Record<string, { group: ActionGroup, keys: readonly string[] }>

export type ActionName = keyof typeof ACTIONS
export const ACTION_NAMES = Object.keys(ACTIONS) as ActionName[]

/** Actions that people look for by other words than those of their names. */
const WITH_WORDS = [
  'newGame', 'openFile', 'paste', 'copy', 'save', 'saveAs', 'info', 'texts', 'pass', 'undo', 'score', 'comment', 'deleteNode', 'keepVariation', 'promote', 'edit', 'tryOut', 'addPractice', 'addProblems', 'openFrom', 'practiseLines', 'diagram', 'booklet',
  'mainLine', 'autoplay', 'find', 'analyse', 'review', 'stop', 'playBest', 'addLine', 'candidates', 'ownership', 'policy', 'moveNumbers', 'coordinates', 'rotate', 'mirror', 'textBoard', 'library', 'searchLibrary',
  'findPattern', 'players', 'practice', 'problems', 'myPlay', 'import', 'sources', 'rooms', 'fullScreen', 'theme', 'settings', 'help', 'shortcuts', 'larger', 'smaller',
] as const satisfies readonly ActionName[]
/** Where those words stand. */
export const wordsKey = (name: ActionName): MessageKey | undefined => {
  const found = WITH_WORDS.find(one => one === name)
  return found && `shell.palette.words.${found}`
}

/** The keys of every action: the person's own where chosen. */
export function keysInUse(chosen: Readonly<Record<string, string[]>>): Record<ActionName, readonly string[]> {
  const keys: Partial<Record<ActionName, readonly string[]>> = {}
  for (const name of ACTION_NAMES) keys[name] = chosen[name] ?? ACTIONS[name].keys
  return keys as Record<ActionName, readonly string[]>
}
