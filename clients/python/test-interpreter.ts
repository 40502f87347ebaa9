/** The Python of the machine, which the tests of the package run by. */
import { spawnSync } from 'node:child_process';

const NEWEST_FIRST = [
  'python3.14',
  'python3.13',
  'python3.12',
  'python3.11',
  'python3.10',
  'python3',
  'python',
];

/** A Python from 3.10 on, null where there is none. */
export function findPython(): string | null {
  const isNewEnough = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))';
  return NEWEST_FIRST.find((name) => spawnSync(name, ['-c', isNewEnough]).status === 0) ?? null;
}
