-- How long events and their ids are kept (docs/decisions/0085). One row for the installation.
CREATE TABLE aufbewahrung (
  eine           boolean PRIMARY KEY DEFAULT true CHECK (eine),
  -- Events dated before are refused, and stay as they were counted. Null: nothing is too old.
  annahme_ab     timestamptz,
  annahme_seit   timestamptz NOT NULL DEFAULT now(),
  -- The first instant of which all events are there; at least a month before `annahme_ab`. Null: none were removed.
  ereignisse_ab  timestamptz,
  -- Ids counted before are forgotten. Null: none are.
  kennungen_ab   date
);
INSERT INTO aufbewahrung DEFAULT VALUES;
GRANT SELECT ON aufbewahrung TO zaehlwerk_anfrage;

-- The day (UTC) on which an id was counted, of those there are the day of this migration.
ALTER TABLE ereignis_kennungen ADD COLUMN gezaehlt_am date NOT NULL DEFAULT ((now() AT TIME ZONE 'UTC')::date);

-- contract: only the job calls it that removes what has been refused for a month (docs/decisions/0085).
-- Removes the oldest month of events that lies before `grenze` as a whole; returns its table, or null when there is none. Months in UTC.
CREATE FUNCTION zw_monat_entfernen(grenze timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  teil text;
BEGIN
  SELECT relname INTO teil FROM pg_inherits JOIN pg_class ON oid = inhrelid
  WHERE inhparent = 'ereignisse'::regclass AND relname ~ '^ereignisse_\d{4}_\d{2}$'
    AND (to_date(right(relname, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC' <= grenze
  ORDER BY relname LIMIT 1;
  IF teil IS NOT NULL THEN
    EXECUTE format('DROP TABLE %I', teil);
  END IF;
  RETURN teil;
END $$;
REVOKE ALL ON FUNCTION zw_monat_entfernen FROM PUBLIC;
