/**
 * Counts what failed together in parts: halves of the batches, then halves of the batch that fails alone. What cannot be counted is
 * set aside: the events at fault as a batch of their own, the batch as a whole where nothing of it can be counted.
 */
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import {
  type CountResult,
  countStretch,
  countTheRest,
  type Remembered,
  rehearse,
  setAside,
} from './count-stretch.ts';
import { type Faulty, FUTILE, findFaulty } from './faulty-events.ts';
import type { InboxReader } from './inbox-reader.ts';
import { isPassing } from './passing.ts';
import type { OpenBatch } from './stretch.ts';

/** After a batch of which no part could be counted, two halves of the next one tell whether that goes on. */
const STILL_FUTILE = 2;

interface PartCounterOptions {
  db: OwnerDatabase;
  log: Log;
  reader: InboxReader;
  remembered: Remembered;
  /** Told what was counted or set aside. */
  report: (result: CountResult) => void;
}

export class PartCounter {
  readonly #db: OwnerDatabase;
  readonly #log: Log;
  readonly #reader: InboxReader;
  readonly #remembered: Remembered;
  readonly #report: (result: CountResult) => void;

  constructor({ db, log, reader, remembered, report }: PartCounterOptions) {
    this.#db = db;
    this.#log = log;
    this.#reader = reader;
    this.#remembered = remembered;
    this.#report = report;
  }

  /** Counts batches of a Mandant that could not be counted together, for this reason. Throws what passes. */
  async countApart(mandant: string, eingangIds: readonly string[], reason: unknown): Promise<void> {
    if (eingangIds.length > 0) await this.#countHalves(mandant, eingangIds, reason, FUTILE);
  }

  /** `futile` as `findFaulty` takes it for the next batch; resolves with that of the batch after these. */
  async #countHalves(
    mandant: string,
    ids: readonly string[],
    reason: unknown,
    futile: number,
  ): Promise<number> {
    const [only, another] = ids;
    if (only && !another)
      return (await this.#countEvents(mandant, only, reason, futile)) ? FUTILE : STILL_FUTILE;
    const middle = ids.length >> 1;
    const next = await this.#countHalf(mandant, ids.slice(0, middle), futile);
    return this.#countHalf(mandant, ids.slice(middle), next);
  }

  /** Counts these batches together, halves of them where that fails. */
  async #countHalf(mandant: string, ids: readonly string[], futile: number): Promise<number> {
    let next = futile;
    try {
      const stretch = await this.#reader.some(mandant, ids);
      if (!stretch) return next;
      for (const { eingangId, reason } of stretch.unreadable)
        next = await this.#countHalves(mandant, [eingangId], reason, next);
      if (stretch.parts.every(({ eingangIds }) => eingangIds.length === 0)) return next;
      this.#report(await countStretch(this.#db, this.#remembered, stretch));
      return FUTILE;
    } catch (error) {
      if (isPassing(error)) throw error;
      return this.#countHalves(mandant, ids, error, next);
    }
  }

  /** Resolves with whether anything of the batch was counted. */
  async #countEvents(mandant: string, eingangId: string, reason: unknown, futile: number): Promise<boolean> {
    const batch = await this.#openOrPutAside(mandant, eingangId);
    if (!batch) return false;
    const tryEvents = (events: readonly number[]) => this.#tryEvents(batch, events);
    const found = batch.events.length > 1 ? await findFaulty(batch.events, tryEvents, futile) : null;
    if (found && (await this.#countWithout(found, batch, mandant, eingangId))) return true;
    await this.#putAside(mandant, eingangId, reason);
    return false;
  }

  async #openOrPutAside(mandant: string, eingang: string): Promise<OpenBatch | null> {
    try {
      return await this.#reader.open(mandant, eingang);
    } catch (error) {
      if (isPassing(error)) throw error;
      await this.#putAside(mandant, eingang, error);
      return null;
    }
  }

  /** Why these events of a batch cannot be counted, null when they can. */
  async #tryEvents(batch: OpenBatch, events: readonly number[]): Promise<unknown> {
    try {
      return await rehearse(this.#db, this.#remembered, await batch.only(events));
    } catch (error) {
      if (isPassing(error)) throw error;
      return error;
    }
  }

  /** Counts a batch and sets its faulty events aside; false where the others cannot be counted either. */
  async #countWithout(found: Faulty, batch: OpenBatch, mandant: string, eingangId: string): Promise<boolean> {
    const { events } = batch;
    const faulty = new Set(found.events);
    const rest = await batch.only(events.filter((event) => !faulty.has(event)));
    const reason = `${found.reason} (${faulty.size} of ${events.length} events)`;
    const aside = { mandant, eingangId, faulty: await batch.pack(found.events), reason };
    try {
      this.#report(await countTheRest(this.#db, this.#remembered, rest, aside));
      this.#log.error({ mandant, eingang: eingangId, reason }, 'events cannot be counted; set aside');
      return true;
    } catch (error) {
      if (isPassing(error)) throw error;
      return false;
    }
  }

  async #putAside(mandant: string, eingang: string, reason: unknown): Promise<void> {
    this.#log.error({ mandant, eingang, reason: String(reason) }, 'batch cannot be counted; set aside');
    await setAside(this.#db, mandant, eingang, String(reason));
    this.#report({ kind: 'counted', events: 0, duplicates: 0 });
  }
}
