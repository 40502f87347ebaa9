/** Where tests keep their files: databases that live for a minute need no disk. */
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** What the databases of a run may come to, a few at a time. */
const ROOM = 6 * 2 ** 30;
const HOUR = 3_600_000;

function isRoomy(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM && freemem() >= 2 * ROOM;
  } catch {
    return false;
  }
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as { code?: string }).code === 'ESRCH';
  }
}

/** Of runs that were killed: what lies in memory is memory that the next ones lack, which then keep their files on the disk. */
function removeLeftovers(): void {
  for (const name of readdirSync(IN_MEMORY)) {
    const pid = /^zw-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || !isGone(Number(pid))) continue;
    const path = join(IN_MEMORY, name);
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
    // Another container may share the memory, and count its processes from one.
    if (Date.now() - mtimeMs > HOUR) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Has temporary directories of this process and all it starts made in memory, where there is plenty of it, until it ends. That a
 * database really writes is for its own tests to show: those kill it, which neither a disk nor memory forgets.
 */
export function keepInMemory(): void {
  if (process.env.TMPDIR !== undefined || process.platform !== 'linux') return;
  removeLeftovers();
  if (!isRoomy()) return;
  const directory = mkdtempSync(join(IN_MEMORY, `zw-${process.pid}-`));
  // Started by root, a database runs as somebody else, who must get through to its directory.
  chmodSync(directory, 0o711);
  process.env.TMPDIR = directory;
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
}
