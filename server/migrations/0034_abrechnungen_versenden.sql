-- Statements that go to end customers by mail (docs/decisions/0068): who got which, and when.
CREATE TABLE abrechnung_versendungen (
  mandant_id      uuid NOT NULL,
  versendung_id   uuid NOT NULL,
  -- The first day of the month the statement is about.
  monat           date NOT NULL,
  referenz        text COLLATE "C" NOT NULL,
  email           text NOT NULL,
  -- wartet, versendet (in the outbox), fehlgeschlagen
  status          text NOT NULL,
  angefordert_am  timestamptz NOT NULL,
  angefordert_von text,
  erledigt_am     timestamptz,
  PRIMARY KEY (mandant_id, versendung_id)
);
CREATE INDEX abrechnung_versendungen_monat ON abrechnung_versendungen (mandant_id, monat, referenz);

ALTER TABLE abrechnung_versendungen ENABLE ROW LEVEL SECURITY;
ALTER TABLE abrechnung_versendungen FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON abrechnung_versendungen TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON abrechnung_versendungen TO zaehlwerk_anfrage;
