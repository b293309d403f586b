-- Where a person's games come from: accounts at game servers, and folders that other programs save into.
CREATE TABLE sources (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,                             -- `ogs`, `kgs` or `folder`
    name TEXT NOT NULL,                             -- the name there, or the folder's path
    person TEXT NOT NULL DEFAULT '',                -- a name in the library that is the same person's
    joined INTEGER NOT NULL DEFAULT 0,              -- 1 once the names were joined: what is parted later stays parted
    added INTEGER NOT NULL,                         -- milliseconds since 1970
    synced INTEGER,                                 -- when it was looked through to its end
    UNIQUE (kind, name)
);

-- Games that were taken from there, so that each is taken once, whatever became of it here.
CREATE TABLE source_games (
    source INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    key TEXT NOT NULL,                              -- its number or path there
    stamp TEXT NOT NULL,                            -- what tells a changed file from the one that was taken
    game INTEGER,                                   -- where it held one: the game, which may be gone
    taken INTEGER NOT NULL,
    PRIMARY KEY (source, key)
) WITHOUT ROWID;

-- Pages that were looked at, with what their server knows them again by.
CREATE TABLE source_pages (
    source INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
    page TEXT NOT NULL,
    mark TEXT NOT NULL,
    PRIMARY KEY (source, page)
) WITHOUT ROWID;
