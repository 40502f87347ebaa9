/** Limits and budgets that are armed, looked at as soon as their sums have changed. Those in shadow mode wait for the next batch. */
import type pg from 'pg';
import { DIMENSIONS, type Geltungsbereich } from '#contracts';
import type { RegelVon } from '#domains/regeln/index.ts';
import type { Candidate } from '../candidate.ts';
import type { Look } from '../detector.ts';
import { detect } from '../detectors.ts';
import { localBegin } from '../sums/series.ts';
import type { MarksOfMandant } from './marks.ts';

type LimitRule = Extract<RegelVon, { typ: 'kosten_grenze' | 'raten_grenze' }>;

const isArmedLimit = (rule: RegelVon): rule is LimitRule =>
  !rule.schattenbetrieb && (rule.typ === 'kosten_grenze' || rule.typ === 'raten_grenze');

const DIMENSION_OF: Record<Exclude<Geltungsbereich, 'mandant'>, number> = {
  projekt: DIMENSIONS.projekt.number,
  agent: DIMENSIONS.agent.number,
  endkunde: DIMENSIONS.endkunde.number,
  funktion: DIMENSIONS.funktion.number,
  modell: DIMENSIONS.modell.number,
};

// Values by their text, as far as they are among those that changed.
const CHANGED = `SELECT m.dimension, m.text FROM unnest($2::smallint[], $3::text[]) AS n (dimension, text)
  JOIN merkmale m ON m.mandant_id = $1 AND m.dimension = n.dimension AND m.text = n.text
  WHERE m.merkmal_id = ANY ($4::int[])`;

/** Those of the rules whose sums have changed. */
async function changed<R extends RegelVon>(
  client: pg.PoolClient,
  { mandant, merkmale }: MarksOfMandant,
  rules: R[],
): Promise<R[]> {
  const named = rules.filter(({ bezug }) => bezug !== null);
  if (named.length === 0) return rules;
  const { rows } = await client.query<{ dimension: number; text: string }>(CHANGED, [
    mandant,
    named.map(({ geltungsbereich }) => (geltungsbereich === 'mandant' ? 0 : DIMENSION_OF[geltungsbereich])),
    named.map(({ bezug }) => bezug),
    merkmale,
  ]);
  const hit = new Set(rows.map(({ dimension, text }) => `${dimension} ${text}`));
  return rules.filter(
    ({ geltungsbereich, bezug }) =>
      bezug === null || geltungsbereich === 'mandant' || hit.has(`${DIMENSION_OF[geltungsbereich]} ${bezug}`),
  );
}

/** What armed limits find in the sums of today. */
export async function findInSums(
  client: pg.PoolClient,
  group: MarksOfMandant,
  rules: RegelVon[],
  now: Date,
): Promise<Candidate[]> {
  const limits = await changed(client, group, rules.filter(isArmedLimit));
  if (limits.length === 0) return [];
  const bis = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const { mandant, zone } = group;
  const von = localBegin(bis, 'day', zone).toInstant();
  const look: Look = { client, mandant, zone, von, bis };
  const found: Candidate[] = [];
  for (const rule of limits) found.push(...(await detect(look, rule)));
  return found;
}
