/**
 * Makes the packages for programs, which the service hands out beside the cockpit: they are on no registry, and who connects a program
 * need not have this checkout (docs/decisions/0194).
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { WHEEL } from './names.ts';
import { wheelOf } from './wheel.ts';

const CLIENTS = fileURLToPath(new URL('../../clients', import.meta.url));
const TSDOWN = join(dirname(fileURLToPath(import.meta.resolve('tsdown'))), 'run.mjs');
/** What `npm pack` takes besides what is built. */
const BESIDE = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'];

const run = promisify(execFile);

/** The tarball as `npm publish` would send it; built beside the folder, so that nothing of the sources changes. */
async function makeTarball(folder: string): Promise<void> {
  const sources = join(CLIENTS, 'typescript');
  const staging = join(folder, 'zaehlwerk');
  await mkdir(staging);
  for (const name of BESIDE) await cp(join(sources, name), join(staging, name));
  await run(process.execPath, [TSDOWN, '--out-dir', join(staging, 'dist'), '--log-level', 'error'], {
    cwd: sources,
  });
  await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: staging });
  await rm(staging, { recursive: true });
}

/** Writes both packages into a folder, which is made. */
export async function makePackages(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const wheel = wheelOf(join(CLIENTS, 'python')).then((bytes) => writeFile(join(folder, WHEEL), bytes));
  await Promise.all([makeTarball(folder), wheel]);
}
