import { shallowRef, toValue, watch, type MaybeRefOrGetter, type ShallowRef } from 'vue'
import type { LessonState } from '@/api'

export interface LessonCommentOptions {
  readonly state: MaybeRefOrGetter<LessonState | undefined>
  /** Sends a comment on a node of the record; false if that was not possible. */
  readonly send: (text: string, node: number | undefined) => boolean
}

/** The field in which the teacher comments on the position. What is typed belongs to the position that was shown then, also where the lesson has gone on before it is handed in. */
export function useLessonComment({ state, send }: LessonCommentOptions): { text: ShallowRef<string>, handIn: () => void } {
  const text = shallowRef('')
  /** The position that the text belongs to, and the comment that the lesson has there, or will have. */
  let known: { node: number | undefined, place: string, comment: string } = { node: undefined, place: '', comment: '' }

  watch(() => [toValue(state)?.node, placeOf(toValue(state)), toValue(state)?.comment ?? ''] as const, ([node, place, comment]) => {
    if (place === known.place && comment.trim() === known.comment.trim()) {
      // The same words are what was handed in: more may have been typed since. After a start of the server the node has another number.
      known = { ...known, node }
      return
    }
    if (place !== '' && place !== known.place && known.node !== undefined) handIn()
    known = { node, place, comment }
    text.value = comment
  }, { immediate: true })

  function handIn(): void {
    if (text.value.trim() !== known.comment.trim() && send(text.value, known.node)) known = { ...known, comment: text.value }
  }
  return { text, handIn }
}

/** What tells positions of a lesson apart for the eye. */
function placeOf(state: LessonState | undefined): string {
  return state ? JSON.stringify([state.move_number, state.variation, state.last_move, state.board]) : ''
}
