-- Money that clients have reserved for calls they are about to make (docs/decisions/0120). A row is a block for calls of one attribution;
-- counting takes the part of a call off it in the transaction that adds its cost to the sums.
CREATE TABLE reservierungen (
  mandant_id      uuid NOT NULL,
  reservierung_id uuid NOT NULL,
  -- What limits may look at, each as `<kind>=<value>`: `agent=support/triage`, `lauf=…`; of every call `mandant=`.
  fuer            text[] COLLATE "C" NOT NULL,
  -- What is still reserved, in EUR.
  betrag_eur      numeric NOT NULL,
  angelegt_am     timestamptz NOT NULL,
  verfaellt_am    timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, reservierung_id)
) WITH (fillfactor = 80);
-- What has lapsed is removed by this.
CREATE INDEX reservierungen_verfaellt ON reservierungen (mandant_id, verfaellt_am);

ALTER TABLE reservierungen ENABLE ROW LEVEL SECURITY;
ALTER TABLE reservierungen FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON reservierungen TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON reservierungen TO zaehlwerk_anfrage;
