/** Decisions about one batch, before it is stored. */
import { secondsOf } from '#kernel/microseconds.ts';
import type { PackedBatch } from './packed/read.ts';
import type { EventIn } from './packed/write.ts';

const FUTURE_LIMIT = 24 * 3_600_000;

/** Seconds since 1970 at which an event may lie at the latest; fractions do not matter. */
export const latestSeconds = (now: Date): number => Math.floor((now.getTime() + FUTURE_LIMIT) / 1_000);

/** An event of a batch: its position, and the time it names. */
export interface DatedEvent {
  index: number;
  zeitpunkt: string;
}

/** Events dated more than 24 hours ahead: a sender's clock that far off would hide its calls from every report. */
export function tooFarAhead(events: readonly EventIn[], now: Date): DatedEvent[] {
  const latest = latestSeconds(now);
  const found: DatedEvent[] = [];
  for (const [index, { zeitpunkt }] of events.entries())
    if (zeitpunkt && secondsOf(zeitpunkt) > latest) found.push({ index, zeitpunkt });
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
