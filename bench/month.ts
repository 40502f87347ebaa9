/** What is asked of a month once it is over: by whom it is paid, its files, its closing; just imported, so that the database knows nothing of it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { round } from './ingest.ts';
import { type BenchService, startBenchService } from './service.ts';

const BATCH = 5_000;
const CUSTOMERS = 5_000;
const AGENTS = 200;

const lastMonth = () => Temporal.Now.plainDateISO('UTC').toPlainYearMonth().subtract({ months: 1 });

/** Calls over all days of the month; few end customers have most of them. */
function batchFrom(first: number) {
  const month = lastMonth();
  return Array.from({ length: BATCH }, (_, index) => {
    const n = first + index;
    const day = month.toPlainDate({ day: 1 + (n % month.daysInMonth) });
    return {
      ereignis_id: randomUUID(),
      zeitpunkt: `${day}T10:00:00Z`,
      endkunde_ref: `kunde-${Math.floor(CUSTOMERS * ((n * 0.6180339887) % 1) ** 2)}`,
      agent: `agent-${(n * 7_919) % AGENTS}`,
      anbieter: 'openai',
      modell: n % 2 === 0 ? 'gpt-4o-mini' : 'gpt-4o',
      eingabe_token: n % 1_000,
      ausgabe_token: 10,
      status: n % 50 === 0 ? 'fehler' : 'erfolgreich',
    };
  });
}

/** Statistics would come at some time meanwhile, and the figures would tell of either. */
async function withholdStatistics(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  for (const { name } of rows) await client.query(`ALTER TABLE ${name} SET (autovacuum_enabled = off)`);
}

async function sendBatch(service: Pick<BenchService, 'address' | 'key'>, first: number): Promise<void> {
  const { address, key } = service;
  const answer = await fetch(`${address}/v1/ereignisse`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ereignisse: batchFrom(first) }),
  });
  if (answer.ok) return;
  const refusal = await answer.text();
  // Others wait to be counted first.
  if (answer.status !== 429) throw new Error(`${answer.status} ${refusal}`);
  await delay(200);
  await sendBatch(service, first);
}

async function send(service: BenchService, events: number): Promise<void> {
  for (let first = 0; first < events; first += BATCH) await sendBatch(service, first);
}

async function untilCounted(client: pg.Client, events: number): Promise<void> {
  const COUNTED = 'SELECT coalesce(sum(ereignisse_gesamt), 0)::float8 AS gesamt FROM zaehlstaende';
  while ((await client.query<{ gesamt: number }>(COUNTED)).rows[0]?.gesamt !== events) await delay(100);
}

/** The answer to a request: where a quota is used up, once it is there again. */
async function answered({ address, cookie }: BenchService, path: string, body?: object): Promise<Response> {
  for (;;) {
    const answer = await fetch(`${address}/v1/cockpit${path}`, {
      headers: { cookie, 'content-type': 'application/json' },
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
    });
    if (answer.status !== 429) return answer;
    await answer.text();
    await delay(1_000 * Number(answer.headers.get('retry-after') ?? 1));
  }
}

/** Milliseconds between two looks at how much memory is resident. */
const LOOK = 100;

/**
 * Answers to one request after the other: milliseconds until the last byte and seconds of CPU of service and database for each, its size, and the
 * most memory that the service had meanwhile.
 */
async function measure(
  service: BenchService,
  path: string,
  { body, times = 1 }: { body?: object; times?: number } = {},
) {
  let most = service.rss();
  const looking = setInterval(() => {
    most = Math.max(most, service.rss());
  }, LOOK);
  const before = service.cpu();
  let [status, bytes, ms] = [0, 0, 0];
  for (let time = 0; time < times; time += 1) {
    const begin = performance.now();
    const answer = await answered(service, path, body);
    bytes = 0;
    for await (const chunk of answer.body ?? []) bytes += chunk.byteLength;
    status = answer.status;
    ms += performance.now() - begin;
  }
  clearInterval(looking);
  return {
    status,
    ms: Math.round(ms / times),
    cpu_s: round((service.cpu() - before) / times),
    kib: Math.round(bytes / 1024),
    rss_mib: most,
  };
}

/** One end customer of many calls, and one of few. */
const ONE = '/endkunden/kunde-0/abrechnung';
const SMALL = '/endkunden/kunde-2500/abrechnung';
const OFTEN = { times: 20 };

/** The baseline: one pass over the calls themselves, by end customer and model. */
async function measureScan(client: pg.Client) {
  const begin = performance.now();
  await client.query('SELECT endkunde_ref, modell, sum(kosten_eur) FROM ereignisse GROUP BY 1, 2');
  return Math.round(performance.now() - begin);
}

/** Of the last month, with `events` calls. */
export async function measureMonth(events: number) {
  const service = await startBenchService('all');
  const client = await service.connect();
  try {
    await withholdStatistics(client);
    await send(service, events);
    await untilCounted(client, events);
    await client.query("UPDATE verbrauch_tagesstand SET geaendert_am = now() - interval '1 hour'");
    const monat = lastMonth().toString();
    const asked = `monat=${monat}`;
    return {
      events,
      scan_ms: await measureScan(client),
      endkunden: await measure(service, `/endkunden?${asked}`),
      csv: await measure(service, `/export/weiterbelastung?${asked}`),
      focus: await measure(service, `/export/focus.csv?${asked}`),
      abrechnung: await measure(service, `${ONE}?${asked}`, OFTEN),
      abrechnung_klein: await measure(service, `${SMALL}?${asked}`, OFTEN),
      abrechnung_pdf: await measure(service, `${ONE}.pdf?${asked}`, OFTEN),
      abschliessen: await measure(service, '/abrechnung/abschliessen', { body: { monat } }),
      geschlossen: {
        csv: await measure(service, `/export/weiterbelastung?${asked}`),
        focus: await measure(service, `/export/focus.csv?${asked}`),
        abrechnung_klein: await measure(service, `${SMALL}?${asked}`, OFTEN),
        abrechnung_pdf: await measure(service, `${SMALL}.pdf?${asked}`, OFTEN),
        zip: await measure(service, `/export/abrechnungen.zip?${asked}`),
        zip_noch_einmal: await measure(service, `/export/abrechnungen.zip?${asked}`),
      },
    };
  } finally {
    await client.end();
    await service.stop();
  }
}
