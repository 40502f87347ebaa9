/** SQL of the rules, for requests. */
import { sql } from 'kysely';
import type { Regeltyp, ResponseOf, regelAnlegen } from '#contracts';
import { tellOfChange } from '#domains/eingriffe/index.ts';
import { toInstant, toInstantOrNull } from '#kernel/instant.ts';
import { exactText, type MandantTx } from '#platform/database/index.ts';
import { ARMED_LEVELS } from './limits.ts';
import { filledIn, type Regel } from './regel.ts';

export type RegelAnswer = ResponseOf<typeof regelAnlegen>;

/** What a rule is made of, without its id and times. */
export type RegelFields = Omit<RegelAnswer, 'regel_id' | 'erstellt_am' | 'geaendert_am'>;

const COLUMNS = [
  'regel_id',
  'name',
  'typ',
  'geltungsbereich',
  'bezug_id',
  'bezug',
  'einheit',
  'stufe',
  'zeitfenster',
  'schattenbetrieb',
  'aktiv',
  'parameter',
  'erstellt_am',
  'geaendert_am',
] as const;

const selectRules = (tx: MandantTx) =>
  tx
    .selectFrom('regeln')
    .select(COLUMNS)
    .select(({ ref }) => exactText(ref('schwelle')).as('schwelle'))
    .where('mandant_id', '=', tx.mandant)
    .$narrowType<RegelAnswer>();

const toApi = (row: RegelAnswer): RegelAnswer => ({
  ...row,
  parameter: filledIn(row.typ, row.parameter),
  erstellt_am: toInstant(row.erstellt_am),
  geaendert_am: toInstant(row.geaendert_am),
});

/** Rules in the order of their creation, at most this many, behind `after`. */
export async function readRules(
  tx: MandantTx,
  { limit, after }: { limit: number; after: string | null },
): Promise<RegelAnswer[]> {
  const query = selectRules(tx).orderBy('regel_id').limit(limit);
  const rows = await (after === null ? query : query.where('regel_id', '>', after)).execute();
  return rows.map(toApi);
}

/** The rule, held until the transaction ends. Undefined when the Mandant has no such rule. */
export async function lockRule(tx: MandantTx, regelId: string): Promise<RegelAnswer | undefined> {
  const row = await selectRules(tx).where('regel_id', '=', regelId).forUpdate().executeTakeFirst();
  return row && toApi(row);
}

/** Whether a rule may slow down, stop or block. */
export async function hasArmedRule(tx: MandantTx): Promise<boolean> {
  const row = await tx
    .selectFrom('regeln')
    .select('regel_id')
    .where('mandant_id', '=', tx.mandant)
    .where('aktiv', '=', true)
    .where('schattenbetrieb', '=', false)
    .where('stufe', 'in', ARMED_LEVELS)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The active rules of a type. */
export async function readActiveRulesOf<T extends Regeltyp>(tx: MandantTx, typ: T): Promise<Regel<T>[]> {
  const rows = await selectRules(tx).where('aktiv', '=', true).where('typ', '=', typ).execute();
  return rows.map(toApi) as unknown as Regel<T>[];
}

export async function countRules(tx: MandantTx): Promise<number> {
  const { n } = await tx
    .selectFrom('regeln')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('mandant_id', '=', tx.mandant)
    .executeTakeFirstOrThrow();
  return Number(n);
}

const toColumns = ({ parameter, ...fields }: RegelFields) => ({
  ...fields,
  parameter: JSON.stringify(parameter),
});

/** Rules with their ids; `now` is ISO 8601 in UTC. */
export async function insertRules(
  tx: MandantTx,
  rules: (RegelFields & { regel_id: string })[],
  now: string,
): Promise<void> {
  const rows = rules.map(({ regel_id, ...fields }) => ({
    mandant_id: tx.mandant,
    regel_id,
    ...toColumns(fields),
    erstellt_am: now,
    geaendert_am: now,
  }));
  await tx.insertInto('regeln').values(rows).execute();
  await tellOfChange(tx);
}

export async function updateRule(
  tx: MandantTx,
  regelId: string,
  fields: RegelFields,
  now: string,
): Promise<void> {
  await tx
    .updateTable('regeln')
    .set({ ...toColumns(fields), geaendert_am: now })
    .where('mandant_id', '=', tx.mandant)
    .where('regel_id', '=', regelId)
    .execute();
  await tellOfChange(tx);
}

export async function deleteRule(tx: MandantTx, regelId: string): Promise<void> {
  await tx
    .deleteFrom('regeln')
    .where('mandant_id', '=', tx.mandant)
    .where('regel_id', '=', regelId)
    .execute();
  await tellOfChange(tx);
}

/** Notes that the default rules were put in; false when they were before. */
export async function claimDefaults(tx: MandantTx, now: string): Promise<boolean> {
  const claimed = await tx
    .updateTable('mandanten')
    .set({ regeln_angelegt_am: now })
    .where('mandant_id', '=', tx.mandant)
    .where('regeln_angelegt_am', 'is', null)
    .returning('mandant_id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Notes that a rule of a later release was given; false when it was noted before. */
export async function claimLater(tx: MandantTx, typ: Regeltyp): Promise<boolean> {
  const claimed = await tx
    .updateTable('mandanten')
    .set({ regeln_nachgereicht: sql`array_append(regeln_nachgereicht, ${typ})` })
    .where('mandant_id', '=', tx.mandant)
    .where(sql<boolean>`NOT ${typ} = ANY (regeln_nachgereicht)`)
    .returning('mandant_id')
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Whether there is a rule of a type. */
export async function hasRuleOf(tx: MandantTx, typ: Regeltyp): Promise<boolean> {
  const query = tx.selectFrom('regeln').select('regel_id').where('mandant_id', '=', tx.mandant);
  return (await query.where('typ', '=', typ).limit(1).executeTakeFirst()) !== undefined;
}

/** Notes that somebody has answered for the limits of money; false when it was noted before. */
export async function confirmLimits(tx: MandantTx, now: string): Promise<boolean> {
  const confirmed = await tx
    .updateTable('mandanten')
    .set({ geldgrenzen_bestaetigt_am: now })
    .where('mandant_id', '=', tx.mandant)
    .where('geldgrenzen_bestaetigt_am', 'is', null)
    .returning('mandant_id')
    .executeTakeFirst();
  return confirmed !== undefined;
}

/** When somebody did; null where nobody has. */
export async function readConfirmed(tx: MandantTx): Promise<string | null> {
  const row = await tx
    .selectFrom('mandanten')
    .select('geldgrenzen_bestaetigt_am')
    .where('mandant_id', '=', tx.mandant)
    .executeTakeFirstOrThrow();
  return toInstantOrNull(row.geldgrenzen_bestaetigt_am);
}
