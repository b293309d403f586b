-- Collections of problems, each known by what is in it.
CREATE TABLE problem_collections (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    content BLOB NOT NULL UNIQUE,                   -- hash of its problems: one collection however often it is read
    added INTEGER NOT NULL,                         -- milliseconds since 1970
    removed INTEGER                                 -- when it was put away
);

-- Their problems, with ratings by the Glicko-2 system.
CREATE TABLE problems (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    collection INTEGER NOT NULL REFERENCES problem_collections (id),
    number INTEGER NOT NULL,                        -- from 0, in the order of the file
    position BLOB NOT NULL,                         -- canonical hash, as that of a card
    sgf TEXT NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,
    solved INTEGER NOT NULL DEFAULT 0,              -- of these
    answered INTEGER,                               -- the last try that counted
    last INTEGER,                                   -- 1 where that one solved it
    UNIQUE (collection, number)
);
CREATE INDEX problems_by_position ON problems (position);

-- Every try that counted, with the person's rating after it.
CREATE TABLE problem_answers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    problem INTEGER NOT NULL REFERENCES problems (id),
    answered INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL
);
