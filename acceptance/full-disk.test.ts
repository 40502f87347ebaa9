/** A disk that is full: batches are refused, the service says so, and it recovers by itself once there is room. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Account, createAccount, request } from '#test/outside-account.ts';
import { signal, untilGone } from '#test/processes.ts';
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
    // Without its disk nobody would find the server any more.
    const postmaster = service.postmaster();
    if (postmaster !== null) {
      signal(postmaster, 'SIGQUIT');
      await untilGone(postmaster);
    }
    await until('the disk to be let go', () => {
      unmount(dataDir);
      return true;
    });
  }
  await service?.dispose();
});

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

const partOf = async (started: ServiceProcess, name: string): Promise<string> => {
  const { body } = await look(started.address(), '/v1/status');
  return body.komponenten.find((part: { name: string }) => part.name === name)?.status;
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
    // What is answered may be a second old.
    await until('it to be told', async () => (await partOf(started, 'annahme')) === 'gestört');
    const { body } = await look(started.address(), '/v1/status');
    expect(body).toMatchObject({ status: 'gestört' });
    expect(body.komponenten).toContainEqual(
      expect.objectContaining({ name: 'annahme', status: 'gestört', bedeutung: expect.any(String) }),
    );
    await until('the disk to be told of', async () => (await partOf(started, 'speicherplatz')) === 'gestört');
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
    await until('the disk to be well again', async () =>
      ['ok', 'eingeschränkt'].includes(await partOf(started, 'speicherplatz')),
    );
    // Nothing could be written down while it was full: the history tells of it now.
    await until(
      'the history to tell of it',
      async () => {
        const rows = await started.sql(
          `SELECT komponente FROM zustand_spannen WHERE status = 'gestört' AND bis > von`,
        );
        const names = rows.map(({ komponente }) => komponente);
        return names.includes('annahme') && names.includes('speicherplatz');
      },
      90_000,
    );
    // A refusal shows for a minute.
    await until(
      'the history to say that it is over',
      async () => {
        const { body: verlauf } = await look(started.address(), '/v1/status/verlauf');
        const told = verlauf.stoerungen.find((each: { name: string }) => each.name === 'annahme');
        return told?.status === 'gestört' && told.bis !== null;
      },
      120_000,
    );
  },
  300_000,
);
