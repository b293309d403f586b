import type { LinkView, MarkShape, MarkView } from '@/api'

/** What a click on the board does. */
export const TOOLS = [
  'play', 'black', 'white', 'erase', 'triangle', 'square', 'circle', 'cross', 'selected', 'letter', 'number', 'text', 'line', 'arrow', 'dimmed',
  'region', 'avoid',
] as const
export type Tool = (typeof TOOLS)[number]

/** Tools that are drawn from one point to another. */
export const isDragged = (tool: Tool): boolean => tool === 'line' || tool === 'arrow' || tool === 'region'

/** Shapes that may lie under another one: they say something of the ground, not of the stone. */
const GROUND: readonly MarkShape[] = ['dimmed', 'territoryBlack', 'territoryWhite']

/** The marks after a click with a mark tool: the same mark goes, another one takes its place. */
export function toggledMark(marks: readonly MarkView[], point: number, shape: MarkShape, label = ''): MarkView[] {
  const ground = GROUND.includes(shape)
  const same = marks.some(mark => mark.point === point && mark.shape === shape && (shape !== 'label' || label === '' || mark.label === label))
  const rest = marks.filter(mark => mark.point !== point || GROUND.includes(mark.shape) !== ground)
  return same ? rest : [...rest, { point, shape, label }]
}

/** The lines after one was drawn: the same one again takes it away, also in the other direction. */
export function toggledLink(links: readonly LinkView[], link: LinkView): LinkView[] {
  const same = (other: LinkView): boolean => other.arrow === link.arrow
    && ((other.from === link.from && other.to === link.to) || (!link.arrow && other.from === link.to && other.to === link.from))
  return links.some(same) ? links.filter(other => !same(other)) : [...links, link]
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The first letter that no mark has. */
export function nextLetter(marks: readonly MarkView[]): string {
  const used = new Set(marks.map(mark => mark.label))
  return [...LETTERS].find(letter => !used.has(letter)) ?? 'A'
}

/** The first number from 1 on that no mark has. */
export function nextNumber(marks: readonly MarkView[]): string {
  const used = new Set(marks.map(mark => mark.label))
  for (let number = 1; ; number++) if (!used.has(String(number))) return String(number)
}

/** The points of the rectangle between two corners. */
export function rectangle(from: number, to: number, columns: number): number[] {
  const [left, right] = [from % columns, to % columns].sort((a, b) => a - b) as [number, number]
  const [top, bottom] = [Math.floor(from / columns), Math.floor(to / columns)].sort((a, b) => a - b) as [number, number]
  const points: number[] = []
  for (let row = top; row <= bottom; row++) for (let column = left; column <= right; column++) points.push(row * columns + column)
  return points
}
