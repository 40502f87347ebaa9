/** What is written into a folder of backups is written beside its name, and leaves room on the disk. */
import { open, readdir, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BackupRefused } from './manifest.ts';

/** What stays free in any case: the database may live on the same disk. */
const RESERVE = 2 ** 30;
const UNFINISHED = /\.unfertig-(\d+)$/;
/** What a backup is called while this process writes or removes it. */
export const unfinishedName = (name: string): string => `${name}.unfertig-${process.pid}`;

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Whether a process of this number runs, ours or anybody's. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM';
  }
}

/** Removes what killed backups have left behind beside this name. */
export async function removeLeftovers(directory: string): Promise<void> {
  for (const name of await readdir(dirname(directory))) {
    const pid = Number(UNFINISHED.exec(name)?.[1] ?? 0);
    if (pid > 0 && name.startsWith('zaehlwerk-') && !isAlive(pid))
      await rm(join(dirname(directory), name), { recursive: true, force: true });
  }
}

/** Throws `BackupRefused` where a file of this size (bytes) would leave too little. */
export async function requireRoom(directory: string, needed: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize - needed < RESERVE)
    throw new BackupRefused(
      `Für die Sicherung ist in „${directory}“ zu wenig Platz: frei sind ${Math.floor((bavail * bsize) / 2 ** 20)} MiB, gebraucht werden ${Math.ceil((needed + RESERVE) / 2 ** 20)} MiB (1 GiB bleibt frei).`,
    );
}

/** What is on its way to the disk is there when this is done. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
}
