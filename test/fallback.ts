/** What the fallback makes of the body of a batch: the judge of whatever reads such bodies in another way. */
import { expect } from 'vitest';
import { type BodyOf, type ereignisseAnnehmen, MAX_EVENTS_PER_BATCH, StapelEingang } from '#contracts';
import { compileCheck, parseJson } from '#http/check/index.ts';
import { wrongFacts } from '../server/src/domains/ereignisse/facts.ts';
import type { ScannedBatch } from '../server/src/domains/ereignisse/fast-path/batch.ts';
import { eventsIn, readBatch } from '../server/src/domains/ereignisse/packed/read.ts';
import { type EventIn, packBatch } from '../server/src/domains/ereignisse/packed/write.ts';
import { countRepeats, misdated } from '../server/src/domains/ereignisse/rules.ts';

type Stapel = BodyOf<typeof ereignisseAnnehmen>;

const check = compileCheck(StapelEingang);
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The batch as the handler gets it; null when it is refused, with whatever status. */
export function readByFallback(body: Buffer, receivedAt: Date): Stapel | null {
  const parsed = parseJson(body);
  if (!parsed.ok) return null;
  const result = check(parsed.value, ['body'], { plainText: parsed.plainText });
  if (!result.ok) return null;
  const stapel = result.value as Stapel;
  const events = stapel.ereignisse ?? [];
  const tooMany = events.length > MAX_EVENTS_PER_BATCH;
  return tooMany || misdated(events, receivedAt).length > 0 || wrongFacts(events).length > 0 ? null : stapel;
}

/** The events as texts, their free data to the byte; ids that were assigned are all alike. */
function eventTexts({ packed, repeats }: Omit<ScannedBatch, 'events'>, sent: EventIn[]): string[] {
  const batch = readBatch(packed, '');
  const zusatzAt = batch.numbers('zusatz');
  const events = [...eventsIn(packed)];
  expect(new Set(events.map((event) => event.ereignis_id)).size).toBe(events.length - repeats);
  return events.map((event, index) => {
    const assigned = !sent[index]?.ereignis_id && UUID.test(event.ereignis_id ?? '');
    const zusatz = event.zusatz === undefined ? null : batch.text(zusatzAt(index));
    return JSON.stringify({ ...event, zusatz, ...(assigned ? { ereignis_id: 'assigned' } : {}) });
  });
}

/** Fails unless the fallback takes the same body, with the same events. */
export function expectAsByFallback(scanned: ScannedBatch, body: Buffer, receivedAt: Date): void {
  const stapel = readByFallback(body, receivedAt);
  expect(stapel, 'refused by the fallback').not.toBeNull();
  const sent = stapel?.ereignisse ?? [];
  expect(scanned.events).toBe(sent.length);
  const repeats = countRepeats(sent);
  expect(scanned.repeats).toBe(repeats);
  const packed = packBatch(sent, receivedAt.toISOString());
  expect(eventTexts(scanned, sent)).toEqual(eventTexts({ packed, repeats }, sent));
}
