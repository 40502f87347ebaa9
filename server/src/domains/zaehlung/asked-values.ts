/** Values that somebody asks for at once, and that therefore have running sums, or are to have some. */
import type pg from 'pg';
import { DIMENSIONS, type DimensionName } from '#contracts';
import { arrayText } from './write/statement.ts';

/** A value that somebody asks for at once. */
export interface AskedValue {
  dimension: DimensionName;
  text: string;
}

/** Values of a Mandant besides its agents: more than its rules and budgets may name. */
export const MOST_VALUES = 5_000;
const NOTED = `SELECT dimension, text, seit IS NULL AS offen, gebraucht_am < current_date AS alt FROM verbrauch_gefuehrt
  WHERE mandant_id = $1 AND text = ANY($2::text[])`;
const NOTE = `INSERT INTO verbrauch_gefuehrt AS g (mandant_id, dimension, text, gebraucht_am)
  SELECT $1, n.d, n.t, current_date FROM unnest($2::smallint[], $3::text[]) AS n (d, t)
  ON CONFLICT (mandant_id, dimension, text) DO UPDATE SET gebraucht_am = excluded.gebraucht_am`;
const COUNT = 'SELECT count(*)::int AS anzahl FROM verbrauch_gefuehrt WHERE mandant_id = $1';

interface NotedRow {
  dimension: number;
  text: string;
  /** Whether it has no sums yet. */
  offen: boolean;
  /** Whether nobody has asked for it today. */
  alt: boolean;
}

export type Client = Pick<pg.ClientBase, 'query'>;

export const columnsOf = (values: readonly { dimension: number; text: string }[]) => [
  arrayText(values.map(({ dimension }) => dimension)),
  values.map(({ text }) => text),
];

const keyOf = ({ dimension, text }: { dimension: number; text: string }): string => `${dimension} ${text}`;

/** How many values more the Mandant may have. */
async function roomFor(client: Client, mandant: string): Promise<number> {
  const { rows } = await client.query<{ anzahl: number }>(COUNT, [mandant]);
  return Math.max(0, MOST_VALUES - (rows[0]?.anzahl ?? 0));
}

interface Noted {
  /** Whether some are new. */
  areNew: boolean;
  /** Whether any of those that were noted have no sums yet. */
  lackSums: boolean;
  /** Whether there is no room for some. */
  areTooMany: boolean;
}

/** Notes what was asked for. */
export async function noteAsked(
  client: Client,
  mandant: string,
  asked: readonly AskedValue[],
): Promise<Noted> {
  const named = new Map(
    asked
      .filter(({ dimension }) => dimension !== 'agent')
      .map(({ dimension, text }) => ({ dimension: DIMENSIONS[dimension].number, text }))
      .map((value) => [keyOf(value), value]),
  );
  if (named.size === 0) return { areNew: false, lackSums: false, areTooMany: false };
  const texts = [...named.values()].map(({ text }) => text);
  const { rows } = await client.query<NotedRow>(NOTED, [mandant, texts]);
  const noted = rows.filter((row) => named.has(keyOf(row)));
  const known = new Set(noted.map(keyOf));
  const missing = [...named].flatMap(([key, value]) => (known.has(key) ? [] : [value]));
  const fresh = missing.slice(0, missing.length === 0 ? 0 : await roomFor(client, mandant));
  // In an order of their own: of two who ask at once neither waits for what the other has.
  const changed = [...noted.filter(({ alt }) => alt), ...fresh].sort((a, b) =>
    keyOf(a) < keyOf(b) ? -1 : 1,
  );
  if (changed.length > 0) await client.query(NOTE, [mandant, ...columnsOf(changed)]);
  return {
    areNew: fresh.length > 0,
    lackSums: fresh.length > 0 || noted.some(({ offen }) => offen),
    areTooMany: fresh.length < missing.length,
  };
}
