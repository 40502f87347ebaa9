/**
 * Where the steps of the runs of one look are kept: tables of the connection, emptied by the end of its transaction. Several
 * detectors read the same calls in the order of their runs, so that they are read and sorted once; what is in them is narrow and on
 * disk, so that memory does not grow with the calls.
 */
import type pg from 'pg';

const CREATE = `
  CREATE TEMPORARY TABLE IF NOT EXISTS detektoren_laeufe (
    lauf_id      uuid PRIMARY KEY,
    agent        text COLLATE "C" NOT NULL,
    projekt      text COLLATE "C" NOT NULL,
    endkunde_ref text COLLATE "C",
    -- The run that this one was begun from.
    eltern_lauf  uuid,
    beginn       timestamptz NOT NULL,
    ende         timestamptz NOT NULL,
    aufrufe      bigint NOT NULL,
    fehler       bigint NOT NULL,
    unbepreist   bigint NOT NULL,
    kosten_eur   numeric,
    verbrannt_eur numeric NOT NULL
  ) ON COMMIT DELETE ROWS;
  -- What has a fixed length stands first, by its alignment: each detector reads most rows, and the place of a column is known then.
  CREATE TEMPORARY TABLE IF NOT EXISTS detektoren_schritte (
    zeitpunkt    timestamptz NOT NULL,
    -- When it came in, by the clock of the service.
    empfangen    timestamptz NOT NULL,
    -- Input in all, and its parts.
    eingabe      bigint NOT NULL,
    ohne_cache   bigint NOT NULL,
    lese         bigint NOT NULL,
    -- Input of the first step of the run that succeeded, and the largest so far.
    erste_eingabe bigint NOT NULL,
    groesste_eingabe bigint NOT NULL,
    -- Place within the run, from 1, and among those that succeeded; null for a failed one.
    nr           integer NOT NULL,
    erfolg_nr    integer,
    -- Milliseconds from the end of the step before (of those that succeeded) to its beginning.
    pause        bigint,
    -- Whether none that succeeded comes after this one.
    letzter      boolean NOT NULL,
    failed       boolean NOT NULL,
    -- Of those that succeeded: same prompt, tools and model as the step before, and no other result; whether tools were called and the
    -- input has grown; the tools of the step before the last one, but not of the last one; and the same prompt as that.
    wiederholt   boolean NOT NULL,
    verlauf      boolean NOT NULL,
    pendelt      boolean NOT NULL,
    gleich_gefragt boolean NOT NULL,
    ereignis_id  uuid NOT NULL,
    lauf_id      uuid NOT NULL,
    prompt       bigint,
    werkzeug     bytea,
    schritt_nr   bigint,
    -- Of the step before among those that succeeded: its input, when it was, its prompt, and what the cache held after it.
    eingabe_vor  bigint,
    zeit_vor     timestamptz,
    prompt_vor   bigint,
    im_cache_vor bigint,
    kosten_eur   numeric,
    -- Null when the sender has told no counts.
    ausgabe      numeric,
    -- Of the output, as the sender counts it.
    denk         bigint NOT NULL,
    kurs         numeric NOT NULL,
    agent        text COLLATE "C" NOT NULL,
    funktion_ref text COLLATE "C",
    modell       text COLLATE "C" NOT NULL,
    anbieter     text COLLATE "C" NOT NULL
  ) ON COMMIT DELETE ROWS;
  CREATE INDEX IF NOT EXISTS detektoren_schritte_lauf ON detektoren_schritte (lauf_id, nr);
  -- Few of many: what begins with them reads nothing else.
  CREATE INDEX IF NOT EXISTS detektoren_schritte_wiederholt ON detektoren_schritte (lauf_id, nr) WHERE wiederholt;
  CREATE INDEX IF NOT EXISTS detektoren_schritte_pendelt ON detektoren_schritte (lauf_id, nr) WHERE pendelt;
  CREATE INDEX IF NOT EXISTS detektoren_schritte_letzter ON detektoren_schritte (lauf_id) WHERE letzter;
  -- USD for one token (and for a call), for calls with more than \`ab\` and at most \`hoechstens\` input tokens.
  CREATE TEMPORARY TABLE IF NOT EXISTS detektoren_preise (
    anbieter   text COLLATE "C" NOT NULL,
    modell     text COLLATE "C" NOT NULL,
    von        timestamptz NOT NULL,
    bis        timestamptz NOT NULL,
    ab         numeric NOT NULL,
    hoechstens numeric NOT NULL,
    eingabe    numeric,
    lesen      numeric,
    schreiben  numeric,
    ausgabe    numeric,
    aufruf     numeric NOT NULL
  ) ON COMMIT DELETE ROWS;
  -- Which approved model may stand for those whose name is like the pattern.
  CREATE TEMPORARY TABLE IF NOT EXISTS detektoren_ersatz (
    ersatz text COLLATE "C" NOT NULL,
    muster text COLLATE "C" NOT NULL
  ) ON COMMIT DELETE ROWS`;

/**
 * Sorting a day in files of a few dozen megabytes instead of many small ones; compiling a statement takes longer than it saves, and
 * so do fine statistics. One core is enough for what nobody waits for: the others count. Of many calls few are told, which the
 * planner does not know: it would sort them all to merge them.
 */
const SETTINGS = `SET LOCAL work_mem = '64MB'; SET LOCAL jit = off; SET LOCAL default_statistics_target = 10;
  SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL enable_mergejoin = off;
  SET LOCAL client_min_messages = warning`;

/** Several Mandanten may be looked at in one transaction, one after the other. */
const EMPTY =
  'DELETE FROM detektoren_laeufe; DELETE FROM detektoren_schritte; DELETE FROM detektoren_preise; DELETE FROM detektoren_ersatz';

/** Makes the tables of the connection unless it has them, with nothing in them. Inside a transaction. */
export async function prepareTables(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query(`${SETTINGS}; ${CREATE}; ${EMPTY}`);
}
