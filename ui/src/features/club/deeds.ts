/** What somebody can do in a room now. */
export interface Deed {
  /** For `data-action`. */
  readonly name: string
  readonly words: string
  /** It is what most want to do next. */
  readonly first?: boolean
  readonly off?: boolean
  act(): void
}
