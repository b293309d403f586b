import type { CoordinateStyle, Orientation, OwnershipStyle, QualityPalette } from '@/features/board'

/** A figure that a candidate's disc can carry. */
export type DiscFigure = 'winRate' | 'score' | 'visits' | 'loss' | 'prior'
export const DISC_FIGURES: readonly DiscFigure[] = ['winRate', 'score', 'visits', 'loss', 'prior']

/** Which stones carry the number of their move: none, all, the last few, or those since the person asked for it. */
export type NumberStyle = 'off' | 'all' | 'last' | 'here'

/** Which stones show the points that their moves lost. */
export type LossStyle = 'off' | 'recent' | 'all'
export const LOSS_STYLES: readonly LossStyle[] = ['off', 'recent', 'all']

/** What the middle panel can list. */
export const PANEL_LISTS = ['candidates', 'explorer', 'networks'] as const
export type PanelList = (typeof PANEL_LISTS)[number]

/** A column of the library's table as the person left it. */
export interface ColumnChoice {
  readonly name: string
  /** Units of 1/16 rem. */
  readonly width: number
  readonly shown: boolean
}

/** What the window keeps for itself in `Settings.window`. */
export interface Preferences {
  figures: DiscFigure[]
  showCandidates: boolean
  ownership: OwnershipStyle
  moveNumbers: NumberStyle
  /** How many the last few are. */
  lastNumbers: number
  stoneLosses: LossStyle
  /** Black's stones are drawn white and White's black. */
  swapColors: boolean
  /** The network's first thought of every point, in place of the candidates. */
  showPolicy: boolean
  /** The territory after a candidate is shown while the pointer rests on it. */
  candidateOwnership: boolean
  /** Visits on each position in a deep review. */
  reviewVisits: number
  coordinates: CoordinateStyle
  orientation: Orientation
  palette: QualityPalette
  nextMoves: boolean
  /** The whole game is evaluated for its graph as soon as it is analysed. */
  autoGraph: boolean
  sound: boolean
  /** What one waits for (the end of a long review, in rooms one's move) is told by the system, when the window is not in front. */
  notify: boolean
  /** What the middle panel lists. */
  list: PanelList
  libraryOpen: boolean
  sideOpen: boolean
  libraryWidth: number
  sideWidth: number
  /** Columns of the library's table, in their order; empty as long as nothing was changed. */
  columns: ColumnChoice[]
  /** Shares of the library's panes in percent; empty as long as nothing was changed. */
  libraryPanes: number[]
  /** Sizes of panels that share a room, as the splitter keeps them. */
  layouts: Record<string, string>
  folded: string[]
  /** Size of all text, 0.8 to 2. */
  textScale: number
  /** The first start was shown, or there was an earlier one before there was such a thing. */
  welcomed: boolean
  /** Nobody asks for the own name at the end of a game any more. */
  nameDeclined: boolean
  /** The network that was proposed last; it is said once. */
  proposedNetwork: string
  /** The review shows what somebody of this rank can find, such as `5k`; empty shows everything. */
  findRank: string
  /** Seconds between two moves of a record that plays by itself. */
  autoplaySeconds: number
  /** How likely such a player has to find it, 0 to 1. */
  findShare: number
  /** Who replies to a wrong answer: a rank such as `5k`; empty for the engine's best. */
  replyRank: string
  /** The folder of the training run that is watched; empty for none. */
  trainingFolder: string
  /** The last choice for a new game; who offers one reads it. */
  newGame: Readonly<Record<string, unknown>>
  /** Keys that the person chose instead of the usual ones, by action. */
  keys: Record<string, string[]>
}

export const DEFAULT_PREFERENCES: Readonly<Preferences> = {
  figures: ['winRate', 'score', 'visits'], showCandidates: true, ownership: 'off', moveNumbers: 'off', lastNumbers: 5, stoneLosses: 'recent', swapColors: false, showPolicy: false, candidateOwnership: true, reviewVisits: 100, coordinates: 'letters',
  orientation: 0, palette: 'standard', nextMoves: true, autoGraph: true, sound: true, notify: false, list: 'candidates', libraryOpen: true, sideOpen: true, libraryWidth: 240, sideWidth: 344, layouts: {}, columns: [], libraryPanes: [],
  folded: [], textScale: 1, welcomed: false, nameDeclined: false, proposedNetwork: '', autoplaySeconds: 3, findRank: '', findShare: 0.15, replyRank: '', trainingFolder: '', newGame: {}, keys: {},
}

/** What each window keeps for itself while it is open: how it is divided. A new one begins with what was kept last. */
export const OWN_PREFERENCES: ReadonlySet<keyof Preferences> = new Set(['list', 'libraryOpen', 'sideOpen', 'libraryWidth', 'sideWidth', 'libraryPanes', 'layouts', 'folded'])

export const MIN_AUTOPLAY_SECONDS = 0.5
export const MAX_AUTOPLAY_SECONDS = 60

const oneOf = <T extends string | number>(values: readonly T[], value: unknown, otherwise: T): T =>
  values.includes(value as T) ? value as T : otherwise
const between = (low: number, high: number, value: unknown, otherwise: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(low, Math.min(high, value)) : otherwise
const truth = (value: unknown, otherwise: boolean): boolean => typeof value === 'boolean' ? value : otherwise
const columns = (value: unknown): ColumnChoice[] => Array.isArray(value)
  ? value.flatMap((item: Partial<Record<keyof ColumnChoice, unknown>> | null) => typeof item?.name === 'string' && item.name !== '' ? [{ name: item.name, width: Math.round(between(32, 800, item.width, 96)), shown: truth(item.shown, true) }] : [])
  : []
const shares = (value: unknown): number[] => Array.isArray(value) && value.length === 3 && value.every(share => typeof share === 'number' && share > 0 && share < 100) ? value as number[] : []
const fields = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : {}
const words = (value: unknown): string[] => Array.isArray(value) ? value.filter(item => typeof item === 'string') : []

/** Reads what an older, newer or damaged version wrote: whatever does not fit falls back to its default. */
export function readPreferences(text: string): Preferences {
  let raw: Record<string, unknown> = {}
  try {
    const parsed: unknown = JSON.parse(text || '{}')
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) raw = parsed as Record<string, unknown>
  } catch { /* Not JSON: the defaults it is. */ }
  const usual = DEFAULT_PREFERENCES
  const keys = fields(raw.keys)
  return {
    figures: Array.isArray(raw.figures) ? words(raw.figures).filter(figure => DISC_FIGURES.includes(figure as DiscFigure)).slice(0, 3) as DiscFigure[] : [...usual.figures],
    showCandidates: truth(raw.showCandidates, usual.showCandidates),
    ownership: oneOf<OwnershipStyle>(['squares', 'tint', 'smooth', 'off'], raw.ownership, usual.ownership),
    // An older version kept a plain yes or no.
    moveNumbers: raw.moveNumbers === true ? 'all' : oneOf<NumberStyle>(['off', 'all', 'last'], raw.moveNumbers, usual.moveNumbers),
    lastNumbers: Math.round(between(1, 99, raw.lastNumbers, usual.lastNumbers)),
    stoneLosses: oneOf(LOSS_STYLES, raw.stoneLosses, usual.stoneLosses),
    swapColors: truth(raw.swapColors, usual.swapColors),
    showPolicy: truth(raw.showPolicy, usual.showPolicy),
    candidateOwnership: truth(raw.candidateOwnership, usual.candidateOwnership),
    reviewVisits: Math.round(between(50, 100_000, raw.reviewVisits, usual.reviewVisits)),
    coordinates: oneOf<CoordinateStyle>(['letters', 'numbers', 'chinese', 'none'], raw.coordinates, usual.coordinates),
    orientation: oneOf<Orientation>([0, 1, 2, 3, 4, 5, 6, 7], raw.orientation, usual.orientation),
    palette: oneOf<QualityPalette>(['standard', 'colourBlind'], raw.palette, usual.palette),
    nextMoves: truth(raw.nextMoves, usual.nextMoves),
    autoGraph: truth(raw.autoGraph, usual.autoGraph),
    sound: truth(raw.sound, usual.sound),
    notify: truth(raw.notify, usual.notify),
    list: oneOf<PanelList>(PANEL_LISTS, raw.list, usual.list),
    libraryOpen: truth(raw.libraryOpen, usual.libraryOpen),
    sideOpen: truth(raw.sideOpen, usual.sideOpen),
    libraryWidth: between(200, 480, raw.libraryWidth, usual.libraryWidth),
    sideWidth: between(280, 640, raw.sideWidth, usual.sideWidth),
    columns: columns(raw.columns),
    libraryPanes: shares(raw.libraryPanes),
    layouts: Object.fromEntries(Object.entries(fields(raw.layouts)).filter((entry): entry is [string, string] => typeof entry[1] === 'string')),
    folded: words(raw.folded),
    textScale: between(0.8, 2, raw.textScale, usual.textScale),
    welcomed: truth(raw.welcomed, text !== ''),
    nameDeclined: truth(raw.nameDeclined, usual.nameDeclined),
    findRank: typeof raw.findRank === 'string' && /^\d+[kd]$/.test(raw.findRank) ? raw.findRank : usual.findRank,
    autoplaySeconds: between(MIN_AUTOPLAY_SECONDS, MAX_AUTOPLAY_SECONDS, raw.autoplaySeconds, usual.autoplaySeconds),
    findShare: between(0, 1, raw.findShare, usual.findShare),
    replyRank: typeof raw.replyRank === 'string' && /^\d+[kd]$/.test(raw.replyRank) ? raw.replyRank : usual.replyRank,
    trainingFolder: typeof raw.trainingFolder === 'string' ? raw.trainingFolder : usual.trainingFolder,
    proposedNetwork: typeof raw.proposedNetwork === 'string' ? raw.proposedNetwork : usual.proposedNetwork,
    newGame: fields(raw.newGame),
    keys: Object.fromEntries(Object.entries(keys).map(([action, list]) => [action, words(list)])),
  }
}
