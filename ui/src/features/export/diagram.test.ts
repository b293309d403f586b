import { describe, expect, test } from 'vitest'
import { makeDiagram } from './diagram'

const empty = Array.from({ length: 81 }, () => 0)
const move = (number: number, point: number | null, color: number) => ({ number, point, color })

describe('a diagram', () => {
  test('numbers the moves on their stones', () => {
    const { svg, notes } = makeDiagram({ columns: 9, rows: 9, stones: empty, moves: [move(1, 40, 1), move(2, 41, -1)] })
    expect(notes).toEqual([])
    expect(svg.match(/<text [^>]*>\d+<\/text>/g)).toHaveLength(2)
    expect(svg).toContain('>2</text>')
  })

  test('lists under the board what has no place on it', () => {
    const stones = [...empty]
    stones[10] = -1
    const { svg, notes } = makeDiagram({ columns: 9, rows: 9, stones, moves: [move(11, 40, 1), move(12, 41, -1), move(13, 40, 1), move(14, null, -1), move(15, 10, 1)] })
    expect(notes).toEqual(['13 at 11', '14 pass', '15 at B8'])
    expect(svg).toContain('13 at 11')
  })

  test('is a picture that any program can read, whatever the words in it are', () => {
    const { svg, width, height } = makeDiagram({
      columns: 9, rows: 13, stones: Array.from({ length: 117 }, () => 0), moves: [], coordinates: 'letters', look: 'wood', caption: '<script>&"柯洁',
      marks: [{ point: 3, shape: 'label', label: '<A' }, { point: 4, shape: 'triangle', label: '' }], links: [{ from: 0, to: 8, arrow: true }],
    })
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml')
    expect(parsed.documentElement.tagName.toLowerCase()).toBe('svg')
    expect(svg).not.toContain('<script>')
    expect(svg).toContain('&lt;script&gt;&amp;&quot;柯洁')
    expect(height).toBeGreaterThan(width)
    expect(svg).not.toMatch(/NaN|undefined/)
  })

  test('of a torus has lines that go on over the edge, no border and no handicap points', () => {
    const board = { columns: 9, rows: 9, stones: empty, moves: [] }
    const plane = makeDiagram(board).svg
    const torus = makeDiagram({ ...board, topology: 'torus' }).svg
    const firstLine = (svg: string): number[] => /<path d="M([\d.]+) ([\d.]+)V([\d.]+)/.exec(svg)?.slice(1).map(Number) ?? []
    const [x = 0, top = 0, bottom = 0] = firstLine(plane)
    const cell = (bottom - top) / 8
    expect(firstLine(torus)).toEqual([x, top - cell / 2, bottom + cell / 2])
    const marks = (svg: string): number => svg.match(/<circle|stroke-width="2"/g)?.length ?? 0
    expect(marks(plane)).toBe(6)
    expect(marks(torus)).toBe(0)
  })

  test('of a board that was pushed begins where it was pushed to, under the names of its lines', () => {
    const pushed = (topology: 'plane' | 'torus', pan: { x: number, y: number }): [string, string[]] => {
      const { svg } = makeDiagram({ columns: 9, rows: 9, topology, stones: empty.map((_, point) => point === 0 ? 1 : 0), moves: [], pan, coordinates: 'letters' })
      return [/<circle cx="([\d.]+)"/.exec(svg)?.[1] ?? '', [...svg.matchAll(/>([A-Z])<\/text>/g)].map(([, letter]) => letter ?? '')]
    }
    const [x, names] = pushed('torus', { x: 0, y: 0 })
    const [moved, named] = pushed('torus', { x: 2, y: 0 })
    expect(Number(moved) - Number(x)).toBe(72)
    expect([names[0], named[0], named[4]]).toEqual(['A', 'H', 'A'])
    expect(pushed('plane', { x: 2, y: 0 })).toEqual(pushed('plane', { x: 0, y: 0 }))
  })

  test('of a cylinder has edges at the top and bottom alone', () => {
    const border = (orientation: 0 | 4): string => / d="([^"]+)" stroke="[^"]+" stroke-width="2"/.exec(makeDiagram({ columns: 9, rows: 9, topology: 'cylinder', stones: empty, moves: [], orientation }).svg)?.[1] ?? ''
    expect(border(0)).toMatch(/^M[^V]+H[^V]+H[^V]+$/)
    expect(border(4)).toMatch(/^M[^H]+V[^H]+V[^H]+$/)
  })

  test('turns with the board', () => {
    const upright = makeDiagram({ columns: 9, rows: 9, stones: empty, moves: [move(1, 0, 1)] })
    const turned = makeDiagram({ columns: 9, rows: 9, stones: empty, moves: [move(1, 0, 1)], orientation: 1 })
    expect(upright.svg).not.toBe(turned.svg)
  })
})
