/** Faults that heal by themselves: they show in the status, what is asked meanwhile is refused cleanly, and the history tells of them. */
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createAccount, request } from '#test/outside-account.ts';
import { childrenOf, signal } from '#test/processes.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';
import { until } from '#test/until.ts';

interface Status {
  status: string;
  komponenten: { name: string; status: string; seit: string; bedeutung: string | null }[];
}
interface Verlauf {
  komponenten: { name: string; tage: Record<string, number>[] }[];
  stoerungen: { name: string; status: string; von: string; bis: string | null }[];
}

let service: ServiceProcess;
let account: Account;
let frozen: number[] = [];
beforeAll(async () => {
  service = createServiceProcess();
  await service.start();
  account = await createAccount(service);
});
afterAll(async () => {
  thaw();
  await service?.dispose();
});

const look = async <T>(path: string): Promise<T> => {
  const answer = await request(`${service.address()}${path}`);
  expect(answer.status).toBe(200);
  return answer.json<T>();
};
const partOf = async (name: string) =>
  (await look<Status>('/v1/status')).komponenten.find((part) => part.name === name);
const untilPart = (name: string, status: string) =>
  until(`${name} to be ${status}`, async () => (await partOf(name))?.status === status);

/** What is asked while the database is away: refused, with a time to come back. */
async function expectCleanRefusals(): Promise<void> {
  const sent = await account.send([{ agent: 'a' }]);
  expect(sent.status, sent.text).toBe(503);
  expect(Number(sent.headers.get('retry-after'))).toBeGreaterThan(0);
  const asked = await account.look('/v1/cockpit/agenten');
  expect(asked.status).toBe(503);
  expect(Number(asked.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await request(`${service.address()}/v1/gesund`)).status).toBe(503);
}

/** The history tells of a fault of the part that was not over at the instant, and is now; faults that follow closely are one. */
const untilTold = (name: string, since: number) =>
  until(`the history to tell of ${name}`, async () => {
    const { stoerungen, komponenten } = await look<Verlauf>('/v1/status/verlauf');
    const told = stoerungen.find(
      (each) => each.name === name && each.status === 'gestört' && Date.parse(each.bis ?? '') > since,
    );
    const today = komponenten.find((part) => part.name === name)?.tage.at(-1);
    return told !== undefined && (today?.gestoert_sekunden ?? 0) > 0;
  });

/** What is written in the database of it. */
const writtenSince = (name: string, since: number) =>
  service.sql<{ sekunden: number }>(
    `SELECT extract(epoch FROM bis - von)::float8 AS sekunden FROM zustand_spannen
     WHERE komponente = $1 AND status = 'gestört' AND von >= to_timestamp($2)`,
    [name, since / 1_000 - 2],
  );

/** PostgreSQL and what it has started stand still: connections stay open, and nothing answers. */
function freeze(): void {
  const postmaster = service.postmaster() as number;
  signal(postmaster, 'SIGSTOP');
  frozen = [postmaster, ...childrenOf(postmaster)];
  for (const pid of frozen.slice(1)) signal(pid, 'SIGSTOP');
}
function thaw(): void {
  for (const pid of frozen.splice(0).reverse()) signal(pid, 'SIGCONT');
}

describe('a database', () => {
  test('that hangs', async () => {
    await untilPart('datenbank', 'ok');
    const pid = service.pid();
    const began = Date.now();
    freeze();
    await untilPart('datenbank', 'gestört');
    const { status, komponenten } = await look<Status>('/v1/status');
    expect(status).toBe('gestört');
    const states = Object.fromEntries(komponenten.map((part) => [part.name, part.status]));
    expect(states).toMatchObject({ annahme: 'gestört', zaehlung: 'unbekannt', preise: 'unbekannt' });
    expect((await partOf('datenbank'))?.bedeutung).toContain('antwortet nicht');
    expect(Date.parse((await partOf('datenbank'))?.seit ?? '')).toBeGreaterThanOrEqual(began - 2_000);
    await expectCleanRefusals();
    // The page about it is there all the same.
    await look<Verlauf>('/v1/status/verlauf');
    thaw();
    await untilPart('datenbank', 'ok');
    await untilPart('annahme', 'ok');
    await until('a batch to be taken', async () => (await account.send([{ agent: 'a' }])).status === 202);
    await untilTold('datenbank', began);
    await until('it to be written', async () => (await writtenSince('datenbank', began)).length > 0);
    expect([service.pid(), service.isRunning()]).toEqual([pid, true]);
  });

  test('that is stopped, cannot start for a while, and then can', async () => {
    await untilPart('datenbank', 'ok');
    const pid = service.pid();
    const began = Date.now();
    // The service starts it again at once, and every start fails while a file is missing.
    const needed = join(service.dataDir, 'postgres', 'PG_VERSION');
    renameSync(needed, `${needed}.weg`);
    signal(service.postmaster() as number, 'SIGQUIT');
    await untilPart('datenbank', 'gestört');
    await expectCleanRefusals();
    renameSync(`${needed}.weg`, needed);
    await untilPart('datenbank', 'ok');
    await untilPart('annahme', 'ok');
    await until('a batch to be taken', async () => (await account.send([{ agent: 'a' }])).status === 202);
    await untilTold('datenbank', began);
    expect([service.pid(), service.isRunning()]).toEqual([pid, true]);
  });
});

test('the history outlives the service: what was known before it was stopped is known after its start', async () => {
  const before = await look<Verlauf>('/v1/status/verlauf');
  const told = before.stoerungen.filter(({ name }) => name === 'datenbank');
  expect(told.length).toBeGreaterThan(0);
  expect(await service.stop('SIGTERM')).toBe(0);
  await service.start();
  await until('the history to be read', async () => {
    const after = await look<Verlauf>('/v1/status/verlauf');
    return told.every(({ von }) => after.stoerungen.some((each) => each.von === von));
  });
  const part = await partOf('preise');
  expect(part?.status).not.toBe('gestört');
  expect(Date.parse(part?.seit ?? '')).toBeLessThan(Date.now());
});
