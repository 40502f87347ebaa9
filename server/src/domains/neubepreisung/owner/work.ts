/** A repricing from its row to its end, some thousand calls in each transaction. Runs as the owner. */
import type pg from 'pg';
import { createMandantPrices, type MandantPrices, type PriceList } from '#domains/preise/index.ts';
import { recordChange, SYSTEM } from '#domains/protokoll/index.ts';
import {
  giveWay,
  type Looked,
  lockCounting,
  lookAtPrices,
  type Place,
  type PriceStretch,
  repriceCalls,
} from '#domains/zaehlung/index.ts';
import type { JobContext } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { continueAsMandant } from '#platform/database/index.ts';
import { addLines } from './lines.ts';

interface Row {
  status: 'vorschau' | 'laeuft';
  von: string;
  bis: string;
  zeitzone: string;
  fassung: number;
  liste: string | null;
  stand_zeitpunkt: string | null;
  stand_id: string | null;
}

/** Calls of one transaction: as long as it lasts, nothing of the Mandant is counted. */
const AT_ONCE = 25_000;
/** After this many milliseconds others have their turn. */
const TURN = 20_000;

const STATUS = 'SELECT status FROM neubepreisungen WHERE mandant_id = $1 AND neubepreisung_id = $2';
const HOLD = `SELECT status, von, bis, zeitzone, fassung, liste, stand_zeitpunkt, stand_id FROM neubepreisungen
  WHERE mandant_id = $1 AND neubepreisung_id = $2 AND status IN ('vorschau', 'laeuft') FOR UPDATE`;
const NAME_LIST = 'UPDATE neubepreisungen SET liste = $3 WHERE mandant_id = $1 AND neubepreisung_id = $2';
const ADVANCE = `UPDATE neubepreisungen SET gelesen = gelesen + $3, stand_zeitpunkt = $4, stand_id = $5
  WHERE mandant_id = $1 AND neubepreisung_id = $2`;
const END = `UPDATE neubepreisungen SET status = $3, grund = $4, beendet_am = $5
  WHERE mandant_id = $1 AND neubepreisung_id = $2`;
const CHANGES = `SELECT coalesce(sum(geaendert), 0)::float8 AS geaendert, trim_scale(coalesce(sum(differenz_eur), 0))::text AS differenz_eur
  FROM neubepreisung_zeilen WHERE mandant_id = $1 AND neubepreisung_id = $2`;

/** Whom it is about, and what it needs. */
interface Task {
  mandant: MandantId;
  id: string;
  books: MandantPrices;
  now: () => Date;
}

async function finish(client: pg.PoolClient, { mandant, id, now }: Task, { status, von, bis }: Row) {
  if (status === 'vorschau') {
    await client.query(END, [mandant, id, 'bereit', null, null]);
    return;
  }
  await client.query(END, [mandant, id, 'fertig', null, now().toISOString()]);
  const { rows } = await client.query(CHANGES, [mandant, id]);
  await recordChange(await continueAsMandant(client, mandant), mandant, now(), {
    akteur: SYSTEM,
    aktion: 'neubepreisung.fertig',
    objekt: { art: 'neubepreisung', id, name: `${von} – ${bis}` },
    nachher: rows[0] as Record<string, unknown>,
  });
}

function stretchOf(mandant: MandantId, row: Row): PriceStretch {
  const begin = (day: string) =>
    Temporal.PlainDate.from(day).toZonedDateTime(row.zeitzone).toInstant().toString();
  const after: Place | null =
    row.stand_zeitpunkt === null || row.stand_id === null
      ? null
      : { zeitpunkt: row.stand_zeitpunkt, ereignis_id: row.stand_id };
  return { mandant, zone: row.zeitzone, from: begin(row.von), to: begin(row.bis), after, limit: AT_ONCE };
}

/** The next calls; how many there were, and whether it is over. */
async function step(client: pg.PoolClient, task: Task): Promise<{ read: number; over: boolean }> {
  const { mandant, id, books } = task;
  const asked = (await client.query<Pick<Row, 'status'>>(STATUS, [mandant, id])).rows[0];
  // Before its row, as counting takes it first, too. What is only looked at keeps nobody from counting.
  const stand = asked?.status === 'laeuft' ? await lockCounting(client, mandant) : null;
  const { rows } = await client.query<Row>(HOLD, [mandant, id]);
  const [row] = rows;
  if (!row) return { read: 0, over: true };
  if (row.status === 'laeuft' && !stand) {
    // Somebody has it applied since; else nothing of the Mandant was ever counted.
    const over = asked?.status === 'laeuft';
    if (over) await finish(client, task, row);
    return { read: 0, over };
  }
  const prices = await books.current(client, mandant, row.zeitzone);
  const { edition } = prices.prices;
  if (row.liste === null) await client.query(NAME_LIST, [mandant, id, edition]);
  if (prices.fassung !== row.fassung || (row.liste !== null && row.liste !== edition)) {
    await client.query(END, [mandant, id, 'abgebrochen', 'preise_geaendert', task.now().toISOString()]);
    return { read: 0, over: true };
  }
  const stretch = stretchOf(mandant, row);
  const looked: Looked =
    row.status === 'laeuft' && stand
      ? await repriceCalls(client, stand, stretch, prices)
      : await lookAtPrices(client, stretch, prices);
  await addLines(client, mandant, id, looked.changed);
  const { read, last } = looked;
  if (last) await client.query(ADVANCE, [mandant, id, read, last.zeitpunkt, last.ereignis_id]);
  const over = read < AT_ONCE;
  if (over) await finish(client, task, row);
  return { read, over };
}

const DEADLOCK = '40P01';
const TRIES = 5;

/** A step; where somebody else held what it wanted and wanted what it held, once more. */
async function takeStep(owner: JobContext['owner'], task: Task): ReturnType<typeof step> {
  for (let tries = 1; ; tries += 1)
    try {
      return await owner.transaction((client) => step(client, task));
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK || tries === TRIES) throw error;
    }
}

/** Works on it until it is over or others are to have their turn; resolves with how many calls were looked at. */
export async function workOn(
  { owner, clock, list }: Pick<JobContext, 'owner' | 'clock'> & { list: PriceList },
  mandant: MandantId,
  id: string,
): Promise<{ gelesen: number; over: boolean }> {
  const task: Task = { mandant, id, books: createMandantPrices(list), now: clock.now };
  const until = performance.now() + TURN;
  for (let gelesen = 0; ; ) {
    const { read, over } = await takeStep(owner, task);
    gelesen += read;
    if (over || performance.now() > until) return { gelesen, over };
    await giveWay(owner, mandant);
  }
}

const GIVE_UP = `UPDATE neubepreisungen SET status = 'fehlgeschlagen', beendet_am = $3
  WHERE mandant_id = $1 AND neubepreisung_id = $2 AND status IN ('vorschau', 'laeuft')`;

/** Notes that a fault ended it; what had changed by then stays. */
export async function giveUp(
  { owner, clock }: Pick<JobContext, 'owner' | 'clock'>,
  mandant: MandantId,
  id: string,
): Promise<void> {
  await owner.query(GIVE_UP, [mandant, id, clock.now().toISOString()]);
}
