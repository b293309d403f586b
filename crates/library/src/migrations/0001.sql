-- Names of players as records write them. Several names of one person share `person`, the id of one of them.
CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    person INTEGER NOT NULL REFERENCES players (id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX players_person ON players (person);

-- Events, places, sources and names of rulesets: texts that many games share.
CREATE TABLE labels (
    id INTEGER PRIMARY KEY,
    text TEXT NOT NULL UNIQUE
);

-- One row a game, small, so that a million of them are read through quickly; what is long stands in `records`.
CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    title TEXT,                                     -- given by the person; NULL: shown by its players
    black INTEGER NOT NULL REFERENCES players (id),
    white INTEGER NOT NULL REFERENCES players (id),
    black_rank INTEGER NOT NULL DEFAULT 0,          -- 1 (40 kyu) to 60 (10 dan professional), 0 unknown
    white_rank INTEGER NOT NULL DEFAULT 0,
    event INTEGER REFERENCES labels (id),
    place INTEGER REFERENCES labels (id),
    source INTEGER REFERENCES labels (id),          -- the file it was imported from
    date INTEGER NOT NULL DEFAULT 0,                -- yyyymmdd, parts unknown 0
    result INTEGER NOT NULL DEFAULT 0,              -- 0 unknown 1 score 2 resignation 3 time 4 forfeit 5 win 6 draw 7 void
    winner INTEGER NOT NULL DEFAULT 0,              -- 0 nobody 1 Black 2 White
    margin INTEGER,                                 -- hundredths of a point
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    topology INTEGER NOT NULL DEFAULT 0,            -- 0 plane 1 cylinder 2 torus
    rules INTEGER REFERENCES labels (id),
    komi INTEGER,                                   -- half points; NULL: not said
    handicap INTEGER NOT NULL DEFAULT 0,
    moves INTEGER NOT NULL,
    line_key INTEGER NOT NULL,                      -- hash of the main line's opening under the board's symmetries
    added INTEGER NOT NULL,                         -- milliseconds since 1970
    changed INTEGER NOT NULL,
    deleted INTEGER                                 -- NULL: not deleted
);
CREATE INDEX games_line_key ON games (line_key);
CREATE INDEX games_date ON games (date);
CREATE INDEX games_black ON games (black);
CREATE INDEX games_white ON games (white);
CREATE INDEX games_changed ON games (changed);
CREATE INDEX games_event ON games (event) WHERE event IS NOT NULL;
CREATE INDEX games_place ON games (place) WHERE place IS NOT NULL;
CREATE INDEX games_source ON games (source) WHERE source IS NOT NULL;
CREATE INDEX games_title ON games (title) WHERE title IS NOT NULL;
CREATE INDEX games_deleted ON games (deleted) WHERE deleted IS NOT NULL;

-- The whole text of a game, and its main line in a form that searches read.
CREATE TABLE records (
    game INTEGER PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    track BLOB NOT NULL,
    text BLOB NOT NULL
);

-- Other versions of a game that came in later, each as it was.
CREATE TABLE copies (
    id INTEGER PRIMARY KEY,
    game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    added INTEGER NOT NULL,
    text BLOB NOT NULL
);
CREATE INDEX copies_game ON copies (game);

-- Names of games, comments and annotations, found by any three characters.
CREATE TABLE notes (
    game INTEGER PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    text TEXT NOT NULL
);
CREATE VIRTUAL TABLE notes_index USING fts5 (text, content = 'notes', content_rowid = 'game', tokenize = 'trigram',
    columnsize = 0);
CREATE TRIGGER notes_added AFTER INSERT ON notes BEGIN
    INSERT INTO notes_index (rowid, text) VALUES (new.game, new.text);
END;
CREATE TRIGGER notes_removed AFTER DELETE ON notes BEGIN
    INSERT INTO notes_index (notes_index, rowid, text) VALUES ('delete', old.game, old.text);
END;
CREATE TRIGGER notes_changed AFTER UPDATE ON notes BEGIN
    INSERT INTO notes_index (notes_index, rowid, text) VALUES ('delete', old.game, old.text);
    INSERT INTO notes_index (rowid, text) VALUES (new.game, new.text);
END;
