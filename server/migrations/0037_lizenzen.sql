-- Licences of self-hosted installations (docs/decisions/0076): keys that rotate, licences that were made, and what an
-- installation knows of its own.

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

-- The only key so far goes on signing. Where it was kept (`geheimnisse`, `zw_sperrliste_schluessel`) is asked by the former
-- release as long as it runs, and goes with a later one.
INSERT INTO lizenz_schluessel (nummer, verschluesselt, aktiv, erstellt_am)
  SELECT 1, verschluesselt, true, erstellt_am FROM geheimnisse WHERE name = 'sperrliste';

-- Requests sign the list but have no access to the keys: this hands them out, encrypted. Where there is none yet, the
-- first proposal is kept, whoever else makes one at the same time; null only asks.
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

-- Licences that were made here. The token is not kept: whoever has it has the licence.
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

-- When the list was last changed; null: before this was noted.
ALTER TABLE sperrliste_stand ADD COLUMN geaendert_am timestamptz;

-- Licences that this installation was given: since when, and the latest time it has seen with each of them.
CREATE TABLE lizenz_einsaetze (
  fingerabdruck text PRIMARY KEY,
  seit          timestamptz NOT NULL,
  zuletzt_am    timestamptz NOT NULL
);

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
INSERT INTO sperrliste_bekannt DEFAULT VALUES;

-- How many Mandanten there are that have not cancelled, for whoever may put in one more or show how many are left.
CREATE FUNCTION zw_mandanten_anzahl() RETURNS TABLE (anzahl bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT count(*) FROM mandanten WHERE status = 'aktiv'
$$;

GRANT SELECT ON lizenz_einsaetze, sperrliste_bekannt TO zaehlwerk_anfrage;
REVOKE ALL ON FUNCTION zw_lizenzschluessel, zw_mandanten_anzahl FROM PUBLIC;
GRANT EXECUTE ON FUNCTION zw_lizenzschluessel, zw_mandanten_anzahl TO zaehlwerk_anfrage;
