-- Where a pair has none of a figure, its list is null instead of as many zeros.
ALTER TABLE verbrauch_paar ALTER COLUMN fehler DROP NOT NULL, ALTER COLUMN teilbepreist DROP NOT NULL,
  ALTER COLUMN geschaetzt DROP NOT NULL, ALTER COLUMN cache_lese_token DROP NOT NULL,
  ALTER COLUMN cache_schreib_token DROP NOT NULL, ALTER COLUMN denk_token DROP NOT NULL,
  ALTER COLUMN ersatz_eur DROP NOT NULL;
