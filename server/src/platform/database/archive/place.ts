/**
 * Where the archive of a database lies: in the folder named by `WAL_ARCHIV`, below the number that `initdb` has given its data files, so that
 * another database with the same folder never meets its files.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOurs, packedAt, packedName, unpack } from './packed.ts';
import { historyName, type Segment, segmentOf, type Timeline, timelineOf } from './segments.ts';

/** What `WAL_ARCHIV` says, with the key that everything in it is signed under. */
export interface Archive {
  folder: string;
  secretKey: Buffer;
}

export interface ArchivePlace {
  /** Files of the log. */
  log: string;
  /** Copies of the data files, a directory each. */
  bases: string;
}

const SYSTEM = /^\d{1,20}$/;
const placeIn = (folder: string, system: string): ArchivePlace => ({
  log: join(folder, system, 'wal'),
  bases: join(folder, system, 'grundlagen'),
});

/** The number that `initdb` gave these data files: what `global/pg_control` begins with. */
function systemOf(cluster: string): string {
  const descriptor = openSync(join(cluster, 'global/pg_control'), 'r');
  try {
    const bytes = Buffer.alloc(8);
    readSync(descriptor, bytes, 0, 8, 0);
    return bytes.readBigUInt64LE().toString();
  } finally {
    closeSync(descriptor);
  }
}

export const placeOf = (folder: string, cluster: string): ArchivePlace => placeIn(folder, systemOf(cluster));

/** The archives of all databases in a folder. */
export async function placesIn(folder: string): Promise<ArchivePlace[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && SYSTEM.test(entry.name))
    .map(({ name }) => placeIn(folder, name));
}

export interface Listing {
  segments: Segment[];
  /** Numbers of the lines that have a history. */
  histories: number[];
}

/** Which files of the log are there. */
export async function listLog({ log }: Pick<ArchivePlace, 'log'>): Promise<Listing> {
  const names = await readdir(log).catch(() => []);
  return {
    segments: names.flatMap((name) => (/^[0-9A-F]{24}\.zst$/.test(name) ? [segmentOf(name) as Segment] : [])),
    histories: names.flatMap((name) =>
      /^[0-9A-F]{8}\.history\.zst$/.test(name) ? [Number.parseInt(name.slice(0, 8), 16)] : [],
    ),
  };
}

/** A line as its history in the archive has it; one that another key has signed counts as none, unless the key is null. */
export async function readTimeline(
  { log }: ArchivePlace,
  timeline: number,
  key: Buffer | null,
): Promise<Timeline> {
  const name = historyName(timeline);
  const packed = await readFile(join(log, packedName(name))).catch(() => null);
  if (packed === null || (key !== null && !isOurs(name, packed, key))) return timelineOf(timeline, null);
  return timelineOf(timeline, unpack(packed).toString(), packedAt(packed));
}
