/** Past calls priced anew: what would change, the change, and the change beside a sender of the same Mandant. */
import { setTimeout as delay } from 'node:timers/promises';
import { round } from './ingest.ts';
import { type BenchService, startBenchService } from './service.ts';
import { addEvents, rebuildSums } from './traffic.ts';

const SHAPE = { agents: 200, customers: 2_000, models: 8 };
const PATH = '/v1/cockpit/preise';
const LOOK = 200;

interface Repricing {
  neubepreisung_id: string;
  status: string;
  gelesen: number;
  geaendert: number;
}

async function ask<T>({ address, cookie }: BenchService, method: string, path: string, body?: object) {
  const answer = await fetch(`${address}${PATH}${path}`, {
    method,
    headers: { 'content-type': 'application/json', cookie },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}

/** Every model at this price for a million tokens of each kind. */
const setPrice = (service: BenchService, fassung: number, usd: string) =>
  ask(service, 'PUT', '', { fassung, preise: [{ modell: '*', saetze: { eingabe: usd, ausgabe: usd } }] });

/** Waits until it has come to this point; how many calls a second were looked at, and the CPU that each took. */
async function until(service: BenchService, id: string, status: string) {
  const begin = performance.now();
  const cpu = service.cpu();
  for (;;) {
    const {
      status: now,
      gelesen,
      geaendert,
    } = await ask<Repricing>(service, 'GET', `/neubepreisungen/${id}?limit=1`);
    if (now === status) {
      const seconds = (performance.now() - begin) / 1_000;
      return {
        calls: gelesen,
        changed: geaendert,
        seconds: round(seconds),
        per_second: round(gelesen / seconds),
        cpu_us_per_call: round(((service.cpu() - cpu) * 1e6) / gelesen),
      };
    }
    if (!['vorschau', 'laeuft'].includes(now)) throw new Error(`ended as ${now}`);
    await delay(LOOK);
  }
}

async function reprice(service: BenchService) {
  const von = Temporal.Now.plainDateISO().subtract({ days: 60 }).toString();
  const { neubepreisung_id: id } = await ask<Repricing>(service, 'POST', '/neubepreisungen', { von });
  const preview = await until(service, id, 'bereit');
  await ask(service, 'POST', `/neubepreisungen/${id}/anwenden`);
  return { preview, change: await until(service, id, 'fertig') };
}

/** About so many calls of 30 days, all of which change. */
export async function measureReprice(events: number) {
  const service = await startBenchService('all');
  const client = await service.connect();
  try {
    await addEvents(client, service.mandant, SHAPE, events);
    await rebuildSums(client, service.mandant);
    await client.query('INSERT INTO zaehlstaende (mandant_id) VALUES ($1) ON CONFLICT DO NOTHING', [
      service.mandant,
    ]);
    await client.query('ANALYZE');
    await service.checkpoint();
    await setPrice(service, 0, '2');
    return { events, ...(await reprice(service)) };
  } finally {
    await client.end();
    await service.stop();
  }
}
