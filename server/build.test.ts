/** What is started: the build while no source is younger, else the sources. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtName, startFile } from './build.ts';

const SOURCE = 'server/src/main/all-in-one.ts';
const BUILT = 'server/dist/0123';
const HOUR = 3_600;

let tree: string;
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'zw-build-'));
  for (const [path, says] of [
    [SOURCE, 'sources'],
    ['contracts/fields.ts', ''],
    ['package-lock.json', ''],
    [`${BUILT}/${builtName(SOURCE)}`, 'build'],
  ] as const) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), `console.log('${says}');\n`);
  }
  writeFileSync(join(tree, 'package.json'), '{ "type": "module" }');
  changeAt('server/src/main/all-in-one.ts', -HOUR);
  changeAt('contracts/fields.ts', -HOUR);
  changeAt('package-lock.json', -HOUR);
});
afterEach(() => rmSync(tree, { recursive: true }));

function changeAt(path: string, seconds: number): void {
  const at = Date.now() / 1000 + seconds;
  utimesSync(join(tree, path), at, at);
}

function start(build: string | null): string {
  writeFileSync(join(tree, 'server/dist/main.js'), startFile(build));
  return execFileSync(process.execPath, [join(tree, 'server/dist/main.js')], { encoding: 'utf8' }).trim();
}

test('the build, as long as every source is older', () => {
  expect(start('0123')).toBe('build');
});

test('the build where no list of packages lies beside it, as in the image', () => {
  rmSync(join(tree, 'package-lock.json'));
  expect(start('0123')).toBe('build');
});

test.each(['contracts/fields.ts', SOURCE, 'package-lock.json'])('the sources once %s is younger', (path) => {
  changeAt(path, HOUR);
  expect(start('0123')).toBe('sources');
});

test('the sources where nothing could be built', () => {
  expect(start(null)).toBe('sources');
});
