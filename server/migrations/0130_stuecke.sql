-- expand: pieces of counted calls (docs/decisions/0157), beside the sums.

-- What counting added to the sums in one transaction, row by row: a call, or what a change of a counted call adds. Never changed; a job
-- puts several together as one. `marke` tells a piece from any other that ever had its number.
CREATE TABLE verbrauch_stuecke (
  mandant_id uuid NOT NULL,
  -- The mark it was counted with; of those that were put together the latest.
  nummer     bigint NOT NULL,
  marke      uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The first and the last local day of its rows.
  tag_von    date NOT NULL,
  tag_bis    date NOT NULL,
  anzahl     integer NOT NULL,
  daten      bytea NOT NULL,
  PRIMARY KEY (mandant_id, nummer)
);
-- They come compressed.
ALTER TABLE verbrauch_stuecke ALTER COLUMN daten SET STORAGE EXTERNAL;
GRANT SELECT ON verbrauch_stuecke TO zaehlwerk_anfrage;
ALTER TABLE verbrauch_stuecke ENABLE ROW LEVEL SECURITY;
ALTER TABLE verbrauch_stuecke FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON verbrauch_stuecke TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);

-- The latest mark that is in a piece. Where it is another than `marken`, calls were counted that are in none: by a release that knows no
-- pieces, or before there were any.
ALTER TABLE zaehlstaende ADD COLUMN stuecke_bis bigint NOT NULL DEFAULT 0;
