-- No number of a game is given to another one: open games, rated games and what was taken from sources go on naming games
-- that are gone. The highest number of those deleted for good, of which a new game is behind.
CREATE TABLE deleted_numbers (
    row INTEGER PRIMARY KEY CHECK (row = 1),
    highest INTEGER NOT NULL
);
INSERT INTO deleted_numbers (row, highest)
    SELECT 1, max(game) FROM (
        SELECT 0 AS game
        UNION ALL SELECT game FROM touched
        UNION ALL SELECT game FROM relisted
        UNION ALL SELECT game FROM source_games
        UNION ALL SELECT CAST(record AS INTEGER) FROM rated_games);
CREATE TRIGGER games_numbers_kept AFTER DELETE ON games BEGIN
    UPDATE deleted_numbers SET highest = old.id WHERE highest < old.id;
END;

-- A merge made a game seem as it was taken although somebody's text was kept, and the record's next state took its place.
-- Of every merge there is a copy.
UPDATE source_games SET taken = -1 WHERE game IN (SELECT game FROM copies);
