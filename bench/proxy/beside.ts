/** What is measured beside the proxy in the same run: other proxies in their newest version, installed outside of the tree when asked for, as they advise for production; and a bare relay. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Started, startAnswering, startOurs } from './processes.ts';

const CACHE = process.env.ZW_BENCH ?? join(homedir(), '.cache', 'zaehlwerk-bench');
const run = promisify(execFile);

/** Who is called, and as what. */
export interface Reached {
  baseURL: string;
  model: string;
  headers: Record<string, string>;
}

export interface Beside {
  name: string;
  version: string;
  started: Started;
  /** Where a call goes that the provider answers in this way. */
  reach(how: string): Reached;
}

/** Installed whole, or not there: what is broken off leaves nothing that looks finished. */
async function installed(name: string, install: (directory: string) => Promise<unknown>): Promise<string> {
  const directory = join(CACHE, name);
  const mark = join(directory, 'whole');
  if (existsSync(mark)) return directory;
  mkdirSync(directory, { recursive: true });
  await install(directory);
  writeFileSync(`${mark}.new`, '');
  renameSync(`${mark}.new`, mark);
  return directory;
}

/**
 * Without a database, one worker, no logs but errors, prices from its package: each of it is on its page about production, or
 * what it needs to start without the internet.
 */
async function litellm(providerUrl: string, hows: readonly string[]): Promise<Beside> {
  const directory = await installed('litellm', async (place) => {
    await run('python3', ['-m', 'venv', place]);
    await run(join(place, 'bin/pip'), ['install', '--quiet', '--upgrade', 'litellm[proxy]'], {
      maxBuffer: 2 ** 26,
    });
  });
  const { stdout } = await run(join(directory, 'bin/pip'), ['show', 'litellm']);
  const config = join(directory, 'bench.json');
  const models = hows.map((how) => ({
    model_name: how,
    litellm_params: { model: 'openai/gpt-5.1', api_base: `${providerUrl}/${how}/v1`, api_key: 'sk-k' },
  }));
  writeFileSync(
    config,
    JSON.stringify({
      model_list: models,
      litellm_settings: { set_verbose: false, request_timeout: 600 },
      general_settings: { master_key: 'sk-bench' },
    }),
  );
  const started = await startAnswering(
    join(directory, 'bin/litellm'),
    (port) => ['--config', config, '--host', '127.0.0.1', '--port', String(port), '--num_workers', '1'],
    {
      path: '/health/liveliness',
      env: {
        LITELLM_MODE: 'PRODUCTION',
        LITELLM_LOG: 'ERROR',
        LITELLM_LOCAL_MODEL_COST_MAP: 'True',
        PYTHONWARNINGS: 'ignore',
      },
    },
  );
  return {
    name: 'litellm',
    version: /^Version: (.+)$/m.exec(stdout)?.[1] ?? '',
    started,
    reach: (how) => ({
      baseURL: `${started.url}/v1`,
      model: how,
      headers: { authorization: 'Bearer sk-bench' },
    }),
  };
}

/**
 * As installed, it answers every call with 500: it writes into the headers of what `fetch` answered, which may not be changed ("immutable", on Node 20,
 * 22 and 26). So it gets answers whose headers may.
 */
const MUTABLE = `data:text/javascript,${encodeURIComponent(
  'const {fetch: f, Response: R} = globalThis; globalThis.fetch = async (...a) => { const r = await f(...a); return new R(r.body, { status: r.status, statusText: r.statusText, headers: new Headers(r.headers) }); };',
)}`;

async function portkey(providerUrl: string): Promise<Beside> {
  const directory = await installed('portkey', async (place) => {
    writeFileSync(join(place, 'package.json'), '{"private":true}');
    await run('npm', ['install', '--no-audit', '--no-fund', '@portkey-ai/gateway'], {
      cwd: place,
    });
  });
  const place = join(directory, 'node_modules/@portkey-ai/gateway');
  const { version } = JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as { version: string };
  const started = await startAnswering(
    process.execPath,
    (port) => ['--import', MUTABLE, join(place, 'build/start-server.js'), '--headless', `--port=${port}`],
    { path: '/', env: { NODE_ENV: 'production' } },
  );
  return {
    name: 'portkey',
    version,
    started,
    reach: (how) => ({
      baseURL: `${started.url}/v1`,
      model: 'gpt-5.1',
      headers: { 'x-portkey-provider': 'openai', 'x-portkey-custom-host': `${providerUrl}/${how}/v1` },
    }),
  };
}

async function relay(providerUrl: string): Promise<Beside> {
  const started = await startOurs([join(import.meta.dirname, 'relay.ts')], { RELAY_TO: providerUrl });
  return {
    name: 'relay',
    version: '',
    started,
    reach: (how) => ({ baseURL: `${started.url}/${how}/v1`, model: 'gpt-5.1', headers: {} }),
  };
}

const KNOWN: Readonly<Record<string, typeof litellm>> = { relay, litellm, portkey };

/** Starts those that are named. */
export async function startBeside(
  names: readonly string[],
  providerUrl: string,
  hows: readonly string[],
): Promise<Beside[]> {
  const started: Beside[] = [];
  for (const name of names) {
    const begin = KNOWN[name];
    if (begin === undefined) throw new Error(`--beside ${name}: one of ${Object.keys(KNOWN).join(', ')}`);
    started.push(await begin(providerUrl, hows));
  }
  return started;
}
