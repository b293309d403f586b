-- Games of which a review judged every move, summed up by class of move, so that a page of weaknesses reads few rows.
CREATE TABLE judged_games (
    game INTEGER PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    judged INTEGER NOT NULL                         -- milliseconds since 1970
);

CREATE TABLE judged_sums (
    game INTEGER NOT NULL REFERENCES judged_games (game) ON DELETE CASCADE,
    color INTEGER NOT NULL,                         -- 1 Black 2 White
    class INTEGER NOT NULL,                         -- see `MoveClass`
    moves INTEGER NOT NULL,
    mistakes INTEGER NOT NULL,
    lost REAL NOT NULL,                             -- points, by all moves
    PRIMARY KEY (game, color, class)
) WITHOUT ROWID;

-- Each mistake, with a bit for each class that it belongs to.
CREATE TABLE judged_mistakes (
    game INTEGER NOT NULL REFERENCES judged_games (game) ON DELETE CASCADE,
    number INTEGER NOT NULL,                        -- as the record counts, from 1
    color INTEGER NOT NULL,
    classes INTEGER NOT NULL,
    lost REAL NOT NULL,
    position BLOB NOT NULL,                         -- canonical hash of the position before it, as of a card
    PRIMARY KEY (game, number)
) WITHOUT ROWID;
CREATE INDEX judged_mistakes_by_position ON judged_mistakes (position);

-- Openings of a whole board and of corners, as each player played them.
CREATE TABLE judged_openings (
    game INTEGER NOT NULL REFERENCES judged_games (game) ON DELETE CASCADE,
    color INTEGER NOT NULL,
    kind INTEGER NOT NULL,                          -- 0 whole board 1 corner
    line TEXT NOT NULL,                             -- its moves, turned so that equal ones are written alike
    number INTEGER NOT NULL,                        -- of its last move
    lost REAL NOT NULL,                             -- points, by the player's own moves in it
    PRIMARY KEY (game, color, kind, line)
) WITHOUT ROWID;

-- Classes that the person practises, or practised, since when.
CREATE TABLE trainings (
    class INTEGER PRIMARY KEY,
    began INTEGER NOT NULL,
    ended INTEGER
);
