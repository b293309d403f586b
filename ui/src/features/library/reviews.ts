import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { useBackend, type ReviewQueue } from '@/api'
import { useNotices } from '@/features/notices'

const NOTHING: ReviewQueue = { waiting: 0, done: 0, failed: 0, offered: 0, asked: false, state: { kind: 'idle' }, secondsLeft: null }

/** Games of the library that are reviewed in the background. */
export const useReviews = defineStore('reviews', () => {
  const backend = useBackend()
  const notices = useNotices()
  const queue = shallowRef<ReviewQueue>(NOTHING)
  /** The end of the list is told until it is dismissed, to whoever asked for it. */
  const dismissed = shallowRef(true)
  const shown = computed(() => {
    // A list that was cleared has nothing that is done, and no end to tell.
    const { waiting, done, offered } = queue.value
    return waiting > 0 || offered > 0 || (done > 0 && !dismissed.value)
  })

  /** Counts what was reported: an answer that was under way meanwhile is older. */
  let news = 0
  function receive(now: ReviewQueue): void {
    news++
    if (now.waiting > 0 && now.asked) dismissed.value = false
    queue.value = now
  }

  async function ask(answer: ReturnType<typeof backend.call<'review_queue'>>): Promise<void> {
    const since = news
    const found = await answer
    if (found.status === 'ok') {
      if (news === since) receive(found.data)
    }
    else notices.failed(found.error)
  }
  /** How far the list is, after a start. */
  const refresh = (): Promise<void> => ask(backend.call('review_queue', {}))
  /** Puts games on the list, before all others. */
  const add = (ids: readonly string[]): Promise<void> => ask(backend.call('queue_reviews', { ids: [...ids], first: true }))
  /** Answers whether own games that came in together are to be reviewed. */
  const answerOffer = (review: boolean): Promise<void> => ask(backend.call('take_review_offer', { review }))
  /** Takes all games off the list. */
  async function clear(): Promise<void> {
    const found = await backend.call('clear_review_queue', {})
    if (found.status === 'ok') receive(found.data)
    else notices.failed(found.error)
    dismissed.value = true
  }
  const dismiss = (): void => { dismissed.value = true }

  function $reset(): void {
    queue.value = NOTHING
    dismissed.value = true
  }
  return { queue, shown, receive, refresh, add, answerOffer, clear, dismiss, $reset }
})
