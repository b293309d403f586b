// Whether stones can be taken by force. The attacker may play any number of ataris, and so many other moves as are granted;
// the defender may play anywhere. A capture that only begins a ko is none.

import { other } from './board.mjs'

/** Positions that all first moves of a question may take; a position that asks for more is no problem for this set. */
const MAX_POSITIONS = 5_000
/** Moves in a row; whatever is not taken by then is not taken. */
const MAX_DEPTH = 50

export class TooLong extends Error {}

/** Asks about stones of one player on any number of boards. */
export class Capture {
  constructor(targets, attacker, limit = MAX_POSITIONS) {
    this.targets = targets
    this.attacker = attacker
    this.defender = other(attacker)
    this.limit = limit
    this.positions = 0
    this.known = new Map()
  }

  chains(board) {
    return this.targets.filter((at) => board.cells[at] === this.defender).map((at) => board.chain(at))
  }

  /** The attacker moves, and takes one of the targets. */
  attack(board, spare, depth = 0) {
    if (depth > MAX_DEPTH) throw new TooLong()
    return this.remembered(board, `a${spare}`, () => {
      const chains = this.chains(board)
      if (chains.some((chain) => this.takesNow(board, chain))) return true
      const tried = new Set()
      for (const { liberties } of chains.filter((chain) => chain.liberties.length === 2)) {
        for (const at of liberties) {
          if (tried.has(at)) continue
          tried.add(at)
          const made = board.play(this.attacker, at)
          if (made && !this.defend(made.board, spare, depth + 1)) return true
        }
      }
      if (spare === 0) return false
      for (const at of this.nearest(board, this.attacker)) {
        if (tried.has(at)) continue
        const made = board.play(this.attacker, at)
        // A capture that takesNow refused begins a ko.
        if (made.taken.some((stone) => this.targets.includes(stone))) continue
        if (this.isNear(made.board, spare - 1) && !this.defend(made.board, spare - 1, depth + 1)) return true
      }
      return false
    })
  }

  /** The defender moves, and keeps all targets. */
  defend(board, spare, depth = 0) {
    if (depth > MAX_DEPTH) throw new TooLong()
    return this.remembered(board, `d${spare}`, () => {
      const chains = this.chains(board)
      // One of the targets is gone: it was taken.
      if (chains.length < this.targets.length) return false
      if (!this.isNear(board, spare)) return true
      if (!this.attack(board.pass(), spare, depth + 1)) return true
      return this.defences(board, chains).some((at) => {
        const made = board.play(this.defender, at)
        return made !== undefined && !this.attack(made.board, spare, depth + 1)
      })
    })
  }

  /** Moves that may matter: where a chain is about to be taken, those that keep it; else all. */
  defences(board, chains) {
    const urgent = chains.find((chain) => this.takesNow(board, chain))
    if (!urgent) return this.nearest(board, this.defender)
    const points = new Set(urgent.liberties)
    for (const chain of board.chains(this.attacker)) if (chain.liberties.length === 1) points.add(chain.liberties[0])
    return [...points]
  }

  /** What is close to the target is likelier to matter. */
  nearest(board, color) {
    const [target] = this.targets
    const far = (at) => Math.abs(at % board.width - target % board.width) + Math.abs(Math.floor(at / board.width) - Math.floor(target / board.width))
    return board.legal(color).sort((a, b) => far(a) - far(b))
  }

  takesNow(board, { stones, liberties }) {
    if (liberties.length !== 1) return false
    const made = board.play(this.attacker, liberties[0])
    return made !== undefined && made.taken.includes(stones[0]) && made.board.ko < 0
  }

  /** Ataris and the granted moves may suffice. */
  isNear(board, spare) {
    const chains = this.chains(board)
    return chains.length < this.targets.length || chains.some(({ liberties }) => liberties.length <= 2 + spare)
  }

  remembered(board, kind, ask) {
    const key = `${kind}${board.key()}`
    const before = this.known.get(key)
    if (before !== undefined) return before
    if (++this.positions > this.limit) throw new TooLong()
    // A position that comes again on the way proves nothing for the attacker.
    this.known.set(key, kind.startsWith('d'))
    const answer = ask()
    this.known.set(key, answer)
    return answer
  }
}
