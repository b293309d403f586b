import type { LanguageTag } from '@/i18n'

/** The pages of the manual, in their order: files of `docs/manual`, which are part of the window. */
export const PAGES = ['begin', 'analyse', 'figures', 'review', 'play', 'library', 'networks', 'club'] as const
export type PageName = (typeof PAGES)[number]

/** A page as it is read. */
export interface ManualPage {
  readonly name: PageName
  readonly title: string
  /** In Markdown, without the title. */
  readonly text: string
}

const FILES = import.meta.glob<string>('../../../../docs/manual/*/*.md', { query: '?raw', import: 'default' })

const SHOTS = import.meta.glob<string>('../../../../docs/screenshots/{light,mistakes,end-of-game,library}-*.webp', { query: '?url', import: 'default', eager: true })
/** The pictures of the manual: from the address in its text to that in the window. */
export const PICTURES: Readonly<Record<string, string>> = Object.fromEntries(Object.entries(SHOTS).map(([path, url]) => [path.replace(/^.*\/docs\//, '../../'), url]))

/** The manual in a language. */
export async function readManual(language: LanguageTag): Promise<ManualPage[]> {
  return await Promise.all(PAGES.map(async (name, index) => {
    const load = FILES[`../../../../docs/manual/${language}/${index + 1}-${name}.md`]
    const [heading = '', ...lines] = (await load?.() ?? '').split('\n')
    return { name, title: heading.replace(/^# /, ''), text: lines.join('\n').trim() }
  }))
}

/** The pages in which every one of the words stands, in any order. */
export function pagesWith(pages: readonly ManualPage[], words: string): ManualPage[] {
  const wanted = words.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  return pages.filter(({ title, text }) => {
    const known = `${title}\n${text.replace(/<a id="[a-z-]+"><\/a>/g, '')}`.toLocaleLowerCase()
    return wanted.every(word => known.includes(word))
  })
}
