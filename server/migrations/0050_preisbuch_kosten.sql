-- What calls cost by the price book beside what they would at the list price, by local day and provider (docs/decisions/0087).
CREATE TABLE preisbuch_kosten (
  mandant_id      uuid NOT NULL,
  tag             date NOT NULL,
  -- '' for calls that name none.
  anbieter        text COLLATE "C" NOT NULL,
  -- Calls with an own price or a discount, and their cost.
  aufrufe         bigint NOT NULL,
  kosten_eur      numeric NOT NULL,
  -- Those of them that the list knows a whole price of, and both costs of these.
  verglichen      bigint NOT NULL,
  preisbuch_eur   numeric NOT NULL,
  listenpreis_eur numeric NOT NULL,
  PRIMARY KEY (mandant_id, tag, anbieter)
);

ALTER TABLE preisbuch_kosten ENABLE ROW LEVEL SECURITY;
ALTER TABLE preisbuch_kosten FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON preisbuch_kosten TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT ON preisbuch_kosten TO zaehlwerk_anfrage;

-- At which state of a day its price book was held against the list. Null: at none; the former release does not know it.
ALTER TABLE gemeldete_kosten_tage ADD COLUMN preisbuch bigint;
GRANT SELECT ON gemeldete_kosten_tage TO zaehlwerk_anfrage;
