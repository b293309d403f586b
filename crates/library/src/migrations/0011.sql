-- Positions of games that were asked as exercises: which one, and when it is asked again.
CREATE TABLE exercises (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind INTEGER NOT NULL,                          -- see `ExerciseKind`
    game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,                        -- moves of the main line before it
    point INTEGER NOT NULL DEFAULT -1,              -- what is asked about, row by row from the top
    due INTEGER,                                    -- when it is asked again; NULL: never
    stability REAL,
    difficulty REAL,
    answered INTEGER NOT NULL,                      -- milliseconds since 1970
    answers INTEGER NOT NULL,
    lapses INTEGER NOT NULL,
    UNIQUE (kind, game, number, point)
);
CREATE INDEX exercises_due ON exercises (kind, due) WHERE due IS NOT NULL;

-- Every answer that counted; those to positions that were asked before say nothing of how strong somebody is.
CREATE TABLE exercise_answers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind INTEGER NOT NULL,
    answered INTEGER NOT NULL,
    again INTEGER NOT NULL,                         -- 1 where it was asked before
    correct INTEGER NOT NULL,
    error REAL NOT NULL                             -- points that it was off, or that the move lost
);
