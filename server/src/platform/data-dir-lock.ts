/**
 * One service per data directory. The lock is a listening socket in it: it goes with the process that holds it, however
 * that ends, so a killed service leaves no lock behind (a file with a process id would, and ids are used again).
 */
import { mkdirSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashOf } from '#kernel/secret.ts';

export interface DataDirLock {
  release(): Promise<void>;
}

/** Socket paths are limited to about 100 bytes, whatever the length of the directory's own path. */
function socketPath(dataDir: string): string {
  const path = join(dataDir, 'dienst.sock');
  return path.length < 100 ? path : join(tmpdir(), `zw-${hashOf(dataDir).toString('hex').slice(0, 24)}.sock`);
}

const listen = (path: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.end());
    server.once('error', reject);
    // The lock alone must not keep a process alive.
    server.listen(path, () => resolve(server.unref()));
  });

const isHeld = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
  });

/** Throws when another running service uses the directory. */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  mkdirSync(dataDir, { recursive: true });
  const path = socketPath(dataDir);
  let server: Server;
  try {
    server = await listen(path);
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error;
    if (await isHeld(path))
      throw new Error(`DATA_DIR: „${dataDir}“ wird schon von einem laufenden Dienst benutzt.`);
    rmSync(path, { force: true });
    server = await listen(path);
  }
  return { release: () => new Promise((resolve) => server.close(() => resolve())) };
}
