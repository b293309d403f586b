-- Of a game that was played on several days the first alone was known. The last of them, yyyymmdd; 0: there is one.
ALTER TABLE games ADD COLUMN last_date INTEGER NOT NULL DEFAULT 0;
WITH days(game, last) AS MATERIALIZED (
    SELECT r.game, last_date(g.date, r.text) FROM games g JOIN records r ON r.game = g.id WHERE g.date > 0)
UPDATE games SET last_date = days.last FROM days WHERE days.game = games.id AND days.last > 0;
