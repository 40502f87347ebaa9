/** Sums as a release had them that knew no pieces: by hour, and lists of pairs of days; made of the events. */
import { DIMENSION_NAMES, DIMENSIONS, type DimensionName, FIGURE_NAMES, FIGURES } from '#contracts';
import { EVENT_FIGURES, eventValue, STEP_BOUNDS, STEP_DIGITS, TOTAL } from '#domains/verbrauch/index.ts';
import { EUR_SCALE, scaledFrom } from '#kernel/money.ts';
import type { TestService } from './service.ts';

/** The number of each column of a list. */
const COLUMNS = [
  ...['aufrufe', 'fehler', 'unbepreist', 'teilbepreist', 'geschaetzt', 'eingabe_token', 'ausgabe_token'],
  ...['cache_lese_token', 'cache_schreib_token', 'denk_token', 'kosten_usd', 'kosten_eur', 'geschaetzt_eur'],
  ...['ersatz_eur', 'verbranntes_geld_eur', 'eingabe_ohne_cache', 'ausgabe_gesamt', 'aufgeteilt'],
];
const BEYOND = 0x7f;
const MOST_BYTES = 16;

function leb(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return [...bytes, Number(rest)];
}
const signed = (value: bigint) => leb(value < 0n ? -value * 2n - 1n : value * 2n);

interface PairGroup {
  merkmal: number;
  /** By the name of the figure, as plain decimals. */
  figures: Record<string, string>;
}

function columnOf(name: (typeof FIGURE_NAMES)[number], groups: readonly PairGroup[]): number[] {
  const { kind } = FIGURES[name];
  const scale = kind === 'usd' || kind === 'eur' ? EUR_SCALE : 0;
  const values = groups.map(({ figures }) => scaledFrom(figures[name] as string, scale));
  if (values.every((value) => value === 0n)) return [];
  const head = [...leb(BigInt(COLUMNS.indexOf(name))), ...leb(BigInt(scale))];
  const bytes = Math.max(...values.map((value) => Math.ceil(value.toString(16).length / 2)));
  if (bytes > MOST_BYTES || values.some((value) => value < 0n))
    return [...head, BEYOND, ...values.flatMap(signed)];
  const planes = Array.from({ length: bytes }, (_, byte) =>
    values.map((value) => Number((value >> BigInt(8 * byte)) & 0xffn)),
  );
  return [...head, bytes, ...planes.flat()];
}

function listOf(unordered: readonly PairGroup[]): Buffer {
  const groups = unordered.toSorted((a, b) => a.merkmal - b.merkmal);
  const distances = groups.map(({ merkmal }, index) => merkmal - (groups[index - 1]?.merkmal ?? 0));
  return Buffer.from([
    ...[1, ...leb(BigInt(groups.length)), ...distances.flatMap((distance) => leb(BigInt(distance)))],
    ...FIGURE_NAMES.flatMap((name) => columnOf(name, groups)),
  ]);
}

const FIGURES_AS_TEXT = FIGURE_NAMES.map((name) => `trim_scale(${name}::numeric)::text AS ${name}`).join(
  ', ',
);
const numberOf = (name: DimensionName, alias: string) =>
  `JOIN merkmale ${alias} ON ${alias}.mandant_id = $1 AND ${alias}.dimension = ${DIMENSIONS[name].number} AND ${alias}.text = ${eventValue(name)}`;

/** Of the days, the calls with each value of one dimension by those of the other. */
async function writeLists(
  service: TestService,
  mandant: string,
  own: DimensionName,
  other: DimensionName,
): Promise<void> {
  const rows = await service.sql<Record<string, string> & { own: number; other: number }>(
    `SELECT tag::text, own, other, ${FIGURES_AS_TEXT} FROM (
       SELECT (e.zeitpunkt AT TIME ZONE z.zeitzone)::date AS tag, o.merkmal_id AS own, a.merkmal_id AS other, ${EVENT_FIGURES}
       FROM ereignisse e JOIN mandanten z ON z.mandant_id = $1 ${numberOf(own, 'o')} ${numberOf(other, 'a')}
       WHERE e.mandant_id = $1 GROUP BY 1, 2, 3) AS s`,
    [mandant],
  );
  const lists = [...Map.groupBy(rows, (row) => `${row.tag} ${row.own}`).values()].map((of) => ({
    tag: of[0]?.tag,
    own: of[0]?.own,
    liste: listOf(of.map(({ other: merkmal, ...figures }) => ({ merkmal, figures }))),
  }));
  await service.sql(
    `INSERT INTO verbrauch_liste (mandant_id, tag, nach, merkmal_id, teil, liste)
     SELECT $1, tag, $2, own, 0, liste FROM unnest($3::date[], $4::int[], $5::bytea[]) AS n (tag, own, liste)`,
    [
      ...[mandant, DIMENSIONS[other].number],
      ...[lists.map(({ tag }) => tag), lists.map(({ own: of }) => of), lists.map(({ liste }) => liste)],
    ],
  );
}

const histogramOf = (column: string) => `coalesce(sum(CASE WHEN e.${column} IS NOT NULL THEN
  ('1' || repeat('0', ${STEP_DIGITS} * width_bucket(e.${column}, ARRAY[${STEP_BOUNDS.join(', ')}]::bigint[])))::numeric END), 0)`;

async function writeHours(service: TestService, mandant: string, name: DimensionName | null): Promise<void> {
  const [number, merkmal] = name
    ? [DIMENSIONS[name].number, 'o.merkmal_id']
    : [TOTAL.dimension, `${TOTAL.merkmal}`];
  await service.sql(
    `INSERT INTO verbrauch_stunde (mandant_id, dimension, stunde, merkmal_id, ${FIGURE_NAMES.join(', ')}, latenz, erste_zeichen)
     SELECT $1, ${number}, date_trunc('hour', e.zeitpunkt, z.zeitzone), ${merkmal}, ${EVENT_FIGURES},
       ${histogramOf('latenz_ms')}, ${histogramOf('erste_zeichen_ms')}
     FROM ereignisse e JOIN mandanten z ON z.mandant_id = $1 ${name ? numberOf(name, 'o') : ''}
     WHERE e.mandant_id = $1 GROUP BY 3, 4`,
    [mandant],
  );
}

/** Writes them for a Mandant; two of three days are listed. */
export async function writeFormerSums(service: TestService, mandant: string): Promise<void> {
  for (const table of ['verbrauch_stunde', 'verbrauch_einzeln', 'verbrauch_liste'])
    await service.sql(`DELETE FROM ${table} WHERE mandant_id = $1`, [mandant]);
  for (const name of [null, ...DIMENSION_NAMES]) await writeHours(service, mandant, name);
  for (const own of DIMENSION_NAMES)
    for (const other of DIMENSION_NAMES) if (own !== other) await writeLists(service, mandant, own, other);
  await service.sql(
    `UPDATE verbrauch_tagesstand SET gelistet = CASE WHEN extract(day FROM tag)::int % 3 > 0 THEN geaendert END WHERE mandant_id = $1`,
    [mandant],
  );
}
