-- Jobs that wait, written in the transaction that causes them (docs/decisions/0023-jobs.md). An account table: it stays on
-- the coordinator of a cluster.
CREATE TABLE auftraege (
  -- The nil UUID for what concerns the installation, not one Mandant.
  mandant_id     uuid NOT NULL,
  auftrag_id     uuid NOT NULL,
  job            text NOT NULL,
  -- Version of the payload.
  fassung        integer NOT NULL,
  nutzlast       jsonb NOT NULL,
  -- A run of the schedule.
  geplant        boolean NOT NULL DEFAULT false,
  erstellt_am    timestamptz NOT NULL DEFAULT now(),
  -- The next attempt; while one is under way, when its claim lapses.
  faellig_am     timestamptz NOT NULL DEFAULT now(),
  versuche       integer NOT NULL DEFAULT 0,
  -- Why the last attempt failed.
  fehler         text,
  -- A dead letter since.
  aufgegeben_am  timestamptz,
  PRIMARY KEY (mandant_id, auftrag_id)
);

-- The order of fetching: Mandant by Mandant.
CREATE INDEX auftraege_reihe ON auftraege (job, mandant_id, faellig_am) WHERE aufgegeben_am IS NULL;

CREATE INDEX auftraege_faellig ON auftraege (faellig_am) WHERE aufgegeben_am IS NULL;

-- A job of the schedule waits or runs once, however many instances ask for it.
CREATE UNIQUE INDEX auftraege_geplant ON auftraege (mandant_id, job) WHERE geplant;

ALTER TABLE auftraege ENABLE ROW LEVEL SECURITY;

CREATE POLICY mandant ON auftraege TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);

-- Requests put jobs in and do nothing else: neither read them nor say when they run.
GRANT INSERT (mandant_id, auftrag_id, job, fassung, nutzlast) ON auftraege TO zaehlwerk_anfrage;

-- What waits and what was given up, by job; no Mandant named.
CREATE FUNCTION zw_auftraege_stand()
RETURNS TABLE (job text, wartend bigint, sekunden double precision, aufgegeben bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT job, count(*) FILTER (WHERE aufgegeben_am IS NULL),
    coalesce(extract(epoch FROM now() - min(faellig_am) FILTER (WHERE aufgegeben_am IS NULL AND faellig_am <= now())), 0)
      ::double precision,
    count(*) FILTER (WHERE aufgegeben_am IS NOT NULL)
  FROM auftraege GROUP BY job ORDER BY job
$$;

REVOKE ALL ON FUNCTION zw_auftraege_stand FROM PUBLIC;

GRANT EXECUTE ON FUNCTION zw_auftraege_stand TO zaehlwerk_anfrage;

-- Mails that wait already. From here on the job knows when the next attempt is, and why the last one failed.
INSERT INTO auftraege (mandant_id, auftrag_id, job, fassung, nutzlast, erstellt_am, faellig_am, versuche, fehler)
SELECT mandant_id, post_id, 'postausgang.versenden', 1, jsonb_build_object('post_id', post_id), erstellt_am,
  naechster_versuch, versuche, fehler
FROM postausgang;

DROP INDEX postausgang_faellig;

ALTER TABLE postausgang DROP COLUMN versuche;

ALTER TABLE postausgang DROP COLUMN naechster_versuch;

ALTER TABLE postausgang DROP COLUMN fehler;
