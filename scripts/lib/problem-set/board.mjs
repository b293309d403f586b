// A small board for the generator of problems: stones, captures, the simple ko; no suicide.

export const BLACK = 1
export const WHITE = 2
export const other = (color) => 3 - color

export class Board {
  constructor(width, height = width) {
    this.width = width
    this.height = height
    this.area = width * height
    this.cells = new Uint8Array(this.area)
    this.ko = -1
    this.near = neighbors(width, height)
  }

  copy() {
    const made = Object.create(Board.prototype)
    Object.assign(made, this)
    made.cells = this.cells.slice()
    return made
  }

  key() {
    return `${this.cells.join('')},${this.ko}`
  }

  chain(at) {
    const color = this.cells[at]
    const stones = [at]
    const seen = new Set(stones)
    const liberties = new Set()
    for (let index = 0; index < stones.length; index++) {
      for (const next of this.near[stones[index]]) {
        const there = this.cells[next]
        if (there === 0) liberties.add(next)
        else if (there === color && !seen.has(next)) {
          seen.add(next)
          stones.push(next)
        }
      }
    }
    return { color, stones, liberties: [...liberties] }
  }

  chains(color) {
    const seen = new Set()
    const found = []
    for (let at = 0; at < this.area; at++) {
      if (this.cells[at] !== color || seen.has(at)) continue
      const chain = this.chain(at)
      chain.stones.forEach((stone) => seen.add(stone))
      found.push(chain)
    }
    return found
  }

  /** Every chain has a liberty. */
  isSound() {
    return [BLACK, WHITE].every((color) => this.chains(color).every(({ liberties }) => liberties.length > 0))
  }

  /** The board after a move with the stones that it took; nothing where it is not allowed. */
  play(color, at) {
    if (this.cells[at] !== 0 || at === this.ko) return undefined
    const next = this.copy()
    next.cells[at] = color
    next.ko = -1
    const taken = []
    for (const side of this.near[at]) {
      if (next.cells[side] !== other(color)) continue
      const { stones, liberties } = next.chain(side)
      if (liberties.length > 0) continue
      stones.forEach((stone) => { next.cells[stone] = 0 })
      taken.push(...stones)
    }
    const own = next.chain(at)
    if (own.liberties.length === 0) return undefined
    if (taken.length === 1 && own.stones.length === 1 && own.liberties.length === 1) next.ko = taken[0]
    return { board: next, taken }
  }

  pass() {
    const next = this.copy()
    next.ko = -1
    return next
  }

  legal(color) {
    const found = []
    for (let at = 0; at < this.area; at++) if (this.cells[at] === 0 && this.play(color, at)) found.push(at)
    return found
  }

  /** The same for every turn and exchange of colours that keeps the solver. */
  canonical(solver) {
    let least
    for (let turn = 0; turn < 8; turn++) {
      const cells = Array.from(this.cells, (_, at) => {
        const there = this.cells[turned(at, this.width, turn)]
        return there === 0 ? 0 : there === solver ? 1 : 2
      }).join('')
      if (least === undefined || cells < least) least = cells
    }
    return `${this.width}:${least}`
  }

  mapped(turn, swap) {
    const made = new Board(this.width, this.height)
    for (let at = 0; at < this.area; at++) {
      const there = this.cells[turned(at, this.width, turn)]
      made.cells[at] = there === 0 || !swap ? there : other(there)
    }
    return made
  }

  point(at) {
    return 'abcdefghijklmnopqrs'[at % this.width] + 'abcdefghijklmnopqrs'[Math.floor(at / this.width)]
  }
}

/** Where a point of the turned board comes from, on a square board. */
export function turned(at, side, turn) {
  let [x, y] = [at % side, Math.floor(at / side)]
  if (turn & 1) x = side - 1 - x
  if (turn & 2) y = side - 1 - y
  if (turn & 4) [x, y] = [y, x]
  return y * side + x
}

const known = new Map()
function neighbors(width, height) {
  const name = `${width}x${height}`
  const found = known.get(name) ?? Array.from({ length: width * height }, (_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)]
    return [[x - 1, y], [x + 1, y], [x, y - 1], [x, y + 1]].filter(([a, b]) => a >= 0 && b >= 0 && a < width && b < height).map(([a, b]) => b * width + a)
  })
  known.set(name, found)
  return found
}
