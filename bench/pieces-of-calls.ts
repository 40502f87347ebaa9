/** Pieces of calls that were made inside the database, as counting would have left them. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { DIMENSION_NAMES, DIMENSIONS } from '#contracts';
import { AMOUNT_NAMES, COUNT_NAMES, EVENT_FIGURES, eventValue, PieceRows } from '#domains/verbrauch/index.ts';
import { EUR_SCALE, USD_SCALE } from '#kernel/money.ts';

/** Calls of a piece, as many as one counting transaction leaves at most. */
const CALLS = 20_000;

/** A figure of a row `f`: an amount in its smallest unit. */
const figure = (name: string): string => {
  if (!(AMOUNT_NAMES as readonly string[]).includes(name)) return `f.${name}`;
  return `trunc(f.${name} * 1e${name === 'kosten_usd' ? USD_SCALE : EUR_SCALE})::text AS ${name}`;
};
const FIGURES = [...COUNT_NAMES, ...AMOUNT_NAMES].map(figure).join(', ');
const VALUES = DIMENSION_NAMES.map(
  (
    name,
  ) => `(SELECT merkmal_id FROM merkmale m WHERE m.mandant_id = $1 AND m.dimension = ${DIMENSIONS[name].number}
    AND m.text = ${eventValue(name)}) AS ${name}`,
);
/** In a zone whose hours begin with those of UTC. */
const EVENTS = `DECLARE anrufe NO SCROLL CURSOR FOR
  SELECT (e.zeitpunkt AT TIME ZONE o.zeitzone)::date - date '1970-01-01' AS tag,
    floor(extract(epoch FROM e.zeitpunkt) / 3600)::int * 60 AS stunde, floor(extract(epoch FROM e.zeitpunkt) / 60)::int AS minute,
    ${VALUES.join(', ')}, ${FIGURES}
  FROM ereignisse e JOIN mandanten o USING (mandant_id) CROSS JOIN LATERAL (SELECT ${EVENT_FIGURES} FROM (SELECT e.*) AS e) AS f
  WHERE e.mandant_id = $1 ORDER BY e.zeitpunkt`;
const ADD = `INSERT INTO verbrauch_stuecke (mandant_id, nummer, marke, tag_von, tag_bis, anzahl, daten)
  VALUES ($1, $2, $3, date '1970-01-01' + $4::int, date '1970-01-01' + $5::int, $6, $7)`;

type Call = Record<string, number | string>;

function packed(calls: readonly Call[]): PieceRows {
  const rows = new PieceRows();
  for (const call of calls) {
    rows.add();
    for (const name of ['tag', 'stunde', 'minute', ...DIMENSION_NAMES, ...COUNT_NAMES] as const)
      rows.set(name, Number(call[name]));
    for (const name of AMOUNT_NAMES) rows.setAmount(name, BigInt(call[name] as string));
  }
  return rows;
}

/** Makes the pieces of all calls, whose values have their numbers. */
export async function addPieces(client: pg.Client, mandant: string): Promise<void> {
  await client.query('BEGIN');
  await client.query(EVENTS, [mandant]);
  for (let nummer = 1; ; nummer += 1) {
    const { rows: calls } = await client.query<Call>(`FETCH ${CALLS} FROM anrufe`);
    const [first, last] = [calls[0], calls.at(-1)];
    if (!first || !last) break;
    const rows = packed(calls);
    const piece = [first.tag, last.tag, rows.count, rows.pack([], {})];
    await client.query(ADD, [mandant, nummer, randomUUID(), ...piece]);
    await client.query(
      `INSERT INTO zaehlstaende (mandant_id, marken, stuecke_bis) VALUES ($1, $2, $2)
       ON CONFLICT (mandant_id) DO UPDATE SET (marken, stuecke_bis) = (excluded.marken, excluded.marken)`,
      [mandant, nummer],
    );
  }
  await client.query('COMMIT');
}
