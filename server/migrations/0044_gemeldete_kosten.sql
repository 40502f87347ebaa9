-- What calls reported as their cost beside what the list says of the same calls, by local day and provider (docs/decisions/0084).
CREATE TABLE gemeldete_kosten (
  mandant_id   uuid NOT NULL,
  tag          date NOT NULL,
  -- '' for calls that name none.
  anbieter     text COLLATE "C" NOT NULL,
  -- Calls whose cost is what they reported, and those of them that the list knows a whole price of.
  aufrufe      bigint NOT NULL,
  verglichen   bigint NOT NULL,
  -- Of those that were compared.
  gemeldet_eur numeric NOT NULL,
  liste_eur    numeric NOT NULL,
  PRIMARY KEY (mandant_id, tag, anbieter)
);

-- At which state of a day (verbrauch_tagesstand) it was compared.
CREATE TABLE gemeldete_kosten_tage (
  mandant_id uuid NOT NULL,
  tag        date NOT NULL,
  geaendert  bigint NOT NULL,
  PRIMARY KEY (mandant_id, tag)
);

ALTER TABLE gemeldete_kosten ENABLE ROW LEVEL SECURITY;
ALTER TABLE gemeldete_kosten FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON gemeldete_kosten TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT ON gemeldete_kosten TO zaehlwerk_anfrage;

ALTER TABLE gemeldete_kosten_tage ENABLE ROW LEVEL SECURITY;
ALTER TABLE gemeldete_kosten_tage FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON gemeldete_kosten_tage TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
