/** A group of processes whose memory is limited together, as that of a container is. Linux, for root. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { until } from './until.ts';

const ROOT = '/sys/fs/cgroup';

export interface MemoryGroup {
  /** Does what begins processes: those it has begun when it returns belong to the group, with all that they begin. */
  within<T>(begin: () => T): T;
  /** How many processes the system has ended for want of memory. */
  killed(): number;
  /** Once no process is in it any more. */
  remove(): Promise<void>;
}

interface Version {
  /** Where groups lie, and a file that is there in this version only. */
  root: string;
  sign: string;
  limit: string;
  kills: string;
  /** What a line of `/proc/self/cgroup` of this version begins with, behind the number. */
  line: RegExp;
}

const VERSIONS: Version[] = [
  { root: ROOT, sign: 'cgroup.controllers', limit: 'memory.max', kills: 'memory.events', line: /^0::(.*)$/m },
  {
    root: `${ROOT}/memory`,
    sign: 'memory.limit_in_bytes',
    limit: 'memory.limit_in_bytes',
    kills: 'memory.oom_control',
    line: /^\d+:memory:(.*)$/m,
  },
];

function makeIn({ root, sign, limit, kills, line }: Version, bytes: number): MemoryGroup {
  const own = line.exec(readFileSync('/proc/self/cgroup', 'utf8'))?.[1];
  // Where the other version is, a folder that is no group may lie in this place.
  if (own === undefined || !existsSync(`${root}/${sign}`)) throw new Error('no groups of this version');
  const path = `${root}/zaehlwerk-${process.pid}-${bytes}`;
  if (root === ROOT) writeFileSync(`${root}/cgroup.subtree_control`, '+memory');
  mkdirSync(path);
  const join = (group: string) => writeFileSync(`${group}/cgroup.procs`, String(process.pid));
  try {
    writeFileSync(`${path}/${limit}`, String(bytes));
  } catch (error) {
    rmdirSync(path);
    throw error;
  }
  return {
    within(begin) {
      join(path);
      try {
        return begin();
      } finally {
        join(`${root}${own}`);
      }
    },
    killed: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(`${path}/${kills}`, 'utf8'))?.[1]),
    async remove() {
      await until('the group to be empty', () => readFileSync(`${path}/cgroup.procs`, 'utf8') === '');
      rmdirSync(path);
    },
  };
}

/** Makes a group; null where this may not be done. */
export function makeMemoryGroup(bytes: number): MemoryGroup | null {
  for (const version of VERSIONS) {
    try {
      return makeIn(version, bytes);
    } catch {
      // The other version, or none.
    }
  }
  return null;
}
