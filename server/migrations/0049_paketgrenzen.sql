-- Of which local month ('YYYY-MM') operators were told that this Mandant is beyond what its package is for: once a month is enough
-- (docs/decisions/0078).
ALTER TABLE mandanten ADD COLUMN grenze_gemeldet text CHECK (grenze_gemeldet ~ '^\d{4}-\d{2}$');
