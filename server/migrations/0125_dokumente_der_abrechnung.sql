-- expand: statements of closed months as they were issued (docs/decisions/0144).
CREATE TABLE abrechnung_dokumente (
  mandant_id     uuid NOT NULL,
  -- The first day of the month the statement is about.
  monat          date NOT NULL,
  -- Who is charged.
  referenz       text COLLATE "C" NOT NULL,
  pdf            bytea NOT NULL CHECK (octet_length(pdf) <= 16777216),
  -- Of the PDF.
  sha256         text COLLATE "C" NOT NULL,
  -- When it first left.
  ausgegeben_am  timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, monat, referenz)
);

ALTER TABLE abrechnung_dokumente ENABLE ROW LEVEL SECURITY;
ALTER TABLE abrechnung_dokumente FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON abrechnung_dokumente TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
-- What was issued is neither changed nor removed.
GRANT SELECT, INSERT ON abrechnung_dokumente TO zaehlwerk_anfrage;
