/** Working on an import: its calls go into the inbox, part after part, or are taken back. Runs as the owner. */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import { recordChange, SYSTEM } from '#domains/protokoll/index.ts';
import { giveWay, lockCounting, takeBackImported } from '#domains/zaehlung/index.ts';
import type { JobContext } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { continueAsMandant } from '#platform/database/index.ts';
import { closedSpans } from '../closed.ts';

interface HeldImport {
  status: 'laeuft' | 'ruecknahme';
  datei: string;
  sha256: string;
  schluessel_id: string;
  projekt: string | null;
  uebergeben: string;
  gezaehlt: string;
  angenommen: string;
  zurueckgenommen: string;
}

/** Parts that wait to be counted at once: what is sent meanwhile waits behind them. */
const WAITING = 4;
/** Calls that are taken back in a transaction: as long as it lasts, nothing of the Mandant is counted. */
const AT_ONCE = 5_000;
/** After this many milliseconds others have their turn. */
const TURN = 20_000;
const LOOK = 50;

const STATUS = 'SELECT status FROM importe WHERE mandant_id = $1 AND import_id = $2';
const HOLD = `SELECT status, datei, sha256, schluessel_id, projekt, uebergeben::text, gezaehlt::text, angenommen::text, zurueckgenommen::text
  FROM importe WHERE mandant_id = $1 AND import_id = $2 AND status IN ('laeuft', 'ruecknahme') FOR UPDATE`;
const IN_INBOX = `SELECT count(*)::int AS anzahl FROM eingang WHERE mandant_id = $1 AND import_id = $2`;
const NEXT = `SELECT nr, anzahl, umfang, daten FROM import_teile WHERE mandant_id = $1 AND import_id = $2 ORDER BY nr LIMIT 1`;
const HAND_ON = `INSERT INTO eingang (mandant_id, eingang_id, empfangen_am, schluessel_id, projekt, anzahl, umfang, daten, import_id)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;
const HANDED = `UPDATE importe SET uebergeben = uebergeben + $3 WHERE mandant_id = $1 AND import_id = $2`;
const REMOVE_PART = 'DELETE FROM import_teile WHERE mandant_id = $1 AND import_id = $2 AND nr = $3';
const CLOSED = `SELECT to_char(monat, 'YYYY-MM') AS monat, zeitzone FROM abrechnungsmonate WHERE mandant_id = $1`;
const END = `UPDATE importe SET status = 'fertig', beendet_am = $3 WHERE mandant_id = $1 AND import_id = $2`;
const TAKEN = `UPDATE importe SET zurueckgenommen = zurueckgenommen + $3 WHERE mandant_id = $1 AND import_id = $2`;
const UNDONE = `UPDATE importe SET status = 'zurueckgenommen',
    geblieben = (SELECT count(*) FROM import_aufrufe a WHERE a.mandant_id = $1 AND a.import_id = $2)
  WHERE mandant_id = $1 AND import_id = $2 RETURNING zurueckgenommen, geblieben`;
const FORGET = 'DELETE FROM import_aufrufe WHERE mandant_id = $1 AND import_id = $2';

type Stand = NonNullable<Awaited<ReturnType<typeof lockCounting>>>;

/** Whom it is about, and what it needs. */
interface ImportTask {
  mandant: MandantId;
  id: string;
  now: () => Date;
}

/** What a step has come to: how many calls, and what is to be done then. */
interface StepResult {
  calls: number;
  next: 'on' | 'give_way' | 'wait' | 'over';
}

async function record(
  client: pg.PoolClient,
  { mandant, id, now }: ImportTask,
  { datei }: HeldImport,
  { aktion, nachher }: { aktion: string; nachher: Record<string, unknown> },
): Promise<void> {
  await recordChange(await continueAsMandant(client, mandant), mandant, now(), {
    akteur: SYSTEM,
    aktion,
    objekt: { art: 'import', id, name: datei },
    nachher,
  });
}

async function finish(client: pg.PoolClient, task: ImportTask, row: HeldImport): Promise<StepResult> {
  await client.query(END, [task.mandant, task.id, task.now().toISOString()]);
  const [uebergeben, gezaehlt, angenommen] = [row.uebergeben, row.gezaehlt, row.angenommen].map(Number) as [
    number,
    number,
    number,
  ];
  await record(client, task, row, {
    aktion: 'import.fertig',
    nachher: {
      sha256: row.sha256,
      angenommen,
      schon_da: gezaehlt - angenommen,
      abgewiesen: uebergeben - gezaehlt,
    },
  });
  return { calls: 0, next: 'over' };
}

/** The next part goes into the inbox, and from what waits, in one transaction. */
async function handOn(
  client: pg.PoolClient,
  task: ImportTask,
  row: HeldImport,
  waiting: number,
): Promise<StepResult> {
  const { mandant, id, now } = task;
  const { rows } = await client.query<{ nr: number; anzahl: number; umfang: number; daten: Buffer }>(NEXT, [
    mandant,
    id,
  ]);
  const [part] = rows;
  if (!part) return waiting === 0 ? finish(client, task, row) : { calls: 0, next: 'wait' };
  const { nr, anzahl, umfang, daten } = part;
  const values = [mandant, uuidv7(), now().toISOString(), row.schluessel_id, row.projekt];
  await client.query(HAND_ON, [...values, anzahl, umfang, daten, id]);
  await client.query(REMOVE_PART, [mandant, id, nr]);
  await client.query(HANDED, [mandant, id, anzahl]);
  return { calls: anzahl, next: 'on' };
}

const numbersOf = (row: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));

/** Some calls are taken back; those of closed months stay. */
async function takeBack(
  client: pg.PoolClient,
  task: ImportTask,
  row: HeldImport,
  stand: Stand,
): Promise<StepResult> {
  const { mandant, id } = task;
  const closed = await client.query<{ monat: string; zeitzone: string }>(CLOSED, [mandant]);
  const stays = closedSpans(closed.rows);
  const stretch = { mandant, importId: id, stays, limit: AT_ONCE };
  const { picked, taken } = await takeBackImported(client, stand, stretch);
  await client.query(TAKEN, [mandant, id, taken]);
  if (picked > 0) return { calls: taken, next: 'give_way' };
  const { rows } = await client.query<Record<string, string>>(UNDONE, [mandant, id]);
  await client.query(FORGET, [mandant, id]);
  await record(client, task, row, { aktion: 'import.zurueckgenommen', nachher: numbersOf(rows[0]) });
  return { calls: 0, next: 'over' };
}

async function step(client: pg.PoolClient, task: ImportTask): Promise<StepResult> {
  const { mandant, id } = task;
  const asked = (await client.query<Pick<HeldImport, 'status'>>(STATUS, [mandant, id])).rows[0];
  // Before its row, as counting takes it first, too.
  const stand = asked?.status === 'ruecknahme' ? await lockCounting(client, mandant) : null;
  const [row] = (await client.query<HeldImport>(HOLD, [mandant, id])).rows;
  if (!row) return { calls: 0, next: 'over' };
  const { rows } = await client.query<{ anzahl: number }>(IN_INBOX, [mandant, id]);
  const waiting = rows[0]?.anzahl ?? 0;
  if (row.status === 'laeuft')
    return waiting >= WAITING ? { calls: 0, next: 'wait' } : handOn(client, task, row, waiting);
  // Of one that failed something may wait to be counted still.
  return stand === null || waiting > 0 ? { calls: 0, next: 'wait' } : takeBack(client, task, row, stand);
}

const DEADLOCK = '40P01';
const TRIES = 5;

/** A step; where somebody else held what it wanted and wanted what it held, once more. */
async function takeStep(owner: JobContext['owner'], task: ImportTask): Promise<StepResult> {
  for (let tries = 1; ; tries += 1)
    try {
      return await owner.transaction((client) => step(client, task));
    } catch (error) {
      if ((error as { code?: string }).code !== DEADLOCK || tries === TRIES) throw error;
    }
}

/** Works on it until it is over or others are to have their turn; resolves with how many calls were handed on or taken back. */
export async function workOn(
  { owner, clock }: Pick<JobContext, 'owner' | 'clock'>,
  mandant: MandantId,
  id: string,
): Promise<{ calls: number; over: boolean }> {
  const task: ImportTask = { mandant, id, now: clock.now };
  const until = performance.now() + TURN;
  for (let sum = 0; ; ) {
    const { calls, next } = await takeStep(owner, task);
    sum += calls;
    if (next === 'over' || performance.now() > until) return { calls: sum, over: next === 'over' };
    if (next === 'wait') await delay(LOOK);
    if (next === 'give_way') await giveWay(owner, mandant);
  }
}

const GIVE_UP = `UPDATE importe SET status = 'fehlgeschlagen', beendet_am = coalesce(beendet_am, $3)
  WHERE mandant_id = $1 AND import_id = $2 AND status IN ('laeuft', 'ruecknahme')`;
const REMOVE_PARTS = 'DELETE FROM import_teile WHERE mandant_id = $1 AND import_id = $2';

/** Notes that a fault ended it; what was counted by then stays, and can be taken back. */
export async function giveUp(
  { owner, clock }: Pick<JobContext, 'owner' | 'clock'>,
  mandant: MandantId,
  id: string,
): Promise<void> {
  await owner.transaction(async (client) => {
    await client.query(GIVE_UP, [mandant, id, clock.now().toISOString()]);
    await client.query(REMOVE_PARTS, [mandant, id]);
  });
}
