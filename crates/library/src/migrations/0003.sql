-- Games whose place in searches changed, the last ten thousand: what is kept in memory follows it, whoever changed them.
CREATE TABLE touched (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game INTEGER NOT NULL
);
CREATE TRIGGER touched_bounded AFTER INSERT ON touched BEGIN
    DELETE FROM touched WHERE id <= new.id - 10000;
END;
CREATE TRIGGER games_touched AFTER UPDATE OF deleted, winner, date, black_rank, white_rank ON games
WHEN old.deleted IS NOT new.deleted OR old.winner IS NOT new.winner OR old.date IS NOT new.date
    OR old.black_rank IS NOT new.black_rank OR old.white_rank IS NOT new.white_rank BEGIN
    INSERT INTO touched (game) VALUES (new.id);
END;
CREATE TRIGGER games_removed AFTER DELETE ON games BEGIN
    INSERT INTO touched (game) VALUES (old.id);
END;
CREATE TRIGGER records_touched AFTER UPDATE OF track ON records WHEN old.track IS NOT new.track BEGIN
    INSERT INTO touched (game) VALUES (new.game);
END;

-- What a person changed: for each change, as JSON, the one that takes it back, or does it again when it was taken back.
CREATE TABLE history (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    what TEXT NOT NULL,
    games INTEGER NOT NULL,                         -- games it was about
    change TEXT NOT NULL,
    undone INTEGER NOT NULL DEFAULT 0
);

-- Files of an import that was broken off, and how many games of each were dealt with.
CREATE TABLE import_progress (
    path TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    modified INTEGER NOT NULL,                      -- milliseconds since 1970
    games INTEGER NOT NULL,
    whole INTEGER NOT NULL
) WITHOUT ROWID;
