-- The schema as 0.3.0 left it, in one file (docs/decisions/0109, 0192). Beside the tables of the installation there are two kinds
-- (docs/architecture.md#tables):
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
GRANT USAGE ON SCHEMA public TO zaehlwerk_anfrage;

-- The form addresses are compared in. Only the letters A to Z have two cases here: in the locale of a database other
-- characters may be the same as one of these (the Kelvin sign, the dotted I), and each spelling of an address would have
-- failed logins of its own.
CREATE FUNCTION zw_adresse(adresse text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN lower(adresse COLLATE "C");

-- ── account tables: Mandanten and users ────────────────────────────────────────────────────────────────────

-- Accounts. Packages, cancellation and branding are columns of the Mandant.
CREATE TABLE mandanten (
  mandant_id           uuid PRIMARY KEY,
  firma                text NOT NULL,
  paket                text NOT NULL,
  paket_bis            timestamptz,
  status               text NOT NULL DEFAULT 'aktiv' CHECK (status IN ('aktiv', 'gekündigt')),
  zeitzone             text NOT NULL,
  avv_akzeptiert_am    timestamptz,
  demo                 boolean NOT NULL DEFAULT false,
  erstellt_am          timestamptz NOT NULL DEFAULT now(),
  gekuendigt_am        timestamptz,
  -- How far leaving has got after the cancellation: the reminder is out; the removal has begun, and there is no way back.
  loeschung            text CHECK (loeschung IN ('erinnert', 'begonnen')),
  avv_akzeptiert_von   text,
  -- Version of the text that was accepted.
  avv_fassung          text,
  abrechnungsstatus    text NOT NULL DEFAULT 'keine' CHECK (abrechnungsstatus IN ('keine', 'aktiv', 'probe', 'zahlung_offen', 'gekündigt')),
  -- Where the package comes from.
  paket_quelle         text NOT NULL DEFAULT 'frei' CHECK (paket_quelle IN ('frei', 'buchung', 'lizenz', 'betreiber')),
  betreiber_notiz      text,
  branding_name        text,
  branding_farbe       text,
  branding_logo_url    text,
  branding_fusszeile   text,
  -- When the rules that a Mandant begins with were put in; they are put in once, whatever becomes of them.
  regeln_angelegt_am   timestamptz,
  -- Whether calls that were converted at the substitute may get the reference rate of their day later.
  ersatzkurs_ersetzen  boolean NOT NULL DEFAULT false,
  -- Quotas (docs/decisions/0086); null: what the configuration says.
  anfragen_je_minute   integer CHECK (anfragen_je_minute > 0),
  ereignisse_je_minute integer CHECK (ereignisse_je_minute > 0),
  -- Of which local month ('YYYY-MM') operators were told that this Mandant is beyond what its package is for: once a month is enough
  -- (docs/decisions/0078).
  grenze_gemeldet      text CHECK (grenze_gemeldet ~ '^\d{4}-\d{2}$'),
  -- When somebody has confirmed, changed or switched off the limits that a Mandant begins with; null: nobody has been asked, or has answered.
  geldgrenzen_bestaetigt_am timestamptz,
  -- Whether calls that a subscription pays for keep the end customer they were made for, and are passed on at list price.
  abo_weiterbelasten   boolean NOT NULL DEFAULT false,
  -- Own names of attributes of OpenTelemetry, beside those that are known anyway; the first one counts most.
  endkunde_namen       text[] NOT NULL DEFAULT '{}',
  funktion_namen       text[] NOT NULL DEFAULT '{}',
  projekt_namen        text[] NOT NULL DEFAULT '{}',
  -- Rules of later releases it was given (docs/decisions/0146).
  regeln_nachgereicht  text[] COLLATE "C" NOT NULL DEFAULT '{}',
  -- Dimensions of its own (docs/decisions/0161): keys of the free data of events, by their place, with the instant of receipt from which on
  -- they hold; the latest last.
  eigene_merkmale      jsonb NOT NULL DEFAULT '[]'
);
GRANT SELECT, INSERT, UPDATE ON mandanten TO zaehlwerk_anfrage;

-- Who may sign in for a Mandant.
CREATE TABLE benutzer (
  mandant_id          uuid NOT NULL REFERENCES mandanten,
  benutzer_id         uuid NOT NULL,
  email               text NOT NULL,
  name                text,
  -- Null: came by company account and has set none yet.
  passwort_hash       text,
  rolle               text NOT NULL CHECK (rolle IN ('inhaber', 'verwalter', 'bearbeiter', 'buchhaltung', 'betrachter')),
  aktiv               boolean NOT NULL DEFAULT true,
  erstellt_am         timestamptz NOT NULL DEFAULT now(),
  -- Since when the address is proven to be theirs (docs/decisions/0036); null: only typed, at a registration.
  email_bestaetigt_am timestamptz,
  -- Since when the address is another user's, who had the better right to it; this one can no longer sign in.
  email_verloren_am   timestamptz,
  -- Chosen for the cockpit; null: the language of the browser, the time zone of the Mandant.
  sprache             text CHECK (sprache IN ('de', 'en')),
  -- IANA name.
  zeitzone            text,
  PRIMARY KEY (mandant_id, benutzer_id)
);
-- One address signs in to one account, whatever the Mandant.
CREATE UNIQUE INDEX benutzer_email ON benutzer (zw_adresse(email)) WHERE email_verloren_am IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON benutzer TO zaehlwerk_anfrage;

-- Operators of the installation: named by the command line or at start, never by a request.
CREATE TABLE betreiber (
  mandant_id  uuid NOT NULL,
  benutzer_id uuid NOT NULL,
  PRIMARY KEY (mandant_id, benutzer_id),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);
GRANT SELECT ON betreiber TO zaehlwerk_anfrage;

-- Sessions of the cockpit, by the hash of what the cookie holds.
CREATE TABLE sitzungen (
  mandant_id  uuid NOT NULL,
  hash        bytea NOT NULL UNIQUE,
  benutzer_id uuid NOT NULL,
  erstellt_am timestamptz NOT NULL DEFAULT now(),
  zuletzt_am  timestamptz NOT NULL DEFAULT now(),
  sitzung_id  uuid NOT NULL DEFAULT gen_random_uuid(),
  adresse     text,
  geraet      text,
  PRIMARY KEY (mandant_id, hash),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON sitzungen TO zaehlwerk_anfrage;

-- One each; what else signs in beside the password.
CREATE TABLE zweite_faktoren (
  mandant_id      uuid NOT NULL,
  benutzer_id     uuid NOT NULL,
  -- Seed, sealed.
  geheimnis       bytea NOT NULL,
  erstellt_am     timestamptz NOT NULL,
  -- Null until the first code was right; only then is it asked for.
  bestaetigt_am   timestamptz,
  -- Time step of the last code that was taken: no code works twice.
  letzter_schritt bigint,
  PRIMARY KEY (mandant_id, benutzer_id),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON zweite_faktoren TO zaehlwerk_anfrage;

-- For who has lost the second factor; each works once.
CREATE TABLE wiederherstellungscodes (
  mandant_id  uuid NOT NULL,
  benutzer_id uuid NOT NULL,
  hash        bytea NOT NULL,
  benutzt_am  timestamptz,
  PRIMARY KEY (mandant_id, benutzer_id, hash),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON wiederherstellungscodes TO zaehlwerk_anfrage;

-- Links of mails that set a new password.
CREATE TABLE passwort_ruecksetzungen (
  mandant_id  uuid NOT NULL,
  hash        bytea NOT NULL UNIQUE,
  benutzer_id uuid NOT NULL,
  erstellt_am timestamptz NOT NULL,
  gueltig_bis timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, hash),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON passwort_ruecksetzungen TO zaehlwerk_anfrage;

-- The link that confirms an address: one of each user, the latest.
CREATE TABLE email_bestaetigungen (
  mandant_id  uuid NOT NULL,
  benutzer_id uuid NOT NULL,
  hash        bytea NOT NULL,
  erstellt_am timestamptz NOT NULL,
  gueltig_bis timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, benutzer_id),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON email_bestaetigungen TO zaehlwerk_anfrage;

-- Links of mails that bring a user into a Mandant.
CREATE TABLE einladungen (
  mandant_id     uuid NOT NULL REFERENCES mandanten,
  einladung_id   uuid NOT NULL,
  hash           bytea NOT NULL UNIQUE,
  email          text NOT NULL,
  rolle          text NOT NULL CHECK (rolle IN ('inhaber', 'verwalter', 'bearbeiter', 'buchhaltung', 'betrachter')),
  eingeladen_von text,
  erstellt_am    timestamptz NOT NULL,
  gueltig_bis    timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, einladung_id)
);
-- One open invitation an address: a new one replaces it.
CREATE UNIQUE INDEX einladungen_email ON einladungen (mandant_id, zw_adresse(email));
GRANT SELECT, INSERT, UPDATE, DELETE ON einladungen TO zaehlwerk_anfrage;

-- ── account tables: API keys ───────────────────────────────────────────────────────────────────────────────

-- What programs sign in with, by the hash of the secret.
CREATE TABLE schluessel (
  mandant_id           uuid NOT NULL REFERENCES mandanten,
  schluessel_id        uuid NOT NULL,
  name                 text NOT NULL,
  hash                 bytea NOT NULL UNIQUE,
  anfang               text NOT NULL,
  letzte_vier          text NOT NULL,
  bereiche             text[] NOT NULL,
  -- Project of events that name none, neither themselves nor by their agent.
  projekt              text,
  erstellt_am          timestamptz NOT NULL DEFAULT now(),
  gesperrt_am          timestamptz,
  zuletzt_benutzt_am   timestamptz,
  -- Quotas; null: without limit.
  anfragen_je_minute   integer CHECK (anfragen_je_minute > 0),
  ereignisse_je_minute integer CHECK (ereignisse_je_minute > 0),
  PRIMARY KEY (mandant_id, schluessel_id)
);
GRANT SELECT, INSERT, UPDATE ON schluessel TO zaehlwerk_anfrage;

-- ── account tables: single sign-on ─────────────────────────────────────────────────────────────────────────

-- A Mandant's own identity provider.
CREATE TABLE sso_anbieter (
  mandant_id    uuid PRIMARY KEY REFERENCES mandanten,
  aktiv         boolean NOT NULL,
  issuer        text NOT NULL,
  client_id     text NOT NULL,
  client_secret bytea,
  rolle_neu     text NOT NULL CHECK (rolle_neu IN ('verwalter', 'bearbeiter', 'buchhaltung', 'betrachter')),
  name          text NOT NULL,
  -- Whether an inhaber chose issuer and client: those that a verwalter chose say nothing about an inhaber.
  von_inhaber   boolean NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON sso_anbieter TO zaehlwerk_anfrage;

-- Mail domains whose users it signs in.
CREATE TABLE sso_domains (
  mandant_id  uuid NOT NULL REFERENCES sso_anbieter ON DELETE CASCADE,
  domain      text NOT NULL,
  -- What the TXT record must say; nobody else's record says it.
  nachweis    text NOT NULL,
  bewiesen_am timestamptz,
  PRIMARY KEY (mandant_id, domain)
);
-- Anybody may claim a domain; it is one Mandant's once it is proven.
CREATE UNIQUE INDEX sso_domains_bewiesen ON sso_domains (domain) WHERE bewiesen_am IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON sso_domains TO zaehlwerk_anfrage;

-- A user at the provider is (issuer, subject); the address may change.
CREATE TABLE sso_identitaeten (
  mandant_id  uuid NOT NULL,
  issuer      text NOT NULL,
  subject     text NOT NULL,
  benutzer_id uuid NOT NULL,
  erstellt_am timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, issuer, subject),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON sso_identitaeten TO zaehlwerk_anfrage;

-- A login on its way to the provider and back; taken out by the first return.
CREATE TABLE sso_vorgaenge (
  mandant_id  uuid NOT NULL REFERENCES sso_anbieter ON DELETE CASCADE,
  -- Of `state`, which travels through the provider.
  hash        bytea NOT NULL UNIQUE,
  -- Of the cookie of the browser that began it: nobody can be made to end another's login.
  browser     bytea NOT NULL,
  -- Nonce and PKCE verifier, sealed.
  geheimnis   bytea NOT NULL,
  gueltig_bis timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, hash)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON sso_vorgaenge TO zaehlwerk_anfrage;

-- ── account tables: alarms, views, reports ─────────────────────────────────────────────────────────────────

-- Webhook and push addresses are secrets (who knows them can post there): sealed as one JSON object.
CREATE TABLE alarmkanaele (
  mandant_id uuid PRIMARY KEY REFERENCES mandanten,
  email      text[] NOT NULL,
  adressen   bytea NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON alarmkanaele TO zaehlwerk_anfrage;

-- When alarms reach people, and what the webhook is signed with.
CREATE TABLE alarm_einstellungen (
  mandant_id          uuid PRIMARY KEY,
  sprache             text NOT NULL DEFAULT 'de' CHECK (sprache IN ('de', 'en')),
  -- Quiet hours: local times (HH:MM), and the days (1 is Monday) on which they begin. Null: none.
  ruhe_von            text,
  ruhe_bis            text,
  ruhe_tage           integer[] NOT NULL DEFAULT '{1,2,3,4,5,6,7}',
  -- When warnings come: sofort, stuendlich, taeglich (at a local time).
  sammeln             text NOT NULL DEFAULT 'sofort' CHECK (sammeln IN ('sofort', 'stuendlich', 'taeglich')),
  sammeln_um          text NOT NULL DEFAULT '08:00',
  -- What the webhook is signed with, sealed; null before it is made.
  geheimnisse         bytea,
  -- When the first of those that are held goes out.
  naechste_sammlung   timestamptz,
  -- When a message went to people last: those that follow closely come together.
  zuletzt_gemeldet_am timestamptz
);
CREATE INDEX alarm_einstellungen_sammlung ON alarm_einstellungen (naechste_sammlung) WHERE naechste_sammlung IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON alarm_einstellungen TO zaehlwerk_anfrage;

-- Views of the cockpit that users keep under a name: a path, and the query of its address. They go with their user.
CREATE TABLE ansichten (
  mandant_id   uuid NOT NULL,
  benutzer_id  uuid NOT NULL,
  ansicht_id   uuid NOT NULL,
  name         text NOT NULL,
  pfad         text NOT NULL,
  -- Without the question mark.
  suche        text NOT NULL,
  erstellt_am  timestamptz NOT NULL,
  geaendert_am timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, benutzer_id, ansicht_id),
  UNIQUE (mandant_id, benutzer_id, name),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON ansichten TO zaehlwerk_anfrage;

-- The weekly report by mail (docs/decisions/0071): who wants it. They go with their user.
CREATE TABLE bericht_abos (
  mandant_id       uuid NOT NULL,
  benutzer_id      uuid NOT NULL,
  eingeschaltet_am timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, benutzer_id),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);
GRANT SELECT, INSERT, DELETE ON bericht_abos TO zaehlwerk_anfrage;

-- The claim to a report: written in the transaction that puts the mail into the outbox, so that there is one for a user and a week.
CREATE TABLE bericht_versendungen (
  mandant_id   uuid NOT NULL,
  benutzer_id  uuid NOT NULL,
  -- The Monday of the week it is about.
  woche        date NOT NULL,
  versendet_am timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, benutzer_id, woche),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);
GRANT SELECT, INSERT ON bericht_versendungen TO zaehlwerk_anfrage;

-- ── account tables: bookkeeping, booking ───────────────────────────────────────────────────────────────────

-- What bookings of passed on costs say (docs/decisions/0069).
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
GRANT SELECT, INSERT, UPDATE ON buchhaltung_einstellungen TO zaehlwerk_anfrage;

-- The Mandant at the payment provider.
CREATE TABLE buchungen (
  mandant_id        uuid PRIMARY KEY REFERENCES mandanten,
  kunde             text NOT NULL UNIQUE,
  -- The subscription that counts; null when there is none.
  abonnement        text,
  -- The payment page that may still be open at the provider, and for which package.
  bezahlseite       text,
  bezahlseite_paket text,
  -- Every time before the provider is asked what is booked, a number is drawn; `stand` is that of the latest answer that
  -- was applied, so that an earlier one never overwrites it.
  lesung            bigint NOT NULL DEFAULT 0,
  stand             bigint NOT NULL DEFAULT 0
);
GRANT SELECT, INSERT, UPDATE, DELETE ON buchungen TO zaehlwerk_anfrage;

-- The provider's events that were taken: they arrive repeatedly and out of order.
CREATE TABLE zahlungsereignisse (
  mandant_id   uuid NOT NULL REFERENCES mandanten,
  ereignis     text NOT NULL,
  art          text NOT NULL,
  empfangen_am timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mandant_id, ereignis)
);
GRANT SELECT, INSERT ON zahlungsereignisse TO zaehlwerk_anfrage;

-- ── account tables: audit log, mail, jobs ──────────────────────────────────────────────────────────────────

-- Who changed what, from what to what, when, from where. Requests may add and read, nothing else.
CREATE TABLE pruefprotokoll (
  mandant_id  uuid NOT NULL,
  -- Time-ordered.
  eintrag_id  uuid NOT NULL,
  zeitpunkt   timestamptz NOT NULL,
  akteur_art  text NOT NULL CHECK (akteur_art IN ('benutzer', 'system', 'betreiber')),
  akteur_id   uuid,
  akteur_name text,
  aktion      text NOT NULL,
  objekt_art  text NOT NULL,
  objekt_id   text,
  objekt_name text,
  vorher      jsonb,
  nachher     jsonb,
  adresse     text,
  PRIMARY KEY (mandant_id, eintrag_id)
);
CREATE INDEX pruefprotokoll_aktion ON pruefprotokoll (mandant_id, aktion, eintrag_id);
GRANT SELECT, INSERT ON pruefprotokoll TO zaehlwerk_anfrage;

-- Mails that wait to be sent, written in the transaction they tell of; removed once the mail server has taken them.
CREATE TABLE postausgang (
  mandant_id   uuid NOT NULL,
  post_id      uuid NOT NULL,
  -- Recipient, subject, text and HTML, sealed: they hold links that sign in.
  inhalt       bytea NOT NULL,
  erstellt_am  timestamptz NOT NULL,
  -- After this there is no point in sending it.
  verfaellt_am timestamptz NOT NULL,
  -- Mail that waits for an inhaber to confirm their own address; it has no job before that.
  gehalten     boolean NOT NULL DEFAULT false,
  PRIMARY KEY (mandant_id, post_id)
);
CREATE INDEX postausgang_gehalten ON postausgang (mandant_id) WHERE gehalten;
GRANT INSERT ON postausgang TO zaehlwerk_anfrage;

-- What people at an address have said about a kind of mail of a Mandant: that they want it, or that they do not.
CREATE TABLE postempfaenger (
  mandant_id    uuid NOT NULL,
  art           text NOT NULL CHECK (art IN ('alarm', 'abrechnung')),
  -- In the form in which addresses are compared.
  adresse       text NOT NULL,
  -- When they were asked last.
  angefragt_am  timestamptz,
  bestaetigt_am timestamptz,
  -- Since when they do not want it.
  abgemeldet_am timestamptz,
  PRIMARY KEY (mandant_id, art, adresse)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON postempfaenger TO zaehlwerk_anfrage;

-- Jobs that wait, written in the transaction that causes them (docs/decisions/0023).
CREATE TABLE auftraege (
  -- The nil UUID for what concerns the installation, not one Mandant.
  mandant_id    uuid NOT NULL,
  auftrag_id    uuid NOT NULL,
  job           text NOT NULL,
  -- Version of the payload.
  fassung       integer NOT NULL,
  nutzlast      jsonb NOT NULL,
  -- A run of the schedule.
  geplant       boolean NOT NULL DEFAULT false,
  erstellt_am   timestamptz NOT NULL DEFAULT now(),
  -- The next attempt; while one is under way, when its claim lapses.
  faellig_am    timestamptz NOT NULL DEFAULT now(),
  versuche      integer NOT NULL DEFAULT 0,
  -- Why the last attempt failed.
  fehler        text,
  -- A dead letter since.
  aufgegeben_am timestamptz,
  -- Who runs the job: the number of an advisory lock that its process holds as long as it lives (docs/decisions/0102).
  bearbeiter    integer,
  PRIMARY KEY (mandant_id, auftrag_id)
);
-- The order of fetching: Mandant by Mandant.
CREATE INDEX auftraege_reihe ON auftraege (job, mandant_id, faellig_am) WHERE aufgegeben_am IS NULL;
CREATE INDEX auftraege_faellig ON auftraege (faellig_am) WHERE aufgegeben_am IS NULL;
-- A job of the schedule waits or runs once, however many instances ask for it.
CREATE UNIQUE INDEX auftraege_geplant ON auftraege (mandant_id, job) WHERE geplant;
-- Requests put jobs in and do nothing else: neither read them nor say when they run.
GRANT INSERT (mandant_id, auftrag_id, job, fassung, nutzlast) ON auftraege TO zaehlwerk_anfrage;

-- ── volume tables: the way in ──────────────────────────────────────────────────────────────────────────────

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
  -- The batch, checked and packed (docs/decisions/0020).
  daten         bytea NOT NULL,
  -- A batch that changes calls that were counted, or takes them back.
  aendert       boolean NOT NULL DEFAULT false,
  -- Which import it is of; null of what programs send.
  import_id     uuid,
  PRIMARY KEY (mandant_id, eingang_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
        toast.autovacuum_vacuum_scale_factor = 0, toast.autovacuum_vacuum_threshold = 20000);
ALTER TABLE eingang ALTER COLUMN daten SET STORAGE EXTERNAL;
GRANT SELECT, INSERT ON eingang TO zaehlwerk_anfrage;

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
  import_id     uuid,
  PRIMARY KEY (mandant_id, eingang_id)
);
GRANT SELECT ON eingang_unzaehlbar TO zaehlwerk_anfrage;

-- Calls of the past that people bring along (docs/decisions/0154).
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
  -- How many calls the telemetry of Claude Code had told of, under ids of its own (docs/decisions/0179): when the file was read, and when
  -- its calls were counted.
  bekannt_telemetrie       bigint NOT NULL DEFAULT 0,
  schon_da_telemetrie      bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (mandant_id, import_id)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON importe TO zaehlwerk_anfrage;

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
  bekannt_telemetrie integer NOT NULL DEFAULT 0,
  PRIMARY KEY (mandant_id, import_id, nr)
);
GRANT SELECT, INSERT, DELETE ON import_teile TO zaehlwerk_anfrage;

-- Calls that an import alone has told of, which can be taken back.
CREATE TABLE import_aufrufe (
  mandant_id  uuid NOT NULL,
  ereignis_id uuid NOT NULL,
  import_id   uuid NOT NULL,
  zeitpunkt   timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, ereignis_id)
);
CREATE INDEX import_aufrufe_von ON import_aufrufe (mandant_id, import_id, zeitpunkt);
GRANT SELECT ON import_aufrufe TO zaehlwerk_anfrage;

-- What programs that emit OpenTelemetry have told, kept until nothing can change any more of the calls it tells of (docs/decisions/0124).
-- No word of a prompt or an answer is in it. A row is what one request says of one trace.
CREATE TABLE otlp_spuren (
  mandant_id    uuid NOT NULL,
  spur          text COLLATE "C" NOT NULL,
  lieferung_id  uuid NOT NULL,
  empfangen_am  timestamptz NOT NULL,
  schluessel_id uuid NOT NULL,
  projekt       text,
  -- The process, and when its calls in here were; null where none are.
  instanz       text COLLATE "C" NOT NULL,
  von           timestamptz,
  bis           timestamptz,
  -- JSON, one object for each span or log record.
  sichtungen    bytea NOT NULL,
  -- By which library and signal all calls of a delivery were told, where their ids name them for good; null where that is not so, or not
  -- known. Two traces of one kind have no call in common, and need not be looked at together.
  art           text COLLATE "C",
  PRIMARY KEY (mandant_id, spur, lieferung_id)
);
-- Calls of one process that may be the same are near each other in time.
CREATE INDEX otlp_spuren_zeit ON otlp_spuren (mandant_id, instanz, bis) WHERE bis IS NOT NULL;
CREATE INDEX otlp_spuren_alt ON otlp_spuren (mandant_id, empfangen_am);
GRANT SELECT, INSERT, UPDATE, DELETE ON otlp_spuren TO zaehlwerk_anfrage;

-- Traces of which something came that is not in the calls yet, and when they are looked at.
CREATE TABLE otlp_faellig (
  mandant_id uuid NOT NULL,
  spur       text COLLATE "C" NOT NULL,
  ab         timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, spur)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON otlp_faellig TO zaehlwerk_anfrage;

-- Calls that were handed on to be counted.
CREATE TABLE otlp_aufrufe (
  mandant_id  uuid NOT NULL,
  ereignis_id uuid NOT NULL,
  spur        text COLLATE "C" NOT NULL,
  -- What told of it: signal, trace and id of each.
  sichtungen  text[] COLLATE "C" NOT NULL,
  -- When it is said to have been.
  zeitpunkt   timestamptz NOT NULL,
  -- Grows with every change.
  fassung     int NOT NULL,
  -- SHA-256 of the event as it was handed on last; null: taken back.
  abdruck     bytea,
  geaendert_am timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, ereignis_id)
);
CREATE INDEX otlp_aufrufe_spur ON otlp_aufrufe (mandant_id, spur);
CREATE INDEX otlp_aufrufe_alt ON otlp_aufrufe (mandant_id, geaendert_am);
GRANT SELECT, INSERT, UPDATE, DELETE ON otlp_aufrufe TO zaehlwerk_anfrage;

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
GRANT SELECT, INSERT ON idempotenz TO zaehlwerk_anfrage;

-- ── volume tables: dimensions ──────────────────────────────────────────────────────────────────────────────

-- Agents, made by counting with the first event that names one.
CREATE TABLE agenten (
  mandant_id        uuid NOT NULL,
  agent_id          uuid NOT NULL DEFAULT gen_random_uuid(),
  schluessel        text COLLATE "C" NOT NULL,
  name              text NOT NULL,
  projekt           text COLLATE "C" NOT NULL,
  -- True once a person has chosen the project; then it holds for every event that names none itself.
  projekt_fest      boolean NOT NULL DEFAULT false,
  budget_eur        numeric,
  eingriffsstufe    text,
  ruhezeit          text,
  erstellt_am       timestamptz NOT NULL DEFAULT now(),
  -- When the agent last called.
  letzter_aufruf_am timestamptz,
  -- What its budget does by itself once it is spent; null: warnen.
  budget_bei_erreichen text,
  PRIMARY KEY (mandant_id, agent_id),
  UNIQUE (mandant_id, schluessel)
);
-- Who has a budget: asked whenever calls have been counted.
CREATE INDEX agenten_budget ON agenten (mandant_id) WHERE budget_eur IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON agenten TO zaehlwerk_anfrage;

-- Projects, made by counting or by a person.
CREATE TABLE projekte (
  mandant_id  uuid NOT NULL,
  projekt_id  uuid NOT NULL DEFAULT gen_random_uuid(),
  schluessel  text COLLATE "C" NOT NULL,
  name        text NOT NULL,
  erstellt_am timestamptz NOT NULL DEFAULT now(),
  budget_eur  numeric,
  budget_bei_erreichen text,
  PRIMARY KEY (mandant_id, projekt_id),
  UNIQUE (mandant_id, schluessel)
);
CREATE INDEX projekte_budget ON projekte (mandant_id) WHERE budget_eur IS NOT NULL;
GRANT SELECT, INSERT, UPDATE (budget_eur, budget_bei_erreichen) ON projekte TO zaehlwerk_anfrage;

-- The Mandant's own customers, whom costs are passed on to (docs/decisions/0068).
CREATE TABLE endkunden (
  mandant_id        uuid NOT NULL,
  endkunde_id       uuid NOT NULL DEFAULT gen_random_uuid(),
  referenz          text COLLATE "C" NOT NULL,
  name              text,
  erstellt_am       timestamptz NOT NULL DEFAULT now(),
  kostenstelle      text,
  -- Their own account in bookkeeping.
  debitorenkonto    text,
  -- Where statements go.
  email             text,
  aufschlag_prozent numeric NOT NULL DEFAULT 0,
  -- The end customer this reference was merged into; never one that was merged itself.
  gehoert_zu        uuid,
  -- Since when there is nothing known of them but the reference.
  entfernt_am       timestamptz,
  PRIMARY KEY (mandant_id, endkunde_id),
  UNIQUE (mandant_id, referenz)
);
GRANT SELECT, INSERT, UPDATE ON endkunden TO zaehlwerk_anfrage;

-- ── volume tables: events ──────────────────────────────────────────────────────────────────────────────────

-- Every event id a Mandant sent, as long as it is kept (docs/decisions/0085): the reason why an event is counted once, whatever its
-- month. Apart from `ereignisse` because a unique key there would have to contain the time the rows are partitioned by.
CREATE TABLE ereignis_kennungen (
  mandant_id  uuid NOT NULL,
  ereignis_id uuid NOT NULL,
  -- The day (UTC) on which it was counted.
  gezaehlt_am date NOT NULL DEFAULT ((now() AT TIME ZONE 'UTC')::date),
  PRIMARY KEY (mandant_id, ereignis_id)
);
-- Whether a call is counted already, before it is imported.
GRANT SELECT ON ereignis_kennungen TO zaehlwerk_anfrage;

-- What was sent and counted, with its price. Fields: contracts/event-fields.ts; what counting adds: ereignisse/columns.ts.
CREATE TABLE ereignisse (
  mandant_id             uuid NOT NULL,
  ereignis_id            uuid NOT NULL,
  zeitpunkt              timestamptz NOT NULL,
  empfangen_am           timestamptz NOT NULL,
  anbieter               text COLLATE "C",
  modell                 text COLLATE "C",
  agent                  text COLLATE "C" NOT NULL,
  projekt                text COLLATE "C" NOT NULL,
  lauf_id                uuid,
  schritt_nr             bigint,
  eltern_span            uuid,
  eingabe_token          bigint,
  ausgabe_token          bigint,
  cache_lese_token       bigint,
  cache_schreib_token    bigint,
  denk_token             bigint,
  -- The disjoint buckets that are priced; the cache buckets are the counts as sent.
  eingabe_ohne_cache     bigint,
  ausgabe_gesamt         bigint,
  werkzeugaufrufe        bigint,
  latenz_ms              bigint,
  erste_zeichen_ms       bigint,
  status                 text COLLATE "C" NOT NULL,
  fehlercode             text,
  geschaetzt             boolean NOT NULL,
  prompt_fingerabdruck   bytea,
  werkzeug_fingerabdruck bytea,
  endkunde_ref           text COLLATE "C",
  funktion_ref           text COLLATE "C",
  benutzer_ref           text COLLATE "C",
  quelle                 text COLLATE "C" NOT NULL,
  zusatz                 json,
  kosten_usd             numeric,
  kurs_usd_eur           numeric NOT NULL,
  kosten_eur             numeric GENERATED ALWAYS AS (kosten_usd * kurs_usd_eur) STORED,
  preis_quelle           text COLLATE "C",
  -- A call that a detector has proven to be an exact repeat: its cost is burnt money, like that of a failed one.
  wiederholung           boolean NOT NULL DEFAULT false,
  -- Only a part of the call has a price (docs/decisions/0062).
  teilbepreist           boolean NOT NULL DEFAULT false,
  -- Its rate is the substitute (docs/decisions/0064).
  ersatzkurs             boolean NOT NULL DEFAULT false,
  -- The API key it came by (docs/decisions/0121); null for what 0.2.0 has counted.
  schluessel_id          uuid,
  PRIMARY KEY (mandant_id, zeitpunkt, ereignis_id)
) PARTITION BY RANGE (zeitpunkt);
CREATE INDEX ereignisse_lauf ON ereignisse (mandant_id, lauf_id) WHERE lauf_id IS NOT NULL;
GRANT SELECT ON ereignisse TO zaehlwerk_anfrage;

-- Events older than the oldest month that has a partition of its own. Requests have no access to partitions; without a policy
-- they would show nothing if they had.
CREATE TABLE ereignisse_frueher PARTITION OF ereignisse DEFAULT;
ALTER TABLE ereignisse_frueher ENABLE ROW LEVEL SECURITY;
ALTER TABLE ereignisse_frueher FORCE ROW LEVEL SECURITY;

-- Makes the partitions of the months `von` to `bis` (any day in them) that do not exist yet. Months in UTC.
CREATE FUNCTION zw_monate_anlegen(von date, bis date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  monat date := date_trunc('month', von);
  teil text;
BEGIN
  WHILE monat <= bis LOOP
    teil := format('ereignisse_%s', to_char(monat, 'YYYY_MM'));
    IF to_regclass(teil) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF ereignisse FOR VALUES FROM (%L) TO (%L)',
        teil, monat::text || ' 00:00:00+00', (monat + interval '1 month')::date::text || ' 00:00:00+00');
      EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', teil);
      EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', teil);
    END IF;
    monat := monat + interval '1 month';
  END LOOP;
END $$;
SELECT zw_monate_anlegen((now() - interval '12 months')::date, (now() + interval '2 months')::date);

-- Removes the oldest month of events that lies before `grenze` as a whole; returns its table, or null when there is none. Months in UTC.
-- Only the job calls it that removes what has been refused for a month (docs/decisions/0085).
CREATE FUNCTION zw_monat_entfernen(grenze timestamptz) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  teil text;
BEGIN
  SELECT relname INTO teil FROM pg_inherits JOIN pg_class ON oid = inhrelid
  WHERE inhparent = 'ereignisse'::regclass AND relname ~ '^ereignisse_\d{4}_\d{2}$'
    AND (to_date(right(relname, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC' <= grenze
  ORDER BY relname LIMIT 1;
  IF teil IS NOT NULL THEN
    EXECUTE format('DROP TABLE %I', teil);
  END IF;
  RETURN teil;
END $$;
REVOKE ALL ON FUNCTION zw_monate_anlegen, zw_monat_entfernen FROM PUBLIC;

-- ── volume tables: runs ────────────────────────────────────────────────────────────────────────────────────

-- Runs, with the sums of their calls. Calls of a run share its `lauf_id`.
CREATE TABLE laeufe (
  mandant_id           uuid NOT NULL,
  lauf_id              uuid NOT NULL,
  agent                text COLLATE "C" NOT NULL,
  projekt              text COLLATE "C" NOT NULL,
  endkunde_ref         text COLLATE "C",
  status               text COLLATE "C" NOT NULL,
  beginn               timestamptz NOT NULL,
  ende                 timestamptz NOT NULL,
  -- Step of the latest call, to decide between calls of the same instant.
  letzter_schritt      bigint,
  aufrufe              bigint NOT NULL,
  fehler               bigint NOT NULL,
  unbepreist           bigint NOT NULL,
  eingabe_token        numeric NOT NULL,
  ausgabe_token        numeric NOT NULL,
  cache_lese_token     numeric NOT NULL,
  kosten_usd           numeric,
  kosten_eur           numeric,
  verbranntes_geld_eur numeric NOT NULL,
  cache_schreib_token  numeric,
  denk_token           numeric,
  -- Milliseconds since 1970. No timestamp: a call may claim to have taken longer than a calendar reaches.
  fertig_ms            bigint,
  teilbepreist         bigint NOT NULL DEFAULT 0,
  ersatz_eur           numeric NOT NULL DEFAULT 0,
  eingabe_ohne_cache   numeric NOT NULL DEFAULT 0,
  ausgabe_gesamt       numeric NOT NULL DEFAULT 0,
  aufgeteilt           bigint NOT NULL DEFAULT 0,
  -- The run it was begun from, as its calls name it (`zusatz.eltern_lauf`): of several the least, whichever came first.
  eltern_lauf          uuid,
  -- Grows where calls of the run change that were counted before: who remembers the run by an earlier one reads it anew.
  fassung              integer NOT NULL DEFAULT 0,
  -- Indexes on columns that change with each call have each call write its run into all of them anew. The minute of the latest call
  -- changes once a minute; within it runs are put in order when they are read.
  ende_minute          timestamptz GENERATED ALWAYS AS (date_bin('1 minute', ende, '2000-01-01T00:00:00Z')) STORED,
  PRIMARY KEY (mandant_id, lauf_id)
) WITH (fillfactor = 70);
-- It changes hardly ever, so that the index costs a run one entry.
CREATE INDEX laeufe_eltern ON laeufe (mandant_id, eltern_lauf) WHERE eltern_lauf IS NOT NULL;
CREATE INDEX laeufe_ende_minute ON laeufe (mandant_id, ende_minute DESC);
CREATE INDEX laeufe_agent_minute ON laeufe (mandant_id, agent, ende_minute DESC);
-- The latest runs of an end customer, as those of an agent: the search for runs looks up whom a text names and takes theirs from here.
CREATE INDEX laeufe_endkunde_minute ON laeufe (mandant_id, endkunde_ref, ende_minute DESC) WHERE endkunde_ref IS NOT NULL;
GRANT SELECT ON laeufe TO zaehlwerk_anfrage;

-- Runs whose repeats are to be read anew; each is put in once, and may be here again as soon as it is taken out.
CREATE TABLE wiederholungen_offen (
  mandant_id uuid NOT NULL,
  lauf_id    uuid NOT NULL,
  -- When a run was put in: one whose job failed for good is put in again with its next loop, after an hour.
  seit       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mandant_id, lauf_id)
);

-- What a rule would have done in past days (docs/decisions/0053): asked for by a request, worked out by a job, gone after an hour.
CREATE TABLE rueckblicke (
  mandant_id    uuid NOT NULL,
  rueckblick_id uuid NOT NULL,
  -- The rule as it is tried, whether or not it was saved like this.
  regel         jsonb NOT NULL,
  zeitzone      text NOT NULL,
  -- Local days, both included.
  von           date NOT NULL,
  bis           date NOT NULL,
  status        text NOT NULL,
  tage_fertig   integer NOT NULL DEFAULT 0,
  ergebnis      jsonb,
  angelegt_am   timestamptz NOT NULL,
  laeuft_ab_am  timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, rueckblick_id)
);
GRANT SELECT, INSERT, DELETE ON rueckblicke TO zaehlwerk_anfrage;

-- ── volume tables: prices ──────────────────────────────────────────────────────────────────────────────────

-- What a Mandant has agreed with its providers (docs/decisions/0063): each change is an edition of its own, and all of them stay.
CREATE TABLE preisbuecher (
  mandant_id   uuid NOT NULL,
  fassung      integer NOT NULL,
  -- As the contract has it, amounts as decimal text.
  inhalt       jsonb NOT NULL,
  erstellt_am  timestamptz NOT NULL,
  -- Address of the user.
  erstellt_von text,
  PRIMARY KEY (mandant_id, fassung)
);
GRANT SELECT, INSERT ON preisbuecher TO zaehlwerk_anfrage;

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
GRANT SELECT, INSERT, UPDATE, DELETE ON neubepreisungen TO zaehlwerk_anfrage;

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
GRANT SELECT, DELETE ON neubepreisung_zeilen TO zaehlwerk_anfrage;

-- ── volume tables: passing costs on ────────────────────────────────────────────────────────────────────────

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
  -- Which references counted for another one, by that one (docs/decisions/0130); null where a release before has closed the month.
  zuordnung             json,
  -- Whether lines say what each reference has of them (`anteile`), which months that 0.2.0 has closed do not.
  anteile_bekannt       boolean NOT NULL DEFAULT false,
  -- The settings of accounting, and how statements present who sends them: as they were then; null where that was not kept.
  buchhaltung           json,
  absender              json,
  logo                  bytea,
  PRIMARY KEY (mandant_id, monat)
);
GRANT SELECT, INSERT, UPDATE (stand, buchhaltung) ON abrechnungsmonate TO zaehlwerk_anfrage;

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
  -- Who is charged, where that is not the reference itself.
  zahler               text COLLATE "C",
  -- What each reference has of the line, where that is not the reference of the line alone.
  anteile              json,
  -- Name, cost centre and account for bookkeeping, corrected after closing.
  berichtigung         json,
  PRIMARY KEY (mandant_id, monat, bezug, referenz)
);
GRANT SELECT, INSERT, UPDATE (berichtigung) ON abrechnungszeilen TO zaehlwerk_anfrage;

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
  -- Why it did not go: unstimmig, zu_gross, aufgegeben, kein_mailserver, nicht_angenommen. Null for what went or waits.
  fehlgrund       text,
  -- Which mail of the outbox it is, and when the mail server took it; null for what never got there (docs/decisions/0098).
  post_id         uuid,
  uebergeben_am   timestamptz,
  -- SHA-256 of the PDF; null where none went, or of before this was kept.
  sha256          text COLLATE "C",
  PRIMARY KEY (mandant_id, versendung_id)
);
CREATE INDEX abrechnung_versendungen_monat ON abrechnung_versendungen (mandant_id, monat, referenz);
CREATE INDEX abrechnung_versendungen_post ON abrechnung_versendungen (mandant_id, post_id);
GRANT SELECT, INSERT, UPDATE ON abrechnung_versendungen TO zaehlwerk_anfrage;

-- Statements of closed months as they were issued (docs/decisions/0144).
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
-- What was issued is neither changed nor removed.
GRANT SELECT, INSERT ON abrechnung_dokumente TO zaehlwerk_anfrage;

-- ── volume tables: reconciliation ──────────────────────────────────────────────────────────────────────────

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
GRANT SELECT, INSERT, UPDATE, DELETE ON anbieter_rechnungen TO zaehlwerk_anfrage;

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
GRANT SELECT ON gemeldete_kosten TO zaehlwerk_anfrage;

-- At which state of a day (verbrauch_tagesstand) it was compared.
CREATE TABLE gemeldete_kosten_tage (
  mandant_id uuid NOT NULL,
  tag        date NOT NULL,
  geaendert  bigint NOT NULL,
  -- At which state of a day its price book was held against the list; null: at none.
  preisbuch  bigint,
  PRIMARY KEY (mandant_id, tag)
);
GRANT SELECT ON gemeldete_kosten_tage TO zaehlwerk_anfrage;

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
GRANT SELECT ON preisbuch_kosten TO zaehlwerk_anfrage;

-- ── volume tables: protection (docs/decisions/0045) ────────────────────────────────────────────────────────

-- Budgets of what has no table of its own, or one of another slice's (docs/decisions/0119). Those of agents and
-- projects are columns of theirs.
CREATE TABLE budgets (
  mandant_id    uuid NOT NULL,
  -- endkunde, funktion, benutzer, schluessel
  objekt_art    text NOT NULL,
  -- Reference; of an API key its id.
  objekt        text COLLATE "C" NOT NULL,
  budget_eur    numeric NOT NULL,
  -- What it does by itself once it is spent: warnen, drosseln, sperren.
  bei_erreichen text NOT NULL,
  PRIMARY KEY (mandant_id, objekt_art, objekt)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON budgets TO zaehlwerk_anfrage;

-- What is held against the calls, and what follows.
CREATE TABLE regeln (
  mandant_id      uuid NOT NULL,
  regel_id        uuid NOT NULL DEFAULT gen_random_uuid(),
  name            text NOT NULL,
  typ             text NOT NULL,
  geltungsbereich text NOT NULL,
  -- As it was given; and the value of the dimension it means (null: everything).
  bezug_id        text,
  bezug           text COLLATE "C",
  schwelle        numeric,
  einheit         text,
  stufe           text NOT NULL,
  zeitfenster     text,
  schattenbetrieb boolean NOT NULL,
  aktiv           boolean NOT NULL,
  parameter       jsonb NOT NULL,
  erstellt_am     timestamptz NOT NULL DEFAULT now(),
  geaendert_am    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mandant_id, regel_id)
);
-- Whose rules can stop anybody is asked for every few seconds.
CREATE INDEX regeln_scharf ON regeln (mandant_id)
  WHERE aktiv AND NOT schattenbetrieb AND stufe IN ('drosseln', 'anhalten', 'sperren');
GRANT SELECT, INSERT, UPDATE, DELETE ON regeln TO zaehlwerk_anfrage;

-- What a rule has found. One row for each key (rule, object, beginning of its window): found again, it is changed.
CREATE TABLE befunde (
  mandant_id     uuid NOT NULL,
  -- Version 7: in the order of their discovery.
  befund_id      uuid NOT NULL,
  schluessel     text COLLATE "C" NOT NULL,
  typ            text NOT NULL,
  -- Null where no rule is behind it. The rule may be gone.
  regel_id       uuid,
  objekt_art     text NOT NULL,
  -- Id of the run, key of the agent or project, reference, name; empty for the Mandant.
  objekt         text COLLATE "C" NOT NULL,
  agent          text COLLATE "C",
  lauf_id        uuid,
  -- What the window it was found in begins with.
  fenster_beginn timestamptz NOT NULL,
  -- What the rule does, as far as the agent lets it; in shadow mode it would.
  stufe          text NOT NULL,
  schatten       boolean NOT NULL,
  status         text NOT NULL DEFAULT 'offen',
  -- The figures behind it, by type.
  werte          jsonb NOT NULL,
  -- Cost of what it is about, of that burnt, and what could be saved beyond; null when unknown or nothing of the kind.
  kosten_eur     numeric,
  verbrannt_eur  numeric,
  potential_eur  numeric,
  vorfall_id     uuid NOT NULL,
  -- When an alarm told of it; null where the rest period, the level or shadow mode kept it from that.
  alarm_am       timestamptz,
  erkannt_am     timestamptz NOT NULL,
  geaendert_am   timestamptz NOT NULL,
  -- What it came to when it was told last (noted first, where nobody is told), how often it was told, and how many findings of its rule the
  -- incident had then: it is told again at twice as much (docs/decisions/0116).
  gesagt_eur       numeric,
  gesagt_anzahl    numeric,
  gesagt_mal       integer,
  gesagt_im_vorfall bigint,
  PRIMARY KEY (mandant_id, befund_id),
  UNIQUE (mandant_id, schluessel)
);
CREATE INDEX befunde_status ON befunde (mandant_id, status, befund_id);
CREATE INDEX befunde_typ ON befunde (mandant_id, typ, befund_id);
CREATE INDEX befunde_agent ON befunde (mandant_id, agent, befund_id);
CREATE INDEX befunde_vorfall ON befunde (mandant_id, vorfall_id, befund_id);
CREATE INDEX befunde_lauf ON befunde (mandant_id, lauf_id) WHERE lauf_id IS NOT NULL;
-- Which findings have changed since a day was read.
CREATE INDEX befunde_geaendert ON befunde (mandant_id, geaendert_am);
GRANT SELECT, UPDATE ON befunde TO zaehlwerk_anfrage;

-- Findings of one object that came close to one another.
CREATE TABLE vorfaelle (
  mandant_id        uuid NOT NULL,
  vorfall_id        uuid NOT NULL,
  objekt_art        text NOT NULL,
  objekt            text COLLATE "C" NOT NULL,
  status            text NOT NULL DEFAULT 'offen',
  -- Of its findings: how many, the highest level, the first and the last.
  befunde           bigint NOT NULL,
  stufe             text NOT NULL,
  schatten          boolean NOT NULL,
  beginn            timestamptz NOT NULL,
  letzter_befund_am timestamptz NOT NULL,
  massnahme         text,
  geschlossen_am    timestamptz,
  geschlossen_von   text,
  PRIMARY KEY (mandant_id, vorfall_id)
);
CREATE INDEX vorfaelle_objekt ON vorfaelle (mandant_id, objekt_art, objekt, letzter_befund_am);
CREATE INDEX vorfaelle_status ON vorfaelle (mandant_id, status, vorfall_id);
GRANT SELECT, UPDATE ON vorfaelle TO zaehlwerk_anfrage;

-- What is to be done about calls, by a rule or by hand: those of a run, an agent, a project, an end customer, …
CREATE TABLE eingriffe (
  mandant_id     uuid NOT NULL,
  -- Version 7: in the order of their beginning.
  eingriff_id    uuid NOT NULL,
  stufe          text NOT NULL,
  objekt_art     text NOT NULL,
  -- Id of the run, key of the agent or project, reference, name; empty for the Mandant.
  objekt         text COLLATE "C" NOT NULL,
  -- Of an agent or a run: whose calls those are.
  agent          text COLLATE "C",
  schatten       boolean NOT NULL,
  regel_id       uuid,
  befund_id      uuid,
  -- Why, in both languages.
  grund_de       text NOT NULL,
  grund_en       text NOT NULL,
  -- Address of the user who intervened by hand.
  veranlasst_von text,
  beginn         timestamptz NOT NULL,
  -- Null: until it is lifted.
  bis            timestamptz,
  aufgehoben_am  timestamptz,
  aufgehoben_von text,
  -- Calls it should have kept from happening.
  missachtet     bigint NOT NULL DEFAULT 0,
  -- When an order was first handed to a key that sends calls it is about, and to which: without it nobody can have obeyed.
  abgerufen_am   timestamptz,
  abgerufen_von  uuid,
  -- Why it was lifted. Of one that a person has lifted: until when the rule behind it leaves its object alone at the latest, and, of a run,
  -- how many calls it had then and what they had cost: at twice as much of either the rule may act again.
  aufgehoben_grund   text,
  gnade_bis          timestamptz,
  gnade_aufrufe      bigint,
  gnade_kosten_eur   numeric,
  PRIMARY KEY (mandant_id, eingriff_id)
);
CREATE INDEX eingriffe_befund ON eingriffe (mandant_id, befund_id) WHERE befund_id IS NOT NULL;
CREATE INDEX eingriffe_in_kraft ON eingriffe (mandant_id, eingriff_id) WHERE aufgehoben_am IS NULL AND NOT schatten;
CREATE INDEX eingriffe_zeit ON eingriffe (mandant_id, beginn);
-- What is in force is found by its end, however many have ended before.
CREATE INDEX eingriffe_gilt ON eingriffe (mandant_id, coalesce(bis, 'infinity')) WHERE aufgehoben_am IS NULL AND NOT schatten;
-- What is about a run is found by the run.
CREATE INDEX eingriffe_lauf ON eingriffe (mandant_id, objekt) WHERE objekt_art = 'lauf';
-- What a rule has caused is lifted with it.
CREATE INDEX eingriffe_regel ON eingriffe (mandant_id, regel_id) WHERE aufgehoben_am IS NULL AND regel_id IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON eingriffe TO zaehlwerk_anfrage;

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
GRANT SELECT, INSERT, UPDATE, DELETE ON antraege TO zaehlwerk_anfrage;

-- Money that clients have reserved for calls they are about to make (docs/decisions/0120). A row is a block for calls of one attribution;

-- counting takes the part of a call off it in the transaction that adds its cost to the sums.
CREATE TABLE reservierungen (
  mandant_id      uuid NOT NULL,
  reservierung_id uuid NOT NULL,
  -- What limits may look at, each as `<kind>=<value>`: `agent=support/triage`, `lauf=…`; of every call `mandant=`.
  fuer            text[] COLLATE "C" NOT NULL,
  -- What is still reserved, in EUR.
  betrag_eur      numeric NOT NULL,
  angelegt_am     timestamptz NOT NULL,
  verfaellt_am    timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, reservierung_id)
) WITH (fillfactor = 80);
-- What has lapsed is removed by this.
CREATE INDEX reservierungen_verfaellt ON reservierungen (mandant_id, verfaellt_am);
GRANT SELECT, INSERT, UPDATE, DELETE ON reservierungen TO zaehlwerk_anfrage;

-- What the rules would have saved (docs/decisions/0052): by local day, cause, finding and agent, each call in one row at most.
CREATE TABLE zwilling_ersparnisse (
  mandant_id  uuid NOT NULL,
  tag         date NOT NULL,
  ursache     text COLLATE "C" NOT NULL,
  -- What the calls are known by. Whether it holds still is asked when it is read.
  befund_id   uuid NOT NULL,
  agent       text COLLATE "C" NOT NULL,
  aufrufe     bigint NOT NULL,
  -- Those among them of which it is not known what they cost, or would have.
  unbekannt   bigint NOT NULL,
  -- Of the others; null where there are none.
  gespart_eur numeric,
  PRIMARY KEY (mandant_id, tag, ursache, befund_id, agent)
);
GRANT SELECT ON zwilling_ersparnisse TO zaehlwerk_anfrage;

-- Days that were read: at which state of their calls (verbrauch_tagesstand.geaendert), and when.
CREATE TABLE zwilling_tage (
  mandant_id uuid NOT NULL,
  tag        date NOT NULL,
  geaendert  bigint NOT NULL,
  gelesen_am timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, tag)
);
GRANT SELECT ON zwilling_tage TO zaehlwerk_anfrage;

-- ── volume tables: consumption (docs/decisions/0029) ───────────────────────────────────────────────────────

-- Every value of a dimension that a Mandant's events ever named. '' is "none". Numbers are given by counting, under its lock.
CREATE TABLE merkmale (
  mandant_id uuid NOT NULL,
  merkmal_id integer NOT NULL,
  -- Number of the dimension (contracts/rollup.ts).
  dimension  smallint NOT NULL,
  text       text COLLATE "C" NOT NULL,
  PRIMARY KEY (mandant_id, merkmal_id),
  UNIQUE (mandant_id, dimension, text)
);
GRANT SELECT ON merkmale TO zaehlwerk_anfrage;

-- Running sums of what is asked for at once alone (docs/decisions/0170). `stunde` is the instant an hour of the Mandant's time zone begins.
-- Dimension 0 with merkmal_id 0 is the total. Costs are those of the calls with a known price (aufrufe - unbepreist of them). `latenz` and
-- `erste_zeichen` are histograms in one number, twelve decimal digits a step: they add up like any sum.
-- By minute (48 hours) and hour (as long as rules need): all calls, each agent, and the values of `verbrauch_gefuehrt`.
CREATE TABLE verbrauch_laufend_minute (
  mandant_id    uuid NOT NULL,
  dimension     smallint NOT NULL,
  minute        timestamptz NOT NULL,
  merkmal_id    integer NOT NULL,
  aufrufe       bigint NOT NULL,
  fehler        bigint NOT NULL,
  unbepreist    bigint NOT NULL,
  geschaetzt    bigint NOT NULL,
  -- Input and output as sent.
  token         numeric NOT NULL,
  kosten_eur    numeric NOT NULL,
  -- Histograms, each in one number.
  latenz        numeric NOT NULL,
  erste_zeichen numeric NOT NULL,
  PRIMARY KEY (mandant_id, dimension, minute, merkmal_id)
) WITH (fillfactor = 70);
GRANT SELECT ON verbrauch_laufend_minute TO zaehlwerk_anfrage;

CREATE TABLE verbrauch_laufend_stunde (
  mandant_id    uuid NOT NULL,
  dimension     smallint NOT NULL,
  stunde        timestamptz NOT NULL,
  merkmal_id    integer NOT NULL,
  aufrufe       bigint NOT NULL,
  fehler        bigint NOT NULL,
  unbepreist    bigint NOT NULL,
  geschaetzt    bigint NOT NULL,
  token         numeric NOT NULL,
  kosten_eur    numeric NOT NULL,
  latenz        numeric NOT NULL,
  erste_zeichen numeric NOT NULL,
  PRIMARY KEY (mandant_id, dimension, stunde, merkmal_id)
) WITH (fillfactor = 70);
GRANT SELECT ON verbrauch_laufend_stunde TO zaehlwerk_anfrage;

-- Values of other dimensions that have running sums, or are to have some.
CREATE TABLE verbrauch_gefuehrt (
  mandant_id   uuid NOT NULL,
  dimension    smallint NOT NULL,
  text         text NOT NULL,
  -- The mark up to which its sums were made; from then on counting adds to them. Null while they are still to be made.
  seit         bigint,
  -- When somebody asked for it last.
  gebraucht_am date NOT NULL,
  PRIMARY KEY (mandant_id, dimension, text)
);
GRANT SELECT ON verbrauch_gefuehrt TO zaehlwerk_anfrage;

-- The rates an hour's cost was converted at: calls and USD per rate.
CREATE TABLE verbrauch_kurs (
  mandant_id     uuid NOT NULL,
  stunde         timestamptz NOT NULL,
  kurs_usd_eur   numeric NOT NULL,
  aufrufe        bigint NOT NULL,
  kosten_usd     numeric NOT NULL,
  -- Calls of the hour that were converted at this rate as the substitute, and the day the substitute is of.
  ersatz_aufrufe bigint NOT NULL DEFAULT 0,
  ersatz_tag     date,
  PRIMARY KEY (mandant_id, stunde, kurs_usd_eur)
);
GRANT SELECT ON verbrauch_kurs TO zaehlwerk_anfrage;

-- What the calls of a key add up to by local hour. Kept beside the sums by dimension, since nobody asks for it by two of them at once.
CREATE TABLE verbrauch_schluessel (
  mandant_id           uuid NOT NULL,
  schluessel_id        uuid NOT NULL,
  -- When the local hour began.
  stunde               timestamptz NOT NULL,
  aufrufe              bigint NOT NULL,
  unbepreist           bigint NOT NULL,
  token                numeric NOT NULL,
  kosten_usd           numeric NOT NULL,
  kosten_eur           numeric NOT NULL,
  -- What of the calls was not sent, each as a number of calls.
  ohne_lauf            bigint NOT NULL,
  ohne_fingerabdruck   bigint NOT NULL,
  ohne_endkunde        bigint NOT NULL,
  adresse_als_anbieter bigint NOT NULL,
  -- The latest of them, by their own time.
  letzter_aufruf_am    timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, schluessel_id, stunde)
);
GRANT SELECT ON verbrauch_schluessel TO zaehlwerk_anfrage;

-- What the calls of a key add up to by local day and by what told of them. Few libraries are in use at a time: those beyond the first ones
-- that a Mandant had lately share a row, whose names are ''.
CREATE TABLE verbrauch_quellen (
  mandant_id         uuid NOT NULL,
  schluessel_id      uuid NOT NULL,
  tag                date NOT NULL,
  -- As the event says it, and in its free data the library with its version; '' where it says nothing.
  quelle             text COLLATE "C" NOT NULL,
  bibliothek         text COLLATE "C" NOT NULL,
  version            text COLLATE "C" NOT NULL,
  aufrufe            bigint NOT NULL,
  unbepreist         bigint NOT NULL,
  kosten_eur         numeric NOT NULL,
  -- What of the calls was not sent, each as a number of calls.
  ohne_lauf          bigint NOT NULL,
  ohne_agent         bigint NOT NULL,
  ohne_endkunde      bigint NOT NULL,
  ohne_fingerabdruck bigint NOT NULL,
  ohne_cache         bigint NOT NULL,
  ohne_token         bigint NOT NULL,
  -- Of them those that a subscription pays for, at list price.
  abo_aufrufe        bigint NOT NULL,
  abo_kosten_eur     numeric NOT NULL,
  -- The latest of them, by their own time.
  letzter_aufruf_am  timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, schluessel_id, tag, quelle, bibliothek, version)
);
GRANT SELECT ON verbrauch_quellen TO zaehlwerk_anfrage;

-- How often counting has changed a local day, and what its calls add up to (docs/decisions/0165).
CREATE TABLE verbrauch_tagesstand (
  mandant_id          uuid NOT NULL,
  tag                 date NOT NULL,
  geaendert           bigint NOT NULL,
  geaendert_am        timestamptz NOT NULL DEFAULT now(),
  -- Of lists, which no release makes any more.
  verdichtet          bigint,
  verdichtet_am       timestamptz,
  offen_seit          timestamptz DEFAULT now(),
  gelistet            bigint,
  gelistet_am         timestamptz,
  davor               timestamptz,
  danach_geaendert    bigint NOT NULL DEFAULT 0,
  geaendert_ab        timestamptz,
  teile_bis           timestamptz,
  teile_stand         bigint,
  teile_am            timestamptz,
  rang_gelistet       bigint,
  -- Of pieces that 0.3.0 has made of what was counted before there were any.
  stuecke_stand       bigint,
  aufrufe             bigint NOT NULL DEFAULT 0,
  unbepreist          bigint NOT NULL DEFAULT 0,
  aufgeteilt          bigint NOT NULL DEFAULT 0,
  kosten_eur          numeric NOT NULL DEFAULT 0,
  stuecke_dimensionen smallint,
  PRIMARY KEY (mandant_id, tag)
);
GRANT SELECT ON verbrauch_tagesstand TO zaehlwerk_anfrage;

-- Pieces of counted calls (docs/decisions/0157): what counting added in one transaction, row by row; a job puts several together as one
-- (docs/decisions/0158). `marke` tells a piece from any other that ever had its number.
CREATE TABLE verbrauch_stuecke (
  mandant_id uuid NOT NULL,
  -- The mark it was counted with; of those that were put together the latest.
  nummer     bigint NOT NULL,
  marke      uuid NOT NULL DEFAULT gen_random_uuid(),
  -- The first and the last local day of its rows.
  tag_von    date NOT NULL,
  tag_bis    date NOT NULL,
  anzahl     integer NOT NULL,
  daten      bytea NOT NULL,
  -- As counting left it: of any days, in no order.
  roh        boolean NOT NULL DEFAULT true,
  -- From when on it is to be put together with others; null where it stays as it is.
  faellig_am timestamptz DEFAULT now() + interval '10 minutes',
  -- Null. What 0.3.0 made of sums of several calls had some (docs/decisions/0192).
  dimensionen smallint[],
  PRIMARY KEY (mandant_id, nummer)
);
-- They come compressed.
ALTER TABLE verbrauch_stuecke ALTER COLUMN daten SET STORAGE EXTERNAL;
-- What is due, of all Mandanten: of those that rest it has the pieces of the running month alone, at its end.
CREATE INDEX verbrauch_stuecke_faellig ON verbrauch_stuecke (faellig_am) WHERE faellig_am IS NOT NULL;
GRANT SELECT ON verbrauch_stuecke TO zaehlwerk_anfrage;

-- ── volume tables: counting ────────────────────────────────────────────────────────────────────────────────

-- One row for each counting transaction and Mandant, in order: what it changed. Taken by who acts on it.
CREATE TABLE zaehlmarken (
  mandant_id  uuid NOT NULL,
  nummer      bigint NOT NULL,
  gezaehlt_am timestamptz NOT NULL DEFAULT now(),
  -- Values of dimensions whose sums changed, and local days that changed.
  merkmale    integer[] NOT NULL,
  tage        date[] NOT NULL,
  -- Agents that called, and when the last of these calls was.
  agenten     text[] NOT NULL,
  aufrufe_am  timestamptz[] NOT NULL,
  -- Keys whose sums changed.
  schluessel  uuid[],
  -- Runs whose calls came, and the memory that holds them as they are with it (docs/decisions/0149).
  laeufe      uuid[],
  gedaechtnis uuid,
  -- What its calls cost, by the same position as `agenten`, in millionths of a EUR, rounded up (docs/decisions/0185); null where calls of
  -- before have changed.
  kosten      bigint[],
  PRIMARY KEY (mandant_id, nummer)
);
GRANT SELECT ON zaehlmarken TO zaehlwerk_anfrage;

-- One row per Mandant: who holds its lock counts the Mandant's inbox. Also what the connection page asks for.
CREATE TABLE zaehlstaende (
  mandant_id        uuid PRIMARY KEY,
  ereignisse_gesamt bigint NOT NULL DEFAULT 0,
  erster_aufruf_am  timestamptz,
  letzter_aufruf_am timestamptz,
  daten_von         timestamptz,
  daten_bis         timestamptz,
  -- `merkmale_marke` changes with every change of `merkmale`: who remembers numbers knows by it whether they still hold.
  merkmale_anzahl   integer NOT NULL DEFAULT 0,
  merkmale_marke    uuid,
  -- Number of the last mark.
  marken            bigint NOT NULL DEFAULT 0,
  -- Of rows that no release keeps any more.
  einzelne          integer NOT NULL DEFAULT 0,
  -- Libraries that have rows of their own in `verbrauch_quellen`.
  quellen           text[] NOT NULL DEFAULT '{}',
  -- The latest mark that is in a piece: `marken`. 0.3.0 asks whether it is.
  stuecke_bis       bigint NOT NULL DEFAULT 0,
  -- Running sums by the hour that begin before it are removed; null: none are.
  stunden_ab        timestamptz,
  -- Counts up with every change of which values have running sums: who counts by another choice begins anew.
  gefuehrt          bigint NOT NULL DEFAULT 0
);
GRANT SELECT ON zaehlstaende TO zaehlwerk_anfrage;

-- ── volume tables: alarms (docs/decisions/0046) ────────────────────────────────────────────────────────────

CREATE TABLE alarme (
  mandant_id   uuid NOT NULL,
  -- Version 7: in the order in which they were raised.
  alarm_id     uuid NOT NULL,
  -- alarm; entwarnung: what it told of is over; sammlung: several that were held, in one.
  art          text NOT NULL CHECK (art IN ('alarm', 'entwarnung', 'sammlung')),
  -- What it is about. Each cause raises one alarm, and one that it is over.
  ursache      text COLLATE "C" NOT NULL,
  stufe        text NOT NULL,
  titel_de     text NOT NULL,
  titel_en     text NOT NULL,
  text_de      text NOT NULL,
  text_en      text NOT NULL,
  -- Where in the cockpit there is more about it.
  pfad         text NOT NULL,
  zeitpunkt    timestamptz NOT NULL DEFAULT now(),
  -- When its deliveries were put in.
  verteilt_am  timestamptz,
  -- Until when people are spared it, and what it then came with.
  gehalten_bis timestamptz,
  sammlung_id  uuid,
  -- What it is about in money, where it is about money: a message of many names the largest.
  betrag_eur   numeric,
  PRIMARY KEY (mandant_id, alarm_id),
  UNIQUE (mandant_id, ursache, art)
);
CREATE INDEX alarme_gehalten ON alarme (mandant_id, gehalten_bis) WHERE gehalten_bis IS NOT NULL AND sammlung_id IS NULL;
CREATE INDEX alarme_zeitpunkt ON alarme (mandant_id, zeitpunkt);
GRANT SELECT, INSERT, UPDATE ON alarme TO zaehlwerk_anfrage;

-- One for each alarm and channel.
CREATE TABLE alarm_zustellungen (
  mandant_id     uuid NOT NULL,
  zustellung_id  uuid NOT NULL,
  alarm_id       uuid NOT NULL,
  kanal          text NOT NULL CHECK (kanal IN ('email', 'chatA_webhook', 'chatB_webhook', 'push_url', 'webhook_url')),
  -- wartet, zugestellt, aufgegeben, or entfallen: the channel is gone, or never got what is over now.
  status         text NOT NULL CHECK (status IN ('wartet', 'zugestellt', 'aufgegeben', 'entfallen')),
  versuche       integer NOT NULL DEFAULT 0,
  -- Of the last attempt: what the receiver answered (HTTP), why it failed.
  antwort_status integer,
  fehler_de      text,
  fehler_en      text,
  -- Until when it is tried.
  frist          timestamptz NOT NULL,
  erstellt_am    timestamptz NOT NULL,
  -- When it was tried last, or decided upon without.
  versucht_am    timestamptz,
  PRIMARY KEY (mandant_id, zustellung_id),
  UNIQUE (mandant_id, alarm_id, kanal)
);
CREATE INDEX alarm_zustellungen_erstellt ON alarm_zustellungen (mandant_id, erstellt_am);
GRANT SELECT, INSERT, UPDATE ON alarm_zustellungen TO zaehlwerk_anfrage;

-- ── the installation: rates and price lists ────────────────────────────────────────────────────────────────

-- EUR for one USD, per day of the reference rate.
CREATE TABLE wechselkurse (
  tag       date PRIMARY KEY,
  usd_eur   numeric NOT NULL CHECK (usd_eur > 0),
  quelle    text NOT NULL,
  geholt_am timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON wechselkurse TO zaehlwerk_anfrage;

-- Editions of the price list (docs/decisions/0065): which one is in force follows from these columns.
CREATE TABLE preislisten (
  nummer         integer PRIMARY KEY CHECK (nummer > 0),
  -- As preis_quelle names it.
  name           text NOT NULL UNIQUE,
  sha256         text NOT NULL UNIQUE CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  stand          date NOT NULL,
  herkunft       text NOT NULL CHECK (herkunft IN ('paket', 'netz', 'datei')),
  aufgenommen_am timestamptz NOT NULL,
  -- When it was last still the one that its source had.
  bestaetigt_am  timestamptz NOT NULL,
  modelle        integer NOT NULL CHECK (modelle >= 0),
  -- The bytes that sha256 is of, compressed with zstd.
  daten          bytea NOT NULL,
  angeheftet     boolean NOT NULL DEFAULT false,
  -- Why it is not taken without asking; null: it is.
  abgelehnt      text,
  -- When operators were told that it was refused, or that it is old.
  gemeldet_am    timestamptz,
  CHECK (NOT (angeheftet AND abgelehnt IS NOT NULL))
);
CREATE UNIQUE INDEX preislisten_angeheftet ON preislisten (angeheftet) WHERE angeheftet;
GRANT SELECT ON preislisten TO zaehlwerk_anfrage;

-- ── the installation: licences made here (docs/decisions/0076) ─────────────────────────────────────────────

-- Licences that were made here. The token is not kept: who has it has the licence.
CREATE TABLE lizenzen (
  lizenz_id       uuid PRIMARY KEY,
  -- SHA-256 of the token.
  fingerabdruck   text NOT NULL UNIQUE CHECK (fingerabdruck ~ '^[0-9a-f]{64}$'),
  kunde           text NOT NULL,
  paket           text NOT NULL,
  gueltig_bis     timestamptz,
  mandanten       integer NOT NULL CHECK (mandanten > 0),
  kid             text NOT NULL,
  ausgestellt_am  timestamptz NOT NULL,
  ausgestellt_von text
);
CREATE INDEX lizenzen_neueste ON lizenzen (ausgestellt_am, lizenz_id);
CREATE INDEX lizenzen_kunde ON lizenzen (kunde);

-- Licences on the revocation list. Each change of it changes its number (`sperrliste_stand`).
CREATE TABLE lizenz_sperren (
  lizenz_id     uuid PRIMARY KEY,
  fingerabdruck text NOT NULL,
  grund         text NOT NULL,
  gesperrt_am   timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT ON lizenz_sperren TO zaehlwerk_anfrage;

-- Keys that licences and the revocation list are signed with, sealed. One of them signs what is new.
CREATE TABLE lizenz_schluessel (
  nummer            integer PRIMARY KEY,
  -- Null once withdrawn: what signs nothing any more is not kept.
  verschluesselt    bytea,
  -- Names a withdrawn key; of the others the key itself says it.
  kid               text,
  aktiv             boolean NOT NULL,
  erstellt_am       timestamptz NOT NULL DEFAULT now(),
  zurueckgezogen_am timestamptz,
  CHECK ((verschluesselt IS NULL) = (zurueckgezogen_am IS NOT NULL)),
  CHECK ((kid IS NULL) = (zurueckgezogen_am IS NULL)),
  CHECK (NOT (aktiv AND zurueckgezogen_am IS NOT NULL))
);
CREATE UNIQUE INDEX lizenz_schluessel_aktiv ON lizenz_schluessel (aktiv) WHERE aktiv;

-- Grows with every change of the list, removals too, so that an older list can be told from a newer one.
CREATE TABLE sperrliste_stand (
  einzig       boolean PRIMARY KEY DEFAULT true CHECK (einzig),
  nummer       bigint NOT NULL,
  -- When the list was last changed; null: never.
  geaendert_am timestamptz
);
GRANT SELECT ON sperrliste_stand TO zaehlwerk_anfrage;
INSERT INTO sperrliste_stand (nummer) VALUES (1);

-- Runs as the owner: who may change the list changes its number with it.
CREATE FUNCTION zw_sperrliste_geaendert() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE sperrliste_stand SET nummer = nummer + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER sperrliste_geaendert AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON lizenz_sperren
  FOR EACH STATEMENT EXECUTE FUNCTION zw_sperrliste_geaendert();
REVOKE ALL ON FUNCTION zw_sperrliste_geaendert FROM PUBLIC;

-- ── the installation: its own licence ──────────────────────────────────────────────────────────────────────

-- Licences that this installation was given: since when, and the latest time it has seen with each of them.
CREATE TABLE lizenz_einsaetze (
  fingerabdruck text PRIMARY KEY,
  seit          timestamptz NOT NULL,
  zuletzt_am    timestamptz NOT NULL
);
GRANT SELECT ON lizenz_einsaetze TO zaehlwerk_anfrage;

-- The revocation list this installation has accepted, and how fetching it went.
CREATE TABLE sperrliste_bekannt (
  einzig         boolean PRIMARY KEY DEFAULT true CHECK (einzig),
  nummer         bigint,
  ausgestellt_am timestamptz,
  gueltig_bis    timestamptz,
  -- The key it was signed with.
  kid            text,
  sperren        jsonb NOT NULL DEFAULT '[]',
  adresse        text,
  etag           text,
  -- Not asked for again before.
  frisch_bis     timestamptz,
  erreicht_am    timestamptz,
  versucht_am    timestamptz,
  -- Why the last attempt did not reach it; null: it did.
  hindernis      text
);
GRANT SELECT ON sperrliste_bekannt TO zaehlwerk_anfrage;
INSERT INTO sperrliste_bekannt DEFAULT VALUES;

-- ── the installation: what was used of limits ──────────────────────────────────────────────────────────────

-- Counters of attempts, shared by all instances (rate-limiter-flexible). Keys are hashes.
CREATE TABLE drosselung (
  key    text PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX drosselung_ende ON drosselung (expire);
GRANT SELECT, INSERT, UPDATE, DELETE ON drosselung TO zaehlwerk_anfrage;

-- Until when what was used of a quota has come back, for all processes together: only quotas that are in use now have a row. Lost in a
-- crash of the server, when all of them are full again.
CREATE UNLOGGED TABLE kontingentstaende (
  -- A key or a Mandant.
  konto uuid NOT NULL,
  art   text NOT NULL CHECK (art IN ('senden', 'lesen', 'ereignisse')),
  bis   timestamptz NOT NULL,
  PRIMARY KEY (konto, art)
);
GRANT SELECT, INSERT, UPDATE ON kontingentstaende TO zaehlwerk_anfrage;

-- Until when what was used of a budget for mail has come back, for all processes together. Budgets of which nothing is used have no row.
CREATE TABLE postbudgets (
  -- Hash of what it is a budget of: a Mandant, an address, or both together.
  konto bytea PRIMARY KEY,
  bis   timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON postbudgets TO zaehlwerk_anfrage;

-- ── the installation: retention, removal, acts of operators ────────────────────────────────────────────────

-- How long events and their ids are kept (docs/decisions/0085). One row for the installation.
CREATE TABLE aufbewahrung (
  eine          boolean PRIMARY KEY DEFAULT true CHECK (eine),
  -- Events dated before are refused, and stay as they were counted. Null: nothing is too old.
  annahme_ab    timestamptz,
  annahme_seit  timestamptz NOT NULL DEFAULT now(),
  -- The first instant of which all events are there; at least a month before `annahme_ab`. Null: none were removed.
  ereignisse_ab timestamptz,
  -- Ids counted before are forgotten. Null: none are.
  kennungen_ab  date
);
GRANT SELECT ON aufbewahrung TO zaehlwerk_anfrage;
INSERT INTO aufbewahrung DEFAULT VALUES;

-- What was removed of a Mandant after its cancellation; for the operator. Holds nothing of what was removed.
CREATE TABLE loeschbelege (
  beleg_id      uuid PRIMARY KEY,
  mandant       uuid NOT NULL UNIQUE,
  gekuendigt_am timestamptz NOT NULL,
  begonnen_am   timestamptz NOT NULL,
  beendet_am    timestamptz,
  -- Rows removed, by table.
  zeilen        jsonb NOT NULL
);

-- What those who run the installation did (docs/decisions/0075). Of the installation: it outlives the Mandanten it tells of, and so holds
-- ids of them and of their users, no names.
CREATE TABLE betreiberprotokoll (
  -- Time-ordered.
  eintrag_id     uuid PRIMARY KEY,
  zeitpunkt      timestamptz NOT NULL,
  -- 'benutzer' is a signed-in operator, 'betreiber' the command line, 'system' the configuration.
  akteur_art     text NOT NULL CHECK (akteur_art IN ('benutzer', 'system', 'betreiber')),
  akteur_mandant uuid,
  akteur_id      uuid,
  akteur_name    text,
  aktion         text NOT NULL,
  -- Whom it touched; null for the installation.
  mandant        uuid,
  objekt_art     text NOT NULL,
  objekt_id      text,
  objekt_name    text,
  vorher         jsonb,
  nachher        jsonb,
  adresse        text
);
CREATE INDEX betreiberprotokoll_mandant ON betreiberprotokoll (mandant, eintrag_id);

-- Requests have no rights to it at all; the owner, who has all, may add only.
CREATE FUNCTION zw_nur_anfuegen() RETURNS trigger
LANGUAGE plpgsql SET search_path = public AS $$
BEGIN
  RAISE EXCEPTION 'entries of % are never changed or removed', TG_TABLE_NAME USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER nur_anfuegen BEFORE UPDATE OR DELETE OR TRUNCATE ON betreiberprotokoll
  FOR EACH STATEMENT EXECUTE FUNCTION zw_nur_anfuegen();
REVOKE ALL ON FUNCTION zw_nur_anfuegen FROM PUBLIC;

-- ── the installation: status and schedule ──────────────────────────────────────────────────────────────────

-- The latest run of a check of all Mandanten, whichever process did it: who asks for one shares the one that is under way.
CREATE TABLE pruefungen (
  name        text PRIMARY KEY,
  begonnen_am timestamptz NOT NULL,
  -- Null while it runs, and for good where its process died.
  beendet_am  timestamptz,
  -- How many of what, by name.
  zaehler     jsonb NOT NULL DEFAULT '{}'
);
GRANT SELECT ON pruefungen TO zaehlwerk_anfrage;

-- The history of the status page (docs/decisions/0077): what was seen of each part, and for how long. Kept for 90 days.
CREATE TABLE zustand_spannen (
  spanne_id  uuid PRIMARY KEY,
  komponente text NOT NULL,
  -- What nobody saw has no row.
  status     text NOT NULL CHECK (status IN ('ok', 'eingeschränkt', 'gestört')),
  -- By the clock of the database. Spans of several observers may overlap: the worst counts.
  von        timestamptz NOT NULL,
  bis        timestamptz NOT NULL,
  CHECK (bis >= von)
);
CREATE INDEX zustand_spannen_bis ON zustand_spannen (bis);
GRANT SELECT, INSERT, UPDATE, DELETE ON zustand_spannen TO zaehlwerk_anfrage;

-- Which process writes down what all of them see alike; another one takes over when it has gone.
CREATE TABLE zustand_beobachter (
  nummer     integer PRIMARY KEY CHECK (nummer = 1),
  beobachter uuid NOT NULL,
  gilt_bis   timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON zustand_beobachter TO zaehlwerk_anfrage;

-- For which time a run of each job on the schedule was put in last (docs/decisions/0088).
CREATE TABLE zeitplan (
  job     text COLLATE "C" PRIMARY KEY,
  zuletzt timestamptz NOT NULL
);

-- What is certain about the clock (docs/decisions/0101): a time is taken as passed when it was seen and no later look, a day after
-- at the earliest, has said otherwise. What is removed for good goes by it.
CREATE TABLE uhrstand (
  nummer        integer PRIMARY KEY DEFAULT 1 CHECK (nummer = 1),
  -- The look that waits for another one a day later.
  gesehen_am    timestamptz,
  vergangen_bis timestamptz
);
INSERT INTO uhrstand DEFAULT VALUES;

-- When the database was last backed up (docs/operations.md#backup-and-restore); no row before the first try. One row, no Mandant named.
CREATE TABLE sicherungsstand (
  nummer      integer PRIMARY KEY DEFAULT 1 CHECK (nummer = 1),
  -- The last one that is whole.
  gelungen_am timestamptz,
  umfang      bigint,
  -- Since when tries fail; null while the last one did not.
  fehler_am   timestamptz
);
GRANT SELECT ON sicherungsstand TO zaehlwerk_anfrage;

-- ── isolation ──────────────────────────────────────────────────────────────────────────────────────────────

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
    -- For its owner, too, unless the role is exempt from it (BYPASSRLS), which counting needs: COPY is refused where it
    -- holds. What came about with another owner would otherwise be open.
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tabelle);
    -- A missing setting compares with null and shows nothing.
    EXECUTE format($policy$CREATE POLICY mandant ON %I TO zaehlwerk_anfrage
      USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
      WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)$policy$, tabelle);
  END LOOP;
END $$;

-- Small batches of many Mandanten go into their inboxes with one statement: its rows may be of those it is bound to, and of nobody else.
-- What is in an inbox is shown under the policy `mandant` alone.
CREATE POLICY mandanten ON eingang FOR INSERT TO zaehlwerk_anfrage
  WITH CHECK (mandant_id = ANY (nullif(current_setting('zw.mandanten', true), '')::uuid[]));

-- ── who is it? ─────────────────────────────────────────────────────────────────────────────────────────────

-- A request is not bound to a Mandant before its credentials are known. These functions answer that one question, for the holder of
-- the secret or the address only. They run as the owner, and must not find a caller's temporary objects first.

-- Whose key, with the quotas of key and Mandant.
CREATE FUNCTION zw_schluessel_mit_kontingent(gesucht bytea)
RETURNS TABLE (mandant_id uuid, schluessel_id uuid, bereiche text[], projekt text, gesperrt boolean,
               anfragen_je_minute integer, ereignisse_je_minute integer,
               mandant_anfragen_je_minute integer, mandant_ereignisse_je_minute integer)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.mandant_id, s.schluessel_id, s.bereiche, s.projekt, s.gesperrt_am IS NOT NULL OR m.status <> 'aktiv',
         s.anfragen_je_minute, s.ereignisse_je_minute, m.anfragen_je_minute, m.ereignisse_je_minute
  FROM schluessel s JOIN mandanten m USING (mandant_id) WHERE s.hash = gesucht
$$;

-- Whose session.
CREATE FUNCTION zw_sitzung_finden(gesucht bytea)
RETURNS TABLE (mandant_id uuid, benutzer_id uuid, sitzung_id uuid, email text, name text, rolle text, betreiber boolean,
               zweiter_faktor boolean, firma text, paket text, zeitzone text, erstellt_am timestamptz, zuletzt_am timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.mandant_id, s.benutzer_id, s.sitzung_id, b.email, b.name, b.rolle, o.benutzer_id IS NOT NULL,
    f.bestaetigt_am IS NOT NULL, m.firma, m.paket, m.zeitzone, s.erstellt_am, s.zuletzt_am
  FROM sitzungen s JOIN benutzer b USING (mandant_id, benutzer_id) JOIN mandanten m USING (mandant_id)
    LEFT JOIN betreiber o USING (mandant_id, benutzer_id) LEFT JOIN zweite_faktoren f USING (mandant_id, benutzer_id)
  WHERE s.hash = gesucht AND b.aktiv AND m.status = 'aktiv'
$$;

-- A user who may sign in, by address.
CREATE FUNCTION zw_anmeldung_finden(gesucht text)
RETURNS TABLE (mandant_id uuid, benutzer_id uuid, passwort_hash text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT b.mandant_id, b.benutzer_id, b.passwort_hash
  FROM benutzer b JOIN mandanten m USING (mandant_id)
  WHERE zw_adresse(b.email) = zw_adresse(gesucht) AND b.email_verloren_am IS NULL AND b.aktiv AND m.status = 'aktiv'
$$;

-- Whose address it is, also of users who cannot sign in and of cancelled Mandanten: asked where another user wants it.
CREATE FUNCTION zw_adresse_finden(gesucht text) RETURNS TABLE (mandant_id uuid, benutzer_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT b.mandant_id, b.benutzer_id FROM benutzer b
  WHERE zw_adresse(b.email) = zw_adresse(gesucht) AND b.email_verloren_am IS NULL
$$;

-- The Mandant of a reset link that may still be used.
CREATE FUNCTION zw_ruecksetzung_finden(gesucht bytea) RETURNS TABLE (mandant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.mandant_id FROM passwort_ruecksetzungen r JOIN mandanten m USING (mandant_id)
  WHERE r.hash = gesucht AND m.status = 'aktiv'
$$;

-- The Mandant of an invitation.
CREATE FUNCTION zw_einladung_finden(gesucht bytea) RETURNS TABLE (mandant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT e.mandant_id FROM einladungen e JOIN mandanten m USING (mandant_id)
  WHERE e.hash = gesucht AND m.status = 'aktiv'
$$;

-- The Mandant a mail domain leads to; claims that are not proven lead nowhere.
CREATE FUNCTION zw_domain_finden(gesucht text) RETURNS TABLE (mandant_id uuid, name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT d.mandant_id, a.name
  FROM sso_domains d JOIN sso_anbieter a USING (mandant_id) JOIN mandanten m USING (mandant_id)
  WHERE d.domain = zw_adresse(gesucht) AND d.bewiesen_am IS NOT NULL AND a.aktiv AND m.status = 'aktiv'
$$;

-- The Mandant of a login on its way through the identity provider.
CREATE FUNCTION zw_sso_vorgang_finden(gesucht bytea) RETURNS TABLE (mandant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT v.mandant_id FROM sso_vorgaenge v JOIN mandanten m USING (mandant_id)
  WHERE v.hash = gesucht AND m.status = 'aktiv'
$$;

-- The Mandant of a customer of the payment provider; the caller has checked the provider's signature.
CREATE FUNCTION zw_kunde_finden(gesucht text) RETURNS TABLE (mandant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT b.mandant_id FROM buchungen b WHERE b.kunde = gesucht
$$;

REVOKE ALL ON FUNCTION zw_schluessel_mit_kontingent, zw_sitzung_finden, zw_anmeldung_finden, zw_adresse_finden, zw_ruecksetzung_finden,
  zw_einladung_finden, zw_domain_finden, zw_sso_vorgang_finden, zw_kunde_finden FROM PUBLIC;
GRANT EXECUTE ON FUNCTION zw_schluessel_mit_kontingent, zw_sitzung_finden, zw_anmeldung_finden, zw_adresse_finden, zw_ruecksetzung_finden,
  zw_einladung_finden, zw_domain_finden, zw_sso_vorgang_finden, zw_kunde_finden TO zaehlwerk_anfrage;

-- ── what requests ask of the whole installation ────────────────────────────────────────────────────────────

-- They run as the owner, too, and name no Mandant.

-- Seconds the oldest batch of the whole inbox has waited, and how many batches cannot be counted.
CREATE FUNCTION zw_rueckstand() RETURNS TABLE (sekunden double precision, unzaehlbar bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce(extract(epoch FROM now() - (SELECT min(empfangen_am) FROM eingang)), 0)::double precision,
         (SELECT count(*) FROM eingang_unzaehlbar)
$$;

-- What waits and what was given up, by job.
CREATE FUNCTION zw_auftraege_stand()
RETURNS TABLE (job text, wartend bigint, sekunden double precision, aufgegeben bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT job, count(*) FILTER (WHERE aufgegeben_am IS NULL),
    coalesce(extract(epoch FROM now() - min(faellig_am) FILTER (WHERE aufgegeben_am IS NULL AND faellig_am <= now())), 0)
      ::double precision,
    count(*) FILTER (WHERE aufgegeben_am IS NOT NULL)
  FROM auftraege GROUP BY job ORDER BY job
$$;

-- Mails whose last attempt failed, and how long the oldest of them has waited.
CREATE FUNCTION zw_mail_stand() RETURNS TABLE (scheiternd bigint, sekunden double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT count(*), coalesce(extract(epoch FROM now() - min(erstellt_am)), 0)::double precision
  FROM auftraege WHERE job = 'postausgang.versenden' AND aufgegeben_am IS NULL AND fehler IS NOT NULL
$$;

-- How many Mandanten there are that have not cancelled, for who may put in one more or shows how many may follow.
CREATE FUNCTION zw_mandanten_anzahl() RETURNS TABLE (anzahl bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT count(*) FROM mandanten WHERE status = 'aktiv'
$$;

-- Requests sign the list but have no access to the keys: this hands them out, encrypted. Where there is none yet, the
-- first proposal is kept, of several made at the same time, too; null only asks.
CREATE FUNCTION zw_lizenzschluessel(vorschlag bytea)
RETURNS TABLE (nummer integer, verschluesselt bytea, aktiv boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF vorschlag IS NOT NULL AND NOT EXISTS (SELECT FROM lizenz_schluessel) THEN
    INSERT INTO lizenz_schluessel (nummer, verschluesselt, aktiv) VALUES (1, vorschlag, true) ON CONFLICT DO NOTHING;
  END IF;
  RETURN QUERY SELECT s.nummer, s.verschluesselt, s.aktiv FROM lizenz_schluessel s
    WHERE s.zurueckgezogen_am IS NULL ORDER BY s.nummer;
END $$;

REVOKE ALL ON FUNCTION zw_rueckstand, zw_auftraege_stand, zw_mail_stand, zw_mandanten_anzahl, zw_lizenzschluessel FROM PUBLIC;
GRANT EXECUTE ON FUNCTION zw_rueckstand, zw_auftraege_stand, zw_mail_stand, zw_mandanten_anzahl, zw_lizenzschluessel TO zaehlwerk_anfrage;
