/** Every library in its two newest majors, by `tests/matrix/run.py`; environments are made once. */
import { execFile, spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { findPython } from './test-interpreter.ts';

const MATRIX = join(import.meta.dirname, 'tests/matrix/run.py');
const KEPT = process.env.ZW_PYTHON_MATRIX ?? join(homedir(), '.cache', 'zaehlwerk-python-matrix');
/** The code with which it ends where a library could not be installed. */
const NOT_INSTALLED = 2;

const python = findPython();
const listed = python === null ? '' : spawnSync(python, [MATRIX, '--names'], { encoding: 'utf8' }).stdout;
const names = listed.split('\n').filter((name) => name !== '');

test.skipIf(python !== null || !process.env.CI)('a build machine has a Python', () => {
  expect(python).not.toBeNull();
});

test.each(names)('%s', async (name) => {
  const args = [MATRIX, '--only', name, '--cache', KEPT];
  try {
    await promisify(execFile)(python as string, args);
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    if (code !== NOT_INSTALLED || process.env.CI) expect.fail(`${stdout}\n${stderr}`);
    console.warn(`${name} is left out: it could not be installed.`);
  }
});
