import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, expect, test, vi } from 'vitest'
import { i18n, LANGUAGES, switchLanguage, type LanguageTag } from '@/i18n'
import HelpDialog from './HelpDialog.vue'
import { useHelp } from './index'
import { PAGES, PICTURES, pagesWith, readManual } from './pages'

const FOLDER = join(import.meta.dirname, '../../../../docs/manual')
let leave: (() => void) | undefined
afterEach(() => leave?.())

test.each(Object.keys(LANGUAGES) as LanguageTag[])('the manual is whole in %s', async (language) => {
  const pages = await readManual(language)
  expect(pages.map(({ name }) => name)).toEqual([...PAGES])
  expect(readdirSync(join(FOLDER, language)).sort()).toEqual(PAGES.map((name, index) => `${index + 1}-${name}.md`))
  const english = await readManual('en')
  for (const [index, page] of pages.entries()) {
    expect(page.title, page.name).not.toBe('')
    // As many points and paragraphs as in English, and the same keys.
    const shape = (text: string): number[] => [text.split('\n\n').length, text.split('\n').filter(line => line.startsWith('- ')).length]
    expect([page.name, ...shape(page.text)]).toEqual([page.name, ...shape(english[index]!.text)])
    const keys = (text: string): string[] => [...text.matchAll(/`(\?|[A-Z]|Ctrl\+\w|Shift)`/g)].map(match => match[1]!).sort()
    expect(keys(page.text)).toEqual(keys(english[index]!.text))
    if (language !== 'en') expect(page.text).not.toBe(english[index]!.text)
  }
})

test('every picture of the manual is there, says what it shows and is drawn', async () => {
  for (const language of Object.keys(LANGUAGES) as LanguageTag[]) {
    const pages = await readManual(language)
    const pictures = pages.flatMap(({ text }) => [...text.matchAll(/!\[([^\]]*)\]\(([^)]*)\)/g)])
    expect(pictures.length, language).toBe(4)
    for (const [, words = '', address = ''] of pictures) {
      expect(words).not.toBe('')
      expect(Object.keys(PICTURES)).toContain(address)
      expect(address, 'the picture speaks the language, too').toContain(`-${language}.`)
      expect(readFileSync(join(FOLDER, language, address)).length).toBeGreaterThan(10_000)
    }
  }
})

test('the keys that the manual names are those of the window', async () => {
  const { ACTIONS } = await import('@/features/shell/actions')
  const known = new Set<string>(Object.values(ACTIONS).flatMap(({ keys }) => keys as readonly string[]).map(key => key.replace('Mod+', 'Ctrl+').toLowerCase()))
  for (const file of readdirSync(join(FOLDER, 'en'))) {
    for (const [, key = ''] of readFileSync(join(FOLDER, 'en', file), 'utf8').matchAll(/`(\?|[A-Z]|Ctrl\+\w)`/g)) expect(known.has(key.toLowerCase()), key).toBe(true)
  }
})

const QUOTED: Record<LanguageTag, RegExp> = { 'en': /(?<!=)"([^"\n]+)"/g, 'zh-Hans': /“([^”]+)”/g, 'zh-Hant': /「([^」]+)」/g, 'ja': /「([^」]+)」/g, 'ko': /‘([^’]+)’/g }
// What is typed, what records say, and the word before a figure that is an estimate.
const NO_LABELS = new Set(['kejie', 'ke jie', 'kj', 'Correct', 'Wrong', '正解', '失败', '失敗', '정답', '오답', '约', '約', 'およそ', '약'])

test.each(Object.keys(LANGUAGES) as LanguageTag[])('what the manual quotes is written in the window so, in %s', async (language) => {
  const texts = (value: unknown): string[] => typeof value === 'string' ? value.split(' | ') : Object.values(value as object).flatMap(texts)
  const labels = texts(JSON.parse(readFileSync(join(import.meta.dirname, `../../i18n/locales/${language}.json`), 'utf8'))).map(text => text.replace(/…$/, ''))
  // With something filled in.
  const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const forms = labels.filter(text => text.includes('{') && text.replace(/\{\w+\}/g, '').length > 3).map(text => new RegExp(`^${text.split(/\{\w+\}/).map(escaped).join('.+')}$`))
  const quoted = (await readManual(language)).flatMap(({ text }) => [...text.matchAll(QUOTED[language])].map(([, words = '']) => words.replace(/…$/, '')))
  expect(quoted.length).toBeGreaterThan(20)
  // What stands on the board is numbers alone: "20（112）".
  const isNumbers = (words: string): boolean => /^[\d\s()（）]+$/.test(words)
  expect(quoted.filter(words => !isNumbers(words) && !NO_LABELS.has(words) && !labels.includes(words) && !forms.some(form => form.test(words)))).toEqual([])
})

async function shown() {
  const pinia = createPinia()
  setActivePinia(pinia)
  const help = useHelp()
  help.show('figures')
  const wrapper = mount(HelpDialog, { global: { plugins: [pinia, i18n] }, attachTo: document.body })
  leave = () => wrapper.unmount()
  const article = (): string => document.querySelector('[data-test=manual-page]')?.textContent ?? ''
  await vi.waitUntil(() => article() !== '')
  const search = async (words: string): Promise<void> => {
    const field = document.querySelector<HTMLInputElement>('[data-action=help-search]')!
    field.value = words
    field.dispatchEvent(new Event('input'))
    await wrapper.vm.$nextTick()
  }
  return { help, wrapper, article, search }
}

test('it opens at the page about what one wanted to know, and finds words in every page', async () => {
  const { help, wrapper, article, search } = await shown()
  expect(article()).toContain('What the figures mean')
  await search('torus EDGES')
  expect(article()).toContain('the edges meet')
  expect([...document.querySelectorAll('nav [data-page]')].map(item => item.getAttribute('data-page'))).toEqual(['play'])
  expect(document.querySelector('[role=status]')?.textContent).toBe('Found on one page')
  await search('gramophone')
  expect(article()).toBe('')
  expect(document.body.textContent).toContain('No page of the manual matches')
  await search('')
  document.querySelector<HTMLElement>('[data-page=library]')!.click()
  await wrapper.vm.$nextTick()
  expect(help.page).toBe('library')
  expect(article()).toContain('Patterns')
  const picture = document.querySelector<HTMLImageElement>('[data-test=manual-page] img')!
  expect(picture.alt).toContain('preview of the game')
  expect(picture.getAttribute('src')).toMatch(/library.*\.webp$/)
})

test('it follows the language of the window', async () => {
  const { article } = await shown()
  await switchLanguage('ja')
  await vi.waitUntil(() => article().includes('数字の意味'))
})

test('every word has to stand in a page, in any order', async () => {
  const pages = await readManual('zh-Hans')
  expect(pagesWith(pages, '死子 悔棋').map(({ name }) => name)).toEqual(['play'])
  expect(pagesWith(pages, '')).toHaveLength(PAGES.length)
})
