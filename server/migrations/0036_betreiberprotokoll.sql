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
