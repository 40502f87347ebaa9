-- What the rules would have saved (docs/decisions/0052): by local day, cause, finding and agent, each call in one row at most.
CREATE TABLE zwilling_ersparnisse (
  mandant_id  uuid NOT NULL,
  tag         date NOT NULL,
  ursache     text COLLATE "C" NOT NULL,
  -- What the calls are known by. Whether it holds still is asked when it is read.
  befund_id   uuid NOT NULL,
  agent       text COLLATE "C" NOT NULL,
  aufrufe     bigint NOT NULL,
  -- Those among them of which it is not known what they cost, or would have.
  unbekannt   bigint NOT NULL,
  -- Of the others; null where there are none.
  gespart_eur numeric,
  PRIMARY KEY (mandant_id, tag, ursache, befund_id, agent)
);

-- Days that were read: at which state of their calls (verbrauch_tagesstand.geaendert), and when.
CREATE TABLE zwilling_tage (
  mandant_id uuid NOT NULL,
  tag        date NOT NULL,
  geaendert  bigint NOT NULL,
  gelesen_am timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, tag)
);

-- Which findings have changed since a day was read.
CREATE INDEX befunde_geaendert ON befunde (mandant_id, geaendert_am);

DO $$
DECLARE
  tabelle text;
BEGIN
  FOREACH tabelle IN ARRAY ARRAY['zwilling_ersparnisse', 'zwilling_tage'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tabelle);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tabelle);
    EXECUTE format($policy$CREATE POLICY mandant ON %I TO zaehlwerk_anfrage
      USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
      WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)$policy$, tabelle);
  END LOOP;
END $$;
GRANT SELECT ON zwilling_ersparnisse, zwilling_tage TO zaehlwerk_anfrage;
