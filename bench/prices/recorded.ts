/** Recorded real calls, in the form in which prices are compared. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Ereignis } from '#client/index.ts';
import { eventsOfRecordings } from '#client/recordings.ts';
import { readRecordings } from '#client/replay.ts';
import { type Call, USUAL_DAY } from '#test/price-cases.ts';

/** The file of recordings in a folder. */
export const FILE = 'recorded-llm-calls.jsonl.gz';

const callOf = (event: Ereignis): Call => ({
  anbieter: event.anbieter ?? null,
  modell: event.modell ?? '',
  tokens: {
    eingabe: event.eingabe_token ?? null,
    ausgabe: event.ausgabe_token ?? null,
    lesen: event.cache_lese_token ?? null,
    schreiben: event.cache_schreib_token ?? null,
    denk: event.denk_token ?? null,
  },
  zusatz: event.zusatz ?? {},
  at: event.zeitpunkt ?? USUAL_DAY,
});

const isCounted = ({ tokens }: Call): boolean => tokens.eingabe !== null || tokens.ausgabe !== null;

/** The calls of a file of recordings, or of the one in a folder; those of which the provider gave no counts are only counted. */
export function recordedCalls(path: string): { calls: Call[]; uncounted: number } {
  const file = statSync(path).isDirectory() ? join(path, FILE) : path;
  // Some answers carry no time of their own.
  const { events } = eventsOfRecordings(readRecordings(file), { now: new Date(USUAL_DAY) });
  const calls = events.map(callOf);
  const counted = calls.filter(isCounted);
  return { calls: counted, uncounted: calls.length - counted.length };
}
