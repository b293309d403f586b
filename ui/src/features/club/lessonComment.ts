import { shallowRef, toValue, watch, type MaybeRefOrGetter, type ShallowRef } from 'vue'
import type { LessonState } from '@/api'

export interface LessonCommentOptions {
  readonly state: MaybeRefOrGetter<LessonState | undefined>
  /** Sends a comment on the position that the lesson shows; false if that was not possible. */
  readonly send: (text: string) => boolean
}

/** The field in which the teacher comments on the position. A comment is sent without its position: what is typed must be handed in before the lesson goes on. */
export function useLessonComment({ state, send }: LessonCommentOptions): { text: ShallowRef<string>, handIn: () => void } {
  const text = shallowRef('')
  /** The position that the text belongs to, and the comment that the lesson has there, or will have. */
  let known = { place: '', comment: '' }

  watch(() => [placeOf(toValue(state)), toValue(state)?.comment ?? ''] as const, ([place, comment]) => {
    // The same words are what was handed in: more may have been typed since.
    if (place === known.place && comment.trim() === known.comment.trim()) return
    known = { place, comment }
    text.value = comment
  }, { immediate: true })

  function handIn(): void {
    if (text.value.trim() !== known.comment.trim() && send(text.value)) known = { ...known, comment: text.value }
  }
  return { text, handIn }
}

/** Tells positions of a lesson apart, which have no names of their own. */
function placeOf(state: LessonState | undefined): string {
  return state ? JSON.stringify([state.move_number, state.variation, state.last_move, state.board]) : ''
}
