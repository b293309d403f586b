-- Of a token whose owner came in by a provider: which one, and the hash of what it calls its session, where it said so.
ALTER TABLE tokens ADD COLUMN issuer TEXT COLLATE "C";
ALTER TABLE tokens ADD COLUMN provider_session BYTEA;
CREATE INDEX tokens_by_provider_session ON tokens (provider_session) WHERE provider_session IS NOT NULL;
