/**
 * Shapes of real traffic: many runs under way at once, calls out of order, one that sends ten calls a second, Mandanten that rest. CPU of
 * the service and PostgreSQL, of each event or as a share of one processor.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { createBatches, createRunsUnderWay, FEW, type RunsUnderWay } from './events.ts';
import { flood } from './flood.ts';
import { measureEmptyAndFilled, round } from './ingest.ts';
import { type BenchService, startBenchService } from './service.ts';
import { makeMandanten } from './small.ts';

const SHAPES: Record<'in_order' | 'scattered', RunsUnderWay> = {
  in_order: { runs: 40_000, calls: 20, come: 'in_order' },
  scattered: { runs: 2_000, calls: 100, come: 'scattered' },
};

/** What counting calls of many runs takes. */
export async function measureUnderWay(shape: keyof typeof SHAPES, seconds: number) {
  const service = await startBenchService();
  try {
    const next = createRunsUnderWay(SHAPES[shape]);
    return { ...SHAPES[shape], ...(await measureEmptyAndFilled(service, next, seconds)) };
  } finally {
    await service.stop();
  }
}

/** Share of one processor in percent over a number of seconds. */
async function shareOf(service: BenchService, seconds: number): Promise<number> {
  const spent = service.cpu();
  await delay(seconds * 1_000);
  return round(((service.cpu() - spent) / seconds) * 100);
}

/** One Mandant that sends single calls, `perSecond` of them, over eight connections. */
export async function measureTrickle(seconds: number, perSecond: number) {
  const service = await startBenchService();
  try {
    const next = createBatches(FEW, [1], true);
    await flood(service, { connections: 8, seconds: 2, next });
    await delay(5_000);
    const start = performance.now();
    let sent = 0;
    const sending = flood(service, {
      connections: 8,
      seconds: seconds + 3,
      next: () => {
        sent += 1;
        return next();
      },
      maySend: () => sent < ((performance.now() - start) / 1_000) * perSecond,
    });
    await delay(2_000);
    const share = await shareOf(service, seconds);
    const result = await sending;
    return { per_second: perSecond, percent_of_a_core: share, sent: result.statuses };
  } finally {
    await service.stop();
  }
}

const RESTING = 2_000;
/** The rules that every Mandant begins with, which a job puts in for those that are registered. */
const WITH_RULES = `INSERT INTO regeln SELECT (jsonb_populate_record(r, jsonb_build_object('mandant_id', m.mandant_id, 'regel_id', gen_random_uuid()))).*
  FROM regeln r, mandanten m WHERE r.mandant_id = $1 AND m.mandant_id <> $1`;
const CALLS = 3;

/** Mandanten that sent a few calls and nothing since; windows of `seconds`. */
export async function measureIdle(seconds: number, windows: number) {
  const service = await startBenchService();
  try {
    const client = await service.connect();
    const keys = await makeMandanten(client, RESTING);
    await client.query(WITH_RULES, [service.mandant]);
    const next = createBatches(FEW, [CALLS], true);
    let turn = 0;
    await flood(service, {
      connections: 16,
      isOver: () => turn >= RESTING,
      next,
      key: () => keys[turn++ % RESTING] as string,
    });
    await client.end();
    await delay(10_000);
    const shares: number[] = [];
    for (let window = 0; window < windows; window += 1) shares.push(await shareOf(service, seconds));
    return {
      mandanten: RESTING,
      percent_of_a_core: shares,
      mean: round(shares.reduce((sum, share) => sum + share, 0) / shares.length),
    };
  } finally {
    await service.stop();
  }
}
