-- What records have at the position of a card: its answers, in place of the engine's judgement. A card without rows here is
-- judged by the engine.
CREATE TABLE card_moves (
    card INTEGER NOT NULL REFERENCES cards (id),
    game INTEGER NOT NULL,                          -- the record of the library; 0 for those of no library
    position BLOB NOT NULL,                         -- canonical hash of the position after the move
    PRIMARY KEY (card, game, position)
) WITHOUT ROWID;
CREATE INDEX card_moves_by_game ON card_moves (game);
