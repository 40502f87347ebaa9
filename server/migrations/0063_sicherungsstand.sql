-- When the database was last backed up (docs/operations.md#backup-and-restore); no row before the first try. One row, no Mandant named.
CREATE TABLE sicherungsstand (
  nummer       integer PRIMARY KEY DEFAULT 1 CHECK (nummer = 1),
  -- The last one that is whole.
  gelungen_am  timestamptz,
  umfang       bigint,
  -- Since when tries fail; null while the last one did not.
  fehler_am    timestamptz
);
GRANT SELECT ON sicherungsstand TO zaehlwerk_anfrage;
