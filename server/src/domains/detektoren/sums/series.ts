/** What the calls a rule holds for came to, minute by minute, hour by hour or day by day: from the sums by minute and hour. */
import { DIMENSIONS, type DimensionName, type Geltungsbereich } from '#contracts';
import type { Regel } from '#domains/regeln/index.ts';
import { GRAINS, isKeptSql, STEP_BOUNDS, STEP_DIGITS, TOTAL } from '#domains/verbrauch/index.ts';
import { createValues, scopeOf } from '../calls/statement.ts';
import type { Look } from '../detector.ts';
import { isoOf } from '../local-time.ts';
import type { OlderHours } from '../rueckblick/older-hours.ts';
import type { Sums } from './period.ts';

export type SeriesGrain = 'minute' | 'stunde';

/** From `von` to before `bis`: instants (ISO). */
interface Period {
  von: string;
  bis: string;
}

type Summed = Exclude<Geltungsbereich, 'mandant'> & DimensionName;

/** Each of the periods with any call is looked up by its key: a range would read those of all other values, too. */
function summedIn(grain: SeriesGrain, of: Summed | 'alle'): string {
  const { table } = GRAINS[grain];
  const dimension = of === 'alle' ? TOTAL.dimension : DIMENSIONS[of].number;
  const range = `mandant_id = $1 AND ${grain} >= $3::timestamptz AND ${grain} < $4::timestamptz`;
  return `(SELECT * FROM ${table} WHERE mandant_id = $1 AND dimension = ${dimension} AND merkmal_id = $2::integer AND ${grain} = ANY(ARRAY(
        SELECT ${grain} FROM ${table} WHERE dimension = ${TOTAL.dimension} AND merkmal_id = ${TOTAL.merkmal} AND ${range}))) AS summen`;
}

function periodsOf(grain: SeriesGrain, of: Summed | 'alle', withHistograms: boolean): string {
  const histograms = withHistograms
    ? 'latenz::text, erste_zeichen::text'
    : `'' AS latenz, '' AS erste_zeichen`;
  return `SELECT ${grain} AS beginn, aufrufe::text, unbepreist::text, geschaetzt::text, token::text AS token,
      trim_scale(kosten_eur)::text AS kosten_eur, ${histograms}
    FROM ${summedIn(grain, of)} ORDER BY ${grain}`;
}

/** Days of the zone `$5`, of their hours. */
const daysOf = (
  of: Summed | 'alle',
): string => `SELECT (stunde AT TIME ZONE $5)::date AS beginn, sum(aufrufe)::text AS aufrufe,
      sum(unbepreist)::text AS unbepreist, sum(geschaetzt)::text AS geschaetzt, sum(token)::text AS token,
      trim_scale(sum(kosten_eur))::text AS kosten_eur, '' AS latenz, '' AS erste_zeichen
    FROM ${summedIn('stunde', of)} GROUP BY 1 ORDER BY 1`;

/** A histogram of a column of calls as one number, as counting makes it; null adds nothing. */
const histogramOf = (
  column: string,
) => `(SELECT coalesce(sum(je.zahl * ('1' || repeat('0', ${STEP_DIGITS} * je.stufe))::numeric), 0)::text
  FROM (SELECT width_bucket(w, ARRAY[${STEP_BOUNDS.join(', ')}]::bigint[]) AS stufe, count(*) AS zahl
    FROM unnest(array_agg(e.${column}) FILTER (WHERE e.${column} IS NOT NULL)) AS w GROUP BY 1) AS je)`;

/** When the period of a call begins, as SQL; an hour is one of the zone. */
const BEGINS: Record<SeriesGrain, (zone: string) => string> = {
  minute: () => "date_trunc('minute', e.zeitpunkt)",
  stunde: (zone) => `date_trunc('hour', e.zeitpunkt, ${zone})`,
};

/** Periods made of the calls: of times whose sums are gone. */
async function readCalls(
  { client, mandant, zone }: Look,
  regel: Regel,
  grain: SeriesGrain,
  { von, bis }: Period,
  withHistograms: boolean,
): Promise<Sums[]> {
  const values = createValues();
  const own = `e.mandant_id = ${values.of(mandant, 'uuid')} AND e.zeitpunkt >= ${values.of(von, 'timestamptz')}
    AND e.zeitpunkt < ${values.of(bis, 'timestamptz')} AND ${scopeOf(regel, 'e', values)}`;
  const [latenz, zeichen] = withHistograms
    ? ['latenz_ms', 'erste_zeichen_ms'].map(histogramOf)
    : [`''`, `''`];
  const { rows } = await client.query<Sums>(
    `SELECT ${BEGINS[grain](grain === 'stunde' ? values.of(zone, 'text') : '')} AS beginn, count(*)::text AS aufrufe,
       count(*) FILTER (WHERE e.kosten_usd IS NULL)::text AS unbepreist, count(*) FILTER (WHERE e.geschaetzt)::text AS geschaetzt,
       (coalesce(sum(e.eingabe_token), 0) + coalesce(sum(e.ausgabe_token), 0))::text AS token,
       trim_scale(coalesce(sum(e.kosten_eur), 0))::text AS kosten_eur, ${latenz} AS latenz, ${zeichen} AS erste_zeichen
     FROM ereignisse e WHERE ${own} GROUP BY 1 ORDER BY 1`,
    values.all,
  );
  return rows;
}

/** What a rule holds for, by its number; whether it has running sums. */
interface Found {
  of: Summed | 'alle';
  merkmal: number;
  gefuehrt: boolean;
}

/** What the rule holds for; null when it never made a call. */
async function findMerkmal(
  { client, mandant }: Look,
  { geltungsbereich, bezug }: Regel,
): Promise<Found | null> {
  if (bezug === null || geltungsbereich === 'mandant')
    return { of: 'alle', merkmal: TOTAL.merkmal, gefuehrt: true };
  const { rows } = await client.query<{ merkmal_id: number; gefuehrt: boolean }>({
    name: `detektoren_merkmal_${geltungsbereich}`,
    text: `SELECT merkmal_id, ${isKeptSql(geltungsbereich, '$3')} AS gefuehrt FROM merkmale
      WHERE mandant_id = $1 AND dimension = $2 AND text = $3`,
    values: [mandant, DIMENSIONS[geltungsbereich].number, bezug],
  });
  return rows[0] ? { of: geltungsbereich, merkmal: rows[0].merkmal_id, gefuehrt: rows[0].gefuehrt } : null;
}

/** Whether what the rule holds for has running sums, or never made a call. */
export const hasSums = async (look: Look, regel: Regel): Promise<boolean> =>
  (await findMerkmal(look, regel))?.gefuehrt ?? true;

/** The periods that sums have. Null where it has no running sums. */
async function readSums(
  look: Look,
  regel: Regel,
  grain: SeriesGrain,
  { von, bis }: Period,
  withHistograms: boolean,
): Promise<Sums[] | null> {
  const merkmal = await findMerkmal(look, regel);
  if (!merkmal) return [];
  if (!merkmal.gefuehrt) return null;
  const { rows } = await look.client.query<Sums>({
    name: `detektoren_summen_${grain}_${merkmal.of}${withHistograms ? '_histogramme' : ''}`,
    text: periodsOf(grain, merkmal.of, withHistograms),
    values: [look.mandant, merkmal.merkmal, von, bis],
  });
  return rows;
}

/** Hours that are older than sums are kept, and those that sums have. */
async function readOlderHours(
  look: Look & { older: OlderHours },
  regel: Regel,
  { von, bis }: Period,
  withHistograms: boolean,
): Promise<Sums[] | null> {
  const { older } = look;
  const { until } = older;
  const period = { von: Temporal.Instant.from(von), bis: Temporal.Instant.from(bis) };
  const { geltungsbereich, bezug } = regel;
  const hours = await older.hours(`${geltungsbereich} ${bezug} ${withHistograms}`, period, (from) =>
    readCalls(look, regel, 'stunde', { von: isoOf(from), bis: isoOf(until) }, withHistograms),
  );
  if (older.reach(period.bis)) return hours;
  const summed = await readSums(look, regel, 'stunde', { von: isoOf(until), bis }, withHistograms);
  return summed && [...hours, ...summed];
}

const hasOlder = (look: Look, von: Temporal.Instant): look is Look & { older: OlderHours } =>
  look.older?.reach(von) ?? false;

/**
 * What the calls that the rule holds for came to in each period that begins from `von` to before `bis` (instants, ISO) and has any, in
 * their order. Null where it has no running sums: nothing is known then.
 */
export function readSeries(
  look: Look,
  regel: Regel,
  grain: SeriesGrain,
  period: Period,
  withHistograms = false,
): Promise<Sums[] | null> {
  if (look.istRueckblick && grain === 'minute') return readCalls(look, regel, grain, period, withHistograms);
  if (grain === 'stunde' && hasOlder(look, Temporal.Instant.from(period.von)))
    return readOlderHours(look, regel, period, withHistograms);
  return readSums(look, regel, grain, period, withHistograms);
}

interface Days {
  von: Temporal.PlainDate;
  bis: Temporal.PlainDate;
}

const beginIn = (look: Look, day: Temporal.PlainDate): Temporal.Instant =>
  day.toZonedDateTime(look.zone).toInstant();

/** The same of whole local days that sums have, from the day `von` to before the day `bis`. */
export async function readDays(look: Look, regel: Regel, { von, bis }: Days): Promise<Sums[] | null> {
  const merkmal = await findMerkmal(look, regel);
  if (!merkmal) return [];
  if (!merkmal.gefuehrt) return null;
  const [begin, end] = [von, bis].map((day) => isoOf(beginIn(look, day)));
  const { rows } = await look.client.query<Sums>({
    name: `detektoren_tage_${merkmal.of}`,
    text: daysOf(merkmal.of),
    values: [look.mandant, merkmal.merkmal, begin, end, look.zone],
  });
  return rows;
}

/** On how many of these days there were calls, as far as it is known. */
export async function countDays(look: Look, regel: Regel, days: Days): Promise<number> {
  const von = beginIn(look, days.von);
  if (!hasOlder(look, von)) return (await readDays(look, regel, days))?.length ?? 0;
  const hours = await readSeries(look, regel, 'stunde', {
    von: isoOf(von),
    bis: isoOf(beginIn(look, days.bis)),
  });
  const dayOf = ({ beginn }: Sums) =>
    Temporal.Instant.from(beginn).toZonedDateTimeISO(look.zone).toPlainDate().toString();
  return new Set(hours?.map(dayOf)).size;
}
