// Shapes that every player knows, drawn small: X moves, o is to be taken. They are placed, turned and varied.

export const SHAPES = {
  ladder: [
    `. . X . .
     . X o . .
     . X . . .`,
    `. . X X .
     . X o . .
     . X . . .`,
    `. X X . .
     X o o . .
     . X . . .`,
    `. X X . .
     X o o . .
     . X O . .
     . . X . .`,
    `. X . . .
     X o X . .
     X . . . .
     . . . . .`,
  ],
  net: [
    `. X X . .
     X o . . .
     X . . . .
     . . . . .
     . . . . O`,
    `. . X X .
     . X o . .
     . X . . .
     . . . . O`,
    `X X X . .
     X o o . .
     X X . . .
     . . . . O`,
    `. X X X .
     X o o . .
     X O X . .
     . X . . O`,
    `X . X . .
     . o . . .
     X . . O .`,
  ],
  snapback: [
    `O O . . X
     O X o o X
     . X X X .`,
    `. O O X . .
     . O . . X .
     . X o o X .
     . X X X . .`,
    `. O O X . .
     . O . . X .
     O X o o X .
     . X o X . .
     . . X . . .`,
    `. O . . X .
     O X o o X .
     . X o o X .
     . . X X . .`,
    `O O . . X
     O X o o O
     O X X o X
     . . X X .`,
    `. O X . .
     O . . X .
     X o o X .
     X X X . .`,
    `. O . . O X
     O O X o o X
     . O X X X .`,
  ],
  atari: [
    `. X .
     X o .
     . . .`,
    `. X X .
     X o o .
     . . . .`,
    `. X . X
     X o o .
     . O X .`,
    `O X .
     X o .
     O . X`,
    `. X X .
     X o o O
     . . X .`,
  ],
  cut: [
    `. X X X .
     X o . O .
     . X . O .`,
    `. X X . .
     X o . O .
     X o X O .
     . X . . .`,
    `X X O . .
     o . O . .
     X X . O .`,
    `. X X O .
     X o o . O
     . X X O .`,
    `X o O . .
     X o . O .
     . X X X .`,
    `X X . . .
     o o . O .
     X . O . .
     X X O . .`,
  ],
}
