/** Where tests keep their files: databases that live for a minute need no disk. */
import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** What the databases of a run may come to, a few at a time. */
const ROOM = 6 * 2 ** 30;

function isRoomy(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM && freemem() >= 2 * ROOM;
  } catch {
    return false;
  }
}

/**
 * Has temporary directories of this process and all it starts made in memory, where there is plenty of it, until it ends. That a
 * database really writes is for its own tests to show: those kill it, which neither a disk nor memory forgets.
 */
export function keepInMemory(): void {
  if (process.env.TMPDIR !== undefined || !isRoomy()) return;
  const directory = mkdtempSync(join(IN_MEMORY, 'zw-'));
  // Started by root, a database runs as somebody else, who must get through to its directory.
  chmodSync(directory, 0o711);
  process.env.TMPDIR = directory;
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
}
