-- Lists filter and sort in memory, which needs no index of events, places and sources.
DROP INDEX games_event;
DROP INDEX games_place;
DROP INDEX games_source;

-- Games whose place in lists changed, the last ten thousand; 0: names were joined or parted.
CREATE TABLE relisted (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game INTEGER NOT NULL
);
CREATE TRIGGER relisted_bounded AFTER INSERT ON relisted BEGIN
    DELETE FROM relisted WHERE id <= new.id - 10000;
END;
CREATE TRIGGER games_relisted AFTER UPDATE OF black, white, black_rank, white_rank, event, place, source, date, result,
    winner, margin, width, height, rules, komi, handicap, moves, changed, deleted ON games BEGIN
    INSERT INTO relisted (game) VALUES (new.id);
END;
CREATE TRIGGER games_unlisted AFTER DELETE ON games BEGIN
    INSERT INTO relisted (game) VALUES (old.id);
END;
CREATE TRIGGER players_joined AFTER UPDATE OF person ON players BEGIN
    INSERT INTO relisted (game) VALUES (0);
END;

-- Short notes, which nearly every game has one of, are looked through in memory; only long ones stand in the index.
DROP TRIGGER notes_added;
DROP TRIGGER notes_removed;
DROP TRIGGER notes_changed;
DROP TABLE notes_index;
CREATE INDEX notes_long ON notes (game) WHERE octet_length(text) > 64;
CREATE VIEW long_notes AS SELECT game, text FROM notes WHERE octet_length(text) > 64;
CREATE VIRTUAL TABLE notes_index USING fts5 (text, content = 'long_notes', content_rowid = 'game', tokenize = 'trigram',
    columnsize = 0);
INSERT INTO notes_index (notes_index) VALUES ('rebuild');
CREATE TRIGGER notes_added AFTER INSERT ON notes WHEN octet_length(new.text) > 64 BEGIN
    INSERT INTO notes_index (rowid, text) VALUES (new.game, new.text);
END;
CREATE TRIGGER notes_removed AFTER DELETE ON notes WHEN octet_length(old.text) > 64 BEGIN
    INSERT INTO notes_index (notes_index, rowid, text) VALUES ('delete', old.game, old.text);
END;
CREATE TRIGGER notes_changed_from AFTER UPDATE ON notes WHEN octet_length(old.text) > 64 BEGIN
    INSERT INTO notes_index (notes_index, rowid, text) VALUES ('delete', old.game, old.text);
END;
CREATE TRIGGER notes_changed_to AFTER UPDATE ON notes WHEN octet_length(new.text) > 64 BEGIN
    INSERT INTO notes_index (rowid, text) VALUES (new.game, new.text);
END;
