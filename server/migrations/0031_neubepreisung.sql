-- Pricing past calls anew (docs/decisions/0067): what would change, then the change. Kept as long as the account.
CREATE TABLE neubepreisungen (
  mandant_id       uuid NOT NULL,
  neubepreisung_id uuid NOT NULL,
  status           text NOT NULL,
  grund            text,
  -- Local days; the last one is not meant any more.
  von              date NOT NULL,
  bis              date NOT NULL,
  zeitzone         text NOT NULL,
  -- The edition of the price book.
  fassung          integer NOT NULL,
  -- The price list in force; null until the first calls were looked at.
  liste            text,
  ereignisse       bigint NOT NULL DEFAULT 0,
  gelesen          bigint NOT NULL DEFAULT 0,
  -- The last call that was looked at.
  stand_zeitpunkt  timestamptz,
  stand_id         uuid,
  angelegt_am      timestamptz NOT NULL,
  angelegt_von     text,
  angewendet_am    timestamptz,
  angewendet_von   text,
  beendet_am       timestamptz,
  PRIMARY KEY (mandant_id, neubepreisung_id)
);

-- What changes by month and agent.
CREATE TABLE neubepreisung_zeilen (
  mandant_id       uuid NOT NULL,
  neubepreisung_id uuid NOT NULL,
  -- The first day of the month.
  monat            date NOT NULL,
  agent            text COLLATE "C" NOT NULL,
  geaendert        bigint NOT NULL,
  alt_usd          numeric NOT NULL,
  neu_usd          numeric NOT NULL,
  differenz_eur    numeric NOT NULL,
  unbepreist       bigint NOT NULL,
  PRIMARY KEY (mandant_id, neubepreisung_id, monat, agent)
);

ALTER TABLE neubepreisungen ENABLE ROW LEVEL SECURITY;
ALTER TABLE neubepreisungen FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON neubepreisungen TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON neubepreisungen TO zaehlwerk_anfrage;

ALTER TABLE neubepreisung_zeilen ENABLE ROW LEVEL SECURITY;
ALTER TABLE neubepreisung_zeilen FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON neubepreisung_zeilen TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, DELETE ON neubepreisung_zeilen TO zaehlwerk_anfrage;
