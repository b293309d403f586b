-- Folders a person sorts games into, each by its whole path: `openings/sanrensei`.
CREATE TABLE folders (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE
);
ALTER TABLE games ADD COLUMN folder INTEGER REFERENCES folders (id) ON DELETE SET NULL;
CREATE INDEX games_folder ON games (folder) WHERE folder IS NOT NULL;

CREATE TABLE tags (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE
);
CREATE TABLE game_tags (
    game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    tag INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
    PRIMARY KEY (game, tag)
) WITHOUT ROWID;
CREATE INDEX game_tags_tag ON game_tags (tag);

-- Questions worth asking again: a filter as JSON.
CREATE TABLE saved_searches (
    name TEXT PRIMARY KEY,
    query TEXT NOT NULL
) WITHOUT ROWID;

-- What an evaluation was made with. `komi` in half points for the player who is not to move on the canonical board.
CREATE TABLE contexts (
    id INTEGER PRIMARY KEY,
    network TEXT NOT NULL,
    rules TEXT NOT NULL,
    komi INTEGER NOT NULL,
    UNIQUE (network, rules, komi)
);
CREATE TABLE evaluations (
    position BLOB NOT NULL,                         -- canonical hash, 16 bytes
    context INTEGER NOT NULL REFERENCES contexts (id),
    visits INTEGER NOT NULL,                        -- 1: the network alone
    usefulness INTEGER NOT NULL,                    -- days since 1970 of the last use, plus 30 for each doubling of visits
    data BLOB NOT NULL,
    PRIMARY KEY (position, context)
) WITHOUT ROWID;
