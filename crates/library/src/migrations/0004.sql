-- Rated games of the person, and the rating after each: a person's rating on a board is that of the last row.
CREATE TABLE rated_games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    board INTEGER NOT NULL,                         -- side of the board
    played INTEGER NOT NULL,                        -- milliseconds since 1970
    opponent TEXT NOT NULL,
    opponent_rating REAL NOT NULL,
    opponent_deviation REAL NOT NULL,
    score REAL NOT NULL,                            -- 1 won, 0 lost, 0.5 drawn
    rating REAL NOT NULL,
    deviation REAL NOT NULL,
    volatility REAL NOT NULL,
    record TEXT                                     -- id of the game, which may have been deleted since
);
CREATE INDEX rated_games_by_board ON rated_games (board, id);
