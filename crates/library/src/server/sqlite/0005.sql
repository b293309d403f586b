-- Somebody with an account may have no password, and come in by an OpenID Connect provider.
ALTER TABLE accounts ADD COLUMN guest INTEGER NOT NULL DEFAULT 0;
UPDATE accounts SET guest = 1 WHERE password IS NULL;

-- Whom a provider knows somebody as: issuer and subject are one person for ever. An account has one of them at most.
CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    account INTEGER NOT NULL UNIQUE REFERENCES accounts ON DELETE CASCADE,
    linked INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
) STRICT, WITHOUT ROWID;

-- Until when a token is an operator's, too: as long as a provider's word for that is believed.
ALTER TABLE tokens ADD COLUMN operator_until INTEGER NOT NULL DEFAULT 0;
