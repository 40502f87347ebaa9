/**
 * Programs as people have them, through the proxy as its users run it, beside the real service: each call counts once, as the provider
 * counts it; a block stops the program, which shows why. `npm run trial` writes the table of `docs/connect/README.md`.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agenten, eingriffAnlegen, type ResponseOf } from '../../contracts/index.ts';
import { type FakeProvider, startFakeProvider, type Truth } from '../../test/fake-provider/index.ts';
import { type Account, createAccount, request } from '../../test/outside-account.ts';
import { COMPILED } from '../../test/processes.ts';
import { createServiceProcess, type ServiceProcess } from '../../test/service-process.ts';
import { runsOf } from './account.ts';
import { AGENTS, type Agent, type Installed, installAgent } from './agents.ts';

const ROOT = join(import.meta.dirname, '../..');
const QUESTION = 'How hot is boiling water?';
const RUN_MS = 400_000;

let folder: string;
let fake: FakeProvider;
let service: ServiceProcess;
let proxy: { url: string; child: ChildProcess };
const tags = new Map(AGENTS.map(({ name }) => [name, crypto.randomUUID()] as const));
const tried = new Map<Agent, string>();

async function startProxy(): Promise<typeof proxy> {
  const child = spawn(process.execPath, ['proxy/main.ts'], {
    cwd: ROOT,
    env: {
      ...{ PATH: process.env.PATH, ...COMPILED, PROXY_PORT: '0', PROXY_DATA_DIR: join(folder, 'proxy') },
      PROXY_TARGETS: [...tags].map(([name, tag]) => `${name}=${fake.url(tag)}`).join(' '),
      ZAEHLWERK_URL: service.address(),
      // A busy machine is no reason to make calls before anything is known.
      ...{ PROXY_FIRST_ANSWER_SECONDS: '300', PROXY_FAILURE: 'closed' },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { msg, address } = JSON.parse(line) as { msg: string; address: string };
    if (msg === 'ready') return { url: address, child };
  }
  throw new Error('the proxy did not start');
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zw-agents-'));
  fake = await startFakeProvider();
  service = createServiceProcess();
  await service.start();
  proxy = await startProxy();
});
afterAll(async () => {
  if (process.env.ZW_TABLE && tried.size === AGENTS.length) writeTable();
  if (proxy) {
    proxy.child.kill('SIGTERM');
    await once(proxy.child, 'exit');
  }
  await fake?.stop();
  await service?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  code: number | null;
  out: string;
}

const start = (command: string, args: string[], cwd: string, env: Record<string, string>) =>
  new Promise<Ended>((resolve) => {
    const options = { cwd, env, timeout: RUN_MS, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(command, args, options, (_error, out, errors) =>
      resolve({ code: child.exitCode, out: `${out}\n${errors}` }),
    );
    child.stdin?.end();
  });

/** Asks the program a question in a new folder, as a user who has set nothing but the address. */
async function ask(agent: Agent, { command }: Installed, key: string): Promise<Ended> {
  const cwd = mkdtempSync(join(folder, 'work-'));
  const home = mkdtempSync(join(folder, 'home-'));
  const origin = `${proxy.url}/${key}/agent/${agent.name}/${agent.name}`;
  const place = { cwd, home, origin, baseUrl: `${origin}/v1` };
  const { args, env = {}, before = [], files = {} } = agent.start(place, QUESTION);
  for (const [path, content] of Object.entries(files)) {
    const file = path.startsWith('~/') ? join(home, path.slice(2)) : join(cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  const all = { PATH: path, HOME: home, TERM: 'dumb', CI: '1', ...env };
  for (const each of before) await start(command, each, cwd, all);
  return start(command, args, cwd, all);
}

async function block(account: Account, name: string): Promise<void> {
  const found = (await account.get(agenten.path)).json<ResponseOf<typeof agenten>>().agenten;
  const agent_id = found.find(({ schluessel }) => schluessel === name)?.agent_id;
  const answer = await request(`${service.address()}${eingriffAnlegen.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: account.cookie },
    body: JSON.stringify({ agent_id, stufe: 'sperren' }),
  });
  expect(answer.status, answer.text).toBe(201);
}

/** What was counted of an agent, and what its provider counted. */
async function expectCounted(account: Account, agent: Agent, truths: Truth[]): Promise<void> {
  await account.untilCounted(truths.length);
  const { zeilen } = await account.verbrauch('?gruppe=agent');
  const sum = (of: (truth: Truth) => number) => truths.reduce((all, truth) => all + of(truth), 0);
  expect(zeilen).toMatchObject([
    {
      schluessel: agent.name,
      aufrufe: truths.length,
      eingabe_token: sum(({ input }) => input),
      ausgabe_token: sum(({ output }) => output),
      cache_lese_token: sum(({ cacheRead }) => cacheRead),
      cache_schreib_token: sum(({ cacheWrite }) => cacheWrite),
      denk_token: sum(({ reasoning }) => reasoning),
      geschaetzt: 0,
    },
  ]);
  const runs = await runsOf(account);
  expect(runs.map(({ lauf }) => lauf.aufrufe)).toEqual(agent.tells ? [truths.length] : []);
}

async function tryOut(agent: Agent, installed: Installed): Promise<void> {
  const account = await createAccount(service);
  const tag = tags.get(agent.name) as string;
  const answered = await ask(agent, installed, account.key);
  expect(answered.out).toContain('Water boils');
  const truths = fake.truth(tag);
  // One call alone would be one run in any case.
  if (agent.tells) expect(truths.length).toBeGreaterThan(1);
  await expectCounted(account, agent, truths);

  await block(account, agent.name);
  const refused = await ask(agent, installed, account.key);
  expect(refused.out.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`agent ${agent.name} is blocked until`));
  expect(fake.truth(tag)).toHaveLength(truths.length);
  tried.set(agent, installed.version);
}

test.each(AGENTS.map((agent) => [agent.title, agent] as const))('%s', async (_title, agent) => {
  let installed: Installed | null;
  try {
    installed = await installAgent(agent);
  } catch (error) {
    if (process.env.CI) throw error;
    console.warn(`Left out, it could not be installed: ${String(error).slice(0, 300)}`);
    return;
  }
  if (installed) await tryOut(agent, installed);
});

const PAGE = join(ROOT, 'docs/connect/README.md');
const [BEGIN, END] = ['<!-- tried -->', '<!-- end of tried -->'];

/** Puts the table in the place of the one before. */
function writeTable(): void {
  const page = readFileSync(PAGE, 'utf8');
  const lines = [...tried].map(
    ([{ title, tells }, version]) =>
      `| ${title} | ${version} | as the provider's | ${tells ? 'its session is the run' : 'none: `/run/<id>` in the address makes one'} | stops, and shows the message |`,
  );
  const table = `Tried on ${new Date().toISOString().slice(0, 10)}:\n\n| program | version | calls, tokens | run | blocked |\n| --- | --- | --- | --- | --- |\n${lines.join('\n')}`;
  const [before = '', rest = ''] = page.split(BEGIN);
  writeFileSync(PAGE, `${before}${BEGIN}\n${table}\n${END}${rest.split(END)[1] ?? ''}`);
}
