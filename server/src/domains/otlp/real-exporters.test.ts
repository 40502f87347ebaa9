/** What others have written, as it comes from their registries, at our doors: OpenTelemetry for Python and its Collector, Langfuse for Python and for JavaScript. */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, registerAccount } from '#test/account.ts';
import { handOnTold } from '#test/otlp-hand-on.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { until } from '#test/until.ts';
import { HOLD } from './limits.ts';

const run = promisify(execFile);
const PROGRAMS = join(import.meta.dirname, 'testdata/exporters');
const PYTHON = [
  'opentelemetry-sdk==1.45.2',
  'opentelemetry-exporter-otlp-proto-http==1.45.2',
  'langfuse==5.0.4',
];
const JAVASCRIPT = {
  '@langfuse/otel': '5.11.1',
  '@langfuse/tracing': '5.11.1',
  '@opentelemetry/api': '1.9.1',
  '@opentelemetry/core': '2.12.1',
  '@opentelemetry/exporter-trace-otlp-http': '0.223.1',
  '@opentelemetry/sdk-trace-base': '2.12.1',
  '@opentelemetry/sdk-trace-node': '2.12.1',
};
/** Go modules of the Collector; all of one release. */
const COLLECTOR = [
  'go.opentelemetry.io/collector/otelcol@v0.165.0',
  'go.opentelemetry.io/collector/receiver/otlpreceiver@v0.165.0',
  'go.opentelemetry.io/collector/processor/batchprocessor@v0.165.0',
  'go.opentelemetry.io/collector/exporter/otlphttpexporter@v0.165.0',
  'go.opentelemetry.io/collector/confmap/provider/yamlprovider@v1.71.0',
];
const INSTALL_MS = 540_000;
/** Seven hundred packages are compiled. */
const BUILD_MS = 1_800_000;

/** A folder with these packages, made once and aside: one that is broken off leaves nothing. Null where it cannot be made. */
async function installed(
  packages: readonly string[],
  install: (folder: string) => Promise<unknown>,
): Promise<string | null> {
  const edition = createHash('sha256').update(packages.join(' ')).digest('hex').slice(0, 12);
  const folder = join(process.env.ZW_EXPORTERS ?? join(homedir(), '.cache', 'zaehlwerk-exporters'), edition);
  const aside = `${folder}.${process.pid}`;
  try {
    if (existsSync(folder)) return folder;
    mkdirSync(aside, { recursive: true });
    await install(aside);
    renameSync(aside, folder);
    return folder;
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (process.env.CI) throw error;
    console.warn(`${packages.join(', ')} could not be installed: ${String(error).slice(0, 300)}`);
    return null;
  }
}

const python = await installed(PYTHON, (folder) =>
  run('python3', ['-m', 'pip', 'install', '-q', '--target', folder, ...PYTHON], { timeout: INSTALL_MS }),
);
const javascript = await installed(Object.entries(JAVASCRIPT).flat(), async (folder) => {
  const list = { private: true, type: 'module', dependencies: JAVASCRIPT };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(list));
  const options = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', options, { cwd: folder, timeout: INSTALL_MS });
});

/** Where no Go is, the Collector cannot be built. */
const go = await run('go', ['version']).catch(() => null);
const collector =
  go &&
  (await installed(COLLECTOR, async (folder) => {
    copyFileSync(join(PROGRAMS, 'collector/main.go'), join(folder, 'main.go'));
    const options = { cwd: folder, timeout: BUILD_MS, env: { ...process.env, CGO_ENABLED: '0' } };
    await run('go', ['mod', 'init', 'otelcol'], options);
    await run('go', ['get', ...COLLECTOR], options);
    await run('go', ['build', '-mod=mod', '-o', 'otelcol', '.'], options);
  }));

let service: TestService;
let address: string;
beforeAll(async () => {
  service = await startService();
  service.clock.set(new Date().toISOString());
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  address = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
});
afterAll(() => service?.stop());

/** What is counted of a Mandant whose key a program gets. */
async function countedOf(send: (secret: string) => Promise<unknown>) {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account, ['Senden']);
  await send(secret);
  const later = new Date(Date.now() + HOLD + 1_000);
  await handOnTold(service, account.mandantId, later);
  await countAll(service);
  return service.sql('SELECT * FROM ereignisse WHERE mandant_id = $1 ORDER BY modell DESC', [
    account.mandantId,
  ]);
}

const byPython =
  (program: string, to = address) =>
  (secret: string) =>
    run('python3', [join(PROGRAMS, program), to, secret], {
      env: { ...process.env, PYTHONPATH: python ?? '' },
    });

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** What a program for Python sends goes through a Collector, which has the key. */
const throughCollector = (program: string) => async (secret: string) => {
  const endpoint = `127.0.0.1:${await freePort()}`;
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint } } } },
    processors: { batch: { timeout: '100ms' } },
    exporters: { otlp_http: { endpoint: address, headers: { Authorization: `Bearer ${secret}` } } },
    service: {
      telemetry: { metrics: { level: 'none' } },
      pipelines: { traces: { receivers: ['otlp'], processors: ['batch'], exporters: ['otlp_http'] } },
    },
  };
  const options = [`--config=yaml:${JSON.stringify(config)}`];
  const running = spawn(join(collector ?? '', 'otelcol'), options, { stdio: 'ignore' });
  const ended = once(running, 'exit');
  try {
    await until('the Collector', () => fetch(`http://${endpoint}/`).then(() => true));
    await byPython(program, `http://${endpoint}`)('a key of nobody');
  } finally {
    // It sends what it has before it ends.
    running.kill('SIGTERM');
    await ended;
  }
};

test
  .skipIf(python === null)
  .each([
    ['OpenTelemetry’s own exporter for Python', byPython],
    ...(collector === null ? [] : [['the same through a Collector', throughCollector] as const]),
  ] as const)('%s', async (_name, by) => {
  const events = await countedOf(by('by_opentelemetry.py'));
  const common = { benutzer_ref: 'u-1', quelle: 'otlp', anbieter: 'openai' };
  expect(events).toMatchObject([
    { ...common, modell: 'gpt-4o-mini', eingabe_token: 1_210, ausgabe_token: 341, status: 'erfolgreich' },
    {
      ...common,
      modell: 'gpt-4o',
      eingabe_token: null,
      status: 'fehlgeschlagen',
      fehlercode: 'RateLimitError',
    },
  ]);
  expect(events[0]?.zusatz).toMatchObject({ bibliothek: 'library', bibliothek_version: '1.2.3' });
});

/** The generation alone is a call; its buckets do not overlap. */
const GENERATION = {
  quelle: 'otlp',
  modell: 'gpt-4o-mini',
  eingabe_ohne_cache: 21,
  cache_lese_token: 2_560,
  ausgabe_token: 40,
  lauf_id: expect.any(String),
  prompt_fingerabdruck: expect.anything(),
};

test.skipIf(python === null)('Langfuse for Python', async () => {
  const events = await countedOf(byPython('by_langfuse.py'));
  expect(events).toMatchObject([GENERATION]);
  expect(JSON.stringify(events)).not.toContain('canary');
});

test.skipIf(javascript === null)('Langfuse for JavaScript', async () => {
  const program = join(PROGRAMS, 'by-langfuse.mjs');
  const events = await countedOf((secret) => run('node', [program, javascript ?? '', address, secret]));
  expect(events).toMatchObject([GENERATION]);
  expect(JSON.stringify(events)).not.toContain('canary');
});
