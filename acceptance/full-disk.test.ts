/** A disk that is full: batches are refused, the service says so, and it recovers by itself once there is room. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Account, createAccount, request } from '#test/outside-account.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';
import { until } from '#test/until.ts';

const SIZE = '500m';

const mount = (directory: string) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=0755`, 'tmpfs', directory], {
    stdio: 'pipe',
  });
const unmount = (directory: string) => execFileSync('umount', [directory], { stdio: 'pipe' });

/** Only root may make a small disk, and not everywhere. */
function mayMount(): boolean {
  const directory = mkdtempSync(join(tmpdir(), 'zw-scheibe-'));
  try {
    mount(directory);
    unmount(directory);
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(directory);
  }
}

let service: ServiceProcess | null = null;
let mounted = false;
afterAll(async () => {
  await service?.stop('SIGKILL');
  if (service && mounted) {
    const { dataDir } = service;
    await until('the disk to be let go', () => {
      execFileSync('umount', ['-l', dataDir], { stdio: 'pipe' });
      return true;
    });
  }
  await service?.dispose();
}, 60_000);

/** Writes until nothing more fits; the file that holds it. */
function fill(directory: string): string {
  const path = join(directory, 'ballast');
  const file = openSync(path, 'w');
  try {
    for (const size of [1_048_576, 4_096]) {
      try {
        for (;;) if (writeSync(file, Buffer.alloc(size)) < size) break;
      } catch (error) {
        if ((error as { code?: string }).code !== 'ENOSPC') throw error;
      }
    }
  } finally {
    closeSync(file);
  }
  return path;
}

const look = async (base: string, path: string) => {
  const { status, text } = await request(`${base}${path}`);
  return { status, body: JSON.parse(text) };
};

/** What cannot be compressed: it takes up room on the disk. */
const batch = () =>
  Array.from({ length: 40 }, () => ({ agent: 'a', fehlercode: randomBytes(200).toString('base64') }));

async function sendUntil(account: Account, status: number): Promise<number> {
  let taken = 0;
  await until(`an answer ${status}`, async () => {
    const answer = await account.send(batch());
    expect([202, 503]).toContain(answer.status);
    if (answer.status === 202) taken += 40;
    return answer.status === status;
  });
  return taken;
}

test.skipIf(!mayMount())(
  'refuses, says so, and recovers',
  async () => {
    const started = createServiceProcess();
    service = started;
    mount(started.dataDir);
    mounted = true;
    await started.start();
    const account = await createAccount(started);
    let taken = await sendUntil(account, 202);
    const ballast = fill(started.dataDir);
    taken += await sendUntil(account, 503);
    const { body } = await look(started.address(), '/v1/status');
    expect(body).toMatchObject({ status: 'gestört' });
    expect(body.komponenten).toContainEqual({ name: 'annahme', status: 'gestört' });
    expect(await look(started.address(), '/v1/gesund')).toMatchObject({
      status: 503,
      body: { status: 'gestört', annahme: 'gestört' },
    });
    rmSync(ballast);
    // Without anybody sending.
    await until(
      'the service to be well',
      async () => (await look(started.address(), '/v1/gesund')).status === 200,
    );
    taken += await sendUntil(account, 202);
    await account.untilCounted(taken);
  },
  300_000,
);
