import { createI18n, useI18n } from 'vue-i18n'
import en from './locales/en.json'

type Leaves<Node, Prefix extends string = ''> = {
  [Key in keyof Node & string]: Node[Key] extends string ? `${Prefix}${Key}` : Leaves<Node[Key], `${Prefix}${Key}.`>
}[keyof Node & string]

/** Every key of `locales/en.json`; another one does not pass the type check. */
export type MessageKey = Leaves<typeof en>

/** Says a message. `plural` chooses the form where a message has several, and is `{n}` in it; without it `{points}` does. */
export type Say = (key: MessageKey, named?: Record<string, string | number>, plural?: number) => string

type Messages = typeof en
/** The languages of the window, each under its own name. */
export const LANGUAGES = {
  'en': 'English',
  'zh-Hans': '简体中文',
  'zh-Hant': '繁體中文',
  'ja': '日本語',
  'ko': '한국어',
} as const

export type LanguageTag = keyof typeof LANGUAGES

const LOADERS: Record<Exclude<LanguageTag, 'en'>, () => Promise<{ default: Messages }>> = {
  'zh-Hans': () => import('./locales/zh-Hans.json'),
  'zh-Hant': () => import('./locales/zh-Hant.json'),
  'ja': () => import('./locales/ja.json'),
  'ko': () => import('./locales/ko.json'),
}

export const i18n = createI18n({
  legacy: false,
  locale: 'en' as string,
  fallbackLocale: 'en',
  messages: { en } as Record<string, Messages>,
  missingWarn: import.meta.env.DEV,
  fallbackWarn: false,
})

/** The language to show for a wish (a tag, or empty for the system's) and what the system prefers. */
export function chooseLanguage(wish: string, preferred: readonly string[]): LanguageTag {
  for (const tag of wish ? [wish, ...preferred] : preferred) {
    const lower = tag.toLowerCase()
    if (/^zh\b/.test(lower)) {
      const traditional = /hant|\b(tw|hk|mo)\b/.test(lower)
      const known = traditional ? 'zh-Hant' : 'zh-Hans'
      return known in LANGUAGES ? known as LanguageTag : 'zh-Hans'
    }
    const known = Object.keys(LANGUAGES).find(name => name.toLowerCase() === lower || name === lower.split('-')[0])
    if (known) return known as LanguageTag
  }
  return 'en'
}

let wished: LanguageTag = 'en'
/** Shows everything in a language; its words are fetched when they are first needed. The last wish holds. */
export async function switchLanguage(tag: LanguageTag): Promise<void> {
  wished = tag
  if (tag !== 'en' && !i18n.global.availableLocales.includes(tag)) {
    i18n.global.setLocaleMessage(tag, (await LOADERS[tag]()).default)
  }
  if (wished !== tag) return
  i18n.global.locale.value = tag
  document.documentElement.lang = tag
}

/** The words in the current language, with keys that are checked. */
export function useText(): { t: Say, locale: Readonly<typeof i18n.global.locale> } {
  const { t, locale } = useI18n({ useScope: 'global' })
  return { t: sayer(t as never), locale: locale as Readonly<typeof i18n.global.locale> }
}

/** The same for stores and other places outside a component. */
export const say: Say = sayer(i18n.global.t as never)

/** Messages without values, by language: some are asked for hundreds of times a second while analysis runs. */
const plain = new Map<string, string>()

function sayer(translate: (key: string, named: Record<string, unknown>, plural?: number) => string): Say {
  return (key, named, plural) => {
    if (plural !== undefined) return translate(key, { n: i18n.global.n(plural), ...named }, plural)
    // The form goes by the figure as it is written: 0.96 is "1 point" where tenths are shown.
    if (named) return 'points' in named ? translate(key, named, String(named.points) === '1' ? 1 : 2) : translate(key, named)
    const place = `${i18n.global.locale.value} ${key}`
    let text = plain.get(place)
    if (text === undefined) plain.set(place, text = translate(key, {}))
    return text
  }
}
