-- Positions that the person practises, with what is known of how well they are remembered.
CREATE TABLE cards (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    position BLOB NOT NULL UNIQUE,                  -- canonical hash: one card however the board is turned
    sgf TEXT NOT NULL,                              -- the game up to the position, as a record of one variation
    played INTEGER,                                 -- the move of the game, row by row from the top; -1 a pass
    lost REAL NOT NULL,                             -- points that it lost
    added INTEGER NOT NULL,                         -- milliseconds since 1970
    due INTEGER NOT NULL,                           -- when it is asked next
    stability REAL,                                 -- days until it is remembered with 90 %; NULL before the first answer
    difficulty REAL,                                -- 1 to 10
    answered INTEGER,                               -- the last answer
    answers INTEGER NOT NULL DEFAULT 0,
    lapses INTEGER NOT NULL DEFAULT 0,              -- wrong answers
    removed INTEGER                                 -- when it was put away
);
CREATE INDEX cards_due ON cards (due) WHERE removed IS NULL;

-- Every answer that counted: what the schedule is fitted to.
CREATE TABLE card_answers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    card INTEGER NOT NULL REFERENCES cards (id),
    answered INTEGER NOT NULL,
    days INTEGER NOT NULL,                          -- since the answer before it
    grade INTEGER NOT NULL                          -- 1 wrong, 3 right, as FSRS counts
);
CREATE INDEX card_answers_by_card ON card_answers (card, id);
