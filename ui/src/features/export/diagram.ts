import {
  BOARD_THEMES, centreOf, columnLabel, fitBoard, joinedView, pointName, pointSeenAt, rowLabel, starPoints, type BoardThemeName, type CoordinateStyle, type Orientation, type Pan,
} from '@/features/board'
import type { BoardTopology, LinkView, MarkView } from '@/api'

/** A move of a diagram; `point` is null for a pass. */
export interface DiagramMove {
  readonly number: number
  readonly point: number | null
  /** 1 black, -1 white. */
  readonly color: number
}

export interface DiagramOptions {
  readonly columns: number
  readonly rows: number
  readonly topology?: BoardTopology
  /** The stones before the first move: 1 black, -1 white, 0 none. */
  readonly stones: readonly number[]
  readonly moves: readonly DiagramMove[]
  readonly marks?: readonly MarkView[]
  readonly links?: readonly LinkView[]
  readonly orientation?: Orientation
  /** How far the board was pushed, where its edges meet. */
  readonly pan?: Pan | undefined
  readonly coordinates?: CoordinateStyle
  /** `print` is black on white. */
  readonly look?: BoardThemeName | 'print'
  /** A line under the board. */
  readonly caption?: string
  /** Writes "20 at 12" in the person's language. */
  readonly at?: (number: number, place: string) => string
  readonly passed?: (number: number) => string
}

export interface Diagram {
  readonly svg: string
  readonly width: number
  readonly height: number
  /** Moves that have no stone of their own in the picture, as they stand under it. */
  readonly notes: readonly string[]
}

const CELL = 36
const LINE_HEIGHT = 26
const INK = '#111111'

/** Text that is part of a picture or a page. */
export function escapeText(text: string): string {
  const signs: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\'': '&#39;' }
  return text.replace(/[&<>"']/g, sign => signs[sign] ?? '')
}

/**
 * Draws a diagram as books print it: the stones before the first move, the moves as numbers on theirs. A stone that was
 * taken stays in the picture, so a later move on its point has no place; it is listed under the board, as "20 at 12".
 */
export function makeDiagram(options: DiagramOptions): Diagram {
  const { columns, rows, topology = 'plane', moves, marks = [], links = [], orientation = 0, pan, coordinates = 'none', look = 'print', caption = '' } = options
  const at = options.at ?? ((number, place) => `${number} at ${place}`)
  const passed = options.passed ?? (number => `${number} pass`)
  const stones = [...options.stones]
  const numbers = new Map<number, number>()
  const notes: string[] = []
  for (const { number, point, color } of moves) {
    if (point === null) notes.push(passed(number))
    else if (stones[point]) notes.push(at(number, String(numbers.get(point) ?? pointName(point, columns, rows))))
    else {
      stones[point] = color
      numbers.set(point, number)
    }
  }

  const named = coordinates !== 'none'
  const seenColumns = (orientation & 4) !== 0 ? rows : columns
  const seenRows = (orientation & 4) !== 0 ? columns : rows
  const margin = named ? 1.15 : 0.75
  const joined = joinedView({ columns, rows }, topology, orientation, pan)
  const geometry = fitBoard({
    columns, rows, orientation, ratio: 1, coordinates: named, joined: joined && { ...joined, aroundX: 0, aroundY: 0 },
    availableWidth: CELL * (seenColumns - 1 + 2 * margin), availableHeight: CELL * (seenRows - 1 + 2 * margin),
  })
  const { cell, left, top, width } = geometry
  const theme = look === 'print' ? undefined : BOARD_THEMES[look]
  const ground = theme ? theme.ground.kind === 'flat' ? theme.ground.color : `rgb(${theme.ground.tone.join(',')})` : '#ffffff'
  const line = theme ? theme.line.replace(/rgb\((\d+) (\d+) (\d+) \/ (\d+)%\)/, (_, r: string, g: string, b: string, a: string) => `rgba(${r},${g},${b},${Number(a) / 100})`) : INK
  const black = theme?.black ?? INK
  const white = theme?.white ?? '#ffffff'
  const edge = { black: theme?.blackEdge ?? INK, white: theme?.whiteEdge ?? INK }
  const ink = theme?.mark ?? INK

  const parts: string[] = [`<rect width="${width}" height="${geometry.height}" fill="${ground}"/>`]
  const right = left + cell * (geometry.columns - 1)
  const bottom = top + cell * (geometry.rows - 1)
  // Over edges that meet the lines go on, and no point is marked.
  const overX = joined?.aroundX ? cell / 2 : 0
  const overY = joined?.aroundY ? cell / 2 : 0
  let path = ''
  for (let column = 0; column < geometry.columns; column++) path += `M${left + column * cell} ${top - overY}V${bottom + overY}`
  for (let row = 0; row < geometry.rows; row++) path += `M${left - overX} ${top + row * cell}H${right + overX}`
  parts.push(`<path d="${path}" stroke="${line}" stroke-width="1" fill="none" stroke-linecap="square"/>`)
  let border = ''
  if (overX === 0) border += `M${left} ${top - overY}V${bottom + overY}M${right} ${top - overY}V${bottom + overY}`
  if (overY === 0) border += `M${left - overX} ${top}H${right + overX}M${left - overX} ${bottom}H${right + overX}`
  if (border) parts.push(`<path d="${border}" stroke="${line}" stroke-width="2" fill="none" stroke-linecap="square"/>`)
  for (const point of joined ? [] : starPoints(columns, rows)) {
    const { x, y } = centreOf(geometry, point)
    parts.push(`<circle cx="${x}" cy="${y}" r="${cell * 0.09}" fill="${line}"/>`)
  }
  const words = (x: number, y: number, text: string, size: number, fill: string, weight = 500, anchor = 'middle'): string =>
    `<text x="${x}" y="${y}" font-size="${size}" fill="${fill}" font-weight="${weight}" text-anchor="${anchor}" dominant-baseline="central">${escapeText(text)}</text>`
  if (named) {
    const swapped = (orientation & 4) !== 0
    const name = (point: number | undefined, vertical: boolean): string => point === undefined
      ? ''
      : vertical !== swapped ? rowLabel(coordinates, Math.floor(point / columns), rows) : columnLabel(coordinates, point % columns)
    const label = theme?.label ?? INK
    const gap = (left - cell * 0.5) * 0.5
    // Three Chinese numerals are as wide as a cell.
    const sizeOf = (text: string): number => cell * Math.min(0.36, 0.9 / text.length)
    for (let column = 0; column < geometry.columns; column++) {
      const text = name(pointSeenAt(geometry, { column, row: 0 }), false)
      for (const y of [gap, geometry.height - gap]) parts.push(words(left + column * cell, y, text, sizeOf(text), cssColor(label)))
    }
    for (let row = 0; row < geometry.rows; row++) {
      const text = name(pointSeenAt(geometry, { column: 0, row }), true)
      for (const x of [gap, width - gap]) parts.push(words(x, top + row * cell, text, sizeOf(text), cssColor(label)))
    }
  }

  stones.forEach((stone, point) => {
    if (!stone) return
    const { x, y } = centreOf(geometry, point)
    const number = numbers.get(point)
    parts.push(`<circle cx="${x}" cy="${y}" r="${cell * 0.465}" fill="${stone === 1 ? black : white}" stroke="${stone === 1 ? edge.black : edge.white}" stroke-width="1.4"/>`)
    if (number !== undefined) parts.push(words(x, y, String(number), cell * (number > 99 ? 0.37 : 0.46), stone === 1 ? '#ffffff' : '#111111', 600))
  })
  for (const mark of marks) parts.push(markOf(mark, centreOf(geometry, mark.point), cell, stones[mark.point] === 1 ? '#ffffff' : stones[mark.point] ? '#111111' : ink, stones[mark.point] ? undefined : ground))
  for (const link of links) {
    const from = centreOf(geometry, link.from)
    const to = centreOf(geometry, link.to)
    const angle = Math.atan2(to.y - from.y, to.x - from.x)
    const head = [-0.5, 0.5].map(side => `M${to.x} ${to.y}L${to.x - cell * 0.32 * Math.cos(angle + side)} ${to.y - cell * 0.32 * Math.sin(angle + side)}`).join('')
    parts.push(`<path d="M${from.x} ${from.y}L${to.x} ${to.y}${link.arrow ? head : ''}" stroke="${ink}" stroke-width="3" fill="none" stroke-linecap="round"/>`)
  }

  const under = [...wrapped(notes, Math.max(20, Math.floor(width / 8.5))), ...(caption ? [caption] : [])]
  const height = geometry.height + (under.length > 0 ? under.length * LINE_HEIGHT + 12 : 0)
  if (under.length > 0) parts.unshift(`<rect width="${width}" height="${height}" fill="#ffffff"/>`)
  under.forEach((text, index) => parts.push(words(width / 2, geometry.height + 10 + (index + 0.5) * LINE_HEIGHT, text, 16, INK, 400)))
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, 'Noto Sans', 'Noto Sans CJK SC', 'Noto Sans CJK JP', sans-serif">${parts.join('')}</svg>`
  return { svg, width, height, notes }
}

/** Pictures are read by programs that do not know the newest way to write a colour. */
function cssColor(color: string): string {
  return color.replace(/^rgb\((\d+) (\d+) (\d+) \/ (\d+)%\)$/, (_, r: string, g: string, b: string, a: string) => `rgba(${r},${g},${b},${Number(a) / 100})`)
}

function markOf(mark: MarkView, { x, y }: { x: number, y: number }, cell: number, ink: string, ground: string | undefined): string {
  const size = cell * 0.26
  const stroke = `stroke="${ink}" stroke-width="2.2" fill="none"`
  switch (mark.shape) {
    case 'circle': return `<circle cx="${x}" cy="${y}" r="${size}" ${stroke}/>`
    case 'square': return `<rect x="${x - size * 0.85}" y="${y - size * 0.85}" width="${size * 1.7}" height="${size * 1.7}" ${stroke}/>`
    case 'selected': return `<rect x="${x - size * 0.7}" y="${y - size * 0.7}" width="${size * 1.4}" height="${size * 1.4}" fill="${ink}"/>`
    case 'triangle': return `<path d="M${x} ${y - size * 1.15}L${x + size} ${y + size * 0.62}H${x - size}Z" ${stroke}/>`
    case 'cross': return `<path d="M${x - size * 0.8} ${y - size * 0.8}l${size * 1.6} ${size * 1.6}m0 ${-size * 1.6}l${-size * 1.6} ${size * 1.6}" ${stroke}/>`
    case 'dimmed': return `<rect x="${x - cell / 2}" y="${y - cell / 2}" width="${cell}" height="${cell}" fill="#000000" fill-opacity="0.35"/>`
    case 'territoryBlack': case 'territoryWhite':
      return `<rect x="${x - cell * 0.15}" y="${y - cell * 0.15}" width="${cell * 0.3}" height="${cell * 0.3}" fill="${mark.shape === 'territoryBlack' ? INK : '#ffffff'}" stroke="${INK}"/>`
    case 'label': {
      const text = [...mark.label].slice(0, 3).join('')
      return (ground ? `<circle cx="${x}" cy="${y}" r="${cell * 0.33}" fill="${ground}"/>` : '')
        + `<text x="${x}" y="${y}" font-size="${cell * (text.length > 1 ? 0.42 : 0.54)}" font-weight="600" fill="${ink}" text-anchor="middle" dominant-baseline="central">${escapeText(text)}</text>`
    }
  }
}

/** Notes one after the other, in lines of at most so many signs. */
function wrapped(notes: readonly string[], most: number): string[] {
  const lines: string[] = []
  for (const note of notes) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + note.length + 3 <= most) lines[lines.length - 1] = `${last},  ${note}`
    else lines.push(note)
  }
  return lines
}
