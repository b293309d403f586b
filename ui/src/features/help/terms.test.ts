import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, expect, test, vi } from 'vitest'
import { i18n, LANGUAGES, switchLanguage, type LanguageTag } from '@/i18n'
import HelpDialog from './HelpDialog.vue'
import { HelpTerm, useHelp } from './index'
import { readManual } from './pages'
import { TERMS, type Term } from './terms'

const SOURCES = join(import.meta.dirname, '../..')
let leave: (() => void) | undefined
afterEach(async () => {
  leave?.()
  leave = undefined
  await switchLanguage('en')
})

test.each(Object.keys(LANGUAGES) as LanguageTag[])('every figure is explained at once and in the manual in %s', async (language) => {
  const { term: said } = JSON.parse(readFileSync(join(SOURCES, 'i18n/locales', `${language}.json`), 'utf8')) as { term: Record<string, { name: string, text: string }> }
  expect(Object.keys(said).sort()).toEqual(Object.keys(TERMS).sort())
  const text = (await readManual(language)).find(({ name }) => name === 'figures')?.text ?? ''
  const anchors = [...text.matchAll(/<a id="([^"]*)"><\/a>/g)].map(match => match[1])
  expect(anchors.toSorted()).toEqual(Object.values(TERMS).sort())
  for (const [term, anchor] of Object.entries(TERMS)) {
    // The heading has the figure's name, and what is said at once stands there too.
    const told = said[term]!
    expect(text).toContain(`### <a id="${anchor}"></a>${told.name}\n\n${told.text}`)
    expect(told.text.split(/[.。](?:\s|$)|(?<=。)/).filter(Boolean).length, `${term}: ${told.text}`).toBeLessThanOrEqual(3)
  }
})

test('every figure of the list is explained somewhere in the window', () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.vue'))
  const text = files.map(file => readFileSync(join(SOURCES, file), 'utf8')).filter(part => part.includes('<HelpTerm')).join('\n')
  expect(Object.keys(TERMS).filter(term => !new RegExp(`term(?:="[^"]*\\b|: ')${term}\\b`).test(text))).toEqual([])
})

function shown(term: Term) {
  const pinia = createPinia()
  setActivePinia(pinia)
  const wrapper = mount({ components: { HelpTerm, HelpDialog }, setup: () => ({ term }), template: '<p><HelpTerm :term="term">Win %</HelpTerm></p><HelpDialog />' }, { global: { plugins: [pinia, i18n] }, attachTo: document.body })
  leave = () => wrapper.unmount()
  const card = (): HTMLElement | null => document.querySelector('[data-test=term-card]')
  return { wrapper, card, label: wrapper.get<HTMLButtonElement>('button.term') }
}

test('the name of a figure says what it means, and closes again', async () => {
  const { wrapper, card, label } = shown('winRate')
  expect(label.text()).toBe('Win %')
  expect(label.attributes()).toMatchObject({ 'aria-haspopup': 'dialog', 'aria-expanded': 'false', 'aria-description': 'What is this?' })
  expect(card()).toBeNull()
  await label.trigger('click')
  await vi.waitUntil(card)
  expect(card()!.getAttribute('role')).toBe('dialog')
  expect(card()!.textContent).toContain('50% is an even game.')
  expect(document.getElementById(card()!.getAttribute('aria-describedby')!)?.textContent).toContain('The chance to win')
  expect(label.attributes('aria-expanded')).toBe('true')
  await label.trigger('click')
  await vi.waitUntil(() => !card())
  expect(wrapper.find('button.term').exists()).toBe(true)
})

test('from there a button leads to the heading about it in the manual', async () => {
  const { card, label } = shown('rankRange')
  await label.trigger('click')
  await vi.waitUntil(card)
  document.querySelector<HTMLElement>('[data-action=read-term]')!.click()
  await vi.waitUntil(() => document.querySelector('[data-test=manual-page] h5'))
  await vi.waitUntil(() => document.activeElement?.localName === 'h5')
  expect(document.activeElement?.textContent).toBe('Rank in this game')
  expect(useHelp().page).toBe('figures')
  expect(card()).toBeNull()
  // The anchor is a name and no text.
  expect(document.querySelector('[data-test=manual-page]')!.textContent).not.toContain('rank-range')
})

test('it speaks the language of the window', async () => {
  const { card, label } = shown('visits')
  await switchLanguage('ko')
  await label.trigger('click')
  await vi.waitUntil(card)
  expect(card()!.textContent).toContain('탐색')
})
