/** Calls of an import, as a stretch holds them. */
import type { PackedBatch } from '#domains/ereignisse/index.ts';
import { isoOf } from '#kernel/microseconds.ts';
import type { CountedEvent } from './normalise.ts';

/** The calls of an import in a stretch. */
export class Imported {
  readonly importId: string;
  readonly ids: string[] = [];
  readonly times: string[] = [];

  constructor(importId: string) {
    this.importId = importId;
  }

  /** Notes the events at these places of a batch. */
  add(batch: PackedBatch, events: readonly CountedEvent[], places: readonly number[]): void {
    const idAt = batch.uuids('ereignis_id');
    for (const [index, event] of events.entries()) {
      this.ids.push(idAt(places[index] as number) as string);
      this.times.push(isoOf(event));
    }
  }
}
