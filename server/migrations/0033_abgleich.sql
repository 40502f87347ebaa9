-- What providers invoice, to be held against what was counted (docs/decisions/0072).
CREATE TABLE anbieter_rechnungen (
  mandant_id      uuid NOT NULL,
  rechnung_id     uuid NOT NULL,
  -- The first day of the month it is about.
  monat           date NOT NULL,
  anbieter        text COLLATE "C" NOT NULL,
  -- As it stands on the invoice.
  betrag          numeric NOT NULL,
  waehrung        text NOT NULL,
  -- EUR for one unit of the currency.
  kurs            numeric NOT NULL,
  rechnungsnummer text,
  notiz           text,
  erfasst_am      timestamptz NOT NULL,
  erfasst_von     text,
  PRIMARY KEY (mandant_id, rechnung_id)
);
CREATE INDEX anbieter_rechnungen_monat ON anbieter_rechnungen (mandant_id, monat);

ALTER TABLE anbieter_rechnungen ENABLE ROW LEVEL SECURITY;
ALTER TABLE anbieter_rechnungen FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON anbieter_rechnungen TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON anbieter_rechnungen TO zaehlwerk_anfrage;
