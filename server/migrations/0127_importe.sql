-- expand: calls of the past that people bring along (docs/decisions/0154).
CREATE TABLE importe (
  mandant_id               uuid NOT NULL,
  import_id                uuid NOT NULL,
  -- `liest`, `bereit`, `laeuft`, `fertig`, `ruecknahme`, `zurueckgenommen` or `fehlgeschlagen`.
  status                   text NOT NULL,
  datei                    text NOT NULL,
  groesse                  bigint NOT NULL,
  -- Whose key the calls come by.
  schluessel_id            uuid NOT NULL,
  projekt                  text,
  zeitzone                 text NOT NULL,
  -- What the file is, as the reader of it has told; null before that.
  sha256                   text,
  dienst                   text,
  zeilen                   bigint,
  -- Rows that are no call: how many, by why.
  ausgelassen              json,
  kosten_usd               numeric,
  -- Calls that were handed in; how many of them were counted already then; from when to when; by model and by local month.
  aufrufe                  bigint NOT NULL DEFAULT 0,
  bekannt                  bigint NOT NULL DEFAULT 0,
  von                      timestamptz,
  bis                      timestamptz,
  modelle                  json,
  monate                   json,
  -- Calls in the inbox, and beyond; those that have been counted, or were already; and of these what was new.
  uebergeben               bigint NOT NULL DEFAULT 0,
  gezaehlt                 bigint NOT NULL DEFAULT 0,
  angenommen               bigint NOT NULL DEFAULT 0,
  -- Calls that were taken back, and those that stay since their month is closed or their events are kept no longer.
  zurueckgenommen          bigint NOT NULL DEFAULT 0,
  geblieben                bigint,
  angelegt_am              timestamptz NOT NULL,
  angelegt_von             text,
  angewendet_am            timestamptz,
  angewendet_von           text,
  beendet_am               timestamptz,
  zurueckgenommen_am       timestamptz,
  zurueckgenommen_von      text,
  PRIMARY KEY (mandant_id, import_id)
);

-- What of a file waits to be confirmed and counted.
CREATE TABLE import_teile (
  mandant_id uuid NOT NULL,
  import_id  uuid NOT NULL,
  nr         integer NOT NULL,
  anzahl     integer NOT NULL,
  umfang     integer NOT NULL,
  -- Checked and packed as the inbox keeps it (docs/decisions/0020).
  daten      bytea NOT NULL,
  bekannt    integer NOT NULL,
  von        timestamptz NOT NULL,
  bis        timestamptz NOT NULL,
  modelle    json NOT NULL,
  monate     json NOT NULL,
  PRIMARY KEY (mandant_id, import_id, nr)
);

-- Calls that an import alone has told of, which can be taken back.
CREATE TABLE import_aufrufe (
  mandant_id  uuid NOT NULL,
  ereignis_id uuid NOT NULL,
  import_id   uuid NOT NULL,
  zeitpunkt   timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, ereignis_id)
);
CREATE INDEX import_aufrufe_von ON import_aufrufe (mandant_id, import_id, zeitpunkt);

ALTER TABLE importe ENABLE ROW LEVEL SECURITY;
ALTER TABLE importe FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON importe TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON importe TO zaehlwerk_anfrage;

ALTER TABLE import_teile ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_teile FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON import_teile TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON import_teile TO zaehlwerk_anfrage;

ALTER TABLE import_aufrufe ENABLE ROW LEVEL SECURITY;
ALTER TABLE import_aufrufe FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON import_aufrufe TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT ON import_aufrufe TO zaehlwerk_anfrage;

-- Which import a batch is of; null of what programs send.
ALTER TABLE eingang ADD COLUMN import_id uuid;
ALTER TABLE eingang_unzaehlbar ADD COLUMN import_id uuid;

-- Whether a call is counted already, before it is imported.
GRANT SELECT ON ereignis_kennungen TO zaehlwerk_anfrage;
