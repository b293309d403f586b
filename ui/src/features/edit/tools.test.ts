import { describe, expect, test } from 'vitest'
import type { MarkView } from '@/api'
import { nextLetter, nextNumber, rectangle, toggledLink, toggledMark } from './tools'

const mark = (point: number, shape: MarkView['shape'], label = ''): MarkView => ({ point, shape, label })

describe('marks', () => {
  test('a second click takes the mark away, another shape takes its place', () => {
    const once = toggledMark([], 3, 'triangle')
    expect(once).toEqual([mark(3, 'triangle')])
    expect(toggledMark(once, 3, 'triangle')).toEqual([])
    expect(toggledMark(once, 3, 'circle')).toEqual([mark(3, 'circle')])
    expect(toggledMark(once, 4, 'triangle')).toHaveLength(2)
  })

  test('a dimmed point keeps its mark and the other way round', () => {
    const both = toggledMark([mark(3, 'label', 'A')], 3, 'dimmed')
    expect(both).toEqual([mark(3, 'label', 'A'), mark(3, 'dimmed')])
    expect(toggledMark(both, 3, 'label', 'A')).toEqual([mark(3, 'dimmed')])
  })

  test('a label with other words is changed and not taken away', () => {
    expect(toggledMark([mark(3, 'label', 'A')], 3, 'label', 'B')).toEqual([mark(3, 'label', 'B')])
  })

  test('letters and numbers fill the first gap', () => {
    expect(nextLetter([mark(1, 'label', 'A'), mark(2, 'label', 'C')])).toBe('B')
    expect(nextNumber([mark(1, 'label', '1'), mark(2, 'label', '2')])).toBe('3')
    expect(nextLetter([])).toBe('A')
  })
})

test('a line is the same in both directions, an arrow is not', () => {
  const line = { from: 1, to: 2, arrow: false }
  expect(toggledLink([line], { from: 2, to: 1, arrow: false })).toEqual([])
  const arrow = { from: 1, to: 2, arrow: true }
  expect(toggledLink([arrow], { from: 2, to: 1, arrow: true })).toHaveLength(2)
  expect(toggledLink([arrow], arrow)).toEqual([])
})

test('a rectangle is the same from any of its corners', () => {
  expect(rectangle(0, 11, 5)).toEqual([0, 1, 5, 6, 10, 11])
  expect(rectangle(11, 0, 5)).toEqual(rectangle(1, 10, 5))
})
