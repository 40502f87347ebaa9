-- Condensing pairs: which days wait for it, and since when a day that still changes has not been condensed (0030).
ALTER TABLE verbrauch_tagesstand ADD COLUMN verdichtet_am timestamptz;
CREATE INDEX verbrauch_tagesstand_offen ON verbrauch_tagesstand (tag) WHERE verdichtet IS DISTINCT FROM geaendert;
