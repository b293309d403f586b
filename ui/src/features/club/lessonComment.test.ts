import { expect, test } from 'vitest'
import { nextTick, shallowRef } from 'vue'
import type { LessonState } from '@/api'
import { useLessonComment } from './lessonComment'

/** What the server says of the position after so many moves. */
function said(moves: number, comment = '', more: Partial<LessonState> = {}): LessonState {
  return { node: moves, move_number: moves, variation: [0, 1], last_move: [moves, 0], board: [[1]], comment, marks: [], ...more } as unknown as LessonState
}

function field() {
  const state = shallowRef<LessonState | undefined>(said(3))
  const sent: [string, number | undefined][] = []
  const { text, handIn } = useLessonComment({ state, send: (words, node) => { sent.push([words, node]); return true } })
  const hear = async (now: LessonState | undefined): Promise<void> => {
    state.value = now
    await nextTick()
  }
  return { sent, text, handIn, hear }
}

test('what is typed at a move stays there where the lesson goes on meanwhile', async () => {
  const { sent, text, handIn, hear } = field()
  text.value = 'of the third move'
  await hear(said(4))
  expect(text.value).toBe('')
  handIn()
  expect(sent).toEqual([['of the third move', 3]])
})

test('what is typed while the server is started again is of the same move, by its new number', async () => {
  const { sent, text, handIn, hear } = field()
  text.value = 'of the third move'
  await hear(said(3, '', { node: 65_539 }))
  expect(text.value).toBe('of the third move')
  handIn()
  expect(sent).toEqual([['of the third move', 65_539]])
})

test('what is typed in a lesson that is left is sent nowhere', async () => {
  const { sent, text, hear } = field()
  text.value = 'of the third move'
  await hear(undefined)
  expect(sent).toEqual([])
})

test('a comment that is handed in before the step stays at its move', async () => {
  const { sent, text, handIn, hear } = field()
  text.value = ' of the third move '
  handIn()
  await hear(said(3, 'of the third move'))
  await hear(said(4))
  handIn()
  expect([sent, text.value]).toEqual([[[' of the third move ', 3]], ''])
  await hear(said(3, 'of the third move'))
  handIn()
  expect([sent.length, text.value]).toEqual([1, 'of the third move'])
})

test('marks on the board and the own comment that comes back leave the typing alone', async () => {
  const { sent, text, handIn, hear } = field()
  text.value = 'first'
  await hear(said(3, '', { marks: [{ x: 0, y: 0, shape: 'circle' }] }))
  handIn()
  text.value = 'first and second'
  await hear(said(3, 'first'))
  expect(text.value).toBe('first and second')
  handIn()
  expect(sent).toEqual([['first', 3], ['first and second', 3]])
})
