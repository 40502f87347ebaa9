/** Pieces as counting would leave them, of calls that are made up. */
import { DIMENSION_NAMES, DIMENSIONS, type DimensionName } from '#contracts';
import { PieceRows } from '#domains/verbrauch/index.ts';
import type { AmountName, CountName, StepColumn } from '#domains/verbrauch/pieces/columns.ts';
import { hourStart } from '#kernel/zeitraum.ts';
import type { TestService } from './service.ts';

const ZONE = 'Europe/Berlin';
const MINUTE = 60_000;
const DAY = 86_400_000;

/** A row of a piece; an omitted figure is 0, and of dimensions ''. Amounts in their smallest unit. */
export type MadeRow = {
  ms: number /** Where it is another one than that of the hour in Berlin; `ms` begins the hour then. */;
  tag?: string;
} & Partial<Record<DimensionName, string>> &
  Partial<Record<CountName | StepColumn, number>> &
  Partial<Record<AmountName, bigint>>;

/** The numbers of these texts by dimension, which they get where they have none. */
async function numbersOf(
  service: TestService,
  mandant: string,
  rows: MadeRow[],
): Promise<Map<string, number>> {
  const texts = DIMENSION_NAMES.map((name) => [...new Set(rows.map((row) => row[name] ?? ''))]);
  for (const [index, name] of DIMENSION_NAMES.entries())
    await service.sql(
      `INSERT INTO merkmale (mandant_id, dimension, text, merkmal_id)
       SELECT $1, $2, n.text, row_number() OVER () + (SELECT coalesce(max(merkmal_id), 0) FROM merkmale WHERE mandant_id = $1)
       FROM unnest($3::text[]) AS n (text) WHERE NOT EXISTS (
         SELECT FROM merkmale m WHERE m.mandant_id = $1 AND m.dimension = $2 AND m.text = n.text)`,
      [mandant, DIMENSIONS[name].number, texts[index]],
    );
  const found = await service.sql<{ dimension: number; text: string; merkmal_id: number }>(
    'SELECT dimension, text, merkmal_id FROM merkmale WHERE mandant_id = $1',
    [mandant],
  );
  return new Map(found.map(({ dimension, text, merkmal_id }) => [`${dimension} ${text}`, merkmal_id]));
}

function addRow(out: PieceRows, { ms, tag: own, ...row }: MadeRow, numbers: Map<string, number>): string {
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(ZONE);
  const tag = own ?? local.toPlainDate().toString();
  const hour = own === undefined ? hourStart(local).epochMilliseconds : ms;
  out.add();
  out.set('tag', Date.parse(`${tag}T00:00:00Z`) / DAY);
  out.set('stunde', hour / MINUTE);
  out.set('minute', Math.floor(ms / MINUTE));
  for (const name of DIMENSION_NAMES)
    out.set(name, numbers.get(`${DIMENSIONS[name].number} ${row[name] ?? ''}`) as number);
  for (const [name, value] of Object.entries(row)) {
    if (typeof value === 'bigint') out.setAmount(name as AmountName, value);
    else if (typeof value === 'number') out.set(name as CountName, value);
  }
  return tag;
}

/** A piece of these rows; the number it gets. */
export async function addPiece(service: TestService, mandant: string, rows: MadeRow[]): Promise<number> {
  const numbers = await numbersOf(service, mandant, rows);
  const out = new PieceRows();
  const days = rows.map((row) => addRow(out, row, numbers)).sort();
  const own = Object.fromEntries([...numbers.values()].map((number) => [number, number]));
  const [added] = await service.sql<{ nummer: string }>(
    `INSERT INTO verbrauch_stuecke (mandant_id, nummer, tag_von, tag_bis, anzahl, daten)
     SELECT $1, coalesce(max(nummer), 0) + 1, $2, $3, $4, $5 FROM verbrauch_stuecke WHERE mandant_id = $1
     RETURNING nummer::text`,
    [mandant, days[0], days.at(-1), rows.length, out.pack(DIMENSION_NAMES, own)],
  );
  return Number(added?.nummer);
}
