/** Whether the archive leads from a base to now, as far as its files tell. */
import { dataFilesOf, hasDataFiles } from '../embedded/data-files.ts';
import { basesOf } from './base-manifest.ts';
import { listLog, placeOf, readTimeline } from './place.ts';
import { liesOn, pathFrom, placeInLog, segmentAt } from './segments.ts';

export interface ArchiveFiles {
  /** From when on any instant can be gone back to, without a gap until now, ISO 8601; null where nothing leads to now. */
  newestBase: string | null;
}

/** Reads names and what bases say of themselves: this runs often, and nothing is put back by it. */
export async function readArchiveFiles(dataDir: string, folder: string): Promise<ArchiveFiles> {
  if (!hasDataFiles(dataDir)) return { newestBase: null };
  const place = placeOf(folder, dataFilesOf(dataDir));
  const [bases, { segments, histories }] = await Promise.all([basesOf(place, 'unsigned'), listLog(place)]);
  const latest = Math.max(0, ...segments.map(({ timeline }) => timeline), ...histories);
  const line = await readTimeline(place, latest, null);
  const base = bases.find(({ manifest: { zeitlinie, log_bis } }) =>
    liesOn(line, zeitlinie, placeInLog(log_bis)),
  );
  if (!base) return { newestBase: null };
  const { zeitlinie, log_von, stand } = base.manifest;
  const start = { timeline: zeitlinie, number: segmentAt(placeInLog(log_von)) };
  return { newestBase: pathFrom(start, line, segments).missing ? null : stand };
}
