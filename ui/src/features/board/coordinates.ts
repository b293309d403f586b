import type { CoordinateStyle } from './model'

const COLUMN_LETTERS = 'ABCDEFGHJKLMNOPQRSTUVWXYZ'
const CHINESE_DIGITS = ['〇', '一', '二', '三', '四', '五', '六', '七', '八', '九']

/** Column letters as GTP writes them: no `I`, `AA` after `Z`. `column` counts from 0. */
export function columnLetters(column: number): string {
  const base = COLUMN_LETTERS.length
  return column < base
    ? COLUMN_LETTERS.charAt(column)
    : columnLetters(Math.floor(column / base) - 1) + COLUMN_LETTERS.charAt(column % base)
}

/** A number from 1 to 99 in Chinese numerals: 19 is 十九. */
export function chineseNumber(value: number): string {
  const tens = Math.floor(value / 10)
  const ones = value % 10
  if (tens === 0) return CHINESE_DIGITS[ones] ?? ''
  const head = tens === 1 ? '十' : `${CHINESE_DIGITS[tens] ?? ''}十`
  return ones === 0 ? head : head + (CHINESE_DIGITS[ones] ?? '')
}

/** The name of a point as Go players say it in the Western world: `Q16`. Rows count from the bottom. */
export function pointName(point: number, columns: number, rows: number): string {
  return columnLetters(point % columns) + String(rows - Math.floor(point / columns))
}

/** The index of a point named `Q16`, or `undefined` when there is no such point. */
export function parsePointName(name: string, columns: number, rows: number): number | undefined {
  const match = /^([A-HJ-Z]{1,2})(\d{1,2})$/.exec(name.trim().toUpperCase())
  if (!match?.[1] || !match[2]) return undefined
  let column = -1
  for (const letter of match[1]) column = (column + 1) * COLUMN_LETTERS.length + COLUMN_LETTERS.indexOf(letter)
  const y = rows - Number(match[2])
  return column >= 0 && column < columns && y >= 0 && y < rows ? y * columns + column : undefined
}

/** What stands above a column. Both counts are from 0 in the board's own orientation. */
export function columnLabel(style: CoordinateStyle, column: number): string {
  switch (style) {
    case 'letters': return columnLetters(column)
    case 'numbers': case 'chinese': return String(column + 1)
    case 'none': return ''
  }
}

/** What stands beside a row. Western names count from the bottom, Asian ones from the top. */
export function rowLabel(style: CoordinateStyle, row: number, rows: number): string {
  switch (style) {
    case 'letters': return String(rows - row)
    case 'numbers': return String(row + 1)
    case 'chinese': return chineseNumber(row + 1)
    case 'none': return ''
  }
}
