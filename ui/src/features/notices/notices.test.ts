import { mount } from '@vue/test-utils'
import { createPinia, setActivePinia } from 'pinia'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { nextTick, shallowRef, watch } from 'vue'
import type { Failure } from '@/api'
import { asFailure } from '@/api/backend'
import { i18n, switchLanguage } from '@/i18n'
import NoticeStack from './NoticeStack.vue'
import { asSentence, explain } from './explain'
import { useNotices } from './store'

const EVERY: Failure[] = [
  { kind: 'illegalMove', reason: 'ko', message: 'B3 would retake the ko at once' },
  { kind: 'invalidBoard', message: 'row 3 has 18 points' },
  { kind: 'invalidRequest', message: 'komi must be a number' },
  { kind: 'unreadableFile', file: 'a.sgf', message: 'no game in it', problem: null },
  { kind: 'unwritableFile', file: 'a.sgf', message: 'no space left on device' },
  { kind: 'notFound', message: 'no game g9' },
  { kind: 'engineUnavailable', message: 'ONNX Runtime is missing', hint: 'install it' },
  { kind: 'library', message: 'disk full', hint: 'make room' },
  { kind: 'damagedLibrary', message: 'a page', hint: 'run a command' },
  { kind: 'cancelled' },
  { kind: 'notPossibleHere', message: 'paths are not for browsers' },
  { kind: 'internal', report: '4f2a' },
  { kind: 'disconnected' },
  { kind: 'refused', command: 'play', message: 'not allowed' },
]

test.each(EVERY)('a failure of kind $kind says what happened in a sentence of its own', (failure) => {
  setActivePinia(createPinia())
  const { title, detail, quoted, hint } = explain(failure)
  expect(title).not.toMatch(/^error\./)
  expect(title.length).toBeGreaterThan(5)
  expect(`${detail}${quoted}${hint}`).not.toMatch(/\{|undefined/)
  if ('message' in failure && failure.kind !== 'illegalMove') expect(quoted.toLowerCase()).toContain(failure.message.toLowerCase())
  if ('hint' in failure && failure.kind !== 'damagedLibrary') expect(quoted.toLowerCase()).toContain(`${failure.hint}.`)
})

test('a file that cannot be read says it once, in the language of the window, and keeps its name', async () => {
  setActivePinia(createPinia())
  const notices = useNotices()
  await switchLanguage('zh-Hans')
  notices.failed({ kind: 'unreadableFile', file: 'photo.sgf', message: 'no game record found', problem: { kind: 'noGame', values: [] } }, 'notice.notImported')
  await switchLanguage('en')
  notices.failed({ kind: 'unreadableFile', file: 'photo.sgf', message: 'No such file or directory (os error 2)', problem: null }, 'notice.notImported')
  expect(notices.notices.map(({ detail, quoted }) => [detail, quoted])).toEqual([
    ['无法读取 photo.sgf。 没有找到棋谱。', ''],
    ['photo.sgf cannot be read.', 'No such file or directory (os error 2).'],
  ])
})

test('words become a sentence, but an address at their beginning stays as it is written', () => {
  expect(asSentence('ONNX Runtime is missing')).toBe('ONNX Runtime is missing.')
  expect(asSentence('no room on the disk')).toBe('No room on the disk.')
  expect(asSentence('http://127.0.0.1:9/a.bin.gz cannot be fetched')).toBe('http://127.0.0.1:9/a.bin.gz cannot be fetched.')
})

test('what stays English is marked as English', async () => {
  setActivePinia(createPinia())
  useNotices().failed({ kind: 'engineUnavailable', message: 'ONNX Runtime is missing', hint: 'install it' })
  const wrapper = mount(NoticeStack, { global: { plugins: [i18n] } })
  await nextTick()
  expect(wrapper.findAll('[lang=en]').map(one => one.text())).toEqual(['ONNX Runtime is missing. Install it.'])
  wrapper.unmount()
})

test('what is no typed error is not taken for one', () => {
  expect(asFailure('play', 'play not allowed by ACL')).toEqual({ kind: 'refused', command: 'play', message: 'play not allowed by ACL' })
  expect(asFailure('play', { kind: 'surprise' }).kind).toBe('refused')
  expect(asFailure('play', null).kind).toBe('refused')
  expect(asFailure('play', { kind: 'cancelled' })).toEqual({ kind: 'cancelled' })
})

describe('notices', () => {
  beforeEach(() => { vi.useFakeTimers() })
  afterEach(() => { vi.useRealTimers() })

  test('go away by themselves, but not while they are read', () => {
    setActivePinia(createPinia())
    const notices = useNotices()
    const id = notices.show({ tone: 'info', title: 'one' })
    notices.hold(id)
    vi.advanceTimersByTime(60_000)
    expect(notices.notices).toHaveLength(1)
    notices.release(id)
    vi.advanceTimersByTime(60_000)
    expect(notices.notices).toHaveLength(0)
  })

  test('the same one twice is shown once, and never more than four', () => {
    setActivePinia(createPinia())
    const notices = useNotices()
    for (let count = 0; count < 9; count++) notices.show({ tone: 'info', title: 'same' })
    expect(notices.notices).toHaveLength(1)
    for (let count = 0; count < 9; count++) notices.show({ tone: 'info', title: `number ${count}` })
    expect(notices.notices).toHaveLength(4)
  })

  test('a lasting one stays, whatever else is said', () => {
    setActivePinia(createPinia())
    const notices = useNotices()
    const id = notices.show({ tone: 'danger', title: 'lasting', lasting: true })
    for (let count = 0; count < 9; count++) notices.show({ tone: 'info', title: `number ${count}` })
    notices.hold(id)
    notices.release(id)
    vi.advanceTimersByTime(60_000)
    expect(notices.notices.map(notice => notice.title)).toEqual(['lasting'])
    notices.dismiss(id)
    expect(notices.notices).toHaveLength(0)
  })

  test('a notice that has the focus stays when the pointer leaves it, and one under the pointer when the focus does', async () => {
    setActivePinia(createPinia())
    const notices = useNotices()
    const wrapper = mount(NoticeStack, { global: { plugins: [i18n] }, attachTo: document.body })
    notices.show({ tone: 'info', title: 'a', action: { label: 'Undo', run: () => undefined } })
    await nextTick()
    const [notice, action, close] = ['.notice', '.button', '.close'].map(place => wrapper.get<HTMLElement>(place))
    await notice!.trigger('pointerenter')
    action!.element.focus()
    await notice!.trigger('pointerleave')
    vi.advanceTimersByTime(60_000)
    close!.element.focus()
    vi.advanceTimersByTime(60_000)
    expect(notices.notices).toHaveLength(1)
    await notice!.trigger('pointerenter')
    close!.element.blur()
    vi.advanceTimersByTime(60_000)
    expect(notices.notices).toHaveLength(1)
    await notice!.trigger('pointerleave')
    vi.advanceTimersByTime(60_000)
    expect(notices.notices).toHaveLength(0)
    wrapper.unmount()
  })

  test('what is spoken twice is heard twice', () => {
    setActivePinia(createPinia())
    const notices = useNotices()
    notices.announce('Move 1')
    const first = notices.spoken
    notices.announce('Move 1')
    expect(notices.spoken).not.toBe(first)
    expect(notices.spoken.trim()).toBe('Move 1')
  })

  test('what is announced in one moment is spoken together, and what comes later by itself', async () => {
    setActivePinia(createPinia())
    const notices = useNotices()
    const wrapper = mount(NoticeStack, { global: { plugins: [i18n] } })
    const move = shallowRef(0)
    const stop = watch(move, number => notices.announce(`Move ${number}`))
    notices.announce('The game is closed.')
    move.value = 1
    await nextTick()
    expect(wrapper.get('[aria-live]').text()).toBe('The game is closed. Move 1')
    move.value = 2
    await nextTick()
    expect(wrapper.get('[aria-live]').text()).toBe('Move 2')
    stop()
    wrapper.unmount()
  })

  test('work that was stopped on purpose is no failure', () => {
    setActivePinia(createPinia())
    const notices = useNotices()
    notices.failed({ kind: 'cancelled' })
    expect(notices.notices).toHaveLength(0)
  })
})
