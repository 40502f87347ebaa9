/** SQL of requests. Instants go in and come out as ISO 8601 in UTC. */
import type { Antrag, Static } from '#contracts';
import { toInstant } from '#kernel/instant.ts';
import { exactText, type MandantTx } from '#platform/database/index.ts';

export type AntragAnswer = Static<typeof Antrag>;

/** What is asked for, and by which key. */
export interface Gestellt
  extends Pick<
    AntragAnswer,
    | 'art'
    | 'objekt_art'
    | 'objekt'
    | 'bezeichnung'
    | 'bisher_eur'
    | 'wunsch_eur'
    | 'begruendung'
    | 'schluessel_id'
  > {
  antrag_id: string;
  angelegt_am: string;
}

const selectAntraege = (tx: MandantTx) =>
  tx
    .selectFrom('antraege')
    .leftJoin('schluessel', (join) =>
      join
        .onRef('schluessel.mandant_id', '=', 'antraege.mandant_id')
        .onRef('schluessel.schluessel_id', '=', 'antraege.schluessel_id'),
    )
    .where('antraege.mandant_id', '=', tx.mandant)
    .select([
      'antrag_id',
      'art',
      'objekt_art',
      'objekt',
      'bezeichnung',
      'begruendung',
      'antraege.schluessel_id',
      'schluessel.name as schluessel',
      'status',
      'angelegt_am',
      'entschieden_am',
      'entschieden_von',
      'antwort',
    ])
    .select(({ ref }) => [
      exactText(ref('bisher_eur')).as('bisher_eur'),
      exactText(ref('wunsch_eur')).as('wunsch_eur'),
      exactText(ref('gewaehrt_eur')).as('gewaehrt_eur'),
    ]);

type Read = Awaited<ReturnType<ReturnType<typeof selectAntraege>['executeTakeFirstOrThrow']>>;

const toApi = (row: Read): AntragAnswer =>
  ({
    ...row,
    objekt_art: row.objekt_art || null,
    angelegt_am: toInstant(row.angelegt_am),
    entschieden_am: row.entschieden_am && toInstant(row.entschieden_am),
  }) as AntragAnswer;

export interface Filter {
  status?: AntragAnswer['status'] | undefined;
  schluesselId?: string;
}

/** The latest first; at most this many, behind this one. */
export async function readAntraege(
  tx: MandantTx,
  { status, schluesselId }: Filter,
  limit: number,
  after?: string,
): Promise<AntragAnswer[]> {
  const rows = await selectAntraege(tx)
    .$if(status !== undefined, (query) => query.where('status', '=', status as string))
    .$if(schluesselId !== undefined, (query) =>
      query.where('antraege.schluessel_id', '=', schluesselId as string),
    )
    .$if(after !== undefined, (query) => query.where('antrag_id', '<', after as string))
    .orderBy('antrag_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(toApi);
}

/** Undefined where the Mandant has none of this id. */
export async function readAntrag(tx: MandantTx, id: string): Promise<AntragAnswer | undefined> {
  const row = await selectAntraege(tx).where('antrag_id', '=', id).executeTakeFirst();
  return row && toApi(row);
}

/** Holds a request until the transaction ends; resolves with its status, undefined where there is none. */
export async function lockAntrag(tx: MandantTx, id: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('antraege')
    .select('status')
    .where('mandant_id', '=', tx.mandant)
    .where('antrag_id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row?.status;
}

/** The one of this key for the same thing that waits. */
export async function findOpen(tx: MandantTx, wish: Gestellt): Promise<string | undefined> {
  const row = await tx
    .selectFrom('antraege')
    .select('antrag_id')
    .where('mandant_id', '=', tx.mandant)
    .where('status', '=', 'offen')
    .where('schluessel_id', '=', wish.schluessel_id)
    .where('art', '=', wish.art)
    .where('objekt_art', '=', wish.objekt_art ?? '')
    .where('objekt', '=', wish.objekt)
    .executeTakeFirst();
  return row?.antrag_id;
}

/** How many wait. */
export async function countOpen(tx: MandantTx): Promise<number> {
  const row = await tx
    .selectFrom('antraege')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('mandant_id', '=', tx.mandant)
    .where('status', '=', 'offen')
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

export async function insertAntrag(tx: MandantTx, wish: Gestellt): Promise<void> {
  await tx
    .insertInto('antraege')
    .values({ ...wish, mandant_id: tx.mandant, objekt_art: wish.objekt_art ?? '', status: 'offen' })
    .execute();
}

export async function decideAntrag(
  tx: MandantTx,
  id: string,
  decided: Pick<AntragAnswer, 'status' | 'entschieden_am' | 'entschieden_von' | 'gewaehrt_eur' | 'antwort'>,
): Promise<void> {
  await tx
    .updateTable('antraege')
    .set(decided)
    .where('mandant_id', '=', tx.mandant)
    .where('antrag_id', '=', id)
    .execute();
}
