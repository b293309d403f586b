-- Games that count for ratings: between two people with accounts of their own, who wished it.
ALTER TABLE games ADD COLUMN rated INTEGER NOT NULL DEFAULT 0;
CREATE INDEX games_that_count ON games (id) WHERE rated = 1;
