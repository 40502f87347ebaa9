-- What programs ask people for: that an order is lifted, that a limit or a budget is raised (docs/decisions/0138).
CREATE TABLE antraege (
  mandant_id      uuid NOT NULL,
  antrag_id       uuid NOT NULL,
  -- The API key that asks.
  schluessel_id   uuid NOT NULL,
  -- `eingriff`, `regel` or `budget`.
  art             text NOT NULL,
  -- Of a budget: of what it is. Else empty.
  objekt_art      text NOT NULL,
  -- Id of the order or rule; of a budget the key or reference of its object.
  objekt          text NOT NULL,
  -- What people know it by.
  bezeichnung     text NOT NULL,
  bisher_eur      numeric,
  wunsch_eur      numeric,
  begruendung     text NOT NULL,
  status          text NOT NULL,
  angelegt_am     timestamptz NOT NULL,
  entschieden_am  timestamptz,
  entschieden_von text,
  gewaehrt_eur    numeric,
  antwort         text,
  PRIMARY KEY (mandant_id, antrag_id)
);
-- What waits, once for each thing that a key asks for.
CREATE UNIQUE INDEX antraege_offen ON antraege (mandant_id, schluessel_id, art, objekt_art, objekt) WHERE status = 'offen';

ALTER TABLE antraege ENABLE ROW LEVEL SECURITY;
ALTER TABLE antraege FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON antraege TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON antraege TO zaehlwerk_anfrage;
