/** The room there is where the embedded database lies. */
import { statfs } from 'node:fs/promises';
import type { Config } from './config.ts';

/** In bytes; `free` is what the service may use. */
export interface Room {
  free: number;
  size: number;
}

type ReadRoom = (path: string) => Promise<Room>;

const readRoom: ReadRoom = async (path) => {
  const { bavail, blocks, bsize } = await statfs(path);
  return { free: bavail * bsize, size: blocks * bsize };
};

/** Makes the probe of the disk; it answers null where the database lies elsewhere, or the system does not tell. */
export function createDiskProbe(
  { databaseUrl, dataDir }: Pick<Config, 'databaseUrl' | 'dataDir'>,
  read: ReadRoom = readRoom,
): () => Promise<Room | null> {
  return async () => (databaseUrl === null ? read(dataDir).catch(() => null) : null);
}
