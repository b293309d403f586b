-- The checksum of the certificate by which the others know that they speak with it.
ALTER TABLE processes ADD COLUMN certificate TEXT NOT NULL DEFAULT '';
