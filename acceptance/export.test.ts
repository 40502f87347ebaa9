/** The export of everything: its sums agree, and it takes no more memory for much than for little. */
import { randomUUID } from 'node:crypto';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIMENSION_NAMES, DIMENSIONS } from '#contracts';
import { eurFrom } from '#kernel/money.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { linesOf, unzip } from '#test/unzip.ts';

const ZONE = 'Europe/Berlin';

interface EventRow {
  zeitpunkt: string;
  agent: string;
  projekt: string;
  endkunde_ref: string | null;
  anbieter: string | null;
  modell: string | null;
  lauf_id: string | null;
  status: string;
  eingabe_token: number | null;
  kosten_eur: string | null;
}
type SumRow = EventRow & { tag: string; stunde: string; aufrufe: number; fehler: number; unbepreist: number };
/** Sums by the values of one dimension, or of all calls (`gesamt`). */
type ConsumptionRow = SumRow & { dimension: string; merkmal: string };

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

interface Sum {
  aufrufe: number;
  fehler: number;
  unbepreist: number;
  eingabe: number;
  eur: bigint;
}
const toEur = (text: string | null) => (text === null ? 0n : eurFrom(text));

/** Sums by the key, as lists that compare. */
function sumsBy<R>(rows: R[], keyOf: (row: R) => string, read: (row: R) => Sum): [string, Sum][] {
  const sums = new Map<string, Sum>();
  for (const row of rows) {
    const part = read(row);
    const sum = sums.get(keyOf(row)) ?? { aufrufe: 0, fehler: 0, unbepreist: 0, eingabe: 0, eur: 0n };
    sums.set(keyOf(row), {
      aufrufe: sum.aufrufe + part.aufrufe,
      fehler: sum.fehler + part.fehler,
      unbepreist: sum.unbepreist + part.unbepreist,
      eingabe: sum.eingabe + part.eingabe,
      eur: sum.eur + part.eur,
    });
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
}
const ofEvent = (event: EventRow): Sum => ({
  aufrufe: 1,
  fehler: event.status === 'erfolgreich' ? 0 : 1,
  unbepreist: event.kosten_eur === null ? 1 : 0,
  eingabe: event.eingabe_token ?? 0,
  eur: toEur(event.kosten_eur),
});
const ofSum = (row: SumRow): Sum => ({
  aufrufe: row.aufrufe,
  fehler: row.fehler,
  unbepreist: row.unbepreist,
  eingabe: row.eingabe_token ?? 0,
  eur: toEur(row.kosten_eur),
});
/** What an event counts for, by dimension; '' for none. */
const KEYS: Record<string, (event: EventRow) => string> = {
  gesamt: () => '',
  ...Object.fromEntries(
    DIMENSION_NAMES.map((name) => [
      name,
      (event: EventRow) =>
        String((event as unknown as Record<string, unknown>)[DIMENSIONS[name].column] ?? ''),
    ]),
  ),
};
/** The events once for each dimension. */
const byDimension = (events: EventRow[]) =>
  Object.entries(KEYS).flatMap(([dimension, keyOf]) =>
    events.map((event) => ({ ...event, dimension, merkmal: keyOf(event) })),
  );

/** A few hundred calls over two months, the change of the clocks included, of which some have no known price. */
async function sendMixed(account: Account): Promise<void> {
  const { secret } = await createKey(service, account);
  const runs = Array.from({ length: 12 }, () => randomUUID());
  const models = [
    { anbieter: 'openai', modell: 'gpt-4o' },
    { anbieter: 'anthropic', modell: 'claude-3-5-sonnet-latest' },
    { anbieter: 'niemand', modell: 'nie-gehört' },
    {},
  ];
  const ereignisse = Array.from({ length: 400 }, (_, index) => ({
    ...models[index % models.length],
    agent: `agent-${index % 3}`,
    ...(index % 5 === 0 ? {} : { endkunde_ref: `kunde-${index % 4}` }),
    ...(index % 7 === 0 ? {} : { lauf_id: runs[index % runs.length] }),
    status: index % 11 === 0 ? 'fehler' : 'erfolgreich',
    zeitpunkt: new Date(Date.UTC(2025, 8, 30, 21, 40) + index * 3.7 * 3_600_000).toISOString(),
    eingabe_token: 1_000 + index * 37,
    ausgabe_token: 100 + index,
  }));
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: { ereignisse },
  });
  expect(answer.statusCode).toBe(202);
  await countAll(service);
}

describe('the sums agree', () => {
  let lists: { events: EventRow[]; days: ConsumptionRow[]; hours: ConsumptionRow[]; runs: SumRow[] };
  beforeAll(async () => {
    const account = await registerAccount(service);
    await sendMixed(account);
    const headers = { cookie: account.cookie };
    const answer = await service.app.inject({ method: 'GET', url: '/v1/cockpit/export.zip', headers });
    const files = await unzip(answer.rawPayload);
    const list = (name: string) => JSON.parse(files.get(`json/${name}.json`) as string);
    lists = {
      events: list('ereignisse'),
      days: list('verbrauch_tag'),
      hours: list('verbrauch_stunde'),
      runs: list('laeufe'),
    };
  });

  test('of the events and of the days', () => {
    const { events, days } = lists;
    const dayOf = ({ zeitpunkt }: EventRow) =>
      Temporal.Instant.from(zeitpunkt).toZonedDateTimeISO(ZONE).toPlainDate();
    expect(events).toHaveLength(400);
    const key = (row: { dimension: string; merkmal: string }) => `${row.dimension}|${row.merkmal}`;
    expect(sumsBy(byDimension(events), (event) => `${dayOf(event)}|${key(event)}`, ofEvent)).toEqual(
      sumsBy(days, (row) => `${row.tag}|${key(row)}`, ofSum),
    );
    expect(days.some(({ aufrufe, unbepreist }) => aufrufe === unbepreist)).toBe(true);
    expect(days.some(({ aufrufe, unbepreist }) => aufrufe > unbepreist)).toBe(true);
  });

  test('of the events and of the hours', () => {
    const hourOf = ({ zeitpunkt }: EventRow) =>
      Temporal.Instant.from(zeitpunkt).round({ smallestUnit: 'hour', roundingMode: 'floor' });
    const key = (row: { dimension: string; merkmal: string }) => `${row.dimension}|${row.merkmal}`;
    expect(sumsBy(byDimension(lists.events), (event) => `${hourOf(event)}|${key(event)}`, ofEvent)).toEqual(
      sumsBy(lists.hours, (row) => `${Temporal.Instant.from(row.stunde)}|${key(row)}`, ofSum),
    );
  });

  test('of the events and of the runs', () => {
    const inRuns = lists.events.filter(({ lauf_id }) => lauf_id !== null);
    expect(inRuns.length).toBeGreaterThan(100);
    expect(sumsBy(inRuns, (event) => event.lauf_id as string, ofEvent)).toEqual(
      sumsBy(lists.runs, (row) => row.lauf_id as string, ofSum),
    );
  });
});

const EVENTS = 150_000;
const MEBIBYTE = 1024 * 1024;
/** The archive is several times as large, and its contents many times. */
const MOST = 40 * MEBIBYTE;

/** Events that do not compress well, so that the archive itself does not fit into the bound either. */
const insertMany = (account: Account) =>
  service.sql(
    `INSERT INTO ereignisse (mandant_id, ereignis_id, zeitpunkt, empfangen_am, agent, projekt, status, geschaetzt, quelle,
       kurs_usd_eur, kosten_usd, fehlercode)
     SELECT $1, gen_random_uuid(), now() - interval '13 days' + n * interval '7 seconds', now(), 'a', 'standard', 'fehler',
       false, 'ingest', 1, n * 0.000001, encode(sha512(n::text::bytea) || sha512((-n)::text::bytea)
         || sha512((n * 3.5)::text::bytea), 'hex')
     FROM generate_series(1, ${EVENTS}) AS n`,
    [account.mandantId],
  );

/** Bytes in use once everything that nobody needs is gone. */
function createGauge(): () => number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  return () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
}

test('its memory is bounded, however much there is and however slowly it is read', async () => {
  const account = await registerAccount(service);
  await insertMany(account);
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.app.server.address() as AddressInfo;
  const directory = mkdtempSync(join(tmpdir(), 'zw-export-'));
  const path = join(directory, 'export.zip');
  const used = createGauge();
  const before = used();

  const answer = await fetch(`http://127.0.0.1:${port}/v1/cockpit/export.zip`, {
    headers: { cookie: account.cookie },
  });
  const file = createWriteStream(path);
  let most = 0;
  let length = 0;
  let measuredAt = 0;
  for await (const chunk of answer.body as ReadableStream<Uint8Array>) {
    await new Promise((resolve) => file.write(chunk, resolve));
    length += chunk.length;
    if (length - measuredAt < 2 * MEBIBYTE) continue;
    // Measuring is slower than anything else here: it makes a slow reader of this.
    measuredAt = length;
    most = Math.max(most, used() - before);
  }
  await new Promise<void>((resolve) => file.end(resolve));

  expect(length).toBeGreaterThan(1.5 * MOST);
  expect(most).toBeLessThan(MOST);

  let eur = 0n;
  let events = 0;
  for await (const line of linesOf(path, 'json/ereignisse.json')) {
    if (line === '[' || line === ']') continue;
    events += 1;
    eur += toEur((JSON.parse(line.replace(/,$/, '')) as EventRow).kosten_eur);
  }
  rmSync(directory, { recursive: true });
  expect(events).toBe(EVENTS);
  expect(eur).toBe(eurFrom('0.000001') * BigInt((EVENTS * (EVENTS + 1)) / 2));
});
