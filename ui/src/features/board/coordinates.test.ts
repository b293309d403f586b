import { expect, test } from 'vitest'
import { chineseNumber, columnLetters, parsePointName, pointName, rowLabel } from './coordinates'

test('columns leave out the letter I and go on after Z', () => {
  expect([0, 7, 8, 18, 24, 25, 36].map(columnLetters)).toEqual(['A', 'H', 'J', 'T', 'Z', 'AA', 'AM'])
})

test('rows count from the bottom in letters and from the top in numbers', () => {
  expect(rowLabel('letters', 0, 19)).toBe('19')
  expect(rowLabel('numbers', 0, 19)).toBe('1')
  expect(rowLabel('chinese', 18, 19)).toBe('十九')
  expect(rowLabel('none', 3, 19)).toBe('')
})

test('Chinese numerals to 52', () => {
  expect([1, 10, 11, 20, 37, 52].map(chineseNumber)).toEqual(['一', '十', '十一', '二十', '三十七', '五十二'])
})

test.each([[19, 19], [52, 52], [2, 5]])('every point of a %i by %i board has a name that is read back', (columns, rows) => {
  const names = new Set<string>()
  for (let point = 0; point < columns * rows; point++) {
    const name = pointName(point, columns, rows)
    names.add(name)
    expect(parsePointName(name.toLowerCase(), columns, rows)).toBe(point)
  }
  expect(names.size).toBe(columns * rows)
})

test('what is no point is not read as one', () => {
  for (const name of ['', 'I5', 'A0', 'A20', 'U1', '5A', 'A1x']) expect(parsePointName(name, 19, 19)).toBeUndefined()
})
