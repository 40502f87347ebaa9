-- Accounts whole: second factor, invitations, resets, single sign-on, settings, booking, audit log, outgoing mail, cancellation.

-- Functions that run as the owner must not find a caller's temporary objects first.
ALTER FUNCTION zw_schluessel_finden(bytea) SET search_path = public, pg_temp;
ALTER FUNCTION zw_rueckstand() SET search_path = public, pg_temp;
ALTER FUNCTION zw_sperrliste_geaendert() SET search_path = public, pg_temp;
ALTER FUNCTION zw_sperrliste_schluessel(bytea) SET search_path = public, pg_temp;

-- The form addresses are compared in. Only the letters A to Z have two cases here: in the locale of a database other
-- characters may be the same as one of these (the Kelvin sign, the dotted I), and each spelling of an address would have
-- failed logins of its own.
CREATE FUNCTION zw_adresse(adresse text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN lower(adresse COLLATE "C");

-- ── Mandanten ───────────────────────────────────────────────────────────────────────────────────────────────

ALTER TABLE mandanten
  ADD COLUMN gekuendigt_am       timestamptz,
  -- How far leaving has got after the cancellation: the reminder is out; the removal has begun, and there is no way back.
  ADD COLUMN loeschung           text CHECK (loeschung IN ('erinnert', 'begonnen')),
  ADD COLUMN avv_akzeptiert_von  text,
  -- Version of the text that was accepted.
  ADD COLUMN avv_fassung         text,
  ADD COLUMN abrechnungsstatus   text NOT NULL DEFAULT 'keine'
    CHECK (abrechnungsstatus IN ('keine', 'aktiv', 'probe', 'zahlung_offen', 'gekündigt')),
  -- Where the package comes from.
  ADD COLUMN paket_quelle        text NOT NULL DEFAULT 'frei' CHECK (paket_quelle IN ('frei', 'buchung', 'lizenz', 'betreiber')),
  ADD COLUMN betreiber_notiz     text,
  ADD COLUMN branding_name       text,
  ADD COLUMN branding_farbe      text,
  ADD COLUMN branding_logo_url   text,
  ADD COLUMN branding_fusszeile  text;

-- Webhook and push addresses are secrets (whoever knows them can post there): sealed as one JSON object.
CREATE TABLE alarmkanaele (
  mandant_id  uuid PRIMARY KEY REFERENCES mandanten,
  email       text[] NOT NULL,
  adressen    bytea NOT NULL
);

-- The Mandant at the payment provider. Events of the provider arrive repeatedly and out of order.
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
CREATE TABLE zahlungsereignisse (
  mandant_id    uuid NOT NULL REFERENCES mandanten,
  ereignis      text NOT NULL,
  art           text NOT NULL,
  empfangen_am  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mandant_id, ereignis)
);

-- ── users ───────────────────────────────────────────────────────────────────────────────────────────────────

DROP INDEX benutzer_email;
CREATE UNIQUE INDEX benutzer_email ON benutzer (zw_adresse(email));

-- Users who came by company account have no password until they set one.
ALTER TABLE benutzer ALTER COLUMN passwort_hash DROP NOT NULL;

-- Operators of the installation: named by the command line or at start, never by a request.
CREATE TABLE betreiber (
  mandant_id   uuid NOT NULL,
  benutzer_id  uuid NOT NULL,
  PRIMARY KEY (mandant_id, benutzer_id),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);

ALTER TABLE sitzungen
  ADD COLUMN sitzung_id  uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN adresse     text,
  ADD COLUMN geraet      text;

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

CREATE TABLE wiederherstellungscodes (
  mandant_id   uuid NOT NULL,
  benutzer_id  uuid NOT NULL,
  hash         bytea NOT NULL,
  benutzt_am   timestamptz,
  PRIMARY KEY (mandant_id, benutzer_id, hash),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);

CREATE TABLE passwort_ruecksetzungen (
  mandant_id   uuid NOT NULL,
  hash         bytea NOT NULL UNIQUE,
  benutzer_id  uuid NOT NULL,
  erstellt_am  timestamptz NOT NULL,
  gueltig_bis  timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, hash),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);

CREATE TABLE einladungen (
  mandant_id      uuid NOT NULL REFERENCES mandanten,
  einladung_id    uuid NOT NULL,
  hash            bytea NOT NULL UNIQUE,
  email           text NOT NULL,
  rolle           text NOT NULL CHECK (rolle IN ('inhaber', 'verwalter', 'bearbeiter', 'buchhaltung', 'betrachter')),
  eingeladen_von  text,
  erstellt_am     timestamptz NOT NULL,
  gueltig_bis     timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, einladung_id)
);
-- One open invitation an address: a new one replaces it.
CREATE UNIQUE INDEX einladungen_email ON einladungen (mandant_id, zw_adresse(email));

-- ── single sign-on ──────────────────────────────────────────────────────────────────────────────────────────

CREATE TABLE sso_anbieter (
  mandant_id     uuid PRIMARY KEY REFERENCES mandanten,
  aktiv          boolean NOT NULL,
  issuer         text NOT NULL,
  client_id      text NOT NULL,
  client_secret  bytea,
  rolle_neu      text NOT NULL CHECK (rolle_neu IN ('verwalter', 'bearbeiter', 'buchhaltung', 'betrachter')),
  name           text NOT NULL,
  -- Whether an inhaber chose issuer and client: those that a verwalter chose say nothing about an inhaber.
  von_inhaber    boolean NOT NULL
);

CREATE TABLE sso_domains (
  mandant_id   uuid NOT NULL REFERENCES sso_anbieter ON DELETE CASCADE,
  domain       text NOT NULL,
  -- What the TXT record must say; nobody else's record says it.
  nachweis     text NOT NULL,
  bewiesen_am  timestamptz,
  PRIMARY KEY (mandant_id, domain)
);
-- Anybody may claim a domain; it is one Mandant's once it is proven.
CREATE UNIQUE INDEX sso_domains_bewiesen ON sso_domains (domain) WHERE bewiesen_am IS NOT NULL;

-- A user at the provider is (issuer, subject); the address may change.
CREATE TABLE sso_identitaeten (
  mandant_id   uuid NOT NULL,
  issuer       text NOT NULL,
  subject      text NOT NULL,
  benutzer_id  uuid NOT NULL,
  erstellt_am  timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, issuer, subject),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);

-- A login on its way to the provider and back; taken out by the first return.
CREATE TABLE sso_vorgaenge (
  mandant_id   uuid NOT NULL REFERENCES sso_anbieter ON DELETE CASCADE,
  -- Of `state`, which travels through the provider.
  hash         bytea NOT NULL UNIQUE,
  -- Of the cookie of the browser that began it: nobody can be made to end another's login.
  browser      bytea NOT NULL,
  -- Nonce and PKCE verifier, sealed.
  geheimnis    bytea NOT NULL,
  gueltig_bis  timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, hash)
);

-- ── audit log, mail, deletion ───────────────────────────────────────────────────────────────────────────────

-- Who changed what, from what to what, when, from where. Requests may add and read, nothing else.
CREATE TABLE pruefprotokoll (
  mandant_id    uuid NOT NULL,
  -- Time-ordered.
  eintrag_id    uuid NOT NULL,
  zeitpunkt     timestamptz NOT NULL,
  akteur_art    text NOT NULL CHECK (akteur_art IN ('benutzer', 'system', 'betreiber')),
  akteur_id     uuid,
  akteur_name   text,
  aktion        text NOT NULL,
  objekt_art    text NOT NULL,
  objekt_id     text,
  objekt_name   text,
  vorher        jsonb,
  nachher       jsonb,
  adresse       text,
  PRIMARY KEY (mandant_id, eintrag_id)
);
CREATE INDEX pruefprotokoll_aktion ON pruefprotokoll (mandant_id, aktion, eintrag_id);

-- Mails that wait to be sent, written in the transaction they tell of; removed once the mail server has taken them.
CREATE TABLE postausgang (
  mandant_id          uuid NOT NULL,
  post_id             uuid NOT NULL,
  -- Recipient, subject, text and HTML, sealed: they hold links that sign in.
  inhalt              bytea NOT NULL,
  erstellt_am         timestamptz NOT NULL,
  versuche            integer NOT NULL DEFAULT 0,
  naechster_versuch   timestamptz NOT NULL,
  -- After this there is no point in sending it.
  verfaellt_am        timestamptz NOT NULL,
  fehler              text,
  PRIMARY KEY (mandant_id, post_id)
);
CREATE INDEX postausgang_faellig ON postausgang (naechster_versuch);

-- What was removed of a Mandant after its cancellation; for the operator. Holds nothing of what was removed.
CREATE TABLE loeschbelege (
  beleg_id       uuid PRIMARY KEY,
  mandant        uuid NOT NULL UNIQUE,
  gekuendigt_am  timestamptz NOT NULL,
  begonnen_am    timestamptz NOT NULL,
  beendet_am     timestamptz,
  -- Rows removed, by table.
  zeilen         jsonb NOT NULL
);

-- Counters of attempts, shared by all instances (rate-limiter-flexible). Keys are hashes.
CREATE TABLE drosselung (
  key     text PRIMARY KEY,
  points  integer NOT NULL DEFAULT 0,
  expire  bigint
);
CREATE INDEX drosselung_ende ON drosselung (expire);

-- ── agents ──────────────────────────────────────────────────────────────────────────────────────────────────

-- When the agent last called. Of what is counted already, the runs know.
ALTER TABLE agenten ADD COLUMN letzter_aufruf_am timestamptz;
UPDATE agenten a SET letzter_aufruf_am =
  (SELECT max(l.ende) FROM laeufe l WHERE l.mandant_id = a.mandant_id AND l.agent = a.schluessel);

-- ── isolation ───────────────────────────────────────────────────────────────────────────────────────────────

DO $$
DECLARE
  tabelle text;
BEGIN
  FOR tabelle IN
    SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND a.attname = 'mandant_id' AND NOT c.relrowsecurity
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tabelle);
    EXECUTE format($policy$CREATE POLICY mandant ON %I TO zaehlwerk_anfrage
      USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
      WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)$policy$, tabelle);
  END LOOP;
END $$;

GRANT SELECT, INSERT, UPDATE, DELETE ON alarmkanaele, buchungen, zweite_faktoren, wiederherstellungscodes,
  passwort_ruecksetzungen, einladungen, sso_anbieter, sso_domains, sso_identitaeten, sso_vorgaenge, drosselung
  TO zaehlwerk_anfrage;
GRANT DELETE ON benutzer TO zaehlwerk_anfrage;
GRANT SELECT, INSERT ON pruefprotokoll, zahlungsereignisse TO zaehlwerk_anfrage;
GRANT INSERT ON postausgang TO zaehlwerk_anfrage;
GRANT SELECT ON betreiber TO zaehlwerk_anfrage;
-- The export hands out what waits to be counted, too.
GRANT SELECT ON eingang_unzaehlbar TO zaehlwerk_anfrage;

-- ── who is it? ──────────────────────────────────────────────────────────────────────────────────────────────
-- Asked before the Mandant is known, by whoever holds the secret or the address; they run as the owner.

DROP FUNCTION zw_sitzung_finden(bytea);
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

DROP FUNCTION zw_anmeldung_finden(text);
-- A user who may sign in, by address.
CREATE FUNCTION zw_anmeldung_finden(gesucht text)
RETURNS TABLE (mandant_id uuid, benutzer_id uuid, passwort_hash text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT b.mandant_id, b.benutzer_id, b.passwort_hash
  FROM benutzer b JOIN mandanten m USING (mandant_id)
  WHERE zw_adresse(b.email) = zw_adresse(gesucht) AND b.aktiv AND m.status = 'aktiv'
$$;

-- The Mandant of a reset link that may still be used.
CREATE FUNCTION zw_ruecksetzung_finden(gesucht bytea) RETURNS TABLE (mandant_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT r.mandant_id FROM passwort_ruecksetzungen r JOIN mandanten m USING (mandant_id)
  WHERE r.hash = gesucht AND m.status = 'aktiv'
$$;

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

REVOKE ALL ON FUNCTION zw_sitzung_finden, zw_anmeldung_finden, zw_ruecksetzung_finden, zw_einladung_finden,
  zw_domain_finden, zw_sso_vorgang_finden, zw_kunde_finden FROM PUBLIC;
GRANT EXECUTE ON FUNCTION zw_sitzung_finden, zw_anmeldung_finden, zw_ruecksetzung_finden, zw_einladung_finden,
  zw_domain_finden, zw_sso_vorgang_finden, zw_kunde_finden TO zaehlwerk_anfrage;
