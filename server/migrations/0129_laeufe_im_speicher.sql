-- expand: what rules need of runs is in the memory of the process that counts them (docs/decisions/0149).

-- Grows where calls of the run change that were counted before: who remembers the run by an earlier one reads it anew.
ALTER TABLE laeufe ADD COLUMN fassung integer NOT NULL DEFAULT 0;
-- The runs of a mark, and the memory that holds them as they are with it; null of what the former release has counted.
ALTER TABLE zaehlmarken ADD COLUMN laeufe uuid[];
ALTER TABLE zaehlmarken ADD COLUMN gedaechtnis uuid;

-- Indexes on columns that change with each call have each call write its run into all of them anew. The minute of the latest call changes
-- once a minute; within it runs are put in order when they are read.
ALTER TABLE laeufe ADD COLUMN ende_minute timestamptz
  GENERATED ALWAYS AS (date_bin('1 minute', ende, '2000-01-01T00:00:00Z')) STORED;
ALTER TABLE laeufe SET (fillfactor = 70);
CREATE INDEX laeufe_ende_minute ON laeufe (mandant_id, ende_minute DESC);
CREATE INDEX laeufe_agent_minute ON laeufe (mandant_id, agent, ende_minute DESC);
CREATE INDEX laeufe_endkunde_minute ON laeufe (mandant_id, endkunde_ref, ende_minute DESC) WHERE endkunde_ref IS NOT NULL;
DROP INDEX laeufe_ende;
DROP INDEX laeufe_agent;
DROP INDEX laeufe_endkunde;

-- Nobody keeps them any more. The table is still there, since 0.2.0 reads and writes it while it may run, and goes with the migration that
-- follows once it does not; states that are not kept would be wrong, and without one 0.2.0 reads a run anew.
DELETE FROM lauf_zustaende;
