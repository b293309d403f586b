-- Ids are not used again: what names a deleted account names nobody.
CREATE TABLE accounts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    -- The name as it is compared: no two accounts look alike.
    name_key TEXT NOT NULL UNIQUE,
    -- A PHC string; NULL for a guest, who cannot log in again.
    password TEXT,
    created INTEGER NOT NULL
) STRICT;

CREATE TABLE tokens (
    hash BLOB PRIMARY KEY,
    account INTEGER NOT NULL REFERENCES accounts ON DELETE CASCADE,
    expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_by_account ON tokens (account);
CREATE INDEX tokens_by_expiry ON tokens (expires);

-- Codes that let somebody register where registration is by invitation only.
CREATE TABLE sign_up_codes (
    hash BLOB PRIMARY KEY,
    expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE rooms (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL,
    saved INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    room TEXT NOT NULL,
    black INTEGER REFERENCES accounts ON DELETE SET NULL,
    white INTEGER REFERENCES accounts ON DELETE SET NULL,
    black_name TEXT NOT NULL,
    white_name TEXT NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    moves INTEGER NOT NULL,
    result TEXT NOT NULL,
    ended INTEGER NOT NULL,
    sgf TEXT NOT NULL
) STRICT;
CREATE INDEX games_of_black ON games (black, id);
CREATE INDEX games_of_white ON games (white, id);

-- When the server was last seen running, so that clocks can be charged for the time up to a crash and no longer.
CREATE TABLE alive (
    row INTEGER PRIMARY KEY CHECK (row = 1),
    at INTEGER NOT NULL
) STRICT;
