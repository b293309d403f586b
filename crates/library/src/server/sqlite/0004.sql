-- Tournaments, each as it says of itself. Who plays in them is named there by the account's number, which no other account
-- ever has.
CREATE TABLE tournaments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    state TEXT NOT NULL,
    is_over INTEGER NOT NULL DEFAULT 0,
    changed INTEGER NOT NULL
) STRICT;
CREATE INDEX games_in_room ON games (room);
