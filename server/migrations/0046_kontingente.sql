-- How many requests and events a key and a Mandant may send (docs/decisions/0086). Null is without limit; of a Mandant what the
-- configuration says.
ALTER TABLE schluessel
  ADD COLUMN anfragen_je_minute integer CHECK (anfragen_je_minute > 0),
  ADD COLUMN ereignisse_je_minute integer CHECK (ereignisse_je_minute > 0);
ALTER TABLE mandanten
  ADD COLUMN anfragen_je_minute integer CHECK (anfragen_je_minute > 0),
  ADD COLUMN ereignisse_je_minute integer CHECK (ereignisse_je_minute > 0);

-- Until when what was used of a quota has come back, for all processes together: only quotas that are in use now have a row. Lost in a
-- crash of the server, when all of them are full again.
CREATE UNLOGGED TABLE kontingentstaende (
  -- A key or a Mandant.
  konto uuid NOT NULL,
  art   text NOT NULL CHECK (art IN ('senden', 'lesen', 'ereignisse')),
  bis   timestamptz NOT NULL,
  PRIMARY KEY (konto, art)
);
GRANT SELECT, INSERT, UPDATE ON kontingentstaende TO zaehlwerk_anfrage;

-- As zw_schluessel_finden, which the former release asks, with the quotas of key and Mandant.
CREATE FUNCTION zw_schluessel_mit_kontingent(gesucht bytea)
RETURNS TABLE (mandant_id uuid, schluessel_id uuid, bereiche text[], projekt text, gesperrt boolean,
               anfragen_je_minute integer, ereignisse_je_minute integer,
               mandant_anfragen_je_minute integer, mandant_ereignisse_je_minute integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.mandant_id, s.schluessel_id, s.bereiche, s.projekt, s.gesperrt_am IS NOT NULL OR m.status <> 'aktiv',
         s.anfragen_je_minute, s.ereignisse_je_minute, m.anfragen_je_minute, m.ereignisse_je_minute
  FROM schluessel s JOIN mandanten m USING (mandant_id) WHERE s.hash = gesucht
$$;
REVOKE ALL ON FUNCTION zw_schluessel_mit_kontingent FROM PUBLIC;
GRANT EXECUTE ON FUNCTION zw_schluessel_mit_kontingent TO zaehlwerk_anfrage;
