-- How deep the review was that judged a game, so that a deeper one is not replaced by a shallower one.
ALTER TABLE judged_games ADD COLUMN visits INTEGER NOT NULL DEFAULT 50;   -- fewest of a position
ALTER TABLE judged_games ADD COLUMN network TEXT NOT NULL DEFAULT '';     -- who judged; '' where it was not written down
