/** SQL of findings and incidents under the request role. */
import { sql } from 'kysely';
import { type Objektart, STUFEN, type Stufe } from '#contracts';
import { exactText, type MandantTx } from '#platform/database/index.ts';

export interface BefundRow {
  befund_id: string;
  typ: string;
  regel_id: string | null;
  objekt_art: Objektart;
  objekt: string;
  agent: string | null;
  lauf_id: string | null;
  stufe: Stufe;
  schatten: boolean;
  status: string;
  werte: unknown;
  kosten_eur: string | null;
  verbrannt_eur: string | null;
  potential_eur: string | null;
  vorfall_id: string;
  fenster_beginn: string;
  erkannt_am: string;
  geaendert_am: string;
  alarm_am: string | null;
}

const COLUMNS = [
  'befund_id',
  'typ',
  'regel_id',
  'objekt_art',
  'objekt',
  'agent',
  'lauf_id',
  'stufe',
  'schatten',
  'status',
  'werte',
  'vorfall_id',
  'fenster_beginn',
  'erkannt_am',
  'geaendert_am',
  'alarm_am',
] as const;

const select = (tx: MandantTx) =>
  tx
    .selectFrom('befunde')
    .select(COLUMNS)
    .select(({ ref }) => [
      exactText(ref('kosten_eur')).as('kosten_eur'),
      exactText(ref('verbrannt_eur')).as('verbrannt_eur'),
      exactText(ref('potential_eur')).as('potential_eur'),
    ])
    .where('mandant_id', '=', tx.mandant)
    .$castTo<BefundRow>();

export interface BefundFilter {
  status?: string | undefined;
  typ?: string | undefined;
  agent?: string | undefined;
  lauf_id?: string | undefined;
  vorfall_id?: string | undefined;
}

/** Findings that meet the filter, latest first, at most this many: those behind `after`. */
export function readBefunde(
  tx: MandantTx,
  filter: BefundFilter,
  limit: number,
  after: string | undefined,
): Promise<BefundRow[]> {
  let query = select(tx);
  for (const column of ['status', 'typ', 'agent', 'lauf_id', 'vorfall_id'] as const) {
    const value = filter[column];
    if (value !== undefined) query = query.where(column, '=', value);
  }
  if (after) query = query.where('befund_id', '<', after);
  return query.orderBy('befund_id', 'desc').limit(limit).execute();
}

/** ISO 8601 in UTC: from there to before that. */
export interface FoundWithin {
  von: string;
  bis: string;
}

// None changes before it is found, and the time of the change is what the index is by.
const selectWithin = (tx: MandantTx, { von, bis }: FoundWithin) =>
  select(tx).where('geaendert_am', '>=', von).where('erkannt_am', '>=', von).where('erkannt_am', '<', bis);

/** Findings of a time that were not withdrawn or called a mistake: by burnt money, then by what they are about, at most this many. */
export const readWeightiest = (tx: MandantTx, within: FoundWithin, limit: number): Promise<BefundRow[]> =>
  selectWithin(tx, within)
    .where('status', 'in', ['offen', 'erledigt'])
    .orderBy(({ fn, val }) => fn.coalesce('befunde.verbrannt_eur', val('0')), 'desc')
    .orderBy(({ fn, val }) => fn.coalesce('befunde.kosten_eur', val('0')), 'desc')
    .orderBy('befund_id', 'desc')
    .limit(limit)
    .execute();

/** How many they are. */
export async function countWithin(tx: MandantTx, { von, bis }: FoundWithin): Promise<number> {
  const { anzahl } = await tx
    .selectFrom('befunde')
    .select(({ fn }) => fn.countAll<string>().as('anzahl'))
    .where('mandant_id', '=', tx.mandant)
    .where('geaendert_am', '>=', von)
    .where('erkannt_am', '>=', von)
    .where('erkannt_am', '<', bis)
    .where('status', 'in', ['offen', 'erledigt'])
    .executeTakeFirstOrThrow();
  return Number(anzahl);
}

/** Findings about runs at these levels, not in shadow mode, of these types, latest first, at most this many. */
export const readStopping = (
  tx: MandantTx,
  within: FoundWithin,
  typen: readonly string[],
  limit: number,
): Promise<BefundRow[]> =>
  selectWithin(tx, within)
    .where('objekt_art', '=', 'lauf')
    .where('schatten', '=', false)
    .where('stufe', 'in', ['anhalten', 'sperren'])
    .where('status', 'in', ['offen', 'erledigt'])
    .where('typ', 'in', typen)
    .orderBy('befund_id', 'desc')
    .limit(limit)
    .execute();

/** Findings about the budget of an object that have ordered something. */
export async function readOrderingIds(tx: MandantTx, art: Objektart, objekt: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('befunde')
    .select('befund_id')
    .where('mandant_id', '=', tx.mandant)
    .where('typ', 'in', ['budget_schwelle', 'budget_prognose', 'budget_tempo'])
    .where('objekt_art', '=', art)
    .where('objekt', '=', objekt)
    .where('stufe', 'in', ['drosseln', 'anhalten', 'sperren'])
    .execute();
  return rows.map(({ befund_id }) => befund_id);
}

/** Undefined when the Mandant has no such finding. */
export const readBefund = (tx: MandantTx, id: string): Promise<BefundRow | undefined> =>
  select(tx).where('befund_id', '=', id).executeTakeFirst();

export const lockBefund = (tx: MandantTx, id: string): Promise<BefundRow | undefined> =>
  select(tx).where('befund_id', '=', id).forUpdate().executeTakeFirst();

export async function setStatus(tx: MandantTx, id: string, status: string): Promise<void> {
  await tx
    .updateTable('befunde')
    .set({ status })
    .where('mandant_id', '=', tx.mandant)
    .where('befund_id', '=', id)
    .execute();
}

export interface VorfallRow {
  vorfall_id: string;
  objekt_art: Objektart;
  objekt: string;
  status: 'offen' | 'geschlossen';
  befunde: string | number;
  stufe: Stufe;
  schatten: boolean;
  beginn: string;
  letzter_befund_am: string;
  massnahme: string | null;
  geschlossen_am: string | null;
  geschlossen_von: string | null;
}

/** What is read of an incident. */
export const INCIDENT = [
  'vorfall_id',
  'objekt_art',
  'objekt',
  'status',
  'befunde',
  'stufe',
  'schatten',
  'beginn',
  'letzter_befund_am',
  'massnahme',
  'geschlossen_am',
  'geschlossen_von',
] as const;

const selectIncidents = (tx: MandantTx) =>
  tx.selectFrom('vorfaelle').select(INCIDENT).where('mandant_id', '=', tx.mandant).$castTo<VorfallRow>();

/** Incidents of this status, latest first, at most this many: those behind `after`. */
export function readVorfaelle(
  tx: MandantTx,
  status: string | undefined,
  limit: number,
  after: string | undefined,
): Promise<VorfallRow[]> {
  let query = selectIncidents(tx);
  if (status) query = query.where('status', '=', status);
  if (after) query = query.where('vorfall_id', '<', after);
  return query.orderBy('vorfall_id', 'desc').limit(limit).execute();
}

export const lockVorfall = (tx: MandantTx, id: string): Promise<VorfallRow | undefined> =>
  selectIncidents(tx).where('vorfall_id', '=', id).forUpdate().executeTakeFirst();

/** Closes it; its open findings are done with it. */
export async function closeVorfall(
  tx: MandantTx,
  id: string,
  closing: { massnahme: string; geschlossen_am: string; geschlossen_von: string | null },
): Promise<void> {
  await tx
    .updateTable('vorfaelle')
    .set({ status: 'geschlossen', ...closing })
    .where('mandant_id', '=', tx.mandant)
    .where('vorfall_id', '=', id)
    .execute();
  await tx
    .updateTable('befunde')
    .set({ status: 'erledigt' })
    .where('mandant_id', '=', tx.mandant)
    .where('vorfall_id', '=', id)
    .where('status', '=', 'offen')
    .execute();
}

/** The weightiest finding of each of these incidents, and what money all of them burnt. */
export async function readHeadsOf(
  tx: MandantTx,
  incidents: string[],
): Promise<Map<string, BefundRow & { summe_verbrannt: string | null }>> {
  if (incidents.length === 0) return new Map();
  // What holds before what was withdrawn, what was acted on before what was only noted, then whatever went furthest.
  const heads = await select(tx)
    .distinctOn('vorfall_id')
    .where('vorfall_id', 'in', incidents)
    .orderBy('vorfall_id')
    .orderBy(({ eb }) => eb('status', '=', 'hinfaellig'))
    .orderBy('schatten')
    .orderBy(sql`array_position(${STUFEN}::text[], stufe)`, 'desc')
    .orderBy('befund_id', 'desc')
    .execute();
  const sums = await tx
    .selectFrom('befunde')
    .select('vorfall_id')
    .select(sql<string | null>`trim_scale(sum(verbrannt_eur))::text`.as('summe'))
    .where('mandant_id', '=', tx.mandant)
    .where('vorfall_id', 'in', incidents)
    .where('status', '<>', 'hinfaellig')
    .groupBy('vorfall_id')
    .execute();
  const burnt = new Map(sums.map(({ vorfall_id, summe }) => [vorfall_id, summe]));
  return new Map(
    heads.map((row) => [row.vorfall_id, { ...row, summe_verbrannt: burnt.get(row.vorfall_id) ?? null }]),
  );
}

/** How many interventions of the findings of these incidents are in force; an incident without any is not in it. */
export async function countInForceOf(
  tx: MandantTx,
  incidents: string[],
  now: Date,
): Promise<Map<string, number>> {
  if (incidents.length === 0) return new Map();
  const rows = await tx
    .selectFrom('befunde')
    .innerJoin('eingriffe', (join) =>
      join.onRef('eingriffe.befund_id', '=', 'befunde.befund_id').on('eingriffe.mandant_id', '=', tx.mandant),
    )
    .select(['befunde.vorfall_id', ({ fn }) => fn.countAll<string>().as('anzahl')])
    .where('befunde.mandant_id', '=', tx.mandant)
    .where('befunde.vorfall_id', 'in', incidents)
    .where('eingriffe.aufgehoben_am', 'is', null)
    .where('eingriffe.schatten', '=', false)
    .where(sql<boolean>`coalesce(eingriffe.bis, 'infinity') > ${now.toISOString()}`)
    .groupBy('befunde.vorfall_id')
    .execute();
  return new Map(rows.map(({ vorfall_id, anzahl }) => [vorfall_id, Number(anzahl)]));
}
