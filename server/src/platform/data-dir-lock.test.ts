import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockDataDir } from './data-dir-lock.ts';

let directory: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  // Longer than a socket's path could be.
  directory = join(mkdtempSync(join(tmpdir(), 'zw-lock-')), 'x'.repeat(100));
});
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  rmSync(join(directory, '..'), { recursive: true, force: true });
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Another process that waits for a word, then takes the lock and keeps it; says `locked` or `refused`. */
function spawnOther(): { child: ChildProcess; go(): Promise<string> } {
  const script = `
    const { lockDataDir } = await import(${JSON.stringify(new URL('./data-dir-lock.ts', import.meta.url).href)});
    console.log('ready');
    process.stdin.once('data', () =>
      lockDataDir(${JSON.stringify(directory)}).then(() => console.log('locked'), () => console.log('refused')));`;
  const stdio = ['pipe', 'pipe', 'inherit'] as const;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: [...stdio] });
  children.push(child);
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const ready = lines.next();
  return {
    child,
    async go() {
      await ready;
      child.stdin?.write('go\n');
      return (await lines.next()).value as string;
    },
  };
}

const REFUSAL = /^DATA_DIR: „.*“ wird schon von einem laufenden Dienst benutzt\.$/;

test('a second one is refused until the first one has released it', async () => {
  const first = await lockDataDir(directory);
  await expect(lockDataDir(directory)).rejects.toThrow(REFUSAL);
  await expect(lockDataDir(directory)).rejects.toThrow(REFUSAL);
  expect(await spawnOther().go()).toBe('refused');
  await first.release();
  const second = await lockDataDir(directory);
  await second.release();
});

test('it goes with the process that holds it', async () => {
  const { child, go } = spawnOther();
  expect(await go()).toBe('locked');
  await expect(lockDataDir(directory)).rejects.toThrow(REFUSAL);
  await kill(child);
  const lock = await lockDataDir(directory);
  await lock.release();
});

test('of those that start at once where one was killed, exactly one gets it', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { child, go } = spawnOther();
    expect(await go()).toBe('locked');
    const others = [1, 2, 3].map(() => spawnOther());
    await kill(child);
    const here = [1, 2, 3].map(() => lockDataDir(directory));
    const said = await Promise.all([
      ...here.map((attempt) =>
        attempt.then(
          () => 'locked',
          () => 'refused',
        ),
      ),
      ...others.map((other) => other.go()),
    ]);
    expect(said.toSorted()).toEqual(['locked', ...Array(5).fill('refused')]);
    for (const attempt of here)
      await attempt.then(
        (lock) => lock.release(),
        () => undefined,
      );
    for (const other of others) await kill(other.child);
  }
});

test('it does not need anybody to keep it', async () => {
  const keepNothing = async () => void (await lockDataDir(directory));
  await keepNothing();
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  // Dead objects are finalized in a later turn.
  for (let round = 0; round < 5; round += 1) {
    await new Promise(setImmediate);
    collectGarbage();
  }
  await expect(lockDataDir(directory)).rejects.toThrow(REFUSAL);
});

test('nobody else can read the file, and so lock it', async () => {
  const lock = await lockDataDir(directory);
  expect(statSync(join(directory, 'dienst.lock')).mode & 0o777).toBe(0o600);
  await lock.release();
});
