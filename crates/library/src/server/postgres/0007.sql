-- Codes with which somebody who forgot the password chooses another one, each once; an account has one at most.
CREATE TABLE reset_codes (
    hash BYTEA PRIMARY KEY,
    account BIGINT NOT NULL UNIQUE REFERENCES accounts ON DELETE CASCADE,
    expires BIGINT NOT NULL
);
