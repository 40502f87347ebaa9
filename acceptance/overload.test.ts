/** More than can be stored is refused in time and in good order; what was promised is kept, also when told to stop. */
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Ereignis } from '#client/index.ts';
import { type Account, type Answer, createAccount, request } from '#test/outside-account.ts';
import { childrenOf, residentBytes, signal } from '#test/processes.ts';
import { createRandom } from '#test/random.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';
import { until } from '#test/until.ts';
import { createWriter } from '#test/writer.ts';

const MEGABYTE = 1024 * 1024;
/** 400 of the service, and what its reading thread may take: 144 of heap, and a large body packed and unpacked. */
const MOST_MEMORY = 560 * MEGABYTE;

let service: ServiceProcess;
let account: Account;
let frozen: number[] = [];

beforeAll(async () => {
  service = createServiceProcess();
  await service.start();
});
afterAll(() => service?.dispose());
beforeEach(async () => {
  account = await createAccount(service);
});
afterEach(async () => {
  thaw();
  await until('the service to be well', async () => (await condition()) === '200 ok');
});

interface Status {
  komponenten: { name: string; status: string }[];
}

/** The health check, and the worst of the parts that heal at once: taking in tells for a minute that it refused. */
async function condition(): Promise<string> {
  const [health, status] = await Promise.all(
    ['/v1/gesund', '/v1/status'].map((path) => request(`${service.address()}${path}`)),
  );
  const states = status
    ?.json<Status>()
    .komponenten.filter(({ name }) => ['datenbank', 'zaehlung'].includes(name))
    .map((part) => part.status);
  const worst = ['gestört', 'unbekannt', 'eingeschränkt'].find((state) => states?.includes(state));
  return `${health?.status} ${worst ?? 'ok'}`;
}

/** Stops PostgreSQL where it stands: connections stay open, and nothing answers. */
async function freeze(): Promise<void> {
  const postmaster = service.postmaster();
  expect(postmaster).not.toBeNull();
  const client = await service.connect();
  frozen = [postmaster as number];
  // First the one that would start new ones.
  signal(postmaster as number, 'SIGSTOP');
  const { rows } = await client.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid()',
  );
  for (const { pid } of rows) {
    signal(pid, 'SIGSTOP');
    frozen.push(pid);
  }
  // Nobody waits for its end: one of the stopped may hold what it needs for that.
  void client.end().catch(() => undefined);
  // One that has only just been started is not listed there yet.
  for (const pid of childrenOf(postmaster as number).filter((child) => !frozen.includes(child))) {
    signal(pid, 'SIGSTOP');
    frozen.push(pid);
  }
}

function thaw(): void {
  for (const pid of frozen.splice(0).reverse()) signal(pid, 'SIGCONT');
}

const random = createRandom(3);
const event = (more: Ereignis = {}): Ereignis => ({
  ereignis_id: random.uuid(),
  agent: 'a',
  eingabe_token: 1,
  ...more,
});
const idsOf = (batches: Ereignis[][]) => new Set(batches.flat().map((each) => each.ereignis_id as string));

async function countedIds(): Promise<Set<string>> {
  const rows = await service.sql<{ id: string }>(
    'SELECT ereignis_id AS id FROM ereignisse WHERE mandant_id = $1',
    [account.mandantId],
  );
  expect(await account.counted()).toBe(rows.length);
  return new Set(rows.map(({ id }) => id));
}

/** Watches the memory of the service while `work` runs; the most it held, 0 where the system does not tell. */
async function peakMemory(work: () => Promise<void>): Promise<number> {
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, residentBytes(service.pid()) ?? 0);
  }, 20);
  await work().finally(() => clearInterval(watch));
  return peak;
}

/** Events per batch: very different ones, and together far more than the service may hold. */
const SIZES = [
  ...Array<number>(300).fill(5),
  ...Array<number>(60).fill(2_000),
  ...Array<number>(20).fill(9_000),
];
const padded = (count: number) => Array.from({ length: count }, () => event({ fehlercode: 'x'.repeat(400) }));

function expectPatience(answer: Answer): void {
  expect([429, 503], answer.text).toContain(answer.status);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(answer.json()).toMatchObject({ detail: expect.any(String), code: expect.any(String) });
}

test('with a database that does not answer, a flood is asked for patience, and memory stays within bounds', async () => {
  const before = [padded(3), padded(5)];
  for (const batch of before) expect((await account.send(batch)).status).toBe(202);
  await account.untilCounted(8);

  const refused = SIZES.map(padded);
  await freeze();
  const peak = await peakMemory(async () => {
    const answers = await Promise.all(refused.map((batch) => account.send(batch)));
    for (const answer of answers) expectPatience(answer);
  });
  expect(peak).toBeLessThan(MOST_MEMORY);
  expect(await condition()).toBe('503 gestört');

  thaw();
  const after = [padded(2)];
  await until(
    'a batch to be taken again',
    async () => (await account.send(after[0] ?? [])).status === 202,
    40_000,
  );
  await account.untilNothingWaits();
  const counted = await countedIds();
  expect(idsOf([...before, ...after]).difference(counted)).toEqual(new Set());
  expect(counted.difference(idsOf([...before, ...after, ...refused]))).toEqual(new Set());
});

test('small bodies that unpack to large ones do not get around the bounds', async () => {
  expect((await account.send([event()])).status).toBe(202);
  await freeze();
  // As much larger as they may become.
  const block = Array.from({ length: 500 }, () => random.uuid()).join('');
  const mehr = block.repeat(Math.floor((10 * MEGABYTE - 1_000) / block.length));
  const body = new Uint8Array(gzipSync(JSON.stringify({ ereignisse: [event()], mehr })));
  expect(body.length).toBeLessThan(200_000);
  const peak = await peakMemory(async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () => account.post(body, { 'content-encoding': 'gzip' })),
    );
    for (const answer of answers) expectPatience(answer);
  });
  // Unpacked they are 2,000 MiB. What a collection comes late for is garbage of the process, so that there is room between.
  expect(peak).toBeLessThan(MOST_MEMORY + 300 * MEGABYTE);
});

test('told to stop under load it ends with 0, and everything it took is counted after the next start', async () => {
  const writers = [1, 2, 3, 4].map((seed) => createWriter(account, createRandom(seed), () => event()));
  const acknowledged = () => writers.flatMap((writer) => writer.acknowledged());
  await until('some batches to get through', () => acknowledged().length >= 40);
  expect(await service.stop('SIGTERM')).toBe(0);
  expect(service.postmaster()).toBeNull();
  const taken = idsOf(acknowledged());
  await service.start();
  await Promise.all(writers.map((writer) => writer.finish()));
  await account.untilNothingWaits();
  const counted = await countedIds();
  expect(taken.difference(counted)).toEqual(new Set());
  expect(idsOf(acknowledged()).difference(counted)).toEqual(new Set());
  expect(writers.flatMap((writer) => writer.refused())).toEqual([]);
});
