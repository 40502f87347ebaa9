/** The tests of the Python package, run by the Python that the machine has. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { isWhole } from '../../test/depth.ts';
import { findPython } from './test-interpreter.ts';

const HERE = import.meta.dirname;
/** Beside what else is made once: where tests keep their files is emptied after each run. */
const KEPT = resolve(HERE, '../../node_modules/.cache');
const run = (command: string, ...args: string[]) => spawnSync(command, args, { cwd: HERE, encoding: 'utf8' });

/** Its own environment with what the tests need; kept, since it takes a while to make. */
function environmentOf(python: string): string {
  const { stdout } = run(python, '-c', 'import sys; print("%d.%d" % sys.version_info[:2])');
  const folder = join(KEPT, `python-${stdout.trim()}`);
  const own = join(folder, 'bin', 'python');
  // What the index of packages would refuse is looked for before a release; what is built of it here is used here.
  const packages = ['pytest', 'httpx', 'hatchling', 'mypy', 'ruff', ...(isWhole ? ['twine'] : [])];
  const has = `import ${packages.join(', ')}`;
  if (existsSync(own) && run(own, '-c', has).status === 0) return own;
  expect(run(python, '-m', 'venv', '--clear', folder).status).toBe(0);
  // What is used of them compiles itself.
  const made = run(own, '-m', 'pip', 'install', '-q', '--no-compile', ...packages);
  expect(made.status, made.stderr).toBe(0);
  return own;
}

const python = findPython();
if (python === null) console.warn('No Python from 3.10 on: the tests of clients/python are left out.');

test.skipIf(python === null && !process.env.CI)(
  'the Python package: tests, types, style',
  () => {
    if (python === null) throw new Error('CI needs a Python from 3.10 on');
    const own = environmentOf(python);
    for (const check of [
      ['-m', 'pytest', 'tests', '-p', 'no:asyncio'],
      ['-m', 'mypy'],
      ['-m', 'ruff', 'check', 'src', 'tests'],
      ['-m', 'ruff', 'format', '--check', 'src', 'tests'],
    ]) {
      const done = run(own, ...check);
      expect(done.status, `${done.stdout}\n${done.stderr}`).toBe(0);
    }
  },
  600_000,
);
