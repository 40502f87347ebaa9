/** Processes by their id, and only those that a test has started. */
import { readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { until } from './until.ts';

/** For the environment of a process that runs code of ours: what was compiled once is read, which halves its start. */
export const COMPILED = {
  NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../node_modules/.cache/compiled-for-tests'),
};

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Sends a signal; a process that has ended in the meantime is what was wanted. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
}

export const untilGone = (pid: number): Promise<true> =>
  until(`the end of process ${pid}`, () => !isAlive(pid) || isZombie(pid));

/** A child that has ended but was not waited for by its parent yet. */
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** A pid file outlives its process and the number may belong to somebody else by now; a server works in its directory. */
function worksIn(pid: number, directory: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(directory);
  } catch {
    return process.platform !== 'linux' && isAlive(pid);
  }
}

/** Process id of the PostgreSQL of this data directory; null when none is running. */
export function postmasterOf(dataDir: string): number | null {
  const cluster = join(dataDir, 'postgres');
  try {
    const pid = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    return worksIn(pid, cluster) ? pid : null;
  } catch {
    return null;
  }
}

/** The processes a process has started, none where the system does not tell. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** Resident memory of a process in bytes; null where the system does not tell. */
export function residentBytes(pid: number): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}
