/** Lists of the values of a dimension with their figures, packed out of the sums that counting keeps, where values are many. */
import type pg from 'pg';
import { FIGURE_NAMES } from '#contracts';
import { GroupSums } from '../lists/group-sums.ts';
import { toList } from '../lists/list.ts';
import { GRAINS, TOTAL } from '../rollup.ts';
import { completeSums } from '../singles.ts';
import { type Day, lockLists, pagesOf } from './condense.ts';

/** Values from which on a list pays: fewer rows are read in no time. */
const MANY_VALUES = 1_000;
const ROWS_AT_ONCE = 5_000;

/** What a list is of: the local days of a Mandant from `tag` (`YYYY-MM-DD`) on, none for a day that is not over; as of a state. */
interface Listed {
  mandant_id: string;
  tag: string;
  tage: number;
  stand: string;
}

/** The sums that a list is made of: rows of a grain, those that meet a condition on the values, and on the dimension behind them. */
interface Rows {
  grain: 'stunde' | 'tag' | 'woche';
  where: string;
  values: unknown[];
}

const FIGURES = FIGURE_NAMES.map((name) => `trim_scale(sum(${name}))::text`).join(', ');

async function listOf(client: pg.ClientBase, { grain, where, values }: Rows): Promise<Buffer> {
  const select = `SELECT merkmal_id, ${FIGURES} FROM ${completeSums(grain)} v
    WHERE ${where} AND dimension = $${values.length} GROUP BY merkmal_id`;
  const sums = new GroupSums();
  for await (const page of pagesOf(client, select, values, ROWS_AT_ONCE))
    for (const [merkmal, ...figures] of page as [number, ...string[]][]) {
      const place = sums.placeOf(merkmal);
      for (const [index, name] of FIGURE_NAMES.entries()) sums.addText(place, name, figures[index] as string);
    }
  return toList(sums);
}

/** The dimensions with so many values in a day or week. */
async function dimensionsOf(
  client: pg.ClientBase,
  grain: 'tag' | 'woche',
  { mandant_id, tag }: Listed,
  many: number,
): Promise<number[]> {
  const { table, column } = GRAINS[grain];
  const { rows } = await client.query<{ dimension: number }>(
    `SELECT dimension FROM ${table} WHERE mandant_id = $1 AND ${column} = $2 AND dimension <> ${TOTAL.dimension}
     GROUP BY dimension HAVING count(*) >= $3`,
    [mandant_id, tag, many],
  );
  return rows.map(({ dimension }) => dimension);
}

async function writeLists(
  client: pg.ClientBase,
  { mandant_id, tag, tage, stand }: Listed,
  dimensions: number[],
  rows: Rows,
): Promise<void> {
  for (const dimension of dimensions)
    await client.query(
      `INSERT INTO verbrauch_rangliste (mandant_id, dimension, tag, tage, stand, liste) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (mandant_id, dimension, tag, tage) DO UPDATE SET stand = excluded.stand, liste = excluded.liste`,
      [
        mandant_id,
        dimension,
        tag,
        tage,
        stand,
        await listOf(client, { ...rows, values: [...rows.values, dimension] }),
      ],
    );
}

async function writePeriod(
  client: pg.ClientBase,
  grain: 'tag' | 'woche',
  listed: Listed,
  many: number,
): Promise<void> {
  const where = `mandant_id = $1 AND ${GRAINS[grain].column} = $2`;
  const values = [listed.mandant_id, listed.tag];
  await writeLists(client, listed, await dimensionsOf(client, grain, listed, many), { grain, where, values });
}

interface State {
  stand: string;
  /** Whether all days have been looked at. */
  complete: boolean;
}

// Read before the sums: what is counted meanwhile leaves the lists unused.
const STATE = `SELECT sum(geaendert)::text AS stand, bool_and(rang_gelistet = geaendert) IS TRUE AS complete FROM verbrauch_tagesstand
  WHERE mandant_id = $1 AND tag >= $2 AND tag < $2::date + $3::int`;

async function readState(client: pg.ClientBase, mandant: string, tag: string, tage: number): Promise<State> {
  const { rows } = await client.query<State>(STATE, [mandant, tag, tage]);
  return rows[0] as State;
}

/**
 * Makes the lists of a day that is over, and those of its week once all days of that are done; of dimensions with so many values.
 * Leaves it to a later turn where others are at the lists of the Mandant.
 */
export async function listOrder(
  client: pg.ClientBase,
  { mandant_id, tag, zeitzone }: Day,
  many = MANY_VALUES,
): Promise<void> {
  if (!(await lockLists(client, mandant_id))) return;
  const { stand } = await readState(client, mandant_id, tag, 1);
  await writePeriod(client, 'tag', { mandant_id, tag, tage: 1, stand }, many);
  await client.query('DELETE FROM verbrauch_rangliste WHERE mandant_id = $1 AND tag = $2 AND tage = 0', [
    mandant_id,
    tag,
  ]);
  await client.query(
    'UPDATE verbrauch_tagesstand SET rang_gelistet = $3 WHERE mandant_id = $1 AND tag = $2',
    [mandant_id, tag, stand],
  );
  const date = Temporal.PlainDate.from(tag);
  const monday = date.subtract({ days: date.dayOfWeek - 1 });
  const today = Temporal.Now.plainDateISO(zeitzone);
  if (Temporal.PlainDate.compare(monday.add({ days: 7 }), today) > 0) return;
  const week = await readState(client, mandant_id, monday.toString(), 7);
  if (week.complete)
    await writePeriod(
      client,
      'woche',
      { mandant_id, tag: monday.toString(), tage: 7, stand: week.stand },
      many,
    );
}

/** Where the parts of a day hold: their state, and up to when they go. */
const STATE_OF_PARTS = `SELECT teile_stand::text AS stand, to_char(teile_bis AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS bis
  FROM verbrauch_tagesstand WHERE mandant_id = $1 AND tag = $2 AND teile_stand = geaendert - danach_geaendert`;

/** Makes the lists of a day that is not over, up to where its parts go and in force as long as these. */
export async function listOrderSoFar(
  client: pg.ClientBase,
  { mandant_id, tag, zeitzone }: Day,
  many = MANY_VALUES,
): Promise<void> {
  if (!(await lockLists(client, mandant_id))) return;
  const { rows } = await client.query<{ stand: string; bis: string }>(STATE_OF_PARTS, [mandant_id, tag]);
  const [parts] = rows;
  if (!parts) return;
  const listed = { mandant_id, tag, tage: 0, stand: parts.stand };
  const start = Temporal.PlainDate.from(tag).toZonedDateTime(zeitzone).toInstant().toString();
  await writeLists(client, listed, await dimensionsOf(client, 'tag', listed, many), {
    grain: 'stunde',
    where: 'mandant_id = $1 AND stunde >= $2 AND stunde < $3',
    values: [mandant_id, start, parts.bis],
  });
}
