-- Games that wait for a review, and those that were reviewed since the list was last empty.
CREATE TABLE reviews (
    game INTEGER PRIMARY KEY REFERENCES games (id) ON DELETE CASCADE,
    priority INTEGER NOT NULL,                      -- higher ones first
    asked INTEGER NOT NULL,                         -- milliseconds since 1970
    done INTEGER,                                   -- when it was reviewed; NULL: it waits
    failure TEXT                                    -- why that could not be done
);
CREATE INDEX reviews_waiting ON reviews (priority DESC, asked, game) WHERE done IS NULL;
