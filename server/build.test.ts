/** What is started: the build of the sources as they are, else the sources. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtName, startFile } from './build.ts';
import { stateOfSources } from './src/main/sources.ts';

const SOURCE = 'server/src/main/all-in-one.ts';
const STATE = 'server/src/main/sources.ts';
const OTHER = 'contracts/fields.ts';
const LIST = 'package-lock.json';

let tree: string;
let build: string;
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'zw-build-'));
  write(SOURCE, "console.log('sources');");
  write(OTHER, '');
  write(LIST, '{}');
  write('package.json', '{ "type": "module" }');
  build = stateOfSources(tree);
  write(`server/dist/${build}/${builtName(SOURCE)}`, "console.log('build');");
  const state = pathToFileURL(join(import.meta.dirname, '..', STATE)).href;
  write(`server/dist/${build}/${builtName(STATE)}`, `export * from '${state}';`);
});
afterEach(() => rmSync(tree, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}

function start(of: string | null): string {
  write('server/dist/main.js', startFile(of));
  return execFileSync(process.execPath, [join(tree, 'server/dist/main.js')], { encoding: 'utf8' }).trim();
}

test('the build, whenever its sources were written', () => {
  const later = Date.now() / 1000 + 3_600;
  utimesSync(join(tree, OTHER), later, later);
  expect(start(build)).toBe('build');
});

test('the build where tests are left out, as in the image', () => {
  write('contracts/fields.test.ts', '');
  expect(start(build)).toBe('build');
});

test.each([OTHER, LIST])('the sources once %s is another, though it is older', (path) => {
  write(path, '{ }');
  utimesSync(join(tree, path), 0, 0);
  expect(start(build)).toBe('sources');
});

test('the sources once one of them is gone', () => {
  rmSync(join(tree, OTHER));
  expect(start(build)).toBe('sources');
});

test('the sources where nothing could be built', () => {
  expect(start(null)).toBe('sources');
});
