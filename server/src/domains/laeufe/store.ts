/** SQL of runs. */
import { sql } from 'kysely';
import { SHOWN_COLUMNS } from '#domains/ereignisse/index.ts';
import { exactText, type MandantTx } from '#platform/database/index.ts';
import type { Ereignis, LaufRow } from './rules.ts';

const RUN = [
  'lauf_id',
  'agent',
  'projekt',
  'endkunde_ref',
  'status',
  'beginn',
  'ende',
  'aufrufe',
  'fehler',
  'unbepreist',
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
] as const;

const selectRuns = (tx: MandantTx) =>
  tx
    .selectFrom('laeufe')
    .select(RUN)
    .select(({ ref }) => [
      sql<number | string>`(extract(epoch FROM ende - beginn) * 1000)::bigint`.as('dauer_ms'),
      exactText(ref('kosten_eur')).as('kosten_eur'),
      exactText(ref('kosten_usd')).as('kosten_usd'),
      exactText(ref('verbranntes_geld_eur')).as('verbranntes_geld_eur'),
    ])
    .where('mandant_id', '=', tx.mandant);

export interface RunFilter {
  /** Key of the agent. */
  agent?: string | undefined;
  status?: string | undefined;
  /** Only runs with at least one failed call. */
  nurFehler?: boolean | undefined;
  limit: number;
}

/** Runs that meet the filter, those that ended last first. */
export function readLatestRuns(
  tx: MandantTx,
  { agent, status, nurFehler, limit }: RunFilter,
): Promise<LaufRow[]> {
  return selectRuns(tx)
    .$if(agent !== undefined, (query) => query.where('agent', '=', agent as string))
    .$if(status !== undefined, (query) => query.where('status', '=', status as string))
    .$if(nurFehler === true, (query) => query.where('fehler', '>', 0))
    .orderBy('ende', 'desc')
    .orderBy('lauf_id')
    .limit(limit)
    .execute();
}

/** Undefined when the Mandant has no such run. */
export const readRun = (tx: MandantTx, laufId: string): Promise<LaufRow | undefined> =>
  selectRuns(tx).where('lauf_id', '=', laufId).executeTakeFirst();

const EVENT = SHOWN_COLUMNS.map(({ name, expression }) => sql.raw(expression).as(name));

/** The first events of a run in the order of their steps. */
export function readEventsOfRun(tx: MandantTx, run: LaufRow, limit: number): Promise<Ereignis[]> {
  return (
    tx
      .selectFrom('ereignisse')
      .select(EVENT)
      .where('mandant_id', '=', tx.mandant)
      .where('lauf_id', '=', run.lauf_id)
      // The bounds of the run are there for the planner: they leave out the months it does not touch.
      .where('zeitpunkt', '>=', run.beginn)
      .where('zeitpunkt', '<=', run.ende)
      .orderBy('schritt_nr', (order) => order.asc().nullsLast())
      .orderBy('zeitpunkt')
      .orderBy('ereignis_id')
      .limit(limit)
      .$castTo<Ereignis>()
      .execute()
  );
}
