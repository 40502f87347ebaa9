/** What a part of a file holds, for the preview. */
import { type SentContent, unpackBatch } from '#domains/ereignisse/index.ts';
import { retoldIn } from '#domains/zaehlung/index.ts';
import { createLocalHours } from '#kernel/local-hours.ts';
import { isoOf } from '#kernel/microseconds.ts';

/** Calls by a value, those without one under ''. */
export type Tally = Record<string, number>;

export interface PartContent {
  ids: string[];
  /** Calls that telemetry may have told of. */
  retold: ReturnType<typeof retoldIn>;
  von: string;
  bis: string;
  modelle: Tally;
  /** By local month. */
  monate: Tally;
}

const countOne = (tally: Map<string, number>, value: string) => tally.set(value, (tally.get(value) ?? 0) + 1);

/** Reads a packed part; null where it has no call. */
export function contentOf({ packed, receivedAt }: SentContent, zone: string): PartContent | null {
  const batch = unpackBatch({ empfangen_am: receivedAt.toISOString(), umfang: packed.length, daten: packed });
  const idAt = batch.uuids('ereignis_id');
  const modelAt = batch.texts('modell');
  const { seconds, micros } = batch.columns.of('zeitpunkt');
  const localHour = createLocalHours(zone);
  const ids = new Set<string>();
  const modelle = new Map<string, number>();
  const monate = new Map<string, number>();
  const times: string[] = [];
  for (let index = 0; index < batch.events; index += 1) {
    const id = idAt(index);
    if (id === null || ids.has(id)) continue;
    ids.add(id);
    const second = seconds[index] as number;
    times.push(isoOf({ seconds: second, micros: micros[index] as number }));
    countOne(modelle, modelAt(index) ?? '');
    countOne(monate, localHour(second * 1_000).tag.slice(0, 7));
  }
  times.sort();
  const [von] = times;
  const bis = times.at(-1);
  if (von === undefined || bis === undefined) return null;
  return {
    ids: [...ids],
    retold: retoldIn(batch),
    von,
    bis,
    modelle: Object.fromEntries(modelle),
    monate: Object.fromEntries(monate),
  };
}
