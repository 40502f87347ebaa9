/** The process of the engine: what ends it, tears its file, grows or crowds it changes no answer. */
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { FIGURE_NAMES } from '#contracts';
import { mandantId } from '#kernel/mandant-id.ts';
import { CallerGone, forCaller } from '#platform/caller.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { registerAccount } from '#test/account.ts';
import { addPiece, type MadeRow } from '#test/made-pieces.ts';
import { PATIENCE, startService, type TestService } from '#test/service.ts';
import { askEngine, startEngine, type TestEngine } from '#test/sums-by-engine.ts';
import { readOneSnapshot } from '../store/stand.ts';
import { Child } from './child.ts';
import { consumptionByEngine, type EngineQuestion } from './consumption-by-engine.ts';
import type { EngineOptions } from './engine.ts';

const NOON = Date.parse('2026-06-10T10:00:00Z');
const window = {
  von: Temporal.ZonedDateTime.from('2026-06-01T00:00[Europe/Berlin]'),
  bis: Temporal.ZonedDateTime.from('2026-07-01T00:00[Europe/Berlin]'),
};
const EUR = 10n ** 34n;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

/** Calls of several agents in turn, a second apart, each for one EUR more than the agent before. */
const calls = (count: number, agents = 7, ms = NOON): MadeRow[] =>
  Array.from({ length: count }, (_, index) => ({
    ms: ms + index * 1_000,
    agent: `a${index % agents}`,
    endkunde: `k${index % 1_000}`,
    aufrufe: 1,
    aufgeteilt: 1,
    eingabe_token: index,
    kosten_eur: EUR * BigInt((index % agents) + 1),
    latenz: (index % 3) + 1,
    ...(index % 10 === 0 ? { fehler: 1, verbranntes_geld_eur: EUR } : {}),
  }));

const byAgent: EngineQuestion = { window, by: ['agent'] };

/** What calls add up to by agent. */
function expectedOf(rows: MadeRow[]) {
  const groups = [...Map.groupBy(rows, ({ agent }) => agent as string)].map(([agent, of]) => ({
    schluessel: [agent],
    aufrufe: String(of.length),
    fehler: String(of.filter(({ fehler }) => fehler).length),
    eingabe_token: String(of.reduce((sum, { eingabe_token = 0 }) => sum + eingabe_token, 0)),
    kosten_eur: String(of.reduce((sum, { kosten_eur = 0n }) => sum + kosten_eur, 0n) / EUR),
  }));
  const byCost = groups.sort(
    (a, b) =>
      Number(b.kosten_eur) - Number(a.kosten_eur) ||
      ((a.schluessel[0] as string) < (b.schluessel[0] as string) ? -1 : 1),
  );
  return { zeilen: byCost, summe: { aufrufe: String(rows.length) } };
}

const newMandant = async () => (await registerAccount(service)).mandantId;
const ask = (own: TestEngine, mandant: string, question = byAgent) =>
  askEngine(service, own.engine, mandant, question);

async function withEngine<T>(
  options: Partial<EngineOptions>,
  work: (own: TestEngine) => Promise<T>,
): Promise<T> {
  const own = startEngine(options);
  try {
    return await work(own);
  } finally {
    await own.stop();
  }
}

test('a question that the process dies with is asked once more; one that it dies with twice is refused', async () => {
  const mandant = await newMandant();
  const rows = calls(30_000);
  await addPiece(service, mandant, rows);
  await withEngine({}, async (own) => {
    for (const after of [0, 50, 150, 300, 500, 1_100]) {
      const asked = ask(own, mandant, { window, by: ['agent', 'endkunde', 'minute'], limit: 3 });
      await vi.waitFor(() => expect(own.engine.pid).toBeDefined(), { ...PATIENCE, interval: 2 });
      await delay(after);
      const { pid } = own.engine;
      if (pid) process.kill(pid, 'SIGKILL');
      expect((await asked).summe).toMatchObject({
        aufrufe: '30000',
        eingabe_token: String((29_999 * 30_000) / 2),
      });
      await vi.waitFor(() => expect(own.engine.pid).not.toBe(pid ?? -1), { ...PATIENCE, interval: 2 });
    }
    expect(await ask(own, mandant)).toMatchObject(expectedOf(rows));
    const asked = ask(own, mandant);
    const killing = setInterval(() => own.engine.pid && process.kill(own.engine.pid, 'SIGKILL'), 5);
    await expect(asked).rejects.toMatchObject({ kind: 'unavailable', code: 'ueberlastet', retryAfter: 2 });
    clearInterval(killing);
    expect(await ask(own, mandant)).toMatchObject(expectedOf(rows));
  });
});

const fileOf = ({ dataDir }: TestEngine) => join(dataDir, 'summen', '0', 'summen.duckdb');

test('a file that is torn, overwritten or another one is made again', async () => {
  const mandant = await newMandant();
  const rows = calls(20_000);
  await addPiece(service, mandant, rows);
  const own = startEngine();
  expect(await ask(own, mandant)).toMatchObject(expectedOf(rows));
  await own.engine.stop();
  const { size } = statSync(fileOf(own));
  const overwrite = (from: number, bytes: number) => {
    const file = openSync(fileOf(own), 'r+');
    writeSync(file, Buffer.alloc(bytes, 0xa5), 0, bytes, from);
    closeSync(file);
  };
  const harm = [
    () => truncateSync(fileOf(own), Math.floor(size / 2)),
    () => truncateSync(fileOf(own), 0),
    () => overwrite(0, size),
    ...[0.2, 0.4, 0.6, 0.8].map((part) => () => overwrite(Math.floor(size * part), 4_096)),
  ];
  for (const [index, tear] of harm.entries()) {
    tear();
    await withEngine({ dataDir: own.dataDir }, async ({ engine }) => {
      expect(await askEngine(service, engine, mandant, byAgent), String(index)).toMatchObject(
        expectedOf(rows),
      );
      await engine.stop();
    });
  }
  await own.stop();
});

test('where no snapshot is read from, pieces that are put together after they were chosen are chosen anew', async () => {
  const mandant = await newMandant();
  const [first, second] = [calls(500), calls(300, 5)];
  const numbers = [await addPiece(service, mandant, first), await addPiece(service, mandant, second)];
  let left = 2;
  const putTogether = async () => {
    const pieces = 'DELETE FROM verbrauch_stuecke WHERE mandant_id = $1 AND nummer = ANY($2)';
    await service.sql(pieces, [mandant, numbers.splice(0)]);
    numbers.push(await addPiece(service, mandant, [...first, ...second]));
  };
  const afterChoosing: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!result.rows.some((row) => 'anzahl' in row) || left === 0) return result;
      left -= 1;
      await putTogether();
      return result;
    },
  };
  await withEngine({}, async ({ engine }) => {
    const answer = await service.context.db.forMandant(mandantId(mandant), (tx) => {
      const watched = Object.assign(tx.withPlugin(afterChoosing), { mandant: tx.mandant });
      return consumptionByEngine(engine, watched, byAgent);
    });
    expect(answer).toMatchObject(expectedOf([...first, ...second]));
    expect(left).toBe(0);
  });
});

test('each snapshot is answered by its own pieces, whatever is counted, put together or taken back meanwhile', async () => {
  const mandant = await newMandant();
  const [first, second, third] = [calls(500), calls(300, 5), calls(100, 3)];
  const numbers = [await addPiece(service, mandant, first), await addPiece(service, mandant, second)];
  const held = Promise.withResolvers<void>();
  const inSnapshot = (work: (tx: MandantTx) => Promise<void>) =>
    service.context.db.forMandant(mandantId(mandant), async (tx) => {
      await readOneSnapshot(tx);
      await work(tx);
    });
  await withEngine({}, async (own) => {
    const open = Promise.withResolvers<void>();
    const before = inSnapshot(async (tx) => {
      expect(await consumptionByEngine(own.engine, tx, byAgent)).toMatchObject(
        expectedOf([...first, ...second]),
      );
      open.resolve();
      await held.promise;
      for (let round = 0; round < 3; round += 1)
        expect(await consumptionByEngine(own.engine, tx, byAgent)).toMatchObject(
          expectedOf([...first, ...second]),
        );
    });
    await open.promise;
    // Put together to one with the number of the second; counted on; and what was counted is taken back and counted differently.
    await service.sql('DELETE FROM verbrauch_stuecke WHERE mandant_id = $1 AND nummer = ANY($2)', [
      mandant,
      numbers,
    ]);
    await addPiece(service, mandant, [...first, ...second]);
    expect(await ask(own, mandant)).toMatchObject(expectedOf([...first, ...second]));
    const taken = await addPiece(service, mandant, calls(50, 2));
    expect(await ask(own, mandant)).toMatchObject(expectedOf([...first, ...second, ...calls(50, 2)]));
    await service.sql('DELETE FROM verbrauch_stuecke WHERE mandant_id = $1 AND nummer = $2', [
      mandant,
      taken,
    ]);
    await addPiece(service, mandant, third);
    expect(await ask(own, mandant)).toMatchObject(expectedOf([...first, ...second, ...third]));
    held.resolve();
    await before;
    expect(await ask(own, mandant)).toMatchObject(expectedOf([...first, ...second, ...third]));
  });
});

test('nobody is answered by the pieces of another Mandant', async () => {
  const [own, other] = [await newMandant(), await newMandant()];
  const [rows, others] = [calls(200), calls(900, 4)];
  await addPiece(service, own, rows);
  await addPiece(service, other, others);
  await withEngine({}, async (engine) => {
    for (const [mandant, expected] of [
      [own, rows],
      [other, others],
      [own, rows],
    ] as const)
      expect(await ask(engine, mandant)).toMatchObject(expectedOf([...expected]));
    // Not even where a question names them: the process itself knows whose they are.
    await engine.engine.stop();
    const copy = {
      folder: join(engine.dataDir, 'summen'),
      bytes: 2 ** 30,
      memory: 2 ** 26,
      threads: 1,
      addedUpFrom: 1,
      writtenLaterFrom: 1,
    };
    const child = new Child(copy, service.context.log);
    const [piece] = await service.sql<{ marke: string }>(
      'SELECT marke FROM verbrauch_stuecke WHERE mandant_id = $1',
      [other],
    );
    const question = {
      von: -(2 ** 30),
      bis: 2 ** 30,
      filters: [],
      by: [],
      order: 'cost',
      figures: FIGURE_NAMES,
      limit: null,
      from: null,
    } as const;
    const named = (mandant: string, marken: string[]) =>
      child.ask({ kind: 'ask', mandant, questions: [question], marken }, new AbortController().signal);
    const marken = [piece?.marke as string];
    expect(await named(own, marken)).toEqual({ missing: marken });
    expect(await named(randomUUID(), [])).toMatchObject({
      answers: [{ total: { values: FIGURE_NAMES.map(() => 0n) } }],
    });
    expect(await named(other, marken)).toMatchObject({
      answers: [{ total: { values: expect.arrayContaining([900n]) } }],
    });
    await child.stop();
  });
});

test('one who asks without end has its share; another is answered meanwhile', async () => {
  const [busy, other] = [await newMandant(), await newMandant()];
  const [many, few] = [calls(40_000), calls(20)];
  await addPiece(service, busy, many);
  await addPiece(service, other, few);
  await withEngine({ limits: { waiting: 4 } }, async (own) => {
    const heavy: EngineQuestion = { window, by: ['agent', 'endkunde', 'minute'], limit: 1 };
    const order: string[] = [];
    const flood = Array.from({ length: 12 }, () => ask(own, busy, heavy).finally(() => order.push('busy')));
    const settled = Promise.allSettled(flood);
    expect(await ask(own, other)).toMatchObject(expectedOf(few));
    order.push('other');
    const results = await settled;
    const refused = results.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused.length).toBeGreaterThan(0);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ kind: 'too-many', code: 'anteil_verbraucht' });
    expect(order.lastIndexOf('busy')).toBeGreaterThan(order.indexOf('other'));
    for (const result of results)
      if (result.status === 'fulfilled') expect(result.value.summe.aufrufe).toBe('40000');
  });
});

test('a process that has grown is replaced once it has nothing to do, and answers from the same file', async () => {
  const mandant = await newMandant();
  const rows = calls(3_000);
  await addPiece(service, mandant, rows);
  await withEngine({ limits: { mostMemory: 1 } }, async (own) => {
    const before = await ask(own, mandant);
    expect(own.engine.pid).toBeUndefined();
    expect(await ask(own, mandant)).toEqual(before);
    expect(before).toMatchObject(expectedOf(rows));
    expect(readdirSync(join(own.dataDir, 'summen'))).toEqual(['0']);
  });
});

test('two processes on one data directory have a file each', async () => {
  const mandant = await newMandant();
  const rows = calls(400);
  await addPiece(service, mandant, rows);
  await withEngine({}, async (first) => {
    expect(await ask(first, mandant)).toMatchObject(expectedOf(rows));
    await withEngine({ dataDir: first.dataDir }, async ({ engine }) => {
      expect(await askEngine(service, engine, mandant, byAgent)).toMatchObject(expectedOf(rows));
      expect(readdirSync(join(first.dataDir, 'summen')).sort()).toEqual(['0', '1']);
      expect(await ask(first, mandant)).toMatchObject(expectedOf(rows));
    });
  });
});

test('groups beyond the memory are written to the disk or refused, and the next question is answered', async () => {
  const mandant = await newMandant();
  const rows = calls(60_000, 13);
  await addPiece(service, mandant, rows);
  await withEngine({ limits: { memory: 64 * 2 ** 20 } }, async (own) => {
    const [result] = await Promise.allSettled([
      ask(own, mandant, { window, by: ['minute', 'agent', 'endkunde'], limit: 2 }),
    ]);
    if (result.status === 'fulfilled') expect(result.value.summe.aufrufe).toBe('60000');
    else expect(result.reason).toMatchObject({ kind: 'unavailable', code: 'abfrage_zu_lang' });
    expect(await ask(own, mandant)).toMatchObject(expectedOf(rows));
  });
});

test('a question whose caller hangs up is given up, under way or in the queue', async () => {
  const mandant = await newMandant();
  const rows = calls(30_000);
  await addPiece(service, mandant, rows);
  await withEngine({}, async (own) => {
    const leaving = new AbortController();
    const heavy: EngineQuestion = { window, by: ['agent', 'endkunde', 'minute'], limit: 1 };
    const asked = [1, 2, 3].map(() => forCaller(leaving.signal, () => ask(own, mandant, heavy)));
    await delay(100);
    leaving.abort(new CallerGone());
    for (const { status, reason } of (await Promise.allSettled(asked)) as PromiseRejectedResult[])
      expect([status, reason]).toEqual(['rejected', expect.any(CallerGone)]);
    expect(await ask(own, mandant)).toMatchObject(expectedOf(rows));
  });
});

test('a question that takes too long is given up', async () => {
  const mandant = await newMandant();
  const rows = calls(10_000);
  await addPiece(service, mandant, rows);
  await withEngine({ limits: { timeLimit: 1 } }, async (own) => {
    await expect(ask(own, mandant)).rejects.toMatchObject({ kind: 'unavailable', code: 'abfrage_zu_lang' });
  });
});
