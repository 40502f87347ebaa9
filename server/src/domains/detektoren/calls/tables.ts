/**
 * Where the calls of one look are kept: tables of the connection, emptied by the end of its transaction. Several detectors read
 * the same calls in the order of their runs, so that they are read and sorted once; what is in them is narrow and on disk, so that
 * memory does not grow with the calls.
 */
import type pg from 'pg';

const CREATE = `
  CREATE TEMPORARY TABLE IF NOT EXISTS detektoren_laeufe (
    lauf_id      uuid PRIMARY KEY,
    agent        text COLLATE "C" NOT NULL,
    projekt      text COLLATE "C" NOT NULL,
    endkunde_ref text COLLATE "C",
    beginn       timestamptz NOT NULL,
    ende         timestamptz NOT NULL,
    aufrufe      bigint NOT NULL,
    fehler       bigint NOT NULL,
    unbepreist   bigint NOT NULL,
    kosten_eur   numeric,
    verbrannt_eur numeric NOT NULL
  ) ON COMMIT DELETE ROWS;
  CREATE TEMPORARY TABLE IF NOT EXISTS detektoren_aufrufe (
    ereignis_id  uuid NOT NULL,
    zeitpunkt    timestamptz NOT NULL,
    -- Of the window; else a call before it of a run that goes on within.
    im_fenster   boolean NOT NULL,
    lauf_id      uuid,
    -- Place within the run, from 1; of calls without a run it means nothing.
    nr           integer NOT NULL,
    schritt_nr   bigint,
    anbieter     text COLLATE "C" NOT NULL,
    modell       text COLLATE "C" NOT NULL,
    agent        text COLLATE "C" NOT NULL,
    projekt      text COLLATE "C" NOT NULL,
    endkunde_ref text COLLATE "C",
    funktion_ref text COLLATE "C",
    failed       boolean NOT NULL,
    prompt       bigint,
    werkzeug     bigint,
    -- Same prompt, tools and model as the step before; the tools of the step before the last one, but not of the last one.
    wiederholt   boolean NOT NULL,
    pendelt      boolean NOT NULL,
    -- Input in all, and its parts; of the step before, and when that was.
    eingabe      bigint NOT NULL,
    ohne_cache   bigint NOT NULL,
    lese         bigint NOT NULL,
    eingabe_vor  bigint,
    zeit_vor     timestamptz,
    -- Of the first step of the run; whether there is none after this one.
    erste_eingabe bigint NOT NULL,
    letzter      boolean NOT NULL,
    -- Null when the sender has told no counts.
    ausgabe      numeric,
    denk         bigint NOT NULL,
    werkzeuge    bigint NOT NULL,
    kosten_eur   numeric,
    kurs         numeric NOT NULL
  ) ON COMMIT DELETE ROWS;
  CREATE INDEX IF NOT EXISTS detektoren_aufrufe_lauf ON detektoren_aufrufe (lauf_id, nr);
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
  ) ON COMMIT DELETE ROWS`;

/** Sorting a day in files of a few dozen megabytes instead of many small ones; compiling a statement takes longer than it saves. */
const SETTINGS = `SET LOCAL work_mem = '64MB'; SET LOCAL jit = off; SET LOCAL client_min_messages = warning`;

/** Several Mandanten may be looked at in one transaction, one after the other. */
const EMPTY = 'DELETE FROM detektoren_laeufe; DELETE FROM detektoren_aufrufe; DELETE FROM detektoren_preise';

/** Makes the tables of the connection unless it has them, with nothing in them. Inside a transaction. */
export async function prepareTables(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  await client.query(SETTINGS);
  await client.query(CREATE);
  await client.query(EMPTY);
}
