-- Servers that serve together. Each has a row for as long as rooms are its own.
CREATE TABLE processes (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- Where the others reach it; empty until it can be reached.
    address TEXT NOT NULL DEFAULT '',
    -- When it was last seen running, by its own clock and by the database's.
    alive BIGINT,
    seen TIMESTAMPTZ NOT NULL DEFAULT now(),
    -- From when on it was never silent: when the database itself was away, nobody is to be blamed.
    since TIMESTAMPTZ NOT NULL DEFAULT now(),
    -- It is over: its rooms are anybody's, and it writes no more.
    ended BIGINT NOT NULL DEFAULT 0
);

-- Whose a room is; nobody's where there is no process, or one that is over.
ALTER TABLE rooms ADD COLUMN process BIGINT;
CREATE INDEX rooms_by_process ON rooms (process);

-- Who leads: one of the processes does what has to be done in one place. And what they know each other by.
ALTER TABLE honinbo_store ADD COLUMN leader BIGINT;
ALTER TABLE honinbo_store ADD COLUMN secret TEXT NOT NULL
    DEFAULT replace(CAST(gen_random_uuid() AS TEXT) || CAST(gen_random_uuid() AS TEXT), '-', '');

-- The rooms are those of the server before this version, which knows by the tenure that it was replaced.
UPDATE honinbo_store SET tenure = tenure + 1;
WITH before AS (INSERT INTO processes (alive, ended) SELECT at, 1 FROM alive RETURNING id)
    UPDATE rooms SET process = before.id FROM before;
