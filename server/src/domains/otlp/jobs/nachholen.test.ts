import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeyedPrints } from '#client/prints/sim-hash.ts';
import { systemClock } from '#kernel/clock.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { createJobsBench, type JobsBench, newMandant } from '#test/jobs.ts';
import { reduceRecords } from '../convert/reduce.ts';
import { DEFAULT_NAMES } from '../convert/who.ts';
import { insertTold } from '../store.ts';
import { nachholenJob } from './nachholen.ts';

let bench: JobsBench;
beforeAll(async () => {
  bench = await createJobsBench();
});
afterAll(() => bench?.stop());

/** A Mandant that sent a call that long ago, in milliseconds. */
async function withCall(ago: number): Promise<string> {
  const mandant = newMandant();
  await bench.sql(
    `INSERT INTO mandanten (mandant_id, firma, paket, zeitzone) VALUES ($1, 'Muster', 'frei', 'UTC')`,
    [mandant],
  );
  const at = new Date(systemClock.now().getTime() - ago);
  const begin = 1_000 * at.getTime();
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 10 };
  const record = {
    signal: 'span' as const,
    origin: { resource: {}, scope: 'test', version: null },
    trace: 'a'.repeat(32),
    span: 'b'.repeat(16),
    parent: null,
    name: 'chat',
    begin,
    end: begin + 1,
    failed: false,
    attributes,
    events: [],
  };
  const keyed = new KeyedPrints('00'.repeat(32));
  const told = reduceRecords([record], { names: DEFAULT_NAMES, keyed, now: at, annahmeAb: null });
  await bench.db.forMandant(mandantId(mandant), (tx) =>
    insertTold(tx, told, {
      id: crypto.randomUUID(),
      by: { schluesselId: crypto.randomUUID(), projekt: null },
      at,
      soon: at,
      later: at,
    }),
  );
  return mandant;
}

const waiting = async (table: string, mandant: string) => {
  const [row] = await bench.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table} WHERE mandant_id = $1`,
    [mandant],
  );
  return row?.n;
};

test('what is due is handed on, once; what is not yet waits', async () => {
  const due = await withCall(60_000);
  const early = await withCall(-60_000);
  await nachholenJob({ ...bench, clock: systemClock }).run();
  await nachholenJob({ ...bench, clock: systemClock }).run();
  expect(await waiting('eingang', due)).toBe(1);
  expect(await waiting('otlp_faellig', due)).toBe(0);
  expect(await waiting('eingang', early)).toBe(0);
  expect(await waiting('otlp_faellig', early)).toBe(1);
});
