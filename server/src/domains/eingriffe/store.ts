/** SQL of interventions under the request role. */
import { sql } from 'kysely';
import type { Objektart, Stufe } from '#contracts';
import type { MandantTx } from '#platform/database/index.ts';
import { CHANNEL } from './channel.ts';

const COLUMNS = [
  'eingriff_id',
  'stufe',
  'objekt_art',
  'objekt',
  'agent',
  'schatten',
  'regel_id',
  'befund_id',
  'grund_de',
  'grund_en',
  'veranlasst_von',
  'beginn',
  'bis',
  'aufgehoben_am',
  'aufgehoben_von',
  'missachtet',
  'abgerufen_am',
] as const;

export interface EingriffRow {
  eingriff_id: string;
  stufe: Stufe;
  objekt_art: Objektart;
  objekt: string;
  agent: string | null;
  schatten: boolean;
  regel_id: string | null;
  befund_id: string | null;
  grund_de: string;
  grund_en: string;
  veranlasst_von: string | null;
  beginn: string;
  bis: string | null;
  aufgehoben_am: string | null;
  aufgehoben_von: string | null;
  missachtet: number;
  /** When it was first handed to a key that sends calls it is about. */
  abgerufen_am: string | null;
  /** Latest call of the run, or of the agent, it is about; null where it is about neither, or none is known. */
  letzter_aufruf_am: string | null;
}

const lastCall = (tx: MandantTx) => sql<string | null>`CASE objekt_art
  WHEN 'lauf' THEN (SELECT l.ende FROM laeufe l WHERE l.mandant_id = ${tx.mandant}
    AND l.lauf_id = CASE WHEN eingriffe.objekt_art = 'lauf' THEN eingriffe.objekt::uuid END)
  WHEN 'agent' THEN (SELECT a.letzter_aufruf_am FROM agenten a WHERE a.mandant_id = ${tx.mandant} AND a.schluessel = eingriffe.objekt)
  END`;

const select = (tx: MandantTx) =>
  tx
    .selectFrom('eingriffe')
    .select(COLUMNS)
    .select(lastCall(tx).as('letzter_aufruf_am'))
    .where('mandant_id', '=', tx.mandant)
    .$castTo<EingriffRow>();

/** Notes of those that nobody was handed before. */
export async function markHandedOut(tx: MandantTx, ids: string[], am: string, von: string): Promise<void> {
  await tx
    .updateTable('eingriffe')
    .set({ abgerufen_am: am, abgerufen_von: von })
    .where('mandant_id', '=', tx.mandant)
    .where('eingriff_id', 'in', ids)
    .where('abgerufen_am', 'is', null)
    .execute();
}

/** Those that began since then, latest first, at most so many, those behind `after`. */
export function readEingriffe(
  tx: MandantTx,
  { since, limit, after }: { since: string; limit: number; after: string | undefined },
): Promise<EingriffRow[]> {
  let query = select(tx).where('beginn', '>=', since);
  if (after) query = query.where('eingriff_id', '<', after);
  return query.orderBy('eingriff_id', 'desc').limit(limit).execute();
}

/** Those that hold now, latest first, at most so many, those behind `after`. */
export function readInForce(
  tx: MandantTx,
  now: string,
  limit: number,
  after?: string,
): Promise<EingriffRow[]> {
  let query = select(tx)
    .where('aufgehoben_am', 'is', null)
    .where('schatten', '=', false)
    .where(({ eb, or }) => or([eb('bis', 'is', null), eb('bis', '>', now)]));
  if (after) query = query.where('eingriff_id', '<', after);
  return query.orderBy('eingriff_id', 'desc').limit(limit).execute();
}

/** Those a finding has led to, latest first. */
export const readOfBefund = (tx: MandantTx, befundId: string): Promise<EingriffRow[]> =>
  select(tx).where('befund_id', '=', befundId).orderBy('eingriff_id', 'desc').limit(20).execute();

/** Those that any of these findings has led to, latest first. */
export const readOfBefunde = (tx: MandantTx, befundIds: string[]): Promise<EingriffRow[]> =>
  select(tx).where('befund_id', 'in', befundIds).orderBy('eingriff_id', 'desc').execute();

/** Undefined when the Mandant has no such intervention. */
export const lockEingriff = (tx: MandantTx, id: string): Promise<EingriffRow | undefined> =>
  select(tx).where('eingriff_id', '=', id).forUpdate().executeTakeFirst();

export async function liftEingriff(tx: MandantTx, id: string, am: string, von: string): Promise<void> {
  await tx
    .updateTable('eingriffe')
    .set({ aufgehoben_am: am, aufgehoben_von: von })
    .where('mandant_id', '=', tx.mandant)
    .where('eingriff_id', '=', id)
    .execute();
  await notify(tx);
}

/** Puts in force what a person has decided. */
export async function insertByHand(
  tx: MandantTx,
  row: Pick<
    EingriffRow,
    'eingriff_id' | 'stufe' | 'objekt_art' | 'objekt' | 'agent' | 'grund_de' | 'grund_en' | 'beginn' | 'bis'
  > & { veranlasst_von: string },
): Promise<void> {
  await tx
    .insertInto('eingriffe')
    .values({ ...row, mandant_id: tx.mandant, schatten: false })
    .execute();
  await notify(tx);
}

/** Processes hear of it when the transaction commits. */
const notify = (tx: MandantTx) => sql`SELECT pg_notify(${CHANNEL}, ${tx.mandant})`.execute(tx);

/** The agent of a run; undefined when the Mandant has no such run. */
export const readAgentOfRun = (tx: MandantTx, laufId: string): Promise<{ agent: string } | undefined> =>
  tx
    .selectFrom('laeufe')
    .select('agent')
    .where('mandant_id', '=', tx.mandant)
    .where('lauf_id', '=', laufId)
    .executeTakeFirst();
