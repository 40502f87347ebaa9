-- The history of the status page (docs/decisions/0077): what was seen of each part, and for how long. Kept for 90 days.
CREATE TABLE zustand_spannen (
  spanne_id   uuid PRIMARY KEY,
  komponente  text NOT NULL,
  -- What nobody saw has no row.
  status      text NOT NULL CHECK (status IN ('ok', 'eingeschränkt', 'gestört')),
  -- By the clock of the database. Spans of several observers may overlap: the worst counts.
  von         timestamptz NOT NULL,
  bis         timestamptz NOT NULL,
  CHECK (bis >= von)
);
CREATE INDEX zustand_spannen_bis ON zustand_spannen (bis);

-- Which process writes down what all of them see alike; another one takes over when it has gone.
CREATE TABLE zustand_beobachter (
  nummer      integer PRIMARY KEY CHECK (nummer = 1),
  beobachter  uuid NOT NULL,
  gilt_bis    timestamptz NOT NULL
);

GRANT SELECT, INSERT, UPDATE, DELETE ON zustand_spannen TO zaehlwerk_anfrage;
GRANT SELECT, INSERT, UPDATE ON zustand_beobachter TO zaehlwerk_anfrage;

-- Mails whose last attempt failed, and how long the oldest of them has waited; no Mandant named.
CREATE FUNCTION zw_mail_stand() RETURNS TABLE (scheiternd bigint, sekunden double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT count(*), coalesce(extract(epoch FROM now() - min(erstellt_am)), 0)::double precision
  FROM auftraege WHERE job = 'postausgang.versenden' AND aufgegeben_am IS NULL AND fehler IS NOT NULL
$$;
REVOKE ALL ON FUNCTION zw_mail_stand FROM PUBLIC;
GRANT EXECUTE ON FUNCTION zw_mail_stand TO zaehlwerk_anfrage;
