/** The tests of the Python package, run by the Python that the machine has. */
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
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

/** Side by side, since most of their tests wait: those that start processes, all others, types, style. */
const CHECKS = [
  ['-m', 'pytest', 'tests/test_processes.py', '-p', 'no:asyncio', '-p', 'no:cacheprovider'],
  ['-m', 'pytest', 'tests', '--ignore=tests/test_processes.py', '-p', 'no:asyncio', '-p', 'no:cacheprovider'],
  ['-m', 'mypy'],
  ['-m', 'ruff', 'check', 'src', 'tests'],
  ['-m', 'ruff', 'format', '--check', 'src', 'tests'],
];

/** What it wrote where it failed, else null. */
const check = (python: string, args: string[]) =>
  promisify(execFile)(python, args, { cwd: HERE, maxBuffer: 2 ** 26 }).then(
    () => null,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${args.join(' ')}:\n${stdout}\n${stderr}`,
  );

const python = findPython();
if (python === null) console.warn('No Python from 3.10 on: the tests of clients/python are left out.');

test.skipIf(python === null && !process.env.CI)(
  'the Python package: tests, types, style',
  async () => {
    if (python === null) throw new Error('CI needs a Python from 3.10 on');
    const own = environmentOf(python);
    const failed = (await Promise.all(CHECKS.map((args) => check(own, args)))).filter(
      (text) => text !== null,
    );
    expect(failed.join('\n')).toBe('');
  },
  600_000,
);
