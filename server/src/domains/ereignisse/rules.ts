/** Decisions about one batch, before it is stored. */
import { MAX_EVENTS_PER_BATCH } from '#contracts';
import { isoOf, secondsOf } from '#kernel/microseconds.ts';
import type { PackedBatch } from './packed/read.ts';
import type { EventIn } from './packed/write.ts';

/** Faults of a batch: senders send it again without the events that are named. */
export const EACH_EVENT = { most: MAX_EVENTS_PER_BATCH };

/** How far ahead of its receipt an event may lie, in milliseconds. */
export const FUTURE_LIMIT = 24 * 3_600_000;

/** Seconds since 1970 at which an event may lie, the first and the last; fractions do not matter. */
export interface Bounds {
  earliest: number;
  latest: number;
}

/** 1970-01-01T00:00:00Z is what a clock says that was never set; what lies before it no clock has said. */
export const boundsAt = (now: Date): Bounds => ({
  earliest: 0,
  latest: Math.floor((now.getTime() + FUTURE_LIMIT) / 1_000),
});

/** An event of a batch whose time no report would show: its position, the time it names, and which way it is off. */
export interface MisdatedEvent {
  index: number;
  zeitpunkt: string;
  off: 'before_1970' | 'ahead';
}

/** Events dated before 1970 or more than 24 hours ahead: a clock that far off would hide its calls from every report. */
export function misdated(events: readonly EventIn[], now: Date): MisdatedEvent[] {
  const { earliest, latest } = boundsAt(now);
  const found: MisdatedEvent[] = [];
  for (const [index, { zeitpunkt }] of events.entries()) {
    if (!zeitpunkt) continue;
    const seconds = secondsOf(zeitpunkt);
    if (seconds < earliest) found.push({ index, zeitpunkt, off: 'before_1970' });
    else if (seconds > latest) found.push({ index, zeitpunkt, off: 'ahead' });
  }
  return found;
}

/** The events of a batch that are dated before an instant in seconds: their positions and times. */
export function olderThan(batch: PackedBatch, first: number): Pick<MisdatedEvent, 'index' | 'zeitpunkt'>[] {
  const { seconds, micros } = batch.columns.of('zeitpunkt');
  const found: Pick<MisdatedEvent, 'index' | 'zeitpunkt'>[] = [];
  for (let index = 0; index < batch.events; index += 1) {
    const at = seconds[index] as number;
    if (at < first) found.push({ index, zeitpunkt: isoOf({ seconds: at, micros: micros[index] as number }) });
  }
  return found;
}

/** How many events repeat an `ereignis_id` that stands in the same batch before them. */
export function countRepeats(events: readonly EventIn[]): number {
  const distinct = new Set<string>();
  let named = 0;
  for (const { ereignis_id: id } of events) {
    if (!id) continue;
    named += 1;
    distinct.add(id);
  }
  return named - distinct.size;
}

/** The agents of a batch, each once. */
export function agentsOf(batch: PackedBatch): string[] {
  const agentAt = batch.texts('agent');
  const agents = new Set<string>();
  for (let index = 0; index < batch.events; index += 1) agents.add(agentAt(index));
  return [...agents];
}
