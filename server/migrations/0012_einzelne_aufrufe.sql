-- Calls of Mandanten with little, one by one, until they are many enough to be added to the sums: a lone call changes one
-- row instead of some twenty-six (docs/decisions/0032). Whoever reads sums reads these, too.
CREATE TABLE verbrauch_einzeln (
  mandant_id           uuid NOT NULL,
  -- Number of the mark that counting left with it, and a number beneath it.
  marke                bigint NOT NULL,
  nummer               integer NOT NULL,
  -- Null where no sums by the minute are kept for it.
  minute               timestamptz,
  stunde               timestamptz NOT NULL,
  tag                  date NOT NULL,
  -- Numbers of the values it has (`merkmale`).
  agent                integer NOT NULL,
  projekt              integer NOT NULL,
  endkunde             integer NOT NULL,
  anbieter             integer NOT NULL,
  modell               integer NOT NULL,
  funktion             integer NOT NULL,
  benutzer             integer NOT NULL,
  -- What it adds to the sums, as they have it.
  aufrufe              bigint NOT NULL,
  fehler               bigint NOT NULL,
  unbepreist           bigint NOT NULL,
  geschaetzt           bigint NOT NULL,
  eingabe_token        numeric NOT NULL,
  ausgabe_token        numeric NOT NULL,
  cache_lese_token     numeric NOT NULL,
  cache_schreib_token  numeric NOT NULL,
  denk_token           numeric NOT NULL,
  kosten_usd           numeric NOT NULL,
  kosten_eur           numeric NOT NULL,
  geschaetzt_eur       numeric NOT NULL,
  verbranntes_geld_eur numeric NOT NULL,
  latenz               numeric NOT NULL,
  erste_zeichen        numeric NOT NULL,
  PRIMARY KEY (mandant_id, marke, nummer)
);

-- Rows come and go.
ALTER TABLE verbrauch_einzeln SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);

-- How many of them there are.
ALTER TABLE zaehlstaende ADD COLUMN einzelne integer NOT NULL DEFAULT 0;

ALTER TABLE verbrauch_einzeln ENABLE ROW LEVEL SECURITY;
CREATE POLICY mandant ON verbrauch_einzeln TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT ON verbrauch_einzeln TO zaehlwerk_anfrage;
