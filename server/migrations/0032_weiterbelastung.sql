-- Passing costs on (docs/decisions/0068): what an end customer is charged, and the months that are closed.
ALTER TABLE endkunden
  ADD COLUMN kostenstelle      text,
  -- Their own account in bookkeeping.
  ADD COLUMN debitorenkonto    text,
  -- Where statements go.
  ADD COLUMN email             text,
  ADD COLUMN aufschlag_prozent numeric NOT NULL DEFAULT 0,
  -- The end customer this reference was merged into; never one that was merged itself.
  ADD COLUMN gehoert_zu        uuid,
  -- Since when there is nothing known of them but the reference.
  ADD COLUMN entfernt_am       timestamptz;
GRANT INSERT, UPDATE ON endkunden TO zaehlwerk_anfrage;

CREATE TABLE buchhaltung_einstellungen (
  mandant_id             uuid PRIMARY KEY,
  beraternummer          integer,
  mandantennummer        integer,
  -- The month the fiscal year begins with.
  wirtschaftsjahr_beginn smallint NOT NULL DEFAULT 1,
  sachkontenlaenge       smallint NOT NULL DEFAULT 4,
  kontenrahmen           text,
  sammelkonto            text,
  erloeskonto            text,
  bu_schluessel          text,
  steuersatz_prozent     numeric,
  festschreibung         boolean NOT NULL DEFAULT false,
  diktatkuerzel          text,
  bezeichnung            text,
  verbranntes_berechnen  boolean NOT NULL DEFAULT true,
  aufschlag_ausweisen    boolean NOT NULL DEFAULT false
);

-- Months whose bills stand; a row is never changed but for `stand`.
CREATE TABLE abrechnungsmonate (
  mandant_id            uuid NOT NULL,
  -- The first day of the month.
  monat                 date NOT NULL,
  zeitzone              text NOT NULL,
  verbranntes_berechnen boolean NOT NULL,
  aufschlag_ausweisen   boolean NOT NULL,
  steuersatz_prozent    numeric,
  geschlossen_am        timestamptz NOT NULL,
  geschlossen_von       text,
  -- How often its days had changed (`verbrauch_tagesstand`) when they were last billed, corrections included.
  stand                 numeric NOT NULL,
  PRIMARY KEY (mandant_id, monat)
);

-- What was billed in a closed month: for its own calls, and for what had changed in months closed before (`bezug`).
CREATE TABLE abrechnungszeilen (
  mandant_id           uuid NOT NULL,
  monat                date NOT NULL,
  bezug                date NOT NULL,
  -- '' for calls without an end customer, which are charged to nobody.
  referenz             text COLLATE "C" NOT NULL,
  name                 text,
  kostenstelle         text,
  debitorenkonto       text,
  aufschlag_prozent    numeric NOT NULL,
  aufrufe              bigint NOT NULL,
  unbepreist           bigint NOT NULL,
  teilbepreist         bigint NOT NULL,
  kosten_eur           numeric,
  verbranntes_geld_eur numeric NOT NULL,
  abrechenbar_eur      numeric,
  betrag_eur           numeric,
  -- By agent, by model and by day, of the month's own calls.
  posten               json,
  PRIMARY KEY (mandant_id, monat, bezug, referenz)
);

ALTER TABLE buchhaltung_einstellungen ENABLE ROW LEVEL SECURITY;
ALTER TABLE buchhaltung_einstellungen FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON buchhaltung_einstellungen TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ON buchhaltung_einstellungen TO zaehlwerk_anfrage;

ALTER TABLE abrechnungsmonate ENABLE ROW LEVEL SECURITY;
ALTER TABLE abrechnungsmonate FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON abrechnungsmonate TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT ON abrechnungsmonate TO zaehlwerk_anfrage;
GRANT UPDATE (stand) ON abrechnungsmonate TO zaehlwerk_anfrage;

ALTER TABLE abrechnungszeilen ENABLE ROW LEVEL SECURITY;
ALTER TABLE abrechnungszeilen FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON abrechnungszeilen TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT ON abrechnungszeilen TO zaehlwerk_anfrage;
