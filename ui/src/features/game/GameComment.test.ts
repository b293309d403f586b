import { mount } from '@vue/test-utils'
import { expect, test, vi } from 'vitest'
import { nextTick } from 'vue'
import { i18n } from '@/i18n'
import { handInDrafts } from './drafts'
import GameComment from './GameComment.vue'

const comment = (text: string) => mount(GameComment, { props: { gameId: 'g', nodeId: 3, comment: text }, global: { plugins: [i18n] } })

test('what was typed belongs to the move where it was typed, also when the board goes on', async () => {
  const wrapper = comment('old')
  await wrapper.get('.read').trigger('click')
  await wrapper.get('textarea').setValue('new')
  await wrapper.setProps({ nodeId: 4, comment: 'of the next move' })
  expect(wrapper.emitted('change')).toEqual([['g', 3, 'new']])
  expect(wrapper.get('.read').text()).toBe('of the next move')
  await wrapper.get('.read').trigger('click')
  await wrapper.get('textarea').trigger('blur')
  expect(wrapper.emitted('change')).toHaveLength(1)
})

test('a point that the comment names is told while the pointer or the focus is on it, and a click there does not write', async () => {
  const wrapper = mount(GameComment, { props: { gameId: 'g', nodeId: 3, comment: '**Q16** is big、D4も. Not T20, I5 or `C3`.', columns: 19, rows: 19 }, global: { plugins: [i18n] } })
  const names = wrapper.findAll('.name')
  expect(names.map(name => name.text())).toEqual(['Q16', 'D4'])
  await names[0]?.trigger('pointerenter')
  await names[0]?.trigger('pointerleave')
  await names[1]?.trigger('focus')
  expect(wrapper.emitted('point')).toEqual([[3 * 19 + 15], [undefined], [15 * 19 + 3]])
  await names[1]?.trigger('click')
  expect(wrapper.find('textarea').exists()).toBe(false)
})

test('markup in a comment stays text', () => {
  const wrapper = comment('<img src=x onerror="window.hit = true"><script>window.hit = true</script>')
  expect(wrapper.find('img, script').exists()).toBe(false)
  expect(wrapper.get('.read').text()).toContain('<img')
})

test('a comment is read as Markdown and written as text', async () => {
  const wrapper = comment('a **strong** move')
  expect(wrapper.get('strong').text()).toBe('strong')
  await wrapper.get('.read').trigger('keydown', { key: 'Enter' })
  expect(wrapper.get('textarea').element.value).toBe('a **strong** move')
  await wrapper.get('textarea').trigger('keydown', { key: 'Escape' })
  expect(wrapper.find('textarea').exists()).toBe(false)
})

test('a key of an input method does not end the writing', async () => {
  const { changes, wrapper, field } = await writing()
  const escape = async (isComposing: boolean): Promise<void> => {
    field.element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', isComposing, bubbles: true }))
    await nextTick()
  }
  await escape(true)
  expect([wrapper.find('textarea').exists(), changes]).toEqual([true, []])
  await escape(false)
  expect([wrapper.find('textarea').exists(), changes]).toEqual([false, [['g', 3, 'here']]])
  wrapper.unmount()
})

test('nothing typed is nothing changed', async () => {
  const wrapper = comment('old')
  await wrapper.get('.read').trigger('click')
  await wrapper.get('textarea').trigger('blur')
  await wrapper.setProps({ nodeId: 9, comment: '' })
  expect(wrapper.emitted('change')).toBeUndefined()
})

/** A field with the focus in it, on a move without a comment. */
async function writing() {
  const changes: unknown[][] = []
  const wrapper = mount(GameComment, { props: { gameId: 'g', nodeId: 3, comment: '', onChange: (...change) => void changes.push(change) }, global: { plugins: [i18n] }, attachTo: document.body })
  const field = wrapper.get('textarea')
  field.element.focus()
  await field.trigger('focus')
  await field.setValue('here')
  return { changes, wrapper, field }
}

test('who writes goes on in the field of the next move, or stands on its comment', async () => {
  const { changes, wrapper, field } = await writing()
  await wrapper.setProps({ nodeId: 4 })
  await field.setValue('t')
  expect(document.activeElement).toBe(wrapper.get('textarea').element)
  await wrapper.setProps({ nodeId: 5, comment: 'a word' })
  expect(changes).toEqual([['g', 3, 'here'], ['g', 4, 't']])
  await nextTick()
  expect(document.activeElement).toBe(wrapper.get('.read').element)
  wrapper.unmount()
})

test('words are handed in a second after the last key, without leaving the field', async () => {
  vi.useFakeTimers()
  try {
    const { changes, wrapper, field } = await writing()
    vi.advanceTimersByTime(900)
    await field.setValue('here it')
    vi.advanceTimersByTime(999)
    expect(changes).toEqual([])
    vi.advanceTimersByTime(1)
    expect(changes).toEqual([['g', 3, 'here it']])
    await field.setValue('here it is')
    await wrapper.setProps({ comment: 'here it' })
    expect(field.element.value).toBe('here it is')
    wrapper.unmount()
    vi.advanceTimersByTime(5000)
    expect(changes).toEqual([['g', 3, 'here it'], ['g', 3, 'here it is']])
  } finally {
    vi.useRealTimers()
  }
})

test('what is typed after an action has taken the words stays in the field', async () => {
  const { changes, wrapper, field } = await writing()
  handInDrafts()
  await field.setValue('here and there')
  await wrapper.setProps({ comment: 'here' })
  expect(field.element.value).toBe('here and there')
  wrapper.unmount()
  expect(changes).toEqual([['g', 3, 'here'], ['g', 3, 'here and there']])
})

test('undoing and redoing show the words that the record has', async () => {
  const { wrapper, field } = await writing()
  for (const words of ['here', 'here and there']) {
    await field.setValue(words)
    handInDrafts()
    await wrapper.setProps({ comment: words })
  }
  for (const words of ['here', '', 'here', 'here and there']) {
    await wrapper.setProps({ comment: words })
    expect(field.element.value).toBe(words)
  }
  wrapper.unmount()
})

test('the answers to words that were handed in one after the other leave what is typed since', async () => {
  const wrapper = comment('')
  const field = wrapper.get('textarea')
  for (const words of ['a', 'a b']) {
    await field.setValue(words)
    handInDrafts()
  }
  await field.setValue('a b c')
  for (const answered of ['a', 'a b']) await wrapper.setProps({ comment: answered })
  expect(field.element.value).toBe('a b c')
  await wrapper.setProps({ comment: 'of another window' })
  expect(wrapper.emitted('change')?.at(-1)).toEqual(['g', 3, 'a b c'])
})
