-- Deleting a game for good looks for its exercises; without this every exercise was read for each such game.
CREATE INDEX exercises_by_game ON exercises (game);
