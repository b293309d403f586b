import { mount } from '@vue/test-utils'
import { expect, test } from 'vitest'
import { nextTick } from 'vue'
import { i18n } from '@/i18n'
import { recordsOf, startApp } from '@/testing'
import LibraryReviews from './LibraryReviews.vue'
import { useReviews } from './reviews'

const RECORDS = '(;SZ[9]PB[Aya]PW[Ben];B[ee];W[cc];B[gg];W[gc];B[cg];W[ed])(;SZ[9]PB[Cho]PW[Dan];B[cc];W[gg];B[gc];W[cg];B[ed];W[de])'

async function reviewing() {
  const { backend } = await startApp({ records: RECORDS, settings: { threads: 1 } })
  const reviews = useReviews()
  backend.listen((event) => { if (event.event === 'reviews') reviews.receive(event.payload) })
  const wrapper = mount(LibraryReviews, { global: { plugins: [i18n] } })
  const ids = (await recordsOf(backend)).map(({ id }) => id)
  return { backend, ids, reviews, wrapper }
}

test('games are reviewed in the background, and what became of them is told until it is dismissed', async () => {
  const { backend, ids, reviews, wrapper } = await reviewing()
  expect(wrapper.find('[data-test=reviews]').exists()).toBe(false)
  await backend.allow(5)
  await reviews.add(ids)
  await backend.until(() => reviews.queue.state.kind === 'working')
  expect(wrapper.find('[data-test=reviews-words]').text()).toBe('Reviewing games: 0 of 2')
  await backend.allow(null)
  await backend.until(() => reviews.queue.waiting === 0 && reviews.queue.done === 2)
  expect(wrapper.find('[data-test=reviews-words]').text()).toBe('2 games reviewed')
  await wrapper.find('[data-action=dismiss-reviews]').trigger('click')
  expect(wrapper.find('[data-test=reviews]').exists()).toBe(false)
})

test('the list goes on after a restart, and stops when it is told to', async () => {
  const { backend, ids, reviews, wrapper } = await reviewing()
  await backend.allow(3)
  await reviews.add(ids)
  await backend.until(() => reviews.queue.state.kind === 'working')
  await backend.restart()
  await backend.until(() => backend.connection.value === 'connected')
  reviews.$reset()
  await backend.allow(0)
  await reviews.refresh()
  expect([reviews.queue.waiting, reviews.queue.done]).toEqual([2, 0])
  const slow = backend.hold('clear_review_queue')
  await wrapper.find('[data-action=clear-reviews]').trigger('click')
  await backend.until(() => slow.waiting === 1)
  // What the back end reports may be here before its answer.
  reviews.receive({ ...reviews.queue, waiting: 0, state: { kind: 'idle' } })
  await nextTick()
  expect(wrapper.find('[data-test=reviews]').exists()).toBe(false)
  slow.releaseOne()
  await backend.settled()
  expect(reviews.queue.waiting).toBe(0)
  expect(wrapper.find('[data-test=reviews]').exists()).toBe(false)
})

test('of games that nobody asked for the work is shown, and its end bothers nobody', async () => {
  const { reviews, wrapper } = await reviewing()
  const working = { waiting: 1, done: 0, failed: 0, offered: 0, asked: false, state: { kind: 'working', id: '1', done: 3, total: 9 }, secondsLeft: null } as const
  const shown = async (): Promise<boolean> => {
    await nextTick()
    return wrapper.find('[data-test=reviews]').exists()
  }
  reviews.receive(working)
  expect(await shown()).toBe(true)
  reviews.receive({ ...working, waiting: 0, done: 1, state: { kind: 'idle' } })
  expect(await shown()).toBe(false)
})

test('many own games that came in are asked about once', async () => {
  const { backend, reviews, wrapper } = await reviewing()
  const came = async (): Promise<void> => {
    reviews.receive({ waiting: 0, done: 0, failed: 0, offered: 312, asked: false, state: { kind: 'idle' }, secondsLeft: null })
    await nextTick()
  }
  await came()
  expect(wrapper.find('[data-test=review-offer]').text()).toContain('312 of your games came in.')
  expect(wrapper.find('[data-test=reviews-words]').exists()).toBe(false)
  for (const answer of ['accept', 'decline']) {
    await came()
    await wrapper.find(`[data-action=${answer}-reviews]`).trigger('click')
    await backend.until(() => !wrapper.find('[data-test=reviews]').exists())
  }
})
