/** The packages as the service hands them out: what their installers and their names say of them. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPython } from '../../clients/python/test-interpreter.ts';
import { makePackages } from './make.ts';
import { TARBALL, WHEEL } from './names.ts';
import { wheelOf } from './wheel.ts';

const PYTHON = join(import.meta.dirname, '../../clients/python');
const python = findPython();
const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zw-pakete-'));
  await makePackages(join(folder, 'pakete'));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('both have the names that the cockpit shows, and nothing lies beside them', () => {
  expect(readdirSync(join(folder, 'pakete')).sort()).toEqual([WHEEL, TARBALL]);
});

test('the wheel is the same whenever it is made', async () => {
  expect(readFileSync(join(folder, 'pakete', WHEEL)).equals(await wheelOf(PYTHON))).toBe(true);
});

test.skipIf(python === null && !process.env.CI)(
  'pip installs the wheel without an index, and it is whole',
  async () => {
    if (python === null) throw new Error('CI needs a Python from 3.10 on');
    const own = join(folder, 'venv');
    expect(spawnSync(python, ['-m', 'venv', own]).status).toBe(0);
    const pip = ['-m', 'pip', 'install', '-q', '--no-index', '--no-compile', join(folder, 'pakete', WHEEL)];
    await run(join(own, 'bin/python'), pip);
    const told = `
import importlib.metadata as m, zaehlwerk
about = m.distribution('zaehlwerk')
faulty = [f for f in about.files if f.hash and __import__('base64').urlsafe_b64encode(
  __import__('hashlib').sha256(f.read_binary()).digest()).rstrip(b'=').decode() != f.hash.value]
print(zaehlwerk.__version__, about.version, about.metadata['License-Expression'], about.metadata['Requires-Python'], len(faulty))
print(sorted(str(f) for f in about.files if f.suffix == '.typed' or 'LICENSE' in f.name))`;
    const { stdout } = await run(join(own, 'bin/python'), ['-c', told]);
    const version = /"version": "([\d.]+)"/.exec(
      readFileSync(join(PYTHON, '../typescript/package.json'), 'utf8'),
    )?.[1];
    expect(stdout.trim().split('\n')).toEqual([
      `${version} ${version} Apache-2.0 >=3.10 0`,
      `['zaehlwerk-${version}.dist-info/licenses/LICENSE', 'zaehlwerk/py.typed']`,
    ]);
  },
  120_000,
);
