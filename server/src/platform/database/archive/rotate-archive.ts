/** The newest bases stay, with all of the log from the oldest of them on; what is older goes. */
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unfinishedName } from '../backup/folder.ts';
import type { Rotated } from '../backup/rotation.ts';
import { dataFilesOf } from '../embedded/data-files.ts';
import { type Base, basesOf } from './base-manifest.ts';
import { isWholeBase } from './copy-files.ts';
import { type Archive, placeOf } from './place.ts';
import { isLogFile, placeInLog, segmentAt, segmentOf } from './segments.ts';

const firstOf = ({ manifest }: Base): number => segmentAt(placeInLog(manifest.log_von));

/** Histories stay: they say which numbers of lines are given. */
async function removeLogBefore(log: string, first: number): Promise<void> {
  for (const name of await readdir(log)) {
    const file = /^(.+)\.zst$/.exec(name)?.[1] ?? '';
    const segment = isLogFile(file) ? segmentOf(file) : null;
    if (segment && segment.number < first) await rm(join(log, name), { force: true });
  }
}

/** Keeps the newest `count` that are whole, one at least; a damaged one neither counts nor goes. Nothing goes where none is whole. */
export async function rotateArchive(dataDir: string, archive: Archive, count: number): Promise<Rotated> {
  const place = placeOf(archive.folder, dataFilesOf(dataDir));
  const rotated: Rotated = { removed: [], damaged: [] };
  const kept: Base[] = [];
  let whole = 0;
  for (const base of await basesOf(place, archive.secretKey)) {
    if (whole < Math.max(1, count)) {
      if (await isWholeBase(base)) whole += 1;
      else rotated.damaged.push(base.name);
      kept.push(base);
      continue;
    }
    const leaving = join(place.bases, unfinishedName(base.name));
    await rename(base.directory, leaving);
    await rm(leaving, { recursive: true, force: true });
    rotated.removed.push(base.name);
  }
  if (whole > 0) await removeLogBefore(place.log, Math.min(...kept.map(firstOf)));
  return rotated;
}
