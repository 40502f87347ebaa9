/**
 * Puts pieces of counted calls together, one bounded transaction at a time: their rows go into new ones, and they go. Counting only adds pieces and is never waited for; who finds a piece gone that it has read undoes its own.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { MergedRows, type Run } from '../pieces/merged-rows.ts';
import { dayOfText, type Period, Periods, textOfDay } from '../pieces/periods.ts';

/** Rows that a piece has at most, and that one transaction reads; a counting transaction leaves fewer. */
export const MOST_ROWS = 100_000;
/** Calls with which a piece stays as it is. */
const FULL = MOST_ROWS / 2;
/** Pieces that one transaction reads at most. */
const MOST_PIECES = 2_000;
/** What waits for others in a period: when there are more, they are put together at once. */
const MOST_APART = 16;

export interface Whose {
  mandant_id: string;
  zeitzone: string;
}

interface Piece {
  nummer: number;
  marke: string;
  anzahl: number;
}

interface PlacedPiece extends Piece {
  tag_von: string;
  tag_bis: string;
  faellig: boolean;
}

interface Turn {
  client: pg.ClientBase;
  mandant: string;
  periods: Periods;
  now: string;
}

/** Whether the pieces of the Mandant are this transaction's to replace: it is there, and nobody else is at them. */
const LOCK = `SELECT now() AS jetzt FROM mandanten WHERE mandant_id = $1
  AND pg_try_advisory_xact_lock(hashtext('verbrauch_stuecke'), hashtext($1::text)) FOR KEY SHARE`;

const RAW = `SELECT nummer, marke, anzahl FROM verbrauch_stuecke
  WHERE mandant_id = $1 AND roh AND faellig_am <= $2 ORDER BY nummer LIMIT ${MOST_PIECES}`;
const OPEN = `SELECT nummer, marke, anzahl, tag_von, tag_bis, coalesce(faellig_am <= $2, false) AS faellig FROM verbrauch_stuecke
  WHERE mandant_id = $1 AND NOT roh AND anzahl < ${FULL} ORDER BY tag_von, nummer`;
const BYTES =
  'SELECT nummer, daten FROM verbrauch_stuecke WHERE mandant_id = $1 AND nummer = ANY($2::bigint[])';
const LEAST = 'SELECT coalesce(min(nummer), 0) AS nummer FROM verbrauch_stuecke WHERE mandant_id = $1';
const REMOVE =
  'DELETE FROM verbrauch_stuecke WHERE mandant_id = $1 AND nummer = ANY($2::bigint[]) AND marke = ANY($3::uuid[])';
const ADD = `INSERT INTO verbrauch_stuecke (mandant_id, nummer, marke, tag_von, tag_bis, anzahl, daten, roh, faellig_am)
  VALUES ($1, $2, $3, $4, $5, $6, $7, false, $8)`;
const PUT_OFF = 'UPDATE verbrauch_stuecke SET faellig_am = $3 WHERE mandant_id = $1 AND nummer = $2';

/** As many from the beginning on as one transaction reads. */
function firstOf<P extends Piece>(pieces: readonly P[]): P[] {
  let rows = 0;
  const end = pieces.findIndex(({ anzahl }, index) => {
    rows += anzahl;
    return index > 0 && rows > MOST_ROWS;
  });
  return end < 0 ? [...pieces] : pieces.slice(0, end);
}

async function readRows({ client, mandant }: Turn, pieces: readonly Piece[]): Promise<MergedRows> {
  const { rows } = await client.query<{ nummer: number; daten: Buffer }>(BYTES, [
    mandant,
    pieces.map(({ nummer }) => nummer),
  ]);
  const counts = new Map(pieces.map(({ nummer, anzahl }) => [nummer, anzahl]));
  const merged = new MergedRows(pieces.reduce((sum, { anzahl }) => sum + anzahl, 0));
  for (const { nummer, daten } of rows) await merged.add(daten, counts.get(nummer) as number);
  return merged;
}

async function remove({ client, mandant }: Turn, pieces: readonly Piece[]): Promise<void> {
  const { rowCount } = await client.query(REMOVE, [
    mandant,
    pieces.map(({ nummer }) => nummer),
    pieces.map(({ marke }) => marke),
  ]);
  if (rowCount !== pieces.length) throw new Error('somebody else has put these pieces together');
}

/** Adds runs of rows as pieces, each due when `due` says; numbers below 0, which no mark ever has. */
async function write(
  { client, mandant }: Turn,
  merged: MergedRows,
  runs: readonly Run[],
  due: (run: Run) => string | null,
): Promise<void> {
  const { rows } = await client.query<{ nummer: number }>(LEAST, [mandant]);
  let nummer = Math.min(0, Number(rows[0]?.nummer));
  for (const run of runs) {
    nummer -= 1;
    const { first, last, rows: order } = run;
    const days = [textOfDay(first), textOfDay(last)];
    const faellig = order.length < FULL ? due(run) : null;
    const daten = await merged.pack(run);
    await client.query(ADD, [mandant, nummer, randomUUID(), ...days, order.length, daten, faellig]);
  }
}

const isWithin = ({ tag_von, tag_bis }: PlacedPiece, { von, bis }: Period): boolean =>
  dayOfText(tag_von) >= von && dayOfText(tag_bis) <= bis;

/** What counting has left goes to its periods. Resolves with whether there is more to do. */
async function gather(turn: Turn, raw: readonly Piece[], open: readonly PlacedPiece[]): Promise<boolean> {
  const { periods, now } = turn;
  const pieces = firstOf(raw);
  const merged = await readRows(turn, pieces);
  await remove(turn, pieces);
  let isMany = false;
  await write(turn, merged, await merged.runs((day) => periods.of(day).von, MOST_ROWS), ({ first }) => {
    const period = periods.of(first);
    const apart = open.filter((piece) => isWithin(piece, period)).length;
    if (apart < MOST_APART) return periods.dueApart(period);
    isMany = true;
    return now;
  });
  return (
    isMany || pieces.length < raw.length || raw.length === MOST_PIECES || open.some(({ faellig }) => faellig)
  );
}

/** The pieces of a period in which one is due become one, as far as they have room in it. Resolves with whether there is more to do. */
async function close(turn: Turn, open: readonly PlacedPiece[], due: PlacedPiece): Promise<boolean> {
  const { client, mandant, periods } = turn;
  const period = periods.of(dayOfText(due.tag_von));
  const together = open.filter((piece) => isWithin(piece, period));
  const pieces = firstOf(together);
  const rest = open.filter((piece) => piece.faellig && !pieces.includes(piece));
  const faellig = periods.dueTogether(period);
  if (pieces.length <= 1) {
    await client.query(PUT_OFF, [mandant, due.nummer, faellig]);
    return rest.some((piece) => piece !== due);
  }
  const merged = await readRows(turn, pieces);
  await remove(turn, pieces);
  await write(turn, merged, await merged.runs(() => 0, MOST_ROWS), () => faellig);
  return rest.length > 0;
}

/** One transaction for a Mandant; resolves with whether there is more to do. What a crash undoes is done again. */
export function putTogether(owner: OwnerDatabase, { mandant_id, zeitzone }: Whose): Promise<boolean> {
  return owner.repeatable(async (client) => {
    const { rows } = await client.query<{ jetzt: string }>(LOCK, [mandant_id]);
    const now = rows[0]?.jetzt;
    if (now === undefined) return false;
    const periods = new Periods(zeitzone, Temporal.Instant.from(now));
    const turn = { client, mandant: mandant_id, periods, now };
    const { rows: raw } = await client.query<Piece>(RAW, [mandant_id, now]);
    const { rows: open } = await client.query<PlacedPiece>(OPEN, [mandant_id, now]);
    if (raw.length > 0) return gather(turn, raw, open);
    const due = open.find(({ faellig }) => faellig);
    return due ? close(turn, open, due) : false;
  });
}
