/**
 * The package as it is installed: fetched from a service (built by `npm run build`), put into an empty project and used there on every runtime at hand. `ZW_RUNTIMES` names
 * further ones (paths of node, bun and deno, with `:` between them).
 */
import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { createContext, Script } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createAccount } from '../../test/outside-account.ts';
import { createServiceProcess, type ServiceProcess } from '../../test/service-process.ts';
import { VERSION } from './src/library.ts';

const run = promisify(execFile);
const PACKAGE = import.meta.dirname;
const BIN = join(PACKAGE, '../../node_modules/.bin');
/** As the connection page of the cockpit names it. */
const TARBALL = `zaehlwerk-${VERSION}.tgz`;
const MAX_GZIPPED = 40_000;

const isThere = (path: string) => existsSync(path) && path !== '';
const RUNTIMES = [process.execPath, '/usr/bin/node', ...(process.env.ZW_RUNTIMES ?? '').split(':')].filter(
  isThere,
);

let project: string;
let service: ServiceProcess;
let account: Account;

/** Calls in a program that does nothing else: the end of the program delivers them. */
const CALLS = `
  const zw = createClient();
  const body = JSON.stringify({
    id: id, object: 'chat.completion', created: Math.round(Date.now() / 1000), model: 'gpt-4o-mini',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Ulm' } }],
    usage: { prompt_tokens: 11, completion_tokens: 2, total_tokens: 13 },
  });
  const request = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Ulm?' }] };
  const exchange = { uri: 'https://api.openai.com/v1/chat/completions', request, status: 200, contentType: 'application/json', body };
  zw.record(exchange, { agent: 'probe/' + name });
  zw.send({ agent: 'probe/' + name, anbieter: 'openai', modell: 'gpt-4o', eingabe_token: 5, ausgabe_token: 1 });`;

const head = (name: string) => `const name = '${name}'; const id = 'chatcmpl-' + crypto.randomUUID();`;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'zw-project-'));
  service = createServiceProcess();
  const made = run(join(BIN, 'tsdown'), [], { cwd: PACKAGE });
  await Promise.all([made, service.start()]);
  account = await createAccount(service);
  writeFileSync(join(project, 'package.json'), '{"private":true}');
  await run('curl', ['-fsO', `${service.address()}/pakete/${TARBALL}`], { cwd: project });
  const install = ['install', '--offline', '--no-audit', '--no-fund', `./${TARBALL}`];
  await run('npm', install, { cwd: project });
}, 240_000);

afterAll(async () => {
  await service?.dispose();
  rmSync(project, { recursive: true, force: true });
}, 60_000);

const installed = (...path: string[]) => join(project, 'node_modules/zaehlwerk', ...path);

/** Runs a program of the project to its end. */
async function start(runtime: string, file: string): Promise<string> {
  const env = { ...process.env, ZAEHLWERK_URL: service.address(), ZAEHLWERK_KEY: account.key };
  const args = basename(runtime) === 'deno' ? ['run', '--allow-all', file] : [file];
  const { stdout } = await run(runtime, args, { cwd: project, env });
  return stdout;
}

describe('the tarball', () => {
  test('holds what is used and nothing else', () => {
    const files = globSync('**/*', { cwd: installed() }).filter(
      (file) => file.includes('.') || file === 'LICENSE',
    );
    const known = /^(dist\/[\w-]+\.(mjs|cjs|d\.mts|d\.cts)|README\.md|CHANGELOG\.md|LICENSE|package\.json)$/;
    expect(files.filter((file) => !known.test(file))).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', 'dist/index.mjs']));
  });

  test('needs no other package, and imports no module of a runtime', () => {
    expect(JSON.parse(readFileSync(installed('package.json'), 'utf8')).dependencies).toBeUndefined();
    for (const file of globSync('dist/*.{mjs,cjs}', {
      cwd: installed(),
      exclude: ['dist/{cli,replay}.mjs'],
    })) {
      const code = readFileSync(installed(file), 'utf8');
      const imported = [...code.matchAll(/(?:from|import|require\()\s*["'`]([^"'`]+)["'`]/g)].map(
        ([, name]) => name,
      );
      expect(imported.filter((name) => !name?.startsWith('./'))).toEqual([]);
    }
  });

  test('is small: what the main entry loads', () => {
    const loaded = (file: string): string => {
      const code = readFileSync(installed('dist', file), 'utf8');
      const more = [...code.matchAll(/from\s*["'`]\.\/([^"'`]+)["'`]/g)].map(([, name = '']) => name);
      return code + more.map(loaded).join('');
    };
    expect(gzipSync(loaded('index.mjs')).length).toBeLessThan(MAX_GZIPPED);
  });

  test('would be published', async () => {
    const { stderr } = await run('npm', ['publish', '--dry-run', '--offline'], { cwd: PACKAGE });
    expect(stderr).not.toMatch(/npm (error|warn publish npm auto-corrected)/);
  }, 60_000);
});

describe('the command', () => {
  const zaehlwerk = async (...args: string[]): Promise<string> => {
    const env = { ...process.env, ZAEHLWERK_URL: service.address(), ZAEHLWERK_KEY: account.key };
    const { stdout } = await run(process.execPath, [installed('dist/cli.mjs'), ...args], {
      cwd: project,
      env,
    });
    return stdout;
  };

  test('shows what an export holds, and sends it once, however often', async () => {
    const id = 'gen-1782618417-NEpXKqXYIDjS7TmNrT9j';
    writeFileSync(
      join(project, 'activity.csv'),
      `generation_id,created_at,cost_total,tokens_prompt,tokens_completion,model_permaslug,app_name\n${id},${new Date().toISOString()},0.0123,10389,137,openai/gpt-4o-mini,activity\n`,
    );
    const shown = await zaehlwerk('import', 'activity.csv');
    expect(shown).toContain('OpenRouter, 1 rows, 1 calls');
    expect(shown).toContain('Nothing was sent');
    for (const _ of [1, 2])
      expect(await zaehlwerk('import', 'activity.csv', '--send')).toContain('1 accepted, 0 lost');
    await account.untilNothingWaits();
    const { zeilen } = await account.verbrauch('?gruppe=agent');
    expect(zeilen.find(({ schluessel }) => schluessel === 'activity')).toMatchObject({
      aufrufe: 1,
      eingabe_token: 10_389,
      ausgabe_token: 137,
    });
  }, 120_000);

  test('ends with 1 for sums, and with 2 where it is not told what to do', async () => {
    writeFileSync(join(project, 'sums.csv'), 'Model,Spend,Requests\nopenai/gpt-4o,1,5\n');
    await expect(zaehlwerk('import', 'sums.csv')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('It holds sums, not calls'),
    });
    await expect(zaehlwerk()).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('zaehlwerk mcp'),
    });
  });
});

describe.each(RUNTIMES)('%s', (runtime) => {
  const name = runtime.replace(/\W+/g, '-');

  test.each([
    ['module', 'mjs', "import { createClient } from 'zaehlwerk';"],
    ['CommonJS', 'cjs', "const { createClient } = require('zaehlwerk');"],
  ])(
    'counts the calls of a program as %s',
    async (_kind, ending, load) => {
      const agent = `${name}-${ending}`;
      const file = join(project, `${agent}.${ending}`);
      writeFileSync(file, `${load}\n${head(agent)}\n${CALLS}`);
      await start(runtime, file);
      const key = `probe/${agent}`;
      await account.untilNothingWaits();
      const { zeilen } = await account.verbrauch('?gruppe=agent');
      expect(zeilen.find(({ schluessel }) => schluessel === key)).toMatchObject({
        aufrufe: 2,
        eingabe_token: 16,
        ausgabe_token: 3,
      });
    },
    120_000,
  );
});

describe('TypeScript', () => {
  const program = `
    const zw: Client = createClient({ baseUrl: 'http://localhost', key: 'k', bufferDirectory: false });
    const event: Ereignis = { agent: 'a', eingabe_token: 5, zusatz: { projekt: 'p' } };
    zw.send(event);
    const stats: Promise<number> = zw.flush().then(({ sent }) => sent);
    // @ts-expect-error: counts are numbers
    zw.send({ eingabe_token: 'five' });
    export const all = [stats, StoppedByIntervention];`;

  test.each([
    [
      'nodenext',
      'nodenext',
      'mts',
      "import { type Client, createClient, type Ereignis, StoppedByIntervention } from 'zaehlwerk';",
    ],
    [
      'nodenext',
      'nodenext',
      'cts',
      "import { type Client, createClient, type Ereignis, StoppedByIntervention } from 'zaehlwerk';",
    ],
    [
      'esnext',
      'bundler',
      'ts',
      "import { type Client, createClient, type Ereignis, StoppedByIntervention } from 'zaehlwerk';",
    ],
  ])(
    'knows the types (%s, %s, .%s)',
    async (module, moduleResolution, ending, load) => {
      const folder = join(project, `types-${moduleResolution}-${ending}`);
      mkdirSync(folder);
      writeFileSync(join(folder, `program.${ending}`), `${load}\n${program}`);
      const compilerOptions = {
        ...{ module, moduleResolution, target: 'es2022', lib: ['es2022', 'dom'], types: [] },
        ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false },
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
      const { stdout } = await run(join(BIN, 'tsc'), ['-p', folder], { cwd: folder });
      expect(stdout).toBe('');
    },
    120_000,
  );
});

test('a runtime that has fetch and nothing of Node sends, too', async () => {
  const sent: string[] = [];
  const answer = { ok: true, status: 202, headers: new Headers(), text: async () => '{}' };
  const globals = {
    ...{
      URL,
      crypto,
      performance,
      setTimeout,
      clearTimeout,
      AbortController,
      AbortSignal,
      TextEncoder,
      TextDecoder,
      atob,
    },
    async fetch(this: unknown, url: string, init: { body?: string }) {
      // As browsers and edge runtimes have it.
      if (this !== undefined) throw new TypeError('Illegal invocation');
      sent.push(`${url} ${init.body ?? ''}`);
      return answer;
    },
    console,
  };
  const loaded = new Map<string, Record<string, unknown>>();
  const context = createContext(globals);
  const load = (file: string): Record<string, unknown> => {
    const module = { exports: loaded.get(file) ?? {} };
    if (loaded.has(file)) return module.exports;
    loaded.set(file, module.exports);
    const code = readFileSync(installed('dist', file), 'utf8');
    const made = new Script(`(function (module, exports, require) {${code}\n})`).runInContext(context);
    made(module, module.exports, (name: string) => load(name.replace('./', '')));
    return module.exports;
  };
  const { createClient } = load('index.cjs') as {
    createClient: (given: object) => { send(e: object): void; flush(): Promise<object> };
  };
  const zw = createClient({ baseUrl: 'https://zw.example', key: 'k' });
  zw.send({ agent: 'edge' });
  expect(await zw.flush()).toMatchObject({ sent: 1, queued: 0, lastError: null });
  expect(sent).toEqual([expect.stringContaining('"agent":"edge"')]);
});

test('the command for recordings runs by its name', async () => {
  const file = join(project, 'recordings.jsonl');
  const body =
    '{"model":"gpt-4o-mini","choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":1,"completion_tokens":1}}';
  const recording = {
    id: '1',
    source: 'a/b/c.yaml',
    uri: 'https://api.openai.com/v1/chat/completions',
    request: {},
    status: 200,
    content_type: 'application/json',
    body,
  };
  writeFileSync(file, JSON.stringify(recording));
  const args = [file, '--url', service.address(), '--key', account.key];
  const { stdout } = await run(join(project, 'node_modules/.bin/zaehlwerk-replay'), args, { cwd: project });
  expect(stdout).toContain('1 recordings, 1 events, 1 accepted, 0 lost');
}, 60_000);
