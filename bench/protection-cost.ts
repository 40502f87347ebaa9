/**
 * What protection costs ingest: CPU of an event in windows in turn, without active rules, with the set that every Mandant begins with,
 * and with that set while batches of the detectors run one after the other. The load is the same in all of them: a Mandant with rules
 * that act may have less waiting (decision 0089), so that as much as possible would compare turns of different lengths.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { createBatches, MANY } from './events.ts';
import { countFor, median, round, warmUp } from './ingest.ts';
import { type BenchService, startBenchService } from './service.ts';

type Window = 'without' | 'with' | 'with_batches';
/** In turn, so that what else happens to the machine happens to both. */
const PAIR: Window[] = ['without', 'with'];
const PAIRS = 6;
/** At the end, when the day has a million calls and more for batches to look at. */
const WITH_BATCHES: Window[] = ['with_batches', 'with_batches'];
/** A fifth of what can be counted. */
const EVENTS_PER_SECOND = 2_000;
/** Batches come every five minutes. */
const BATCH_EVERY_SECONDS = 300;
/** Until the service has taken notice of other rules. */
const SETTLE_MS = 3_000;

async function setRules(client: pg.Client, mandant: string, aktiv: boolean): Promise<void> {
  await client.query('UPDATE regeln SET aktiv = $2 WHERE mandant_id = $1', [mandant, aktiv]);
  await delay(SETTLE_MS);
}

/** Has the detectors look at everything until told to stop; resolves with the seconds that each batch took. */
async function runBatches(
  service: BenchService,
  client: pg.Client,
  stopping: () => boolean,
): Promise<number[]> {
  const took: number[] = [];
  while (!stopping()) {
    const answer = await fetch(`${service.address}/v1/cockpit/detektoren/pruefen`, {
      method: 'POST',
      headers: { cookie: service.cookie },
    });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    for (let seconds: number | null = null; seconds === null; await delay(100)) {
      const { rows } = await client.query<{ seconds: number | null }>(
        `SELECT extract(epoch FROM beendet_am - begonnen_am)::float8 AS seconds FROM pruefungen WHERE name = 'detektoren.pruefen'`,
      );
      seconds = rows[0]?.seconds ?? null;
      if (seconds !== null) took.push(seconds);
    }
  }
  return took;
}

/** Windows of so many seconds. */
export async function measureProtectionCost(seconds: number) {
  const service = await startBenchService();
  try {
    const client = await service.connect();
    const next = createBatches(MANY);
    let before = await warmUp(service, next);
    const rates: Record<Window, number[]> = { without: [], with: [], with_batches: [] };
    const cpu: Record<Window, number[]> = { without: [], with: [], with_batches: [] };
    const batches: number[] = [];
    const pairs = Array.from({ length: PAIRS }, (_, turn) => (turn % 2 === 0 ? PAIR : PAIR.toReversed()));
    for (const window of [...pairs.flat(), ...WITH_BATCHES]) {
      await setRules(client, service.mandant, window !== 'without');
      let over = false;
      const looking =
        window === 'with_batches' ? runBatches(service, client, () => over) : Promise.resolve([] as number[]);
      const spent = service.cpu();
      const counted = await countFor(service, {
        seconds,
        next,
        before,
        perSecond: EVENTS_PER_SECOND,
      });
      over = true;
      cpu[window].push(round(((service.cpu() - spent) * 1e6) / counted.events));
      batches.push(...(await looking));
      before += counted.events;
      rates[window].push(Math.round(counted.events / counted.seconds));
    }
    const { rows } = await client.query<{ befunde: number; ereignisse: number }>(
      'SELECT (SELECT count(*)::int FROM befunde) AS befunde, (SELECT count(*)::int FROM ereignisse) AS ereignisse',
    );
    await client.end();
    const ratio = (window: Window) => median(cpu[window]) / median(cpu.without);
    const share = Math.min(1, median(batches) / BATCH_EVERY_SECONDS);
    return {
      events_per_second: rates,
      /** Of the service and PostgreSQL. */
      cpu_us_per_event: cpu,
      cpu_ratio: { with: round(ratio('with')), with_batches: round(ratio('with_batches')) },
      batch_seconds: batches.map(round),
      /** As it runs: a batch every five minutes. */
      all_together: round(ratio('with') * (1 - share) + ratio('with_batches') * share),
      ...rows[0],
      rss_mib: service.rss(),
    };
  } finally {
    await service.stop();
  }
}
