/**
 * What a body may cost to read: a search over bodies made to be dear, against an ordinary full batch of the same size; and what
 * senders of the dearest do to another Mandant's requests.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { ereignisseAnnehmen, MAX_BATCH_BYTES, MAX_EVENTS_PER_BATCH, SENT_FIELDS } from '#contracts';
import { createBatches } from './events.ts';
import { flood } from './flood.ts';
import { round } from './ingest.ts';
import { startBenchService } from './service.ts';
import { makeMandanten } from './small.ts';

const THREAD = new URL('../server/src/main/batches-thread.ts', import.meta.url);
const MIB = 2 ** 20;

const upTo = (limit: number) => Math.floor(Math.random() * limit);
const oneOf = <T>(items: readonly T[]): T => items[upTo(items.length)] as T;
const times = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, n) => make(n));

// ── bodies ──────────────────────────────────────────────────────────────────────────────────────────────────

/** Fields of an event like any other, the most usual first. */
const ordinaryFields = (index: number): [string, unknown][] => [
  ['modell', 'gpt-4o'],
  ['anbieter', 'openai'],
  ['agent', `agent-${index % 200}`],
  ['eingabe_token', 1_000 + index],
  ['ausgabe_token', index % 700],
  ['zeitpunkt', new Date(Date.now() - 1_000 * index).toISOString()],
  ['ereignis_id', randomUUID()],
  ['lauf_id', randomUUID()],
  ['schritt_nr', index % 40],
  ['endkunde_ref', `EK-${index % 2_000}`],
  ['cache_lese_token', index % 500],
  ['latenz_ms', 800 + (index % 999)],
  ['status', 'erfolgreich'],
  ['funktion_ref', 'antworten'],
  ['benutzer_ref', `u-${index % 300}`],
];
const EMPTY_NOTE = '"zusatz":{"notiz":""},'.length;

/** An event of this size in bytes: as many of the usual fields as there is room for, then a note. */
function ordinaryEvent(index: number, size: number): string {
  const event: Record<string, unknown> = {};
  let room = size - 2;
  for (const [name, value] of ordinaryFields(index)) {
    room -= JSON.stringify({ [name]: value }).length - 1;
    if (room >= 0) event[name] = value;
  }
  if (room > EMPTY_NOTE)
    event.zusatz = {
      notiz: randomUUID()
        .repeat(Math.ceil(room / 36))
        .slice(0, room - EMPTY_NOTE),
    };
  return JSON.stringify(event);
}

const SMALLEST = 95;

/** As many ordinary events as a batch takes, or as there is room for. */
function ordinaryEvents(bytes: number): string[] {
  const count = Math.min(MAX_EVENTS_PER_BATCH, Math.floor(bytes / SMALLEST));
  return times(count, (index) => ordinaryEvent(index, Math.floor(bytes / count) - 1));
}

const COUNTS = Object.entries(SENT_FIELDS)
  .filter(([, { kind }]) => kind === 'count')
  .map(([name]) => name);
const ESCAPED = ['\\u00e4', '\\"', '\\\\', '\\ud83e\\udd8a', '\\n'];
/** Forms of a count that are right, but none of them canonical. */
const LAX_COUNTS = ['"12"', '" 7 "', '"1_000"', '1.0', 'true', '"+5"', '1e3', '"0012.0"'];
const WRONG = ['"x"', '-1', '1.5', '[]', '{}', '"1e400"', 'null1', '1e400', `"${'9'.repeat(300)}"`];

const names = (from: number, count: number) =>
  `{${times(count, (n) => `"${(from + n).toString(36)}":${upTo(10)}`).join(',')}}`;
const nest = (levels: number) =>
  Math.random() < 0.5
    ? `${'['.repeat(levels)}${']'.repeat(levels)}`
    : `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

/** Free data of some form and size. */
function freeData(index: number, size: number): string {
  const value = oneOf([
    () => names(index * 97, Math.max(1, size >> 3)),
    () => names(0, Math.max(1, size >> 3)),
    () => `{"a":[${times(size >> 2, () => oneOf(['1', '""', '{}', '[]', 'null', '0.1']))}]}`,
    () => `{"a":[${times(size >> 5, () => String(Math.random() * 10 ** upTo(300)))}]}`,
    () => `{"a":${nest(Math.min(63, Math.max(1, size >> 3)))}}`,
    () => `{"a":"${oneOf(ESCAPED).repeat(size >> 2)}"}`,
    () => `{${times(size >> 3, () => '"a":1')}}`,
    () => `{"a":${'1'.repeat(size)}}`,
  ]);
  return value();
}

/** Makes an event of some size that differs from the ordinary in one way. */
const ODD_EVENTS: ((index: number, size: number) => string)[] = [
  (index, size) => ordinaryEvent(index, size),
  () => '{}',
  () => oneOf(['null', '1', '""', '[]', '[[]]']),
  (index, size) => `{"zusatz":${freeData(index, size - 12)}}`,
  (_index, size) => `{"agent":"${oneOf(ESCAPED).repeat(Math.min(16, size >> 4))}"}`,
  () =>
    `{${COUNTS.map((name) => `"${name}":${oneOf(LAX_COUNTS)}`).join(',')},"geschaetzt":"yes","zeitpunkt":${1.7e9 + upTo(1e6)},"lauf_id":"urn:uuid:${randomUUID()}"}`,
  () => `{${COUNTS.map((name) => `"${name}":${oneOf(WRONG)}`).join(',')},"lauf_id":"x"}`,
  (index, size) => `{${times(Math.max(1, size >> 4), (n) => `"x${index}_${n}":1`).join(',')}}`,
  (_index, size) => `{${times(Math.max(1, size >> 4), () => '"modell":"m"').join(',')}}`,
  (_index, size) => `{"modell":"${oneOf(['x', '😀', ' ']).repeat(size >> 2)}"}`,
  (index, size) => ordinaryEvent(index, size).replace('"gpt-4o"', '"gpt-\\u0034o"'),
  (index, size) => ordinaryEvent(index, size).replace('}}', '},"mehr":1}'),
];

/** A body: one or two kinds of events, one behind the other, and something at its end. */
function bodyOf(bytes: number): string {
  const size = oneOf([20, 60, 105, 200, 500, 1_040, 5_000, 100_000]);
  const share = oneOf([0, 0.5, 0.9, 0.999]);
  const [first, second] = [oneOf(ODD_EVENTS), oneOf(ODD_EVENTS)];
  const events: string[] = [];
  let length = 30;
  for (let index = 0; length < bytes && (events.length < MAX_EVENTS_PER_BATCH || share === 0); index += 1) {
    const event = (length < share * bytes ? first : second)(index, Math.min(size, bytes >> 1));
    length += event.length + 1;
    if (length <= bytes) events.push(event);
  }
  const body = `{"ereignisse":[${events.join(',')}${oneOf([']}', ']}', ']}', ']', ',]}', '],"x":1}', ''])}`;
  return body.length < bytes && Math.random() < 0.5 ? body.padEnd(bytes) : body;
}

// ── what they cost ──────────────────────────────────────────────────────────────────────────────────────────

/** Sends bodies to a reading thread; answers milliseconds of its CPU time. */
function startReader() {
  // As in the service.
  const thread = new Worker(THREAD, {
    resourceLimits: { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 128 },
  });
  const costOf = async (raw: Packed): Promise<number> => {
    const copy = new Uint8Array(raw);
    const header = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    thread.postMessage(
      { number: 0, operation: ereignisseAnnehmen.id, raw: copy, header, receivedAt: new Date() },
      [copy.buffer],
    );
    const [{ cpu }] = (await once(thread, 'message')) as [{ cpu: number }];
    return cpu;
  };
  return { costOf, stop: () => thread.terminate() };
}

type Packed = ReturnType<typeof gzipSync>;
type CostOf = (raw: Packed) => Promise<number>;

/** The least of several, which other work on the machine disturbs least. */
async function leastCost(costOf: CostOf, raw: Packed, tries: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < tries; run += 1) least = Math.min(least, await costOf(raw));
  return least;
}

async function search(costOf: CostOf, bytes: number, tries: number) {
  const full = gzipSync(`{"ereignisse":[${ordinaryEvents(bytes).join(',')}]}`);
  for (let run = 0; run < 5; run += 1) await costOf(full);
  const ordinary = await leastCost(costOf, full, 7);
  const found: { raw: Packed; cost: number }[] = [];
  for (let run = 0; run < tries; run += 1) {
    const raw = gzipSync(bodyOf(bytes));
    found.push({ raw, cost: await leastCost(costOf, raw, 2) });
    found.sort((one, other) => other.cost - one.cost).splice(5);
  }
  let worst = { raw: full, cost: 0 };
  for (const { raw } of found) {
    const cost = await leastCost(costOf, raw, 10);
    if (cost > worst.cost) worst = { raw, cost };
  }
  const result = {
    ordinary_ms: round(ordinary),
    worst_ms: round(worst.cost),
    ratio: round(worst.cost / ordinary),
    worst_bytes_packed: worst.raw.length,
  };
  return { result, worst: worst.raw };
}

const median = (values: number[]) => values.sort((one, other) => one - other)[values.length >> 1] ?? 0;

/** Milliseconds that a calm Mandant's batches take, alone and beside four senders of the dearest body. */
async function measureNeighbour(seconds: number, dear: Packed) {
  const service = await startBenchService();
  try {
    const client = await service.connect();
    const hostile = await makeMandanten(client, 4);
    await client.end();
    const next = createBatches();
    const calm = async () => {
      const taken: number[] = [];
      const end = performance.now() + 1_000 * seconds;
      while (performance.now() < end) {
        const start = performance.now();
        const answer = await fetch(`${service.address}/v1/ereignisse`, {
          method: 'POST',
          headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
          body: new Uint8Array(next().bytes),
        });
        await answer.arrayBuffer();
        taken.push(performance.now() - start);
        await delay(20);
      }
      return { median_ms: round(median(taken)), most_ms: round(taken.at(-1) ?? 0) };
    };
    await calm();
    const alone = await calm();
    let turn = 0;
    const [beside, flooded] = await Promise.all([
      calm(),
      flood(service, {
        connections: hostile.length,
        seconds,
        next: () => ({ bytes: dear, events: 0 }),
        key: () => hostile[turn++ % hostile.length] as string,
        encoding: 'gzip',
      }),
    ]);
    return { alone, beside_four_hostile: beside, their_statuses: flooded.statuses };
  } finally {
    await service.stop();
  }
}

export async function measureBodies(tries: number, seconds: number) {
  const reader = startReader();
  try {
    const large = await search(reader.costOf, MAX_BATCH_BYTES - 100, tries);
    const small = await search(reader.costOf, MIB, tries);
    return {
      mib_10: large.result,
      mib_1: small.result,
      neighbour: await measureNeighbour(seconds, large.worst),
    };
  } finally {
    await reader.stop();
  }
}
