/** Where the socket lies when the path of the data is too long for one, and who gets in there. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../log.ts';
import { findEmbedded, startEmbedded } from './server.ts';

const log = createLog('fatal');
const NOBODY = 65_534;

let root: string;
let dataDir: string;
let cluster: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'zw-socket-'));
  chmodSync(root, 0o755);
  dataDir = join(root, randomBytes(40).toString('hex'));
  mkdirSync(dataDir);
  cluster = join(dataDir, 'postgres');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function query(connection: pg.ClientConfig, sql: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

const socketOf = ({ connection }: { connection: pg.ClientConfig }) => connection.host as string;

describe('a server whose data lie deep', () => {
  /** The name it had before it was left to chance. */
  const foretold = () => join(tmpdir(), `zw-${Buffer.from(cluster).toString('base64url').slice(-40)}`);

  test.each(['a directory open to all', 'a link'])('does not listen where %s was prepared', async (what) => {
    const target = join(root, 'fremd');
    mkdirSync(target, { mode: 0o777 });
    chmodSync(target, 0o777);
    const before = statSync(target);
    if (what === 'a link') symlinkSync(target, foretold());
    else {
      mkdirSync(foretold());
      chmodSync(foretold(), 0o777);
    }
    const embedded = await startEmbedded(dataDir, log);
    try {
      const socket = socketOf(embedded);
      const found = lstatSync(socket);
      expect([found.isDirectory(), found.mode & 0o777, found.uid]).toEqual([
        true,
        0o700,
        statSync(cluster).uid,
      ]);
      expect(readdirSync(foretold())).toEqual([]);
      expect([statSync(target).uid, statSync(target).mode]).toEqual([before.uid, before.mode]);
      // Other processes of the same data find it.
      const elsewhere = findEmbedded(dataDir);
      expect(elsewhere).toEqual({ connection: embedded.connection, requests: embedded.requests });
      expect(await query(embedded.connection, 'SELECT 7 AS n')).toEqual([{ n: 7 }]);
      await embedded.stop();
      expect(existsSync(socket)).toBe(false);
      expect(findEmbedded(dataDir)).toBeNull();
    } finally {
      await embedded.stop();
      rmSync(foretold(), { recursive: true, force: true });
    }
  });

  test('is not looked for where others could have put theirs', async () => {
    const embedded = await startEmbedded(dataDir, log);
    const note = join(cluster, 'postmaster.pid');
    const lines = readFileSync(note, 'utf8').split('\n');
    try {
      const socket = socketOf(embedded);
      const seen = () => findEmbedded(dataDir) && socketOf(findEmbedded(dataDir) as typeof embedded);
      expect(seen()).toBe(socket);
      const point = (directory: string) => writeFileSync(note, lines.with(4, directory).join('\n'));
      const link = join(root, 'link');
      symlinkSync(socket, link);
      point(link);
      expect(seen()).toBeNull();
      point(join(root, 'nirgends'));
      expect(seen()).toBeNull();
      point(socket);
      chmodSync(socket, 0o777);
      expect(seen()).toBeNull();
      chmodSync(socket, 0o700);
      expect(seen()).toBe(socket);
      // A copy of the data has the note of another server.
      writeFileSync(note, lines.with(1, dirname(cluster)).join('\n'));
      expect(seen()).toBeNull();
    } finally {
      writeFileSync(note, lines.join('\n'));
      await embedded.stop();
    }
  });
});

/** How a server begins its answer that wants no more to be let in. */
const LET_IN = 'R\0\0\0\b\0\0\0\0';
/** Says who it is at a socket and shows the first answer. */
const KNOCK = `
  const [path, user] = process.argv.slice(1);
  const words = Buffer.from('user\\0' + user + '\\0database\\0zaehlwerk\\0\\0');
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + words.length, 0);
  head.writeInt32BE(196608, 4);
  require('node:net').connect(path).on('connect', function () { this.write(Buffer.concat([head, words])); })
    .once('data', (answer) => { console.log(answer.toString('latin1')); process.exit(); })
    .on('error', (error) => { console.log(error.code); process.exit(); });`;

test.runIf(userInfo().uid === 0)('lets nobody else in who reaches the socket', async () => {
  const embedded = await startEmbedded(dataDir, log);
  try {
    const socket = socketOf(embedded);
    const knock = async (user: string, account: { uid?: number }) => {
      const path = join(socket, '.s.PGSQL.5432');
      const child = spawn(process.execPath, ['-e', KNOCK, path, user], { ...account, cwd: '/' });
      return (await text(child.stdout)) || text(child.stderr);
    };
    expect(await knock('zaehlwerk', { uid: NOBODY })).toMatch(/^EACCES/);
    chmodSync(socket, 0o777);
    for (const user of ['zaehlwerk', 'zaehlwerk_anfrage', 'zaehlwerk_system']) {
      expect(await knock(user, { uid: NOBODY }), user).toMatch(/^E.*28000.*Peer authentication failed/is);
      expect((await knock(user, {})).startsWith(LET_IN), user).toBe(true);
    }
  } finally {
    await embedded.stop();
  }
});
