/** SQL of interventions under the request role. */
import { sql } from 'kysely';
import type { Eingriff, Objektart, Static, Stufe } from '#contracts';
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
  'aufgehoben_grund',
  'gnade_bis',
  'missachtet',
  'abgerufen_am',
] as const;

export type Aufhebungsgrund = NonNullable<Static<typeof Eingriff>['aufgehoben_grund']>;

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
  aufgehoben_grund: Aufhebungsgrund | null;
  gnade_bis: string | null;
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

/** Those that began since then, latest first, at most this many, those behind `after`. */
export function readEingriffe(
  tx: MandantTx,
  { since, limit, after }: { since: string; limit: number; after: string | undefined },
): Promise<EingriffRow[]> {
  let query = select(tx).where('beginn', '>=', since);
  if (after) query = query.where('eingriff_id', '<', after);
  return query.orderBy('eingriff_id', 'desc').limit(limit).execute();
}

/** The wider it is, the earlier it comes: what is about one agent before its runs, and all else before that. */
const BREITE = sql<number>`CASE objekt_art WHEN 'mandant' THEN 0 WHEN 'agent' THEN 2 WHEN 'lauf' THEN 3 ELSE 1 END`;

/** Of all those that hold now. */
const GILT = (now: string) =>
  sql<boolean>`aufgehoben_am IS NULL AND NOT schatten AND coalesce(bis, 'infinity') > ${now}`;

/** Those that hold now, wider ones first, of each the latest, at most this many, those behind `after`. */
export async function readInForce(
  tx: MandantTx,
  now: string,
  limit: number,
  after: [breite: string, eingriff_id: string] | null,
): Promise<(EingriffRow & { breite: number })[]> {
  let query = select(tx).select(BREITE.as('breite')).where(GILT(now));
  if (after)
    query = query.where(
      sql<boolean>`(${BREITE} > ${after[0]}::int OR ${BREITE} = ${after[0]}::int AND eingriff_id < ${after[1]}::uuid)`,
    );
  return query.orderBy(BREITE).orderBy('eingriff_id', 'desc').limit(limit).execute();
}

/** What is known in memory of an intervention in force. */
export type InForceRow = Pick<
  EingriffRow,
  | 'eingriff_id'
  | 'stufe'
  | 'objekt_art'
  | 'objekt'
  | 'agent'
  | 'grund_de'
  | 'grund_en'
  | 'beginn'
  | 'bis'
  | 'abgerufen_am'
>;

/** All that hold now, wider ones first, of each the latest. */
export const readAllInForce = (tx: MandantTx, now: string): Promise<InForceRow[]> =>
  tx
    .selectFrom('eingriffe')
    .select([
      'eingriff_id',
      'stufe',
      'objekt_art',
      'objekt',
      'agent',
      'grund_de',
      'grund_en',
      'beginn',
      'bis',
    ])
    .select('abgerufen_am')
    .where('mandant_id', '=', tx.mandant)
    .where(GILT(now))
    .orderBy(BREITE)
    .orderBy('eingriff_id', 'desc')
    .$castTo<InForceRow>()
    .execute();

/** Those a finding has led to, latest first. */
export const readOfBefund = (tx: MandantTx, befundId: string): Promise<EingriffRow[]> =>
  select(tx).where('befund_id', '=', befundId).orderBy('eingriff_id', 'desc').limit(20).execute();

/** Those that any of these findings has led to, latest first. */
export const readOfBefunde = (tx: MandantTx, befundIds: string[]): Promise<EingriffRow[]> =>
  select(tx).where('befund_id', 'in', befundIds).orderBy('eingriff_id', 'desc').execute();

/** Undefined when the Mandant has no such intervention. */
export const lockEingriff = (tx: MandantTx, id: string): Promise<EingriffRow | undefined> =>
  select(tx).where('eingriff_id', '=', id).forUpdate().executeTakeFirst();

/** Until when, and of a run up to how many calls and how much money, a rule leaves alone what a person has let go. */
export interface Gnade {
  gnade_bis: string | null;
  gnade_aufrufe: string | number | null;
  gnade_kosten_eur: string | null;
}

/** Lifts one by hand. */
export async function liftEingriff(
  tx: MandantTx,
  id: string,
  { am, von, gnade }: { am: string; von: string; gnade: Gnade },
): Promise<void> {
  await tx
    .updateTable('eingriffe')
    .set({ aufgehoben_am: am, aufgehoben_von: von, aufgehoben_grund: 'hand', ...gnade })
    .where('mandant_id', '=', tx.mandant)
    .where('eingriff_id', '=', id)
    .execute();
  await notify(tx);
}

/** How far a run has come; undefined when the Mandant has no such run. */
export const readRunFigures = (tx: MandantTx, laufId: string) =>
  tx
    .selectFrom('laeufe')
    .select(['aufrufe', 'kosten_eur'])
    .where('mandant_id', '=', tx.mandant)
    .where('lauf_id', '=', laufId)
    .executeTakeFirst();

/** The rest period of an agent; null where none is set, or there is no such agent. */
export async function readRuhezeit(tx: MandantTx, agent: string): Promise<string | null> {
  const row = await tx
    .selectFrom('agenten')
    .select('ruhezeit')
    .where('mandant_id', '=', tx.mandant)
    .where('schluessel', '=', agent)
    .executeTakeFirst();
  return row?.ruhezeit ?? null;
}

/** Lifts those in force that a rule or findings have caused; resolves with what they were about. */
export async function liftCaused(
  tx: MandantTx,
  of: { regel_id: string } | { befunde: string[] },
  { am, von, grund }: { am: string; von: string; grund: Aufhebungsgrund },
): Promise<Pick<EingriffRow, 'eingriff_id' | 'stufe' | 'objekt_art' | 'objekt'>[]> {
  const all = tx
    .updateTable('eingriffe')
    .set({ aufgehoben_am: am, aufgehoben_von: von, aufgehoben_grund: grund })
    .where('mandant_id', '=', tx.mandant)
    .where(GILT(am));
  const own =
    'regel_id' in of ? all.where('regel_id', '=', of.regel_id) : all.where('befund_id', 'in', of.befunde);
  const lifted = await own.returning(['eingriff_id', 'stufe', 'objekt_art', 'objekt']).execute();
  if (lifted.length > 0) await notify(tx);
  return lifted as Pick<EingriffRow, 'eingriff_id' | 'stufe' | 'objekt_art' | 'objekt'>[];
}

/** Waits for the recording of findings of the Mandant, and has the next one wait: what they order is seen, or not ordered any more. */
export const lockFindings = (tx: MandantTx) =>
  sql`SELECT pg_advisory_xact_lock(hashtext('befunde'), hashtext(${tx.mandant}::text))`.execute(tx);

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
export const notify = (tx: MandantTx) => sql`SELECT pg_notify(${CHANNEL}, ${tx.mandant})`.execute(tx);

/** The agent of a run; undefined when the Mandant has no such run. */
export const readAgentOfRun = (tx: MandantTx, laufId: string): Promise<{ agent: string } | undefined> =>
  tx
    .selectFrom('laeufe')
    .select('agent')
    .where('mandant_id', '=', tx.mandant)
    .where('lauf_id', '=', laufId)
    .executeTakeFirst();
