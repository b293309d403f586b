/** The looks of the board. A theme is data for the painters; none of them is a picture file. */
export type BoardThemeName = 'wood' | 'night' | 'flat' | 'contrastLight' | 'contrastDark'

export interface BoardTheme {
  readonly name: BoardThemeName
  /** Grain drawn by `wood.ts`, or one flat colour. */
  readonly ground: { readonly kind: 'wood', readonly tone: readonly [number, number, number] } | { readonly kind: 'flat', readonly color: string }
  readonly line: string
  /** Width of a line in CSS pixels. */
  readonly lineWidth: number
  readonly label: string
  /** Stones with light, grain and shadow, or plain discs. */
  readonly stones: 'round' | 'plain'
  /** Plain discs: fill and edge. */
  readonly black: string
  readonly white: string
  readonly blackEdge: string
  readonly whiteEdge: string
  /** Radius of a stone in cells. */
  readonly radius: number
  /** How far stones lie off their points, in cells. */
  readonly disorder: number
  /** Marks on empty points. */
  readonly mark: string
  /** The keyboard's cursor and the best move's ring. */
  readonly cursor: string
}

export const BOARD_THEMES: Record<BoardThemeName, BoardTheme> = {
  wood: {
    name: 'wood', ground: { kind: 'wood', tone: [222, 175, 105] },
    line: 'rgb(62 40 10 / 82%)', lineWidth: 1, label: 'rgb(64 42 12 / 88%)',
    stones: 'round', black: '#1c1b1a', white: '#f6f2ea', blackEdge: '#000', whiteEdge: '#bdb4a2',
    radius: 0.485, disorder: 0.02, mark: '#3a2508', cursor: '#0d4f80',
  },
  night: {
    name: 'night', ground: { kind: 'wood', tone: [112, 84, 56] },
    line: 'rgb(22 13 4 / 85%)', lineWidth: 1, label: 'rgb(246 228 198 / 88%)',
    stones: 'round', black: '#161514', white: '#e9e4d9', blackEdge: '#000', whiteEdge: '#a89f8e',
    radius: 0.485, disorder: 0.02, mark: '#fbeed4', cursor: '#bfe1ff',
  },
  flat: {
    name: 'flat', ground: { kind: 'flat', color: '#e9dcc0' },
    line: '#7d6c4c', lineWidth: 1, label: '#5c4d31',
    stones: 'plain', black: '#262321', white: '#fffdf8', blackEdge: '#262321', whiteEdge: '#5c5242',
    radius: 0.46, disorder: 0, mark: '#4a3c22', cursor: '#0d4f80',
  },
  contrastLight: {
    name: 'contrastLight', ground: { kind: 'flat', color: '#ffffff' },
    line: '#4a4a4a', lineWidth: 1, label: '#000000',
    stones: 'plain', black: '#000000', white: '#ffffff', blackEdge: '#000000', whiteEdge: '#000000',
    radius: 0.45, disorder: 0, mark: '#000000', cursor: '#0000d6',
  },
  contrastDark: {
    name: 'contrastDark', ground: { kind: 'flat', color: '#000000' },
    line: '#a8a8a8', lineWidth: 1, label: '#ffffff',
    stones: 'plain', black: '#000000', white: '#ffffff', blackEdge: '#ffffff', whiteEdge: '#ffffff',
    radius: 0.45, disorder: 0, mark: '#ffffff', cursor: '#ffe14d',
  },
}

/** The colour of the ground, as three parts of 0 to 255. */
export function groundRgb(theme: BoardTheme): readonly [number, number, number] {
  if (theme.ground.kind === 'wood') return theme.ground.tone
  const hex = theme.ground.color
  return [1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as [number, number, number]
}

/** The same as a colour of CSS. */
export const groundColor = (theme: BoardTheme): string => `rgb(${groundRgb(theme).join(' ')})`

/** The theme of that name, or wood for a name of another version. */
export function boardTheme(name: string): BoardTheme {
  return name in BOARD_THEMES ? BOARD_THEMES[name as BoardThemeName] : BOARD_THEMES.wood
}
