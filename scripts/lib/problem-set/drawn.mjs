// Positions that were found by a random search for what the theme asks, and chosen by eye: X is to move, O is the other side.

import { BLACK, Board, WHITE } from './board.mjs'

/** The board of a drawing. */
export function drawn(rows) {
  const cells = rows.split('\n').map((row) => row.trim().split(' '))
  const board = new Board(cells.length)
  cells.flat().forEach((cell, at) => { board.cells[at] = cell === 'X' ? BLACK : cell === 'O' ? WHITE : 0 })
  return board
}

/** X keeps the group of its own in seki, or kills White's that could get one. */
export const SEKI = {
  keep: [
    `. . . O X O . . .
     O . X X X O . . .
     X . X O O O . . .
     O O O O . . . . .
     . . . . . . . . .
     . . . . . . . . .
     . . . . . . . . .
     . . . . . . . . .
     . . . . . . . . .`,
    `. O . . X O . . .
     O O . X X O . . .
     X X X X O O . . .
     O O O O O . . . .
     . . . . . . . . .
     . . . . . . . . .
     . . . . . . . . .
     . . . . . . . . .
     . . . . . . . . .`,
    `O O O . . X O . .
     O . . X X X O . .
     . X X X O O O . .
     O O O O O . . . .
     . . . . . . . . .
     . . . . . . . . .
     . . . . . . . . .
     . . . . . . . . .
     . . . . . . . . .`,
    `. O . X X O .
     . O . . X O O
     X X X X X O O
     O O O O O O .
     O O O O O O O
     O O O O O O O
     O O O O O O O`,
    `. O X O O . O
     . . . X O O O
     X . O X O O .
     X X X X O O O
     O O O O O O O
     O O O O O O O
     O O O O O O O`,
    `. O O O O O O
     O O X X X X .
     O O X O O . O
     . O X . . O O
     O O X X X X X
     O O O O O O O
     O O O O O O O`,
    `O O O O O O O
     O X X X X X O
     O X . . . X O
     O X O O . X O
     O X X X X X O
     O O O O O O O
     . O O . O O O`,
    `O O O O O O O . .
     O X . X X X O . .
     O X O . . X O . .
     O X O . X X O . .
     O X . X X O O . .
     O X X X O O . . .
     O O O O O . . . .
     . . . . . . . . .
     . . . . . . . . .`,
    `O . O O . X O . .
     O X X O X X O . .
     O X . . X O O . .
     O X X X X O . . .
     O O O O O O . . .
     . . . . . . . . .
     . . . . . . . . .
     . . . . . . . . .
     . . . . . . . . .`,
    `. . . O O O O O O
     . . . O X X X X O
     . . . O . O . X O
     . . . O X . . X O
     . . . O X X O X O
     . . . O O X X X O
     . . . . O O O O O
     . . . . . . . . .
     . . . . . . . . .`,
  ],
  kill: [
    `X . X X . X X
     X O O O O O X
     X O X X X O X
     X O . . . O X
     X O O O O O X
     X X X X X X X
     . X X . X X X`,
    `. . X . . O .
     O O O O . O X
     X X X X X X X
     . X X . X X X
     X X X X X X X
     X X X X X X X
     X X X X X X X`,
    `. X . O O X .
     . X . . O X X
     O O O O O X X
     X X X X X X .
     X X X X X X X
     X X X X X X X
     X X X X X X X`,
    `X O . . O X .
     X . . . O X X
     X O X . O X X
     X O O O O X .
     X X X X X X X
     X X X X X X X
     X X X X X X X`,
    `X O . . O X .
     X O . X O X X
     X O . X O X X
     X O O O O X .
     X X X X X X X
     X X X X X X X
     X X X X X X X`,
    `O . X X O X .
     O . . . O X X
     O O O O O X X
     X X X X X X .
     X X X X X X X
     X X X X X X X
     X X X X X X X`,
    `O . X O X . X
     O . . O X X X
     O . . O X X .
     O O . O X X X
     X X X X X X X
     X X X X X X X
     X X X X X X X`,
    `O O O O O X .
     O X . X O X X
     O . . X O X X
     O O O O O X .
     X X X X X X X
     X X X X X X X
     X X X X X X X`,
    `X O X . . O X . .
     X O O . . O X . .
     X X O O . O X . .
     . X X X X X X . .
     . . . . . . . . .
     . . . . . . . . .
     . . . . . . . . .
     . . . . . . . . .
     . . . . . . . . .`,
    `O . . . O X .
     O . X X O X X
     O O O O O X X
     X X X X X X .
     X X X X X X X
     X X X X X X X
     X X X X X X X`,
  ],
  // Nobody can play here without losing their stones: X passes.
  left: [
    `O O O O O O .
     O X X X X X O
     O X . O O X O
     O X X X O X O
     O O O X . X O
     O O O X X X O
     . O O O O O O`,
    `. O O O . X O
     X X X X X X O
     O O O O O O O
     O O . O O O O
     O O O O O O O
     O O O O . O O
     O O O O O O O`,
    `. X . O . O X
     X X X O O O X
     O X X X X X X
     O O O O O O O
     O O O O O O O
     O . O O . O O
     O O O O O O O`,
  ],
}

/** One move of X gains more than any other. */
export const ENDGAME = [
  `. . O . . .
   O O O O O O
   O O . X X X
   X X . . X .
   X X X X X .
   . . . . X .`,
  `. O . O O O
   O . O O X X
   O . O . . .
   O O X X X X
   O X X . X .
   X X . X . X`,
  `. . . X . .
   X X X X . X
   X O . X X X
   X . X . . .
   O O O O O O
   . . . O . .`,
  `. O . . . .
   . O O O O O
   . O . X . .
   O O . X O .
   X X X X X X
   . . . X . .`,
  `. O O O O .
   . . . . O O
   O O O O O .
   . X . . O X
   X X O . X X
   . X X X X .`,
  `X . X . . .
   . X X X X X
   X X . . O X
   . . . X . .
   O O O O O O
   . . O . . .`,
  `. . . . O . .
   O O O O O O O
   O X X X . O X
   X X X . . X X
   X . . X X . X
   X . X . X X X
   . X . X . . .`,
  `. . . X . X X
   X X X . X . .
   X . O X . X X
   X O O X . X X
   . O O X X . .
   O . O O O . X
   . O . O O O O`,
  `O . O . . . .
   . O O . O O O
   O O . . O O .
   . O O O O X X
   X . . O X X .
   X O . X X X .
   X X X X . X .`,
  `O . O . . O .
   . O O O O O .
   O O X . . O .
   O X . O X O O
   . X X X X X .
   X X . . X X X
   . . . X X . .`,
  `X X X X X . .
   X . . . X X X
   X X . X X . X
   X . X X . . X
   X . X X . O O
   O O . O O . O
   . O O O . O .`,
  `. O . O O O O
   . O O O . . .
   O O . . . O .
   X X X X X X X
   . X . X . . X
   X X . X X . X
   . . . X . . X`,
]
