/** A month of calls as pieces alone, which questions are answered by: left as counting leaves them, put together by the service's own job. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { DIMENSION_NAMES, DIMENSIONS, type DimensionName } from '#contracts';
import { PieceRows, stueckeZusammenlegenJob } from '#domains/verbrauch/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';
import type { Cardinality } from './traffic.ts';

const DAYS = 30;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Calls of a piece, as many as one counting transaction leaves at most. */
const CALLS = 20_000;

/** How many values each dimension has, and what they are called before their number. */
const valuesOf = ({
  agents,
  customers,
  models,
}: Cardinality): Record<DimensionName, [text: string, count: number]> => ({
  agent: ['agent-', agents],
  projekt: ['projekt-', Math.min(agents, 20)],
  endkunde: ['EK-', customers],
  anbieter: ['anbieter-', Math.min(models, 4)],
  modell: ['modell-', models],
  funktion: ['funktion-', 20],
  benutzer: ['u-', 500],
});

/** Gives the values their numbers; resolves with the number before the first one of each dimension. */
async function addValues(
  client: pg.Client,
  mandant: string,
  shape: Cardinality,
): Promise<Record<DimensionName, number>> {
  let given = 0;
  const before = {} as Record<DimensionName, number>;
  for (const [name, [text, count]] of Object.entries(valuesOf(shape)) as [
    DimensionName,
    [string, number],
  ][]) {
    before[name] = given;
    await client.query(
      `INSERT INTO merkmale (mandant_id, merkmal_id, dimension, text)
       SELECT $1, $2::int + n, $3, $4 || n FROM generate_series(1, $5::int) AS n`,
      [mandant, given, DIMENSIONS[name].number, text, count],
    );
    given += count;
  }
  return before;
}

/** The same numbers from 0 to 1 in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Of a call in USD at 10^-24, and at the rate in EUR at 10^-34. */
const INPUT = 15n * 10n ** 16n;
const OUTPUT = 6n * 10n ** 17n;
const RATE = 8_647_210_345n;

type Pick = (count: number) => number;

/** Sets what a call cost, and what it was. */
function setFigures(rows: PieceRows, n: number, pick: Pick): void {
  const [input, output, cached] = [500 + pick(4_000), 20 + pick(800), n % 3 === 0 ? pick(400) : 0];
  const isFailed = n % 33 === 0;
  const isEstimated = n % 50 === 0;
  const counts = {
    aufrufe: 1,
    aufgeteilt: 1,
    eingabe_token: input,
    ausgabe_token: output,
    cache_lese_token: cached,
    eingabe_ohne_cache: input - cached,
    ausgabe_gesamt: output,
    fehler: isFailed ? 1 : 0,
    geschaetzt: isEstimated ? 1 : 0,
    latenz: 20 + pick(30),
    erste_zeichen: 5 + pick(20),
  } as const;
  for (const [name, count] of Object.entries(counts)) rows.set(name as keyof typeof counts, count);
  if (n % 200 === 0) {
    rows.set('unbepreist', 1);
    return;
  }
  const usd = BigInt(input) * INPUT + BigInt(output) * OUTPUT;
  rows.setAmount('kosten_usd', usd);
  rows.setAmount('kosten_eur', usd * RATE);
  if (isEstimated) rows.setAmount('geschaetzt_eur', usd * RATE);
  if (isFailed) rows.setAmount('verbranntes_geld_eur', usd * RATE);
}

/** The local time of day and hour, from instants. */
function createClock(zone: string) {
  const offset = Temporal.Now.zonedDateTimeISO(zone).offsetNanoseconds / 1e6;
  return (ms: number) => ({
    tag: Math.floor((ms + offset) / DAY),
    stunde: (Math.floor((ms + offset) / HOUR) * HOUR - offset) / MINUTE,
    minute: Math.floor(ms / MINUTE),
  });
}

const ADD = `INSERT INTO verbrauch_stuecke (mandant_id, nummer, marke, tag_von, tag_bis, anzahl, daten, faellig_am)
  VALUES ($1, $2, $3, date '1970-01-01' + $4::int, date '1970-01-01' + $5::int, $6, $7, now())`;

interface Month extends Cardinality {
  calls: number;
  /** A zone whose offset does not change within the month. */
  zone: string;
  /** Each at any time of the month, as an import may have them; in order unless given. */
  scattered?: boolean;
}

/** Leaves a number of calls of the 30 days before now, of values that are Zipf-distributed. */
async function leavePieces(
  client: pg.Client,
  mandant: string,
  { calls, zone, scattered = false, ...shape }: Month,
): Promise<void> {
  const before = await addValues(client, mandant, shape);
  const random = createRandom(calls);
  const pick: Pick = (count) => Math.floor(random() * count);
  const values = DIMENSION_NAMES.map((name) => {
    const [, count] = valuesOf(shape)[name];
    return { name, before: before[name], reach: Math.log(count + 1) };
  });
  const numbers = Array.from({ length: 2 ** 16 }, (_, number) => number);
  const timesOf = createClock(zone);
  const begin = Date.now() - DAYS * DAY;
  for (let first = 0; first < calls; first += CALLS) {
    const rows = new PieceRows();
    const days = { first: 0, last: 0 };
    for (let n = first; n < Math.min(calls, first + CALLS); n += 1) {
      const times = timesOf(begin + (scattered ? random() : (n + random()) / calls) * DAYS * DAY);
      rows.add();
      for (const [name, value] of Object.entries(times)) rows.set(name as keyof typeof times, value);
      for (const { name, before: base, reach } of values)
        rows.set(name, base + Math.floor(Math.exp(random() * reach)));
      setFigures(rows, n, pick);
      days.first = Math.min(days.first || times.tag, times.tag);
      days.last = Math.max(days.last, times.tag);
    }
    const number = first / CALLS + 1;
    const piece = [days.first, days.last, rows.count, rows.pack(DIMENSION_NAMES, numbers)];
    await client.query(ADD, [mandant, number, randomUUID(), ...piece]);
  }
}

/** Puts together what is due, and then what has become due by that, as at the end of its day. */
async function putTogether({ host, user, database }: pg.Client): Promise<void> {
  const log = createLog('error');
  const connection = { host, user: user ?? '', database: database ?? '' };
  const db = createOwnerDatabase(
    createPool({ connection, max: 1, statementTimeout: 600_000, name: 'bench' }, log),
  );
  const job = stueckeZusammenlegenJob({ owner: db, log });
  const isDue = async () =>
    (await db.query('SELECT FROM verbrauch_stuecke WHERE faellig_am <= now() LIMIT 1')).rowCount;
  for (const end of [false, true]) {
    if (end)
      await db.query(
        'UPDATE verbrauch_stuecke SET faellig_am = now() WHERE faellig_am IS NOT NULL AND NOT roh',
      );
    while (await isDue()) await job.run();
  }
  await db.close();
}

/** Makes a month of calls anew, and nothing but their pieces, as counting leaves them. */
export async function leaveMonth(client: pg.Client, mandant: string, month: Month): Promise<void> {
  await client.query('TRUNCATE merkmale, verbrauch_stuecke');
  await leavePieces(client, mandant, month);
  await client.query(
    `INSERT INTO zaehlstaende (mandant_id, ereignisse_gesamt, marken, stuecke_bis, merkmale_anzahl, daten_von, daten_bis)
     SELECT $1, $2, max(nummer), max(nummer), (SELECT count(*) FROM merkmale), now() - interval '${DAYS} days', now() FROM verbrauch_stuecke
     ON CONFLICT (mandant_id) DO UPDATE SET (ereignisse_gesamt, marken, stuecke_bis, merkmale_anzahl)
       = (excluded.ereignisse_gesamt, excluded.marken, excluded.marken, excluded.merkmale_anzahl)`,
    [mandant, month.calls],
  );
}

/** The same, put together. */
export async function makePieces(client: pg.Client, mandant: string, month: Month): Promise<void> {
  await leaveMonth(client, mandant, month);
  await putTogether(client);
  await client.query('VACUUM ANALYZE merkmale, verbrauch_stuecke');
}
