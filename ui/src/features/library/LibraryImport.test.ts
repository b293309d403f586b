import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { nextTick } from 'vue'
import type { ImportProblem } from '@/api'
import { i18n } from '@/i18n'
import { startApp } from '@/testing'
import LibraryImport from './LibraryImport.vue'
import { useLibrary } from './store'

test('what was said of many files stands once, after the files that were refused', async () => {
  await startApp()
  const problem = (file: string, message: string, refused = false): ImportProblem => ({ file, line: 0, refused, joined: false, problem: null, message })
  const library = useLibrary()
  library.progress = {
    games: 3, added: 3, duplicates: 0, files: 4, totalFiles: 4, refusedFiles: 1, skipped: 0, part: 1, gamesPerSecond: 9, secondsLeft: null, finished: true, cancelled: false,
    problems: [problem('a.sgf', 'komi 750'), problem('b.sgf', 'komi 750'), problem('c.sgf', 'komi 750'), problem('d.sgf', 'no game', true)],
  }
  const wrapper = mount(LibraryImport, { global: { plugins: [i18n] }, attachTo: document.body })
  await wrapper.get('.actions button').trigger('click')
  await nextTick()
  const rows = [...document.querySelectorAll('.problems > li')].map(row => row.textContent?.replace(/\s+/g, ' '))
  expect(rows).toHaveLength(2)
  expect(rows[0]).toContain('d.sgf')
  expect(rows[0]).toContain('refused')
  expect(rows[1]).toContain('3 files')
  expect([...document.querySelectorAll('.problems details li')].map(row => row.textContent)).toEqual(['a.sgf', 'b.sgf', 'c.sgf'])
  wrapper.unmount()
})

test('files that are being read are told before the import begins', async () => {
  await startApp()
  const library = useLibrary()
  const wrapper = mount(LibraryImport, { global: { plugins: [i18n] } })
  library.receiveReading({ done: 120, total: 533 })
  await nextTick()
  expect(wrapper.get('[data-test=reading]').text()).toBe('Reading files: 120 of 533')
  library.receiveReading(undefined)
  await nextTick()
  expect(wrapper.find('section').exists()).toBe(false)
})
