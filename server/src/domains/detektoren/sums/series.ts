/** What the calls a rule holds for came to, minute by minute, hour by hour or day by day: from the sums that counting keeps. */
import { DIMENSIONS, type DimensionName, type Geltungsbereich } from '#contracts';
import type { Regel } from '#domains/regeln/index.ts';
import { completeSums, GRAINS, TOTAL } from '#domains/verbrauch/index.ts';
import type { Look } from '../detector.ts';

export type SeriesGrain = 'minute' | 'stunde' | 'tag';

/** Sums of one minute, hour or day with calls. */
export interface Sums {
  /** When it begins: an instant (ISO); of a day its local date. */
  beginn: string;
  aufrufe: string;
  unbepreist: string;
  geschaetzt: string;
  token: string;
  kosten_eur: string;
  /** Histograms; empty texts where they were not asked for. */
  latenz: string;
  erste_zeichen: string;
}

const NUMBERS: Record<Exclude<Geltungsbereich, 'mandant'>, number> = {
  projekt: DIMENSIONS.projekt.number,
  agent: DIMENSIONS.agent.number,
  endkunde: DIMENSIONS.endkunde.number,
  funktion: DIMENSIONS.funktion.number,
  modell: DIMENSIONS.modell.number,
} satisfies Partial<Record<DimensionName, number>>;

/** Each of the periods with any call is looked up by its key: a range would read those of all other values, too. */
function seriesOf(grain: SeriesGrain, withHistograms: boolean): string {
  const { column, type } = GRAINS[grain];
  const range = `mandant_id = $1 AND ${column} >= $4::${type} AND ${column} < $5::${type}`;
  const histograms = withHistograms
    ? 'latenz::text, erste_zeichen::text'
    : `'' AS latenz, '' AS erste_zeichen`;
  return `WITH summen AS (SELECT * FROM ${completeSums(grain)} AS s
      WHERE ${range} AND dimension = $2::smallint AND merkmal_id = $3::integer AND ${column} = ANY(ARRAY(
        SELECT ${column} FROM ${completeSums(grain)} AS alle
        WHERE ${range} AND dimension = ${TOTAL.dimension} AND merkmal_id = ${TOTAL.merkmal})))
    SELECT ${column} AS beginn, aufrufe::text, unbepreist::text, geschaetzt::text, (eingabe_token + ausgabe_token)::text AS token,
      trim_scale(kosten_eur)::text AS kosten_eur, ${histograms}
    FROM summen ORDER BY ${column}`;
}

/** Dimension and number of what the rule holds for; null when it never made a call. */
async function findMerkmal({ client, mandant }: Look, { geltungsbereich, bezug }: Regel) {
  if (bezug === null || geltungsbereich === 'mandant') return TOTAL;
  const dimension = NUMBERS[geltungsbereich];
  const { rows } = await client.query<{ merkmal_id: number }>({
    name: 'detektoren_merkmal',
    text: 'SELECT merkmal_id FROM merkmale WHERE mandant_id = $1 AND dimension = $2 AND text = $3',
    values: [mandant, dimension, bezug],
  });
  return rows[0] ? { dimension, merkmal: rows[0].merkmal_id } : null;
}

/**
 * What the calls that the rule holds for came to in each period that begins from `von` to before `bis` and has any, in their
 * order. Instants (ISO), of days dates.
 */
export async function readSeries(
  look: Look,
  regel: Regel,
  grain: SeriesGrain,
  { von, bis }: { von: string; bis: string },
  withHistograms = false,
): Promise<Sums[]> {
  const merkmal = await findMerkmal(look, regel);
  if (!merkmal) return [];
  const { rows } = await look.client.query<Sums>({
    name: `detektoren_summen_${grain}${withHistograms ? '_histogramme' : ''}`,
    text: seriesOf(grain, withHistograms),
    values: [look.mandant, merkmal.dimension, merkmal.merkmal, von, bis],
  });
  return rows;
}
