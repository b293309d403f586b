import { defineStore } from 'pinia'
import { computed, shallowRef } from 'vue'
import { useBackend, type Failure, type RecordPreview, type RecordSummary } from '@/api'

/** Asks for the end of a game, however long it is. */
const END = 0xffff_ffff

/** A game of the library as one looks at it before opening it. From game to game one stays at the same move, or at the end. */
export const useRecordPreview = defineStore('recordPreview', () => {
  const backend = useBackend()
  const record = shallowRef<RecordSummary>()
  const preview = shallowRef<RecordPreview>()
  const failure = shallowRef<Failure>()
  /** The node of the main line that is wanted. */
  let wanted = END
  let asking = false

  const node = computed(() => preview.value?.position.lineIndex ?? 0)
  const last = computed(() => Math.max(0, (preview.value?.position.line.length ?? 1) - 1))

  /** One question at a time: whoever goes through games or moves quickly gets the last one that was wanted. */
  async function ask(): Promise<void> {
    if (asking) return
    asking = true
    for (;;) {
      const about = record.value
      if (!about) break
      const at = wanted
      const answer = await backend.call('preview_record', { id: about.id, node: at })
      if (record.value?.id !== about.id) continue
      if (answer.status === 'ok') {
        preview.value = answer.data
        failure.value = undefined
      } else {
        preview.value = undefined
        failure.value = answer.error
      }
      if (wanted === at || failure.value) break
    }
    asking = false
  }

  function show(next: RecordSummary | undefined): Promise<void> {
    if (next?.id === record.value?.id) {
      record.value = next
      return Promise.resolve()
    }
    record.value = next
    if (next) return ask()
    preview.value = undefined
    failure.value = undefined
    return Promise.resolve()
  }

  function goTo(place: number): Promise<void> {
    wanted = place >= last.value ? END : Math.max(0, place)
    return ask()
  }
  const step = (by: number): Promise<void> => goTo((wanted === END ? last.value : wanted) + by)
  const toEnd = (): Promise<void> => goTo(END)

  function $reset(): void {
    record.value = undefined
    preview.value = undefined
    failure.value = undefined
    wanted = END
  }

  return { record, preview, failure, node, last, show, goTo, step, toEnd, $reset }
})
