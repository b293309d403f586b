// The rules of Go, a small board for each. Their words are the interface's, by number.

import { BLACK, Board, WHITE } from './board.mjs'
import { branch, record } from './answers.mjs'

/**
 * X and O are stones, `!` is a right move, `*` a marked stone of White, `+` one of Black. `moves` led to the position, so that a
 * ko is one. `pass`: it is right to pass.
 */
const STEPS = [
  // A stone on a free point.
  { rows: ['! ! ! ! !', '! ! ! ! !', '! ! ! ! !', '! ! ! ! !', '! ! ! ! !'] },
  // The last liberty of a stone.
  { rows: ['. . . . .', '. . X . .', '. X * X .', '. . ! . .', '. . . . .'] },
  // The last liberty of a chain.
  { rows: ['. . X X .', '. X * * !', '. . X X .', '. . . . .', '. . . . .'] },
  // On the edge and in the corner there are fewer.
  { rows: ['* ! . . .', 'X . . . .', '. . . . .', '. . O . .', '. . . . .'] },
  // One's own stone in atari is led out.
  { rows: ['. . . . . . .', '. . . . . . .', '. . O . . . .', '. O + ! . . .', '. . O . . . .', '. . . . . . .', '. . . . . . .'] },
  // No suicide: the point is Black's as soon as it takes.
  { rows: ['! * X . .', '* * X . .', 'X X X . .', '. . . . .', '. . . . .'] },
  // Beginning a ko.
  { rows: ['. X O . .', 'X * ! O .', '. X O . .', '. . . . .', '. . . . .'] },
  // A ko may not be taken back at once: a move elsewhere comes first.
  { rows: ['! X O ! !', 'X . . O !', '! X O ! !', '! ! ! ! !', '! ! ! ! !'], moves: ['ba', 'ca', 'ab', 'db', 'bc', 'cc', 'cb', 'bb'] },
  // A second eye.
  { rows: ['. + . + .', '+ + ! + O', 'O O O O O', '. . . . .', '. . . . .'] },
  // With one eye the group is dead.
  { rows: ['. ! . * X', '* * * * X', 'X X X X X', '. . . . .', '. . . . .'] },
  // The end: nothing is left to gain.
  { rows: ['. X O . .', '. X O . .', 'X X O O .', '. X X O .', '. . X O .'], pass: true },
  // The last point between them is counted, too.
  { rows: ['. X O . .', '. X O . .', 'X X ! O .', '. X X O .', '. . X O .'] },
  // With a handicap White moves first.
  { rows: ['! ! ! ! ! ! ! ! !', '! ! ! ! ! ! ! ! !', '! ! X ! ! ! X ! !', '! ! ! ! ! ! ! ! !', '! ! ! ! ! ! ! ! !', '! ! ! ! ! ! ! ! !', '! ! X ! ! ! X ! !', '! ! ! ! ! ! ! ! !', '! ! ! ! ! ! ! ! !'], solver: WHITE },
]

/** The records of the steps. A move that is not right is refused without a loss: nobody fails here. */
export function firstSteps() {
  return STEPS.map(({ rows, moves, pass, solver = BLACK }) => {
    const cells = rows.map((row) => row.split(' '))
    const board = new Board(cells.length)
    const right = []
    const marked = []
    cells.flat().forEach((cell, at) => {
      board.cells[at] = 'X+'.includes(cell) ? BLACK : 'O*'.includes(cell) ? WHITE : 0
      if (cell === '!') right.push(at)
      if (cell === '*' || cell === '+') marked.push(at)
    })
    const answers = right.map((at) => branch(board, solver, at, true))
    if (pass) answers.push(`(;${solver === BLACK ? 'B' : 'W'}[]C[RIGHT])`)
    const forced = answers.map((text) => text.replace('RIGHT', 'FORCE RIGHT')).join('')
    const played = moves?.map((point, index) => `;${index % 2 === 0 ? 'B' : 'W'}[${point}]`).join('') ?? ''
    return record({ board: moves ? new Board(cells.length) : board, solver, theme: 'firstSteps', level: '30k', marked, answers: [played + forced] })
  })
}
