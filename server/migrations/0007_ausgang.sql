-- The exit of counting (docs/decisions/0031): what happens after an event is counted happens on these, in transactions of its own.

-- Compact state of a run, advanced with each of its events; bounded, and made anew from the events where that is asked for.
CREATE TABLE lauf_zustaende (
  mandant_id   uuid NOT NULL,
  lauf_id      uuid NOT NULL,
  -- Format: server/src/domains/laeufe/run-state-bytes.ts.
  zustand      bytea NOT NULL,
  -- An event came out of order: the state is to be made anew from the events of the run.
  neu_lesen    boolean NOT NULL,
  -- The mark of the counting transaction that changed it last.
  nummer       bigint NOT NULL,
  geaendert_am timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mandant_id, lauf_id)
) WITH (fillfactor = 70);
CREATE INDEX lauf_zustaende_alter ON lauf_zustaende (geaendert_am);

-- One row for each counting transaction and Mandant, in order: what it changed. Taken by whoever acts on it.
CREATE TABLE zaehlmarken (
  mandant_id  uuid NOT NULL,
  nummer      bigint NOT NULL,
  gezaehlt_am timestamptz NOT NULL DEFAULT now(),
  -- Values of dimensions whose sums changed, runs whose events came, local days that changed.
  merkmale    integer[] NOT NULL,
  laeufe      uuid[] NOT NULL,
  tage        date[] NOT NULL,
  -- Agents that called, and when the last of these calls was.
  agenten     text[] NOT NULL,
  aufrufe_am  timestamptz[] NOT NULL,
  PRIMARY KEY (mandant_id, nummer)
);
ALTER TABLE zaehlstaende ADD COLUMN marken bigint NOT NULL DEFAULT 0;

DO $$
DECLARE
  tabelle text;
BEGIN
  FOREACH tabelle IN ARRAY ARRAY['lauf_zustaende', 'zaehlmarken'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tabelle);
    EXECUTE format($policy$CREATE POLICY mandant ON %I TO zaehlwerk_anfrage
      USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
      WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)$policy$, tabelle);
    EXECUTE format('GRANT SELECT ON %I TO zaehlwerk_anfrage', tabelle);
  END LOOP;
END $$;
