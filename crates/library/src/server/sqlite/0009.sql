-- Codes with which somebody who forgot the password chooses another one, each once; an account has one at most.
CREATE TABLE reset_codes (
    hash BLOB PRIMARY KEY,
    account INTEGER NOT NULL UNIQUE REFERENCES accounts ON DELETE CASCADE,
    expires INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
