import { expect, test } from 'vitest'
import { say } from '@/i18n'
import { HOTSPOTS, MOVE_ANNOTATIONS, POSITION_ANNOTATIONS, signsOf, wordsOf } from './annotations'

const NONE = { onMove: null, onPosition: null, hotspot: null }

test('each annotation has a sign and words of its own, apart from its colour', () => {
  const all = [
    ...MOVE_ANNOTATIONS.map(onMove => ({ ...NONE, onMove })), ...POSITION_ANNOTATIONS.map(onPosition => ({ ...NONE, onPosition })),
    ...HOTSPOTS.map(hotspot => ({ ...NONE, hotspot })),
  ]
  expect(new Set(all.map(one => wordsOf(one, say).join())).size).toBe(all.length)
  // Those for Black and for White are one disc, as stones are.
  const shapes = all.flatMap(signsOf).filter(({ color }) => color !== '--stone-white').map(({ path, strong }) => `${path} ${strong}`)
  expect(shapes).toHaveLength(all.length - 2)
  expect(new Set(shapes).size).toBe(shapes.length)
})

test('words and signs come in the same order', () => {
  const whole = { onMove: 'bad', onPosition: 'veryGoodForWhite', hotspot: 'major' } as const
  expect(wordsOf(whole, say)).toEqual(['Bad move', 'Very good for White', 'Major hotspot'])
  expect(signsOf(whole).map(({ kind, strong }) => [kind, strong])).toEqual([['move', false], ['position', true], ['hotspot', true]])
  expect([wordsOf(NONE, say), signsOf(NONE)]).toEqual([[], []])
})
