/** The examples of the connection page, run as they stand by the languages that this machine has. */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isWhole } from '#test/depth.ts';
import { type Account, createAccount } from '#test/outside-account.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';
import type { Addresses, Snippet } from '../cockpit/src/features/anbindung/snippet.ts';

/** How a machine runs a file of the language. */
const RUNNERS: Record<string, { command: string; file: string; args: string[] }> = {
  curl: { command: 'curl', file: 'example.sh', args: [] },
  TypeScript: { command: process.execPath, file: 'example.mts', args: [] },
  Python: { command: 'python3', file: 'example.py', args: [] },
  Go: { command: 'go', file: 'main.go', args: ['run'] },
  Java: { command: 'java', file: 'Zaehlwerk.java', args: [] },
};

const FILES = globSync(join(import.meta.dirname, '../cockpit/src/features/anbindung/snippets/*.ts'));
const snippets = await Promise.all(
  FILES.map(async (file) => ((await import(file)) as { snippet: Snippet }).snippet),
);

const isHere = (command: string) => spawnSync('sh', ['-c', `command -v '${command}'`]).status === 0;

let service: ServiceProcess;
let account: Account;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zw-snippets-'));
  service = createServiceProcess();
  await service.start();
  account = await createAccount(service);
});
afterAll(async () => {
  await service?.dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Saves the program as its language wants it, runs it, and returns what it printed. */
async function run(label: string, code: string): Promise<string> {
  const { command, file, args } = RUNNERS[label] as (typeof RUNNERS)[string];
  const path = join(folder, file);
  await writeFile(path, code);
  const [program, ...rest] = label === 'curl' ? ['sh', path] : [command, ...args, path];
  return execFileSync(program as string, rest, {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
    timeout: 500_000,
  });
}

const addressesOf = (): Addresses => ({
  send: `${service.address()}/v1/ereignisse`,
  query: `${service.address()}/v1/api/verbrauch?gruppe=agent`,
  key: account.key,
});

test('every example has somebody to run it', () => {
  expect(snippets.map(({ label }) => label).sort()).toEqual(Object.keys(RUNNERS).sort());
  expect(new Set(snippets.map(({ place }) => place)).size).toBe(snippets.length);
});

for (const { label, send, query } of snippets) {
  const command = RUNNERS[label]?.command ?? label;
  const isMissing = !isHere(command);
  const name = `${label} sends a call and asks what it cost`;
  // Compilers take longest; the others tell of whatever is wrong with what all of them send.
  const isLate = !isWhole && ['Go', 'Java'].includes(label);
  test.skipIf(isMissing || isLate)(
    isMissing ? `${name} (skipped: no ${command} here)` : name,
    { timeout: 400_000 },
    async () => {
      const before = await account.counted();
      expect(await run(label, send(addressesOf()))).toContain('"angenommen":1');
      await account.untilCounted(before + 1);
      const answer = await run(label, query(addressesOf()));
      const { zeilen } = JSON.parse(answer.slice(answer.indexOf('{')));
      expect(zeilen).toMatchObject([{ schluessel: 'angebots-agent', aufrufe: before + 1 }]);
    },
  );
}
