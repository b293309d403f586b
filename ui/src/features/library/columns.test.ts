import { expect, test } from 'vitest'
import { COLUMNS, moved, resized, tableColumns, toggled, trackOf } from './columns'

const names = (columns: readonly { name: string, shown: boolean }[]): string => columns.filter(({ shown }) => shown).map(({ name }) => name).join(' ')

test('a new window shows the usual columns', () => {
  expect(names(tableColumns([]))).toBe('black white result date event moves rank')
})

test('what was kept comes back, whichever version kept it', () => {
  const kept = [{ name: 'date', width: 120, shown: true }, { name: 'opening', width: 90, shown: true }, { name: 'date', width: 5, shown: true }, { name: 'black', width: 200, shown: false }]
  const columns = tableColumns(kept)
  expect(columns).toHaveLength(10)
  expect(columns.slice(0, 2)).toEqual([{ name: 'date', width: 120, shown: true }, { name: 'black', width: 200, shown: false }])
  expect(names(columns)).toBe('date white result event moves rank')
})

test('a border between two columns moves as far as both can still be seen', () => {
  const columns = tableColumns([])
  const measured = { black: 300, white: 100, result: 80 }
  const widths = (by: number, name: 'black' | 'rank' = 'black'): (number | undefined)[] => resized(columns, measured, name, by).slice(0, 3).map(column => column.width)
  expect(widths(40)).toEqual([340, 60, 80])
  expect(widths(90.4), 'the neighbour stays').toEqual([356, 44, 80])
  expect(widths(-999)).toEqual([44, 356, 80])
  expect(widths(50, 'rank'), 'nothing lies behind the last one').toEqual([300, 100, 80])
})

test('columns are moved, hidden and shown, but never all hidden', () => {
  const columns = tableColumns([])
  expect(names(moved(columns, 'date', 'black'))).toBe('date black white result event moves rank')
  expect(names(moved(columns, 'black', 'result'))).toBe('white result black date event moves rank')
  let few = columns
  for (const name of ['black', 'white', 'result', 'date', 'event', 'moves', 'rank'] as const) few = toggled(few, name)
  expect(names(few)).toBe('rank')
  expect(names(toggled(few, 'komi'))).toBe('rank komi')
})

test('a column is as wide as its head, unless it was made narrower', () => {
  const track = (width: number): string => trackOf({ name: 'moves', width, shown: true })
  expect(tableColumns([]).filter(column => column.shown).map(column => trackOf(column).split(',')[0])).toEqual(['black', 'white', 'result', 'date', 'event', 'moves', 'rank'].map(name => `minmax(${name === 'date' ? COLUMNS.date.width / 16 : 5}rem`))
  expect(track(50)).toBe('minmax(3.125rem, 50fr)')
  expect(track(10), 'it can still be seen').toBe('minmax(2.75rem, 10fr)')
})

test('a column without words takes no share of the room, and no more than its head', () => {
  expect(trackOf({ name: 'event', width: 118, shown: true }, true)).toBe('minmax(2.75rem, 5rem)')
})
