import { i18n, say, type MessageKey } from './index'

/** What a ruleset is called in the current language; one that no language has words for goes by its own name. */
export function rulesetName(name: string): string {
  const key = `rules.${name}`
  return i18n.global.te(key, 'en') ? say(key as MessageKey) : name
}
