-- The schema of counting. Two kinds of tables (docs/architecture.md):
--   account tables: small, with uniqueness across Mandanten; they stay on the coordinator of a cluster
--   volume tables:  mandant_id first in every key; these a cluster distributes by mandant_id
-- Every table with a mandant_id has row-level security; requests run as zaehlwerk_anfrage, which owns nothing.

DO $$
BEGIN
  CREATE ROLE zaehlwerk_anfrage LOGIN;
EXCEPTION
  -- Roles belong to the server, not to the database: another database may have made it, even just now.
  WHEN duplicate_object OR unique_violation THEN NULL;
  -- Without the right to make roles it must have been prepared; the grants below fail if it was not.
  WHEN insufficient_privilege THEN NULL;
END $$;
DO $$
BEGIN
  EXECUTE format('GRANT zaehlwerk_anfrage TO %I', current_user);
EXCEPTION
  WHEN invalid_grant_operation OR unique_violation OR insufficient_privilege THEN NULL;
END $$;

-- ── account tables ──────────────────────────────────────────────────────────────────────────────────────────

CREATE TABLE mandanten (
  mandant_id        uuid PRIMARY KEY,
  firma             text NOT NULL,
  paket             text NOT NULL,
  paket_bis         timestamptz,
  status            text NOT NULL DEFAULT 'aktiv' CHECK (status IN ('aktiv', 'gekündigt')),
  zeitzone          text NOT NULL,
  avv_akzeptiert_am timestamptz,
  demo              boolean NOT NULL DEFAULT false,
  erstellt_am       timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE benutzer (
  mandant_id    uuid NOT NULL REFERENCES mandanten,
  benutzer_id   uuid NOT NULL,
  email         text NOT NULL,
  name          text,
  passwort_hash text NOT NULL,
  rolle         text NOT NULL CHECK (rolle IN ('inhaber', 'verwalter', 'bearbeiter', 'buchhaltung', 'betrachter')),
  aktiv         boolean NOT NULL DEFAULT true,
  erstellt_am   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mandant_id, benutzer_id)
);
-- One address signs in to one account, whatever the Mandant.
CREATE UNIQUE INDEX benutzer_email ON benutzer (lower(email));

CREATE TABLE sitzungen (
  mandant_id   uuid NOT NULL,
  hash         bytea NOT NULL UNIQUE,
  benutzer_id  uuid NOT NULL,
  erstellt_am  timestamptz NOT NULL DEFAULT now(),
  zuletzt_am   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mandant_id, hash),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);

CREATE TABLE schluessel (
  mandant_id         uuid NOT NULL REFERENCES mandanten,
  schluessel_id      uuid NOT NULL,
  name               text NOT NULL,
  hash               bytea NOT NULL UNIQUE,
  anfang             text NOT NULL,
  letzte_vier        text NOT NULL,
  bereiche           text[] NOT NULL,
  -- Project of events that name none, neither themselves nor by their agent.
  projekt            text,
  erstellt_am        timestamptz NOT NULL DEFAULT now(),
  gesperrt_am        timestamptz,
  zuletzt_benutzt_am timestamptz,
  PRIMARY KEY (mandant_id, schluessel_id)
);

-- ── volume tables: the way in ───────────────────────────────────────────────────────────────────────────────

-- The inbox: accepted batches in the order of their time-ordered id. 202 is answered when a row is durable here.
CREATE TABLE eingang (
  mandant_id    uuid NOT NULL,
  eingang_id    uuid NOT NULL,
  empfangen_am  timestamptz NOT NULL,
  schluessel_id uuid NOT NULL,
  projekt       text,
  anzahl        integer NOT NULL,
  -- Size of the batch in bytes, unpacked: what counting it takes in memory.
  umfang        integer NOT NULL,
  -- The batch as checked JSON, zstd-compressed.
  daten         bytea NOT NULL,
  PRIMARY KEY (mandant_id, eingang_id)
);
ALTER TABLE eingang ALTER COLUMN daten SET STORAGE EXTERNAL;
ALTER TABLE eingang SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
                         toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 20000);

-- Batches that cannot be counted, whatever is tried; kept, visible in status and metrics, never dropped silently.
CREATE TABLE eingang_unzaehlbar (
  mandant_id    uuid NOT NULL,
  eingang_id    uuid NOT NULL,
  empfangen_am  timestamptz NOT NULL,
  schluessel_id uuid NOT NULL,
  projekt       text,
  anzahl        integer NOT NULL,
  umfang        integer NOT NULL,
  daten         bytea NOT NULL,
  grund         text NOT NULL,
  erkannt_am    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mandant_id, eingang_id)
);

-- Idempotency keys with the answer they got, written with the batch, kept 48 hours.
CREATE TABLE idempotenz (
  mandant_id   uuid NOT NULL,
  operation    text NOT NULL,
  schluessel   bytea NOT NULL,
  anfrage_hash bytea NOT NULL,
  antwort      text NOT NULL,
  erstellt_am  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mandant_id, operation, schluessel)
);
CREATE INDEX idempotenz_alter ON idempotenz (erstellt_am);

-- ── volume tables: dimensions ───────────────────────────────────────────────────────────────────────────────

CREATE TABLE agenten (
  mandant_id     uuid NOT NULL,
  agent_id       uuid NOT NULL DEFAULT gen_random_uuid(),
  schluessel     text COLLATE "C" NOT NULL,
  name           text NOT NULL,
  projekt        text COLLATE "C" NOT NULL,
  -- True once a person has chosen the project; then it holds for every event that names none itself.
  projekt_fest   boolean NOT NULL DEFAULT false,
  budget_eur     numeric,
  eingriffsstufe text,
  ruhezeit       text,
  erstellt_am    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mandant_id, agent_id),
  UNIQUE (mandant_id, schluessel)
);

CREATE TABLE projekte (
  mandant_id  uuid NOT NULL,
  projekt_id  uuid NOT NULL DEFAULT gen_random_uuid(),
  schluessel  text COLLATE "C" NOT NULL,
  name        text NOT NULL,
  erstellt_am timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mandant_id, projekt_id),
  UNIQUE (mandant_id, schluessel)
);

CREATE TABLE endkunden (
  mandant_id   uuid NOT NULL,
  endkunde_id  uuid NOT NULL DEFAULT gen_random_uuid(),
  referenz     text COLLATE "C" NOT NULL,
  name         text,
  erstellt_am  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mandant_id, endkunde_id),
  UNIQUE (mandant_id, referenz)
);

-- ── volume tables: what is counted ──────────────────────────────────────────────────────────────────────────

-- Every event id a Mandant ever sent: the reason why an event is counted once, whatever its month. Apart from
-- `ereignisse` because a unique key there would have to contain the time the rows are partitioned by.
CREATE TABLE ereignis_kennungen (
  mandant_id  uuid NOT NULL,
  ereignis_id uuid NOT NULL,
  PRIMARY KEY (mandant_id, ereignis_id)
);

CREATE TABLE ereignisse (
  mandant_id              uuid NOT NULL,
  ereignis_id             uuid NOT NULL,
  zeitpunkt               timestamptz NOT NULL,
  empfangen_am            timestamptz NOT NULL,
  anbieter                text COLLATE "C",
  modell                  text COLLATE "C",
  agent                   text COLLATE "C" NOT NULL,
  projekt                 text COLLATE "C" NOT NULL,
  lauf_id                 uuid,
  schritt_nr              bigint,
  eltern_span             uuid,
  eingabe_token           bigint,
  ausgabe_token           bigint,
  cache_lese_token        bigint,
  cache_schreib_token     bigint,
  denk_token              bigint,
  -- The disjoint buckets that are priced; the cache buckets are the counts as sent.
  eingabe_ohne_cache      bigint,
  ausgabe_gesamt          bigint,
  werkzeugaufrufe         bigint,
  latenz_ms               bigint,
  erste_zeichen_ms        bigint,
  status                  text COLLATE "C" NOT NULL,
  fehlercode              text,
  geschaetzt              boolean NOT NULL,
  prompt_fingerabdruck    bytea,
  werkzeug_fingerabdruck  bytea,
  endkunde_ref            text COLLATE "C",
  funktion_ref            text COLLATE "C",
  benutzer_ref            text COLLATE "C",
  quelle                  text COLLATE "C" NOT NULL,
  zusatz                  json,
  kosten_usd              numeric,
  kurs_usd_eur            numeric NOT NULL,
  kosten_eur              numeric GENERATED ALWAYS AS (kosten_usd * kurs_usd_eur) STORED,
  preis_quelle            text COLLATE "C",
  PRIMARY KEY (mandant_id, zeitpunkt, ereignis_id)
) PARTITION BY RANGE (zeitpunkt);
CREATE INDEX ereignisse_lauf ON ereignisse (mandant_id, lauf_id) WHERE lauf_id IS NOT NULL;

-- Events older than the oldest month that has a partition of its own.
CREATE TABLE ereignisse_frueher PARTITION OF ereignisse DEFAULT;

-- Makes the partitions of the months `von` to `bis` (any day in them) that do not exist yet. Months in UTC.
CREATE FUNCTION zw_monate_anlegen(von date, bis date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  monat date := date_trunc('month', von);
BEGIN
  WHILE monat <= bis LOOP
    IF to_regclass(format('ereignisse_%s', to_char(monat, 'YYYY_MM'))) IS NULL THEN
      EXECUTE format('CREATE TABLE ereignisse_%s PARTITION OF ereignisse FOR VALUES FROM (%L) TO (%L)',
        to_char(monat, 'YYYY_MM'), monat::text || ' 00:00:00+00', (monat + interval '1 month')::date::text || ' 00:00:00+00');
    END IF;
    monat := monat + interval '1 month';
  END LOOP;
END $$;
SELECT zw_monate_anlegen((now() - interval '12 months')::date, (now() + interval '2 months')::date);

CREATE TABLE laeufe (
  mandant_id            uuid NOT NULL,
  lauf_id               uuid NOT NULL,
  agent                 text COLLATE "C" NOT NULL,
  projekt               text COLLATE "C" NOT NULL,
  endkunde_ref          text COLLATE "C",
  status                text COLLATE "C" NOT NULL,
  beginn                timestamptz NOT NULL,
  ende                  timestamptz NOT NULL,
  -- Step of the latest call, to decide between calls of the same instant.
  letzter_schritt       bigint,
  aufrufe               bigint NOT NULL,
  fehler                bigint NOT NULL,
  unbepreist            bigint NOT NULL,
  eingabe_token         bigint NOT NULL,
  ausgabe_token         bigint NOT NULL,
  cache_lese_token      bigint NOT NULL,
  kosten_usd            numeric,
  kosten_eur            numeric,
  verbranntes_geld_eur  numeric NOT NULL,
  PRIMARY KEY (mandant_id, lauf_id)
);
CREATE INDEX laeufe_ende ON laeufe (mandant_id, ende DESC);
CREATE INDEX laeufe_agent ON laeufe (mandant_id, agent, ende DESC);

-- Consumption per hour of the Mandant's time zone (`stunde` is the instant it begins) and per local day. Both are
-- written in the transaction that writes the events. '' stands for "none" in the key.
CREATE TABLE verbrauch_stunde (
  mandant_id           uuid NOT NULL,
  stunde               timestamptz NOT NULL,
  agent                text COLLATE "C" NOT NULL,
  projekt              text COLLATE "C" NOT NULL,
  endkunde_ref         text COLLATE "C" NOT NULL,
  anbieter             text COLLATE "C" NOT NULL,
  modell               text COLLATE "C" NOT NULL,
  -- The rate the hour's cost was converted at; two rates within an hour make two rows.
  kurs_usd_eur         numeric NOT NULL,
  aufrufe              bigint NOT NULL,
  fehler               bigint NOT NULL,
  unbepreist           bigint NOT NULL,
  geschaetzt           bigint NOT NULL,
  eingabe_token        bigint NOT NULL,
  ausgabe_token        bigint NOT NULL,
  cache_lese_token     bigint NOT NULL,
  cache_schreib_token  bigint NOT NULL,
  denk_token           bigint NOT NULL,
  -- Null as long as no call of the row has a known price.
  kosten_usd           numeric,
  kosten_eur           numeric,
  geschaetzt_eur       numeric,
  verbranntes_geld_eur numeric NOT NULL,
  PRIMARY KEY (mandant_id, stunde, agent, projekt, endkunde_ref, anbieter, modell, kurs_usd_eur)
) WITH (fillfactor = 70);

CREATE TABLE verbrauch_tag (
  mandant_id           uuid NOT NULL,
  tag                  date NOT NULL,
  agent                text COLLATE "C" NOT NULL,
  projekt              text COLLATE "C" NOT NULL,
  endkunde_ref         text COLLATE "C" NOT NULL,
  anbieter             text COLLATE "C" NOT NULL,
  modell               text COLLATE "C" NOT NULL,
  aufrufe              bigint NOT NULL,
  fehler               bigint NOT NULL,
  unbepreist           bigint NOT NULL,
  geschaetzt           bigint NOT NULL,
  eingabe_token        bigint NOT NULL,
  ausgabe_token        bigint NOT NULL,
  cache_lese_token     bigint NOT NULL,
  cache_schreib_token  bigint NOT NULL,
  denk_token           bigint NOT NULL,
  kosten_usd           numeric,
  kosten_eur           numeric,
  geschaetzt_eur       numeric,
  verbranntes_geld_eur numeric NOT NULL,
  PRIMARY KEY (mandant_id, tag, agent, projekt, endkunde_ref, anbieter, modell)
) WITH (fillfactor = 70);

-- One row per Mandant: whoever holds its lock counts the Mandant's inbox. Also what the connection page asks for.
CREATE TABLE zaehlstaende (
  mandant_id        uuid PRIMARY KEY,
  ereignisse_gesamt bigint NOT NULL DEFAULT 0,
  erster_aufruf_am  timestamptz,
  letzter_aufruf_am timestamptz,
  daten_von         timestamptz,
  daten_bis         timestamptz
);

-- ── tables of the installation, not of a Mandant ────────────────────────────────────────────────────────────

-- EUR for one USD, per day of the reference rate.
CREATE TABLE wechselkurse (
  tag      date PRIMARY KEY,
  usd_eur  numeric NOT NULL CHECK (usd_eur > 0),
  quelle   text NOT NULL,
  geholt_am timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE lizenz_sperren (
  lizenz_id     uuid PRIMARY KEY,
  fingerabdruck text NOT NULL,
  grund         text NOT NULL,
  gesperrt_am   timestamptz NOT NULL DEFAULT now()
);

-- Secrets of the installation, encrypted with its key (AES-256-GCM).
CREATE TABLE geheimnisse (
  name           text PRIMARY KEY,
  verschluesselt bytea NOT NULL,
  erstellt_am    timestamptz NOT NULL DEFAULT now()
);

-- ── isolation ───────────────────────────────────────────────────────────────────────────────────────────────

DO $$
DECLARE
  tabelle text;
BEGIN
  FOR tabelle IN
    SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND a.attname = 'mandant_id'
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tabelle);
    -- A missing setting compares with null and shows nothing.
    EXECUTE format($policy$CREATE POLICY mandant ON %I TO zaehlwerk_anfrage
      USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
      WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)$policy$, tabelle);
  END LOOP;
END $$;

GRANT USAGE ON SCHEMA public TO zaehlwerk_anfrage;
GRANT SELECT, INSERT, UPDATE ON mandanten, benutzer, schluessel, agenten TO zaehlwerk_anfrage;
GRANT SELECT, INSERT, UPDATE, DELETE ON sitzungen TO zaehlwerk_anfrage;
GRANT SELECT, INSERT ON eingang, idempotenz TO zaehlwerk_anfrage;
GRANT SELECT ON ereignisse, laeufe, verbrauch_stunde, verbrauch_tag, zaehlstaende, projekte, endkunden,
                wechselkurse, lizenz_sperren TO zaehlwerk_anfrage;

-- ── who is it? ──────────────────────────────────────────────────────────────────────────────────────────────
-- A request is not bound to a Mandant before its credentials are known. These three functions answer that one
-- question, for the holder of the secret or the address only; they run as the owner.

CREATE FUNCTION zw_schluessel_finden(gesucht bytea)
RETURNS TABLE (mandant_id uuid, schluessel_id uuid, bereiche text[], projekt text, gesperrt boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT s.mandant_id, s.schluessel_id, s.bereiche, s.projekt, s.gesperrt_am IS NOT NULL OR m.status <> 'aktiv'
  FROM schluessel s JOIN mandanten m USING (mandant_id) WHERE s.hash = gesucht
$$;

CREATE FUNCTION zw_sitzung_finden(gesucht bytea)
RETURNS TABLE (mandant_id uuid, benutzer_id uuid, email text, name text, rolle text,
               firma text, paket text, zeitzone text, erstellt_am timestamptz, zuletzt_am timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT s.mandant_id, s.benutzer_id, b.email, b.name, b.rolle, m.firma, m.paket, m.zeitzone, s.erstellt_am, s.zuletzt_am
  FROM sitzungen s JOIN benutzer b USING (mandant_id, benutzer_id) JOIN mandanten m USING (mandant_id)
  WHERE s.hash = gesucht AND b.aktiv AND m.status = 'aktiv'
$$;

CREATE FUNCTION zw_anmeldung_finden(gesucht text)
RETURNS TABLE (mandant_id uuid, benutzer_id uuid, passwort_hash text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT b.mandant_id, b.benutzer_id, b.passwort_hash
  FROM benutzer b JOIN mandanten m USING (mandant_id)
  WHERE lower(b.email) = lower(gesucht) AND b.aktiv AND m.status = 'aktiv'
$$;

-- Seconds the oldest batch of the whole inbox has waited, and how many batches cannot be counted; no Mandant named.
CREATE FUNCTION zw_rueckstand() RETURNS TABLE (sekunden double precision, unzaehlbar bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public AS $$
  SELECT coalesce(extract(epoch FROM now() - (SELECT min(empfangen_am) FROM eingang)), 0)::double precision,
         (SELECT count(*) FROM eingang_unzaehlbar)
$$;

REVOKE ALL ON FUNCTION zw_schluessel_finden, zw_sitzung_finden, zw_anmeldung_finden, zw_rueckstand,
  zw_monate_anlegen FROM PUBLIC;
GRANT EXECUTE ON FUNCTION zw_schluessel_finden, zw_sitzung_finden, zw_anmeldung_finden, zw_rueckstand TO zaehlwerk_anfrage;
