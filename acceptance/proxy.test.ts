/** The proxy as its users run it, beside the real service: it lives when the service does not, and lets no limit be passed. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, createServer as createNetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Eur, eurFrom, eurText } from '#kernel/money.ts';
import { type Account, createAccount, request } from '#test/outside-account.ts';
import { type OwnServer, startOwnServer } from '#test/own-server.ts';
import { COMPILED } from '#test/processes.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';

const MODEL = 'gpt-4o-mini';
const OUTPUT = 10_000;
const BODY = JSON.stringify({
  model: MODEL,
  max_completion_tokens: OUTPUT,
  messages: [{ role: 'user', content: 'What is the answer?' }],
});
/** As much as the request allows, in EUR: 0.15 and 0.6 USD a million tokens, at 0.86. */
const COST = eurFrom('0.86') * BigInt(BODY.length * 15 + OUTPUT * 60);
const PARTS = 100_000_000n;
/** The cost of this number of calls and half of one more, with the 2 % kept for another exchange rate. */
const limitOf = (calls: number) => eurText(((COST * BigInt(calls * 2 + 1) * 102n) / (PARTS * 200n)) as Eur);

let provider: Server;
let providerUrl: string;
let made = 0;
/** A provider that writes as much as it may, and takes its time. */
beforeAll(async () => {
  execFileSync(process.execPath, [join(import.meta.dirname, '../proxy/build.ts')]);
  provider = createServer({ keepAliveTimeout: 600_000 }, (asked, response) => {
    made += 1;
    void json(asked)
      .then(() => delay(50))
      .then(() => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({
            id: `chatcmpl-${randomUUID()}`,
            model: MODEL,
            choices: [{ index: 0, message: { role: 'assistant', content: '42' } }],
            usage: { prompt_tokens: BODY.length, completion_tokens: OUTPUT },
          }),
        );
      });
  });
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  providerUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterAll(() => {
  provider?.closeAllConnections();
  provider?.close();
});

let proxies: ChildProcess[] = [];
let dataDir: string;
beforeEach(() => {
  made = 0;
  dataDir = mkdtempSync(join(tmpdir(), 'zw-proxy-'));
});
afterEach(async () => {
  await Promise.all(proxies.map((proxy) => end(proxy)));
  proxies = [];
  rmSync(dataDir, { recursive: true, force: true });
});

/** Starts a proxy; resolves with its address. */
async function startProxy(
  serviceUrl: string,
  env: Record<string, string> = {},
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, ['proxy/dist/main.js'], {
    cwd: join(import.meta.dirname, '..'),
    env: {
      PATH: process.env.PATH,
      ...COMPILED,
      PROXY_PORT: '0',
      PROXY_DATA_DIR: dataDir,
      PROXY_TARGETS: `openai=${providerUrl}`,
      ZAEHLWERK_URL: serviceUrl,
      // A busy machine is no reason to make calls before anything is known.
      PROXY_FIRST_ANSWER_SECONDS: '300',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  proxies.push(child);
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const { msg, address } = JSON.parse(line) as { msg: string; address: string };
    if (msg === 'ready') return { url: address, child };
  }
  throw new Error('the proxy did not start');
}

async function end(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
  return child.exitCode;
}

interface Answered {
  status: number;
  error: { code?: string; message?: string } | undefined;
}

/** Makes this number of calls at once; nothing but the address says whose they are. */
async function callAtOnce(proxyUrl: string, account: Account, count: number): Promise<Answered[]> {
  const one = async (): Promise<Answered> => {
    const answer = await fetch(
      `${proxyUrl}/${account.key}/agent/support%2Ftriage/openai/v1/chat/completions`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: 'Bearer sk-provider' },
        body: BODY,
      },
    );
    const { error } = (await answer.json()) as Pick<Answered, 'error'>;
    return { status: answer.status, error };
  };
  return Promise.all(Array.from({ length: count }, one));
}

test('two proxies and a hundred calls at once in each pass a limit of twenty by nothing', async () => {
  let server: OwnServer | undefined;
  let apis: ServiceProcess[] = [];
  let database: pg.Client | undefined;
  try {
    server = await startOwnServer();
    const url = await server.database('CREATEROLE BYPASSRLS');
    database = new pg.Client(url);
    await database.connect();
    const env = { DATABASE_URL: url, ZW_SCHLUESSEL: randomBytes(32).toString('base64') };
    apis = [createServiceProcess(env), createServiceProcess({ ...env, ROLLE: 'api' })];
    for (const each of apis) await each.start();
    const [first, second] = apis as [ServiceProcess, ServiceProcess];
    const account = await createAccount(first);
    const rule = { typ: 'kosten_grenze', zeitfenster: 'tag', stufe: 'anhalten', schattenbetrieb: false };
    const set = await request(`${first.address()}/v1/cockpit/regeln`, {
      method: 'POST',
      headers: { cookie: account.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ ...rule, schwelle: limitOf(20), name: 'Tageslimit' }),
    });
    expect(set.status, set.text).toBe(201);
    // Nor to make them without having asked, should an answer take too long.
    const closed = { PROXY_FAILURE: 'closed' };
    const both = [await startProxy(first.address(), closed), await startProxy(second.address(), closed)];
    const answers = (await Promise.all(both.map((each) => callAtOnce(each.url, account, 100)))).flat();
    const refused = answers.filter(({ status }) => status !== 200);
    const codes = new Set(refused.map(({ status, error }) => `${status} ${error?.code}`));
    expect(codes).toContain('400 grenze_erreicht');
    // A service that is asked too much at once is one that is away, for a moment.
    expect(codes.difference(new Set(['400 grenze_erreicht', '400 eingriffe_unbekannt']))).toEqual(new Set());
    const byLimit = refused.find(({ error }) => error?.code === 'grenze_erreicht');
    expect(byLimit?.error?.message).toMatch(/"Tageslimit".*spent.*until.*\/regeln$/);
    expect(made).toBe(200 - refused.length);
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThanOrEqual(20);
    for (const { child } of both) expect(await end(child)).toBe(0);
    await account.untilNothingWaits();
    const { rows } = await database.query<{ summe: string; anzahl: string }>(
      'SELECT coalesce(sum(kosten_eur), 0)::text AS summe, count(*)::text AS anzahl FROM ereignisse WHERE mandant_id = $1',
      [account.mandantId],
    );
    expect(rows[0]?.anzahl).toBe(String(made));
    expect(eurFrom(rows[0]?.summe ?? '0')).toBeLessThanOrEqual(eurFrom(limitOf(20)));
  } finally {
    await Promise.all(apis.map((each) => each.dispose()));
    await database?.end();
    await server?.stop();
  }
});

async function freePort(): Promise<string> {
  const server = createNetServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return String(port);
}

test('a service that is killed is missed by nobody: calls go on, what they used waits on disk and is counted once', async () => {
  const port = await freePort();
  const service = createServiceProcess({ PORT: port, BASE_URL: `http://127.0.0.1:${port}` });
  try {
    await service.start();
    const account = await createAccount(service);
    const proxy = await startProxy(service.address());
    await callAtOnce(proxy.url, account, 10);
    await account.untilCounted(10);
    await service.stop('SIGKILL');
    const away = await callAtOnce(proxy.url, account, 30);
    expect(away.every(({ status }) => status === 200)).toBe(true);
    // The proxy itself ends as well, and another one takes over what it has left.
    expect(await end(proxy.child)).toBe(0);
    const next = await startProxy(service.address());
    await callAtOnce(next.url, account, 20);
    await service.start();
    await account.untilCounted(60);
    expect(await end(next.child)).toBe(0);
    const [row] = await service.sql<{ anzahl: string; ein: string; aus: string }>(
      'SELECT count(*)::text AS anzahl, sum(eingabe_token)::text AS ein, sum(ausgabe_token)::text AS aus FROM ereignisse',
    );
    expect(row).toEqual({ anzahl: '60', ein: String(60 * BODY.length), aus: String(60 * OUTPUT) });
    expect(made).toBe(60);
  } finally {
    await service.dispose();
  }
});
