import { say, type MessageKey } from '@/i18n'

/** Whether a setting is shown, told by its name and the names of what it offers. */
export type Shows = (...names: MessageKey[]) => boolean

/** What a search for settings shows: those whose words, or whose part of the settings, have every word that is looked for. */
export function searchFor(words: string, part: MessageKey): Shows {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return (...names) => {
    const known = [part, ...names].map(name => say(name)).join(' ').toLocaleLowerCase()
    return wanted.every(word => known.includes(word))
  }
}
