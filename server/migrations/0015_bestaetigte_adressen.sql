-- Whoever has shown to own a mailbox outranks whoever has only typed its address (docs/decisions/0036).

ALTER TABLE benutzer
  -- Since when the address is proven to be the user's; null: only typed, at a registration.
  ADD COLUMN email_bestaetigt_am timestamptz,
  -- Since when the address is another user's, who had the better right to it; this one can no longer sign in.
  ADD COLUMN email_verloren_am timestamptz;

DROP INDEX benutzer_email;
CREATE UNIQUE INDEX benutzer_email ON benutzer (zw_adresse(email)) WHERE email_verloren_am IS NULL;

-- Users who are there already: proven is who came by a link from a mail or by a company account, and whoever runs the
-- installation. Nothing tells whether the others own their address; they go on as before and are asked to confirm it.
UPDATE benutzer b SET email_bestaetigt_am = beleg.am
FROM (
  SELECT mandant_id, benutzer_id, min(am) AS am
  FROM (
    SELECT p.mandant_id, u.benutzer_id, p.zeitpunkt AS am
    FROM pruefprotokoll p JOIN benutzer u ON u.mandant_id = p.mandant_id AND u.benutzer_id::text = p.objekt_id
    WHERE p.objekt_art = 'benutzer' AND p.aktion IN ('einladung.angenommen', 'passwort.zurueckgesetzt')
    UNION ALL
    SELECT mandant_id, benutzer_id, erstellt_am FROM sso_identitaeten
    UNION ALL
    SELECT mandant_id, benutzer_id, now() FROM betreiber
  ) belege
  GROUP BY mandant_id, benutzer_id
) beleg
WHERE b.mandant_id = beleg.mandant_id AND b.benutzer_id = beleg.benutzer_id;

-- The link that confirms an address: one of each user, the latest.
CREATE TABLE email_bestaetigungen (
  mandant_id   uuid NOT NULL,
  benutzer_id  uuid NOT NULL,
  hash         bytea NOT NULL,
  erstellt_am  timestamptz NOT NULL,
  gueltig_bis  timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, benutzer_id),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);
ALTER TABLE email_bestaetigungen ENABLE ROW LEVEL SECURITY;
ALTER TABLE email_bestaetigungen FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON email_bestaetigungen TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON email_bestaetigungen TO zaehlwerk_anfrage;

CREATE OR REPLACE FUNCTION zw_anmeldung_finden(gesucht text)
RETURNS TABLE (mandant_id uuid, benutzer_id uuid, passwort_hash text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT b.mandant_id, b.benutzer_id, b.passwort_hash
  FROM benutzer b JOIN mandanten m USING (mandant_id)
  WHERE zw_adresse(b.email) = zw_adresse(gesucht) AND b.email_verloren_am IS NULL AND b.aktiv AND m.status = 'aktiv'
$$;

-- Whose address it is, also of users who cannot sign in and of cancelled Mandanten: asked by whoever wants it for another user.
CREATE FUNCTION zw_adresse_finden(gesucht text) RETURNS TABLE (mandant_id uuid, benutzer_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT b.mandant_id, b.benutzer_id FROM benutzer b
  WHERE zw_adresse(b.email) = zw_adresse(gesucht) AND b.email_verloren_am IS NULL
$$;
REVOKE ALL ON FUNCTION zw_adresse_finden FROM PUBLIC;
GRANT EXECUTE ON FUNCTION zw_adresse_finden TO zaehlwerk_anfrage;
