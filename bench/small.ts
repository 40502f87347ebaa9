/** Many Mandanten that send one to five events a request, as SDKs do: what is counted meanwhile, and how far counting lags behind. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { newKeySecret, visibleParts } from '#domains/schluessel/index.ts';
import { hashOf } from '#platform/secret.ts';
import { createBatches, FEW } from './events.ts';
import { flood } from './flood.ts';
import { round } from './ingest.ts';
import { watchMemory } from './memory.ts';
import { startBenchService } from './service.ts';

const MANDANTEN = 500;
const SIZES = [1, 2, 3, 4, 5];
const CONNECTIONS = 64;

/** Makes Mandanten and answers a key of each; registering them would measure the hashing of passwords. */
export async function makeMandanten(client: pg.Client, count: number): Promise<string[]> {
  const made = Array.from({ length: count }, () => ({ mandant: randomUUID(), secret: newKeySecret() }));
  await client.query(
    `INSERT INTO mandanten (mandant_id, firma, paket, zeitzone) SELECT m, 'Messung', 'frei', 'Europe/Berlin' FROM unnest($1::uuid[]) AS m`,
    [made.map(({ mandant }) => mandant)],
  );
  await client.query(
    `INSERT INTO schluessel (mandant_id, schluessel_id, name, hash, anfang, letzte_vier, bereiche)
     SELECT m, gen_random_uuid(), 'Messung', h, a, v, ARRAY['Senden', 'Lesen']
     FROM unnest($1::uuid[], $2::bytea[], $3::text[], $4::text[]) AS n (m, h, a, v)`,
    [
      made.map(({ mandant }) => mandant),
      made.map(({ secret }) => hashOf(secret)),
      made.map(({ secret }) => visibleParts(secret).anfang),
      made.map(({ secret }) => visibleParts(secret).letzte_vier),
    ],
  );
  return made.map(({ secret }) => secret);
}

/** Counted so far, and for how many seconds the batch that waits longest has waited. */
async function look(client: pg.Client): Promise<{ counted: number; lag: number }> {
  const { rows } = await client.query<{ counted: number; lag: number }>(
    `SELECT (SELECT coalesce(sum(ereignisse_gesamt), 0)::float8 FROM zaehlstaende) AS counted,
       (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(empfangen_am)), 0)::float8 FROM eingang) AS lag`,
  );
  return rows[0] as { counted: number; lag: number };
}

/** Sends for `seconds`, `perSecond` requests a second or as fast as it goes. */
async function measure(seconds: number, perSecond: number) {
  const service = await startBenchService();
  try {
    const client = await service.connect();
    const keys = await makeMandanten(client, MANDANTEN);
    const next = createBatches(FEW, SIZES, true);
    let turn = 0;
    const key = () => keys[turn++ % keys.length] as string;
    await flood(service, { connections: CONNECTIONS, seconds: 5, next, key });
    while ((await look(client)).lag > 0) await delay(50);
    const { counted: before } = await look(client);
    const lags: number[] = [];
    const memory = watchMemory(service);
    const start = performance.now();
    const from = turn;
    const cpuBefore = service.cpu();
    let meanwhile = 0;
    let sending = true;
    const watch = async () => {
      for (; sending; await delay(200)) {
        const { counted, lag } = await look(client);
        meanwhile = (counted - before) / ((performance.now() - start) / 1_000);
        lags.push(lag);
      }
    };
    const watched = watch();
    const maySend = () => turn - from < ((performance.now() - start) / 1_000) * perSecond;
    const sent = await flood(service, { connections: CONNECTIONS, seconds, next, key, maySend });
    sending = false;
    await watched;
    const cpu = service.cpu() - cpuBefore;
    await client.end();
    return {
      requests_per_second: Math.round((sent.statuses[202] ?? 0) / sent.seconds),
      accepted_events_per_second: sent.eventsPerSecond,
      counted_events_per_second: Math.round(meanwhile),
      // Of what was taken: a second or two of it is counted later.
      cpu_us_per_event: round((cpu * 1e6) / (sent.eventsPerSecond * sent.seconds)),
      lag_seconds_at_most: round(Math.max(...lags)),
      statuses: sent.statuses,
      memory_mib: await memory.stop(),
    };
  } finally {
    await service.stop();
  }
}

/** At full speed, and at half of the requests a second that this brought. */
export async function measureSmall(seconds: number) {
  const full = await measure(seconds, Number.POSITIVE_INFINITY);
  return { full_speed: full, half_speed: await measure(seconds, full.requests_per_second / 2) };
}
