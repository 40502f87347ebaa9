/** What is asked of a month once it is over: by whom it is paid, its files, its closing; just imported, so that the database knows nothing of it. */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type BenchService, startBenchService } from './service.ts';
import { addPairs } from './traffic.ts';

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

async function send({ address, key }: BenchService, events: number): Promise<void> {
  for (let first = 0; first < events; first += BATCH) {
    const answer = await fetch(`${address}/v1/ereignisse`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ereignisse: batchFrom(first) }),
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  }
}

async function untilCounted(client: pg.Client, events: number): Promise<void> {
  const COUNTED = 'SELECT coalesce(sum(ereignisse_gesamt), 0)::float8 AS gesamt FROM zaehlstaende';
  while ((await client.query<{ gesamt: number }>(COUNTED)).rows[0]?.gesamt !== events) await delay(100);
}

/** One answer: milliseconds until its last byte, and its size. */
async function measure({ address, cookie }: BenchService, path: string, body?: object) {
  const begin = performance.now();
  const answer = await fetch(`${address}/v1/cockpit${path}`, {
    headers: { cookie, 'content-type': 'application/json' },
    ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
  });
  const bytes = (await answer.arrayBuffer()).byteLength;
  return { status: answer.status, ms: Math.round(performance.now() - begin), kib: Math.round(bytes / 1024) };
}

/** The baseline: one pass over the calls themselves, by end customer and model. */
async function measureScan(client: pg.Client) {
  const begin = performance.now();
  await client.query('SELECT endkunde_ref, modell, sum(kosten_eur) FROM ereignisse GROUP BY 1, 2');
  return Math.round(performance.now() - begin);
}

/** Of the last month, with so many calls. */
export async function measureMonth(events: number) {
  const service = await startBenchService('all');
  const client = await service.connect();
  try {
    await withholdStatistics(client);
    await send(service, events);
    await untilCounted(client, events);
    await client.query("UPDATE verbrauch_tagesstand SET geaendert_am = now() - interval '1 hour'");
    await addPairs(client);
    const monat = lastMonth().toString();
    return {
      events,
      scan_ms: await measureScan(client),
      endkunden: await measure(service, `/endkunden?monat=${monat}`),
      csv: await measure(service, `/export/weiterbelastung?monat=${monat}`),
      focus: await measure(service, `/export/focus.csv?monat=${monat}`),
      abrechnung_pdf: await measure(service, `/endkunden/kunde-0/abrechnung.pdf?monat=${monat}`),
      abschliessen: await measure(service, '/abrechnung/abschliessen', { monat }),
    };
  } finally {
    await client.end();
    await service.stop();
  }
}
