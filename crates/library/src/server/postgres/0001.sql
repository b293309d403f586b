-- Version of the tables, and how often the store has changed hands.
CREATE TABLE honinbo_store (
    one BIGINT PRIMARY KEY CHECK (one = 1),
    version BIGINT NOT NULL,
    -- Grows each time a server takes the store: one that lost its connection knows by it whether another came meanwhile.
    tenure BIGINT NOT NULL
);

-- Numbers are not used again: what names a deleted account names nobody.
-- Names are compared byte by byte, as SQLite does, whatever the database's language is.
CREATE TABLE accounts (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT COLLATE "C" NOT NULL UNIQUE,
    password TEXT,
    guest BIGINT NOT NULL DEFAULT 0,
    created BIGINT NOT NULL
);

CREATE TABLE tokens (
    hash BYTEA PRIMARY KEY,
    account BIGINT NOT NULL REFERENCES accounts ON DELETE CASCADE,
    expires BIGINT NOT NULL,
    operator_until BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX tokens_by_account ON tokens (account);
CREATE INDEX tokens_by_expiry ON tokens (expires);

CREATE TABLE identities (
    issuer TEXT COLLATE "C" NOT NULL,
    subject TEXT COLLATE "C" NOT NULL,
    account BIGINT NOT NULL UNIQUE REFERENCES accounts ON DELETE CASCADE,
    linked BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
);

CREATE TABLE sign_up_codes (
    hash BYTEA PRIMARY KEY,
    expires BIGINT NOT NULL
);

-- A room is written with every move: pages with space left take the new version beside the old one.
CREATE TABLE rooms (
    id TEXT COLLATE "C" PRIMARY KEY,
    state TEXT NOT NULL,
    saved BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE TABLE games (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    room TEXT COLLATE "C" NOT NULL,
    black BIGINT REFERENCES accounts ON DELETE SET NULL,
    white BIGINT REFERENCES accounts ON DELETE SET NULL,
    black_name TEXT NOT NULL,
    white_name TEXT NOT NULL,
    width BIGINT NOT NULL,
    height BIGINT NOT NULL,
    moves BIGINT NOT NULL,
    result TEXT NOT NULL,
    ended BIGINT NOT NULL,
    sgf TEXT NOT NULL,
    rated BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX games_of_black ON games (black, id);
CREATE INDEX games_of_white ON games (white, id);
CREATE INDEX games_in_room ON games (room);
CREATE INDEX games_that_count ON games (id) WHERE rated = 1;

CREATE TABLE lessons (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    room TEXT COLLATE "C" NOT NULL,
    title TEXT NOT NULL,
    teacher TEXT NOT NULL,
    moves BIGINT NOT NULL,
    ended BIGINT NOT NULL,
    sgf TEXT NOT NULL
);

CREATE TABLE lesson_people (
    account BIGINT NOT NULL REFERENCES accounts ON DELETE CASCADE,
    lesson BIGINT NOT NULL REFERENCES lessons ON DELETE CASCADE,
    PRIMARY KEY (account, lesson)
);
CREATE INDEX people_of_lesson ON lesson_people (lesson);

CREATE TABLE tournaments (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    state TEXT NOT NULL,
    is_over BIGINT NOT NULL DEFAULT 0,
    changed BIGINT NOT NULL
);

-- When a server was last seen running, so that clocks can be charged for the time up to a crash and no longer.
CREATE TABLE alive (
    row BIGINT PRIMARY KEY CHECK (row = 1),
    at BIGINT NOT NULL
);

INSERT INTO honinbo_store (one, version, tenure) VALUES (1, 0, 0);
