import { flushPromises, mount } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import { provideBackend } from '@/api'
import { useNotices } from '@/features/notices'
import { i18n } from '@/i18n'
import { testApp } from '@/testing/app'
import LibraryFileDialog from './LibraryFileDialog.vue'
import { useLibrary } from './store'

let leave: (() => void) | undefined
afterEach(() => leave?.())

const field = (name: string): HTMLInputElement => document.querySelector<HTMLInputElement>(`[data-field=${name}]`)!
function write(name: string, text: string): void {
  field(name).value = text
  field(name).dispatchEvent(new Event('input'))
}
async function shown(options: Parameters<typeof testApp>[0] = {}) {
  const { backend } = testApp({ records: 5, ...options })
  const library = useLibrary()
  await library.refresh()
  const record = [...library.pages.values()].flat().find(({ id }) => id === 'r0')!
  const wrapper = mount(LibraryFileDialog, {
    props: { 'record': record, 'open': true, 'onUpdate:open': (open: boolean) => wrapper.setProps({ open }) },
    global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body,
  })
  leave = () => wrapper.unmount()
  await flushPromises()
  const keep = async (): Promise<void> => { document.querySelector('form')!.dispatchEvent(new Event('submit', { cancelable: true })); await flushPromises() }
  const edits = () => backend.calls.filter(call => call.name === 'edit_records').map(call => call.args)
  return { wrapper, keep, edits }
}

test('shows how a record is filed and changes only what was changed', async () => {
  const { wrapper, keep, edits } = await shown()
  expect([field('folder').value, field('tags').value]).toEqual(['openings', 'study'])
  write('tags', 'fuseki、ko')
  await keep()
  expect(edits()).toEqual([{ ids: ['r0'], folder: null, addTags: ['fuseki', 'ko'], removeTags: ['study'] }])
  expect(wrapper.props('open')).toBe(false)
})

test('nothing changed is nothing to take back', async () => {
  const { wrapper, keep, edits } = await shown()
  await keep()
  expect(edits()).toEqual([])
  expect(wrapper.props('open')).toBe(false)
})

test('what could not be kept stays on the screen', async () => {
  const { wrapper, keep } = await shown({ failures: { edit_records: { kind: 'library', message: 'read-only', hint: '' } } })
  write('folder', '')
  await keep()
  expect(wrapper.props('open')).toBe(true)
  expect(field('folder').value).toBe('')
  expect(useNotices().notices).toHaveLength(1)
})

test('a record of which nothing is known is not written', async () => {
  const { wrapper, edits } = await shown({ failures: { record_details: { kind: 'notFound', message: 'it is gone' } } })
  expect(wrapper.props('open')).toBe(false)
  expect(edits()).toEqual([])
})
