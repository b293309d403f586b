/** A panel's place in a splitter, in per cent of it. */
export interface PanelSplit {
  readonly id: string
  readonly order: number
  /** Until the person chooses another. */
  readonly size: number
  readonly least: number
  /** No handle stands before it. */
  readonly first: boolean
}

/** A panel and how much of the room it usually takes beside others. */
export interface PanelShare {
  readonly id: string
  readonly share: number
  readonly least: number
}

/** Shares the room out among the panels that are open. */
export function sharedOut(open: readonly PanelShare[]): ReadonlyMap<string, PanelSplit> {
  const whole = open.reduce((sum, panel) => sum + panel.share, 0)
  return new Map(open.map(({ id, share, least }, order) => [id, { id, order, size: 100 * share / whole, least, first: order === 0 }]))
}
