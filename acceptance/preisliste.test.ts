/** The price list of a service that runs: fetched at its start, replaced and gone back from by commands beside it. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createAccount } from '#test/outside-account.ts';
import { editionOf, type ListServer, model, startListServer } from '#test/price-lists.ts';
import { COMPILED } from '#test/processes.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';
import { until } from '#test/until.ts';

const CLI = join(import.meta.dirname, '../server/src/main/cli.ts');
/** All processes use the list in force by then. */
const WITHIN = 60_000;

let server: ListServer;
let service: ServiceProcess;
let account: Account;

const knowing = (...ids: string[]) =>
  editionOf((providers) => {
    const openai = providers.find(({ id }) => id === 'openai');
    for (const id of ids) openai?.models.push(model(id, { input_mtok: 3, output_mtok: 1 }));
  });

beforeAll(async () => {
  server = await startListServer();
  server.serve(await knowing('nagelneu-1'));
  service = createServiceProcess({ PREISLISTE_URL: server.url, ERLAUBTE_NETZE: '127.0.0.1' });
  await service.start();
  account = await createAccount(service);
});
afterAll(async () => {
  await service?.dispose();
  await server?.stop();
});

async function command(...args: string[]) {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: {
      ...{ PATH: process.env.PATH, ...COMPILED, DATA_DIR: service.dataDir },
      ...{ PREISLISTE_URL: server.url, ERLAUBTE_NETZE: '127.0.0.1' },
    },
  });
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code, out, err };
}

async function call(modell: string): Promise<string> {
  const ereignis_id = randomUUID();
  const event = { ereignis_id, agent: 'a', anbieter: 'openai', modell, eingabe_token: 1_000_000 };
  expect((await account.send([event] as never)).status).toBe(202);
  return ereignis_id;
}

/** Where the price of a call is from; null while it has none, undefined while it is not counted. */
async function sourceOf(ereignis_id: string): Promise<string | null | undefined> {
  const [row] = await service.sql<{ preis_quelle: string | null }>(
    'SELECT preis_quelle FROM ereignisse WHERE ereignis_id = $1',
    [ereignis_id],
  );
  return row?.preis_quelle;
}

const untilPriced = (what: string, ereignis_id: string, source: RegExp) =>
  until(what, async () => source.test((await sourceOf(ereignis_id)) ?? ''), WITHIN);

test('is fetched, replaced while the service runs, and gone back from', async () => {
  const first = await call('nagelneu-1');
  await untilPriced('the price of the list at the start', first, /^genai-prices \S+\.2 openai\/nagelneu-1$/);

  const early = await call('nagelneu-2');
  await until('the call to be counted', async () => (await sourceOf(early)) === null, WITHIN);
  server.serve(await knowing('nagelneu-1', 'nagelneu-2'));
  expect(await command('preisliste-holen')).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^„genai-prices \S+\.3“ \(Nummer 3, \d+ Modelle\) ist aufgenommen und gilt\.\n$/,
    ),
  });
  await untilPriced('the late price', early, /^genai-prices \S+\.3 openai\/nagelneu-2$/);
  const second = await call('nagelneu-1');
  await untilPriced('the price of the newer list', second, /^genai-prices \S+\.3 openai\/nagelneu-1$/);

  expect(await command('preisliste-zurueck')).toMatchObject({
    code: 0,
    out: expect.stringContaining('(Nummer 2)'),
  });
  const isBack = async () => {
    const id = await call('nagelneu-1');
    await until('the call to be counted', async () => (await sourceOf(id)) !== undefined, WITHIN);
    return (await sourceOf(id))?.includes('.2 ') ?? false;
  };
  await until('the list before', isBack, WITHIN);
  // What a call has cost does not change with the list.
  expect(await sourceOf(early)).toMatch(/\.3 openai\/nagelneu-2$/);
  expect(service.errors()).toEqual([]);
});
