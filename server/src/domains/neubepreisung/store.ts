/** SQL of repricings, for requests. Instants go in and come out as ISO 8601 in UTC, days as `YYYY-MM-DD`. */
import { sql } from 'kysely';
import type { neubepreisung, ResponseOf } from '#contracts';
import type { MandantTx } from '#platform/database/index.ts';

type Answer = ResponseOf<typeof neubepreisung>;
export type Repricing = Omit<Answer, 'zeilen' | 'weiter'>;
export type Line = Answer['zeilen'][number];

const sum = (column: string) => sql<string>`trim_scale(coalesce(sum(${sql.ref(column)}), 0))::text`;
const count = (column: string) => sql<number>`coalesce(sum(${sql.ref(column)}), 0)::float8`;

const FIGURES = [
  count('z.geaendert').as('geaendert'),
  sum('z.alt_usd').as('alt_usd'),
  sum('z.neu_usd').as('neu_usd'),
  sum('z.differenz_eur').as('differenz_eur'),
  count('z.unbepreist').as('unbepreist'),
];

const COLUMNS = [
  'n.neubepreisung_id',
  'n.status',
  'n.grund',
  'n.von',
  'n.bis',
  'n.fassung',
  'n.liste',
  'n.ereignisse',
  'n.gelesen',
  'n.angelegt_am',
  'n.angelegt_von',
  'n.angewendet_am',
  'n.angewendet_von',
  'n.beendet_am',
] as const;

const selectRepricings = (tx: MandantTx) =>
  tx
    .selectFrom('neubepreisungen as n')
    .leftJoin('neubepreisung_zeilen as z', (join) =>
      join.onRef('z.mandant_id', '=', 'n.mandant_id').onRef('z.neubepreisung_id', '=', 'n.neubepreisung_id'),
    )
    .select(COLUMNS)
    .select(FIGURES)
    .where('n.mandant_id', '=', tx.mandant)
    .groupBy(['n.mandant_id', 'n.neubepreisung_id'])
    .$narrowType<Repricing>();

export async function readRepricing(tx: MandantTx, id: string): Promise<Repricing | undefined> {
  return selectRepricings(tx).where('n.neubepreisung_id', '=', id).executeTakeFirst();
}

/** The latest first, at most this many, older than `before`. */
export async function listRepricings(
  tx: MandantTx,
  { limit, before }: { limit: number; before: string | null },
): Promise<Repricing[]> {
  const query = selectRepricings(tx).orderBy('n.neubepreisung_id', 'desc').limit(limit);
  return (before === null ? query : query.where('n.neubepreisung_id', '<', before)).execute();
}

/** Lines by month and agent, at most this many, behind `after`. */
export async function listLines(
  tx: MandantTx,
  id: string,
  { limit, after }: { limit: number; after: readonly [monat: string, agent: string] | null },
): Promise<Line[]> {
  const query = tx
    .selectFrom('neubepreisung_zeilen as z')
    .select([sql<string>`to_char(monat, 'YYYY-MM')`.as('monat'), 'agent'])
    .select(FIGURES)
    .where('mandant_id', '=', tx.mandant)
    .where('neubepreisung_id', '=', id)
    .groupBy(['z.monat', 'z.agent'])
    .orderBy('z.monat')
    .orderBy('z.agent')
    .limit(limit);
  if (after === null) return query.execute();
  return query.where(sql<boolean>`(z.monat, z.agent) > (${`${after[0]}-01`}::date, ${after[1]})`).execute();
}

/** Whether something is being worked out or changed. */
/** The first day whose calls may change; null where all are kept. */
export async function firstDayKept(tx: MandantTx): Promise<string | null> {
  const { rows } = await sql<{ tag: string | null }>`
    SELECT ((annahme_ab AT TIME ZONE 'UTC')::date + 1)::text AS tag FROM aufbewahrung`.execute(tx);
  return rows[0]?.tag ?? null;
}

export async function isOneUnderWay(tx: MandantTx): Promise<boolean> {
  const found = await tx
    .selectFrom('neubepreisungen')
    .select('neubepreisung_id')
    .where('mandant_id', '=', tx.mandant)
    .where('status', 'in', ['vorschau', 'laeuft'])
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Removes what was worked out and never applied. */
export async function removeUnapplied(tx: MandantTx): Promise<void> {
  const gone = await tx
    .deleteFrom('neubepreisungen')
    .where('mandant_id', '=', tx.mandant)
    .where('status', '!=', 'laeuft')
    .where('angewendet_am', 'is', null)
    .returning('neubepreisung_id')
    .execute();
  for (const { neubepreisung_id } of gone) await removeLines(tx, neubepreisung_id);
}

const removeLines = (tx: MandantTx, id: string) =>
  tx
    .deleteFrom('neubepreisung_zeilen')
    .where('mandant_id', '=', tx.mandant)
    .where('neubepreisung_id', '=', id)
    .execute();

export type NewRepricing = Pick<
  Repricing,
  'neubepreisung_id' | 'von' | 'bis' | 'fassung' | 'ereignisse' | 'angelegt_am' | 'angelegt_von'
> & { zeitzone: string };

export async function insertRepricing(tx: MandantTx, row: NewRepricing): Promise<void> {
  await tx
    .insertInto('neubepreisungen')
    .values({ ...row, mandant_id: tx.mandant, status: 'vorschau' })
    .execute();
}

/** Begins the change of what was worked out: from its first call on, without what the preview has noted. */
export async function beginChange(
  tx: MandantTx,
  id: string,
  { now, who }: { now: string; who: string | null },
): Promise<void> {
  await removeLines(tx, id);
  await tx
    .updateTable('neubepreisungen')
    .set({
      status: 'laeuft',
      gelesen: 0,
      stand_zeitpunkt: null,
      stand_id: null,
      angewendet_am: now,
      angewendet_von: who,
    })
    .where('mandant_id', '=', tx.mandant)
    .where('neubepreisung_id', '=', id)
    .execute();
}

export async function endRepricing(
  tx: MandantTx,
  id: string,
  { now, grund }: { now: string; grund: 'von_hand' },
): Promise<void> {
  await tx
    .updateTable('neubepreisungen')
    .set({ status: 'abgebrochen', grund, beendet_am: now })
    .where('mandant_id', '=', tx.mandant)
    .where('neubepreisung_id', '=', id)
    .execute();
}

/** Holds it until the transaction ends; undefined when the Mandant has none such. */
export async function lockRepricing(tx: MandantTx, id: string): Promise<Repricing | undefined> {
  const row = await tx
    .selectFrom('neubepreisungen')
    .select('neubepreisung_id')
    .where('mandant_id', '=', tx.mandant)
    .where('neubepreisung_id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && readRepricing(tx, id);
}
