-- Who played a game that counts, by the account's number, which stays: once the account is gone it names nobody.
ALTER TABLE games ADD COLUMN black_counted BIGINT;
ALTER TABLE games ADD COLUMN white_counted BIGINT;
UPDATE games SET black_counted = black, white_counted = white WHERE rated = 1;

-- Numbers of accounts that are gone, but for guests': a game that was lost by that counts.
CREATE TABLE gone_accounts (id BIGINT PRIMARY KEY);
