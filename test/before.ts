/**
 * Before the first file that needs a database or processes: all that the suite has made first, side by side, since each of them
 * waits for processes of its own.
 */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import unpackChromium from './chromium.ts';
import startDatabase from './global-setup.ts';
import makeBundle from './service-bundle.ts';
import { suiteOf } from './suites.ts';

const ROOT = resolve(import.meta.dirname, '..');

async function buildCockpit(): Promise<void> {
  const { stdout } = await promisify(execFile)(process.execPath, ['cockpit/build-if-stale.ts'], {
    cwd: ROOT,
  });
  process.stdout.write(stdout);
}

/** Nothing is left behind by what has begun when something else fails.
 * @public Vitest calls it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { mode } = project.vite.config;
  const suite = suiteOf(mode);
  const others = [
    ...(suite === 'core' ? [] : [unpackChromium()]),
    // A file that is named takes the cockpit as it is, and the service from its sources.
    ...(['usual', 'all'].includes(mode) ? [makeBundle(), buildCockpit()] : []),
  ];
  const [database, ...made] = await Promise.allSettled([startDatabase(project), ...others]);
  const failed = [database, ...made].find(({ status }) => status === 'rejected');
  const stop = database.status === 'fulfilled' ? database.value : async () => undefined;
  if (failed?.status !== 'rejected') return stop;
  await stop();
  throw failed.reason;
}
