/** What `npm start` does where the packages that build the cockpit are not installed. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '..');
const HOW_TO = 'Mit „npm ci && npm run build && npm prune --omit=dev“ wird es gebaut.\n';

let tree: string;
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'zw-ungebaut-'));
  for (const name of ['package-lock.json', 'package.json', 'contracts', 'clients'])
    cpSync(join(ROOT, name), join(tree, name), { recursive: true });
  mkdirSync(join(tree, 'cockpit/dist'), { recursive: true });
  cpSync(join(ROOT, 'cockpit/build-if-stale.ts'), join(tree, 'cockpit/build-if-stale.ts'));
});
afterEach(() => rmSync(tree, { recursive: true, force: true }));

const run = () =>
  new Promise<{ code: unknown; stdout: string; stderr: string }>((done) => {
    execFile(process.execPath, ['cockpit/build-if-stale.ts'], { cwd: tree }, (error, stdout, stderr) =>
      done({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

it('ends the start with a sentence where there is no cockpit', async () => {
  const stderr = `Das Cockpit ist nicht gebaut, und die Entwicklungspakete dafür fehlen. ${HOW_TO}`;
  expect(await run()).toEqual({ code: 1, stdout: '', stderr });
});

it('starts with a cockpit that is older than its sources, and says so', async () => {
  writeFileSync(join(tree, 'cockpit/dist/index.html'), '<!doctype html>');
  writeFileSync(join(tree, 'cockpit/dist/.quelle'), 'von früher');
  const stderr = `Das gebaute Cockpit ist älter als seine Quellen; der Dienst startet damit. ${HOW_TO}`;
  expect(await run()).toEqual({ code: 0, stdout: '', stderr });
});
