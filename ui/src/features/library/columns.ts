import type { RecordSort } from '@/api'
import type { ColumnChoice } from '@/features/settings'

/** What the table of games can show; each sorts the list by the same name. */
export const COLUMNS = {
  black: { width: 130, start: 'up' },
  white: { width: 130, start: 'up' },
  result: { width: 150, start: 'up' },
  date: { width: 104, start: 'down' },
  event: { width: 118, start: 'up' },
  moves: { width: 80, start: 'down' },
  rank: { width: 104, start: 'down' },
  komi: { width: 60, start: 'up' },
  size: { width: 72, start: 'down' },
  added: { width: 128, start: 'down' },
} as const satisfies Partial<Record<RecordSort, { width: number, start: 'up' | 'down' }>>

export type ColumnName = keyof typeof COLUMNS

/** A column and its share of the table's width. */
export interface TableColumn extends ColumnChoice {
  readonly name: ColumnName
}

/** Narrowest column, in the units of its width. */
export const MIN_WIDTH = 44
/** Wide enough for every usual head with the sign of its order. */
const HEAD_WIDTH = 80
/** Columns that a new window does not show. */
const HIDDEN_FIRST: readonly ColumnName[] = ['komi', 'size', 'added']

/** All columns in the person's order; those that another version did not know come last, those that this one does not know are left out. */
export function tableColumns(chosen: readonly ColumnChoice[]): TableColumn[] {
  const isKnown = (column: ColumnChoice): column is TableColumn => column.name in COLUMNS
  const known = chosen.filter(isKnown).filter((column, at, all) => all.findIndex(other => other.name === column.name) === at)
  const rest = (Object.keys(COLUMNS) as ColumnName[]).filter(name => !known.some(column => column.name === name))
  const columns: TableColumn[] = [...known, ...rest.map(name => ({ name, width: COLUMNS[name].width, shown: !HIDDEN_FIRST.includes(name) }))]
  // A table without columns could not be brought back.
  return columns.some(({ shown }) => shown) ? columns : columns.map((column, at) => ({ ...column, shown: at === 0 }))
}

/**
 * A column as a track of the table's grid: a head is cut off only where the person made its column so narrow, and a day
 * is never cut. One without any words gives its room to the others.
 */
export function trackOf({ name, width }: TableColumn, empty = false): string {
  const least = Math.max(MIN_WIDTH, Math.min(width, name === 'date' ? COLUMNS.date.width : HEAD_WIDTH)) / 16
  return empty ? `minmax(${MIN_WIDTH / 16}rem, ${least}rem)` : `minmax(${least}rem, ${width}fr)`
}

const changed = (columns: readonly TableColumn[], name: ColumnName, change: Partial<Pick<ColumnChoice, 'width' | 'shown'>>): TableColumn[] =>
  columns.map(column => column.name === name ? { ...column, ...change } : column)

/**
 * Moves the border behind a column: it and its neighbour share what they had, so that the table keeps its width.
 * `measured` are the widths as they are drawn, in the same order; they become the widths that are kept.
 */
export function resized(columns: readonly TableColumn[], measured: Partial<Record<ColumnName, number>>, name: ColumnName, by: number): TableColumn[] {
  const drawn = columns.map(column => ({ ...column, width: Math.round(measured[column.name] ?? column.width) }))
  const shown = drawn.filter(column => column.shown)
  const at = shown.findIndex(column => column.name === name)
  const [left, right] = [shown[at], shown[at + 1]]
  if (!left || !right) return drawn
  const shift = Math.max(MIN_WIDTH - left.width, Math.min(right.width - MIN_WIDTH, Math.round(by)))
  return changed(changed(drawn, name, { width: left.width + shift }), right.name, { width: right.width - shift })
}

/** Shows or hides a column; the last one stays. */
export function toggled(columns: readonly TableColumn[], name: ColumnName): TableColumn[] {
  const shown = columns.filter(column => column.shown)
  return changed(columns, name, { shown: !shown.some(column => column.name === name) || shown.length === 1 })
}

/** Puts a column in the place of another one. */
export function moved(columns: readonly TableColumn[], name: ColumnName, place: ColumnName): TableColumn[] {
  const from = columns.findIndex(column => column.name === name)
  const to = columns.findIndex(column => column.name === place)
  const column = columns[from]
  if (!column || to < 0) return [...columns]
  const rest = columns.filter(other => other !== column)
  return [...rest.slice(0, to), column, ...rest.slice(to)]
}
