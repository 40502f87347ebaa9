/** Which base and which line of time lead to an instant. */
import { BackupRefused } from '../backup/manifest.ts';
import { archiveKey } from '../backup/signature.ts';
import { type Base, basesIn } from './base-manifest.ts';
import { listLog, readTimeline } from './place.ts';
import {
  liesOn,
  type Path,
  pathFrom,
  placeInLog,
  type Segment,
  segmentAt,
  segmentName,
  type Timeline,
} from './segments.ts';

/** An instant, or all that there is. */
export type Until = Date | 'ende';

export interface Wanted {
  folder: string;
  until: Until;
  /** A line of time; null for the one that was there at the instant. */
  timeline: number | null;
  secretKey: Buffer | 'unsigned';
}

export interface Chosen {
  base: Base;
  line: Timeline;
  path: Path;
  /** Lines that have a history. */
  histories: number[];
}

const descending = (values: Iterable<number>): number[] => [...new Set(values)].sort((a, b) => b - a);

/**
 * The newest base on the line, of one database. Without a number that is the one that was there at the instant: where somebody went back and now wants
 * another instant of before, it lies on the line that was left.
 */
async function chooseOf(bases: Base[], { timeline, secretKey, until }: Wanted): Promise<Chosen | null> {
  const [any] = bases;
  if (!any) return null;
  const { segments, histories } = await listLog(any.place);
  const lines = [...histories, ...bases.map(({ manifest }) => manifest.zeitlinie)];
  for (const number of timeline === null ? descending(lines) : [timeline]) {
    const line = await readTimeline(
      any.place,
      number,
      secretKey === 'unsigned' ? null : archiveKey(secretKey),
    );
    if (timeline === null && until !== 'ende' && line.began !== null && line.began > until) continue;
    const base = bases.find(({ manifest }) => liesOn(line, manifest.zeitlinie, placeInLog(manifest.log_bis)));
    if (!base) continue;
    const start = {
      timeline: base.manifest.zeitlinie,
      number: segmentAt(placeInLog(base.manifest.log_von)),
    };
    return { base, line, path: pathFrom(start, line, segments), histories };
  }
  return null;
}

function refuse(bases: Base[], { folder, secretKey, until, timeline }: Wanted): BackupRefused {
  const oldest = bases.map(({ manifest }) => manifest.stand).sort()[0];
  if (oldest === undefined)
    return new BackupRefused(
      secretKey === 'unsigned'
        ? `In „${folder}“ liegt keine Grundlage.`
        : `In „${folder}“ liegt keine Grundlage, die von dieser Installation unterschrieben ist. Wenn Sie dem Ordner trotzdem vertrauen: „--ungeprueft“.`,
    );
  if (until !== 'ende' && until.toISOString() < oldest)
    return new BackupRefused(`Das Archiv reicht nur bis ${oldest} zurück.`);
  return new BackupRefused(`Zu diesem Zeitpunkt führt auf Zeitlinie ${timeline} keine Grundlage.`);
}

/** Throws `BackupRefused` where nothing leads there, or a part of the log is missing on the way. */
export async function choose(wanted: Wanted): Promise<Chosen> {
  const { folder, until, secretKey } = wanted;
  const all = await basesIn(folder, secretKey);
  const before = all.filter(({ manifest }) => until === 'ende' || manifest.stand <= until.toISOString());
  const byPlace = Map.groupBy(before, ({ place }) => place.bases);
  const found = await Promise.all([...byPlace.values()].map((bases) => chooseOf(bases, wanted)));
  const [chosen] = found
    .filter((each) => each !== null)
    .sort((a, b) => b.base.manifest.stand.localeCompare(a.base.manifest.stand));
  if (!chosen) throw refuse(all, wanted);
  const { segments, missing } = chosen.path;
  const needed = segmentAt(placeInLog(chosen.base.manifest.log_bis) - 1n);
  const reaches = segments.at(-1)?.number ?? -1;
  if (reaches < needed) throw gapBefore({ timeline: chosen.base.manifest.zeitlinie, number: reaches + 1 });
  if (missing && until === 'ende') throw gapBefore(missing);
  return chosen;
}

export const gapBefore = (segment: Segment): BackupRefused =>
  new BackupRefused(
    `Im Archiv fehlt „${segmentName(segment)}“: Weiter als bis dorthin geht es nicht, nur zu einem früheren Zeitpunkt. Geändert wurde nichts.`,
  );
