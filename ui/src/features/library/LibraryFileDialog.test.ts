import { mount } from '@vue/test-utils'
import { afterEach, expect, test } from 'vitest'
import { provideBackend } from '@/api'
import { useNotices } from '@/features/notices'
import { i18n } from '@/i18n'
import { someRecords, startApp } from '@/testing'
import LibraryFileDialog from './LibraryFileDialog.vue'
import { useLibrary } from './store'

let leave: (() => void) | undefined
afterEach(() => leave?.())

const field = (name: string): HTMLInputElement => document.querySelector<HTMLInputElement>(`[data-field=${name}]`)!
function write(name: string, text: string): void {
  field(name).value = text
  field(name).dispatchEvent(new Event('input'))
}
async function shown({ gone = false } = {}) {
  const { backend } = await startApp({ records: someRecords(5) })
  const library = useLibrary()
  await library.refresh()
  const record = library.recordAt(0)!
  await backend.another().call('edit_records', { ids: [record.id], folder: 'openings', addTags: ['study'], removeTags: [] })
  // The list is older than what is done meanwhile.
  const shownRecord = gone ? { ...record, id: '999' } : record
  const wrapper = mount(LibraryFileDialog, {
    props: { 'record': shownRecord, 'open': true, 'onUpdate:open': (open: boolean) => wrapper.setProps({ open }) },
    global: { plugins: [i18n, app => provideBackend(app, backend)] }, attachTo: document.body,
  })
  leave = () => wrapper.unmount()
  await backend.settled()
  const keep = async (): Promise<void> => { document.querySelector('form')!.dispatchEvent(new Event('submit', { cancelable: true })); await backend.settled() }
  const edits = () => backend.asked('edit_records')
  return { backend, record, wrapper, keep, edits }
}

test('shows how a record is filed and changes only what was changed', async () => {
  const { backend, record, wrapper, keep, edits } = await shown()
  expect([field('folder').value, field('tags').value]).toEqual(['openings', 'study'])
  write('tags', 'fuseki、ko')
  await keep()
  expect(edits()).toEqual([{ ids: [record.id], folder: null, addTags: ['fuseki', 'ko'], removeTags: ['study'] }])
  expect(await backend.call('record_details', { id: record.id })).toMatchObject({ data: { folder: 'openings', tags: ['fuseki', 'ko'] } })
  expect(wrapper.props('open')).toBe(false)
})

test('nothing changed is nothing to take back', async () => {
  const { wrapper, keep, edits } = await shown()
  await keep()
  expect(edits()).toEqual([])
  expect(wrapper.props('open')).toBe(false)
})

test('what could not be kept stays on the screen', async () => {
  const { backend, wrapper, keep } = await shown()
  backend.refuse('edit_records', { kind: 'disconnected' })
  write('folder', '')
  await keep()
  expect(wrapper.props('open')).toBe(true)
  expect(field('folder').value).toBe('')
  expect(useNotices().notices).toHaveLength(1)
})

test('a record of which nothing is known is not written', async () => {
  const { wrapper, edits } = await shown({ gone: true })
  expect(wrapper.props('open')).toBe(false)
  expect(edits()).toEqual([])
})
