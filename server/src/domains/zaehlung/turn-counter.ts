/**
 * Counts one turn: a Mandant with much to count, stretch by stretch, or many with little, which share their transactions. Where
 * nobody else waits, the next stretch is read and priced while one is being written.
 */
import { RunMemory } from '#domains/laeufe/index.ts';
import type { PriceList } from '#domains/preise/index.ts';
import type { StepBack } from '#platform/back-pressure.ts';
import { isUnreachable } from '#platform/database/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import { MEMORY } from '#platform/memory.ts';
import { PartCounter } from './count-parts.ts';
import { type CountResult, countStretch, type Remembered } from './count-stretch.ts';
import { InboxReader, SHARED, WHOLE } from './inbox-reader.ts';
import { RememberedChoices } from './kept-values.ts';
import { Merkmale } from './merkmale.ts';
import { isPassing, StretchChanged } from './passing.ts';
import { START, type Stretch } from './stretch.ts';
import { createSweeping, type Sweeping } from './sweeping.ts';
import type { Turn, Turns } from './turns.ts';

export interface WorkerOptions {
  db: OwnerDatabase;
  log: Log;
  prices: PriceList;
  /** EUR for one USD where no reference rate is known. */
  substituteRate: string;
  /** The day that is of; null or left out where nobody said. */
  substituteDay?: string | null;
  onCounted?: (events: number, duplicates: number) => void;
  /** Awaited after each stretch. */
  stepBack?: StepBack;
  /** Where the runs are remembered that are counted: with who looks at them; one of its own unless given. */
  runs?: RunMemory;
  /** Whether somebody waits for what this Mandant sent to be counted: it is not stepped back from. */
  isUrgent?: (mandant: string) => boolean;
}

/** Stretches after which the inbox is read from its start again. */
const READ_ANEW = 4;
/** Milliseconds until Mandanten that another worker has are looked at again. */
const TAKEN_PAUSE = 100;
/**
 * Milliseconds from the beginning of one turn with little to that of the next: what a Mandant sends meanwhile is counted with it. A turn
 * costs as much as some hundred calls, calls are to be seen within a second, and a rule that acts has two.
 */
const LITTLE_EVERY = 750;
/** Where the turn took longer its Mandanten rest as long as it took, and no longer than this: twice as much at once costs half as much each. */
const LONGEST_REST = 500;
/** Milliseconds of work for which counting steps back at most, after a turn of many Mandanten. */
const SHORT = 20;

/** Whether others are at work on a Mandant, by what counting has thrown. */
const isTaken = (error: unknown, mandant: string): boolean =>
  error instanceof StretchChanged && error.mandanten.has(mandant);

/** Ids of all batches of a stretch. */
const batchesOf = ({ parts, unreadable }: Stretch): string[] => [
  ...parts.flatMap(({ eingangIds }) => eingangIds),
  ...unreadable.map(({ eingangId }) => eingangId),
];

export class TurnCounter {
  readonly #options: WorkerOptions;
  readonly #reader: InboxReader;
  readonly #remembered: Remembered;
  readonly #parts: PartCounter;
  readonly #sweeping: Sweeping;
  #stopping = false;

  constructor(options: WorkerOptions) {
    const { db, log, prices, substituteRate, substituteDay, runs } = options;
    this.#options = options;
    const kept = new RememberedChoices();
    this.#remembered = { merkmale: new Merkmale(), runs: runs ?? new RunMemory(MEMORY.runs), kept };
    const substitute = { usdEur: substituteRate, tag: substituteDay ?? null };
    this.#reader = new InboxReader(db, prices, substitute, kept);
    this.#parts = new PartCounter({
      db,
      log,
      reader: this.#reader,
      remembered: this.#remembered,
      report: (result) => this.#report(result),
    });
    this.#sweeping = createSweeping(db, log, 'eingang');
  }

  /** Takes a turn; resolves with for how many milliseconds its Mandanten are left alone then. `rests`: whether at all. */
  async take(turn: Turn, turns: Turns, rests: boolean): Promise<number> {
    const start = performance.now();
    try {
      // Where others are at work on them, there is nothing to do for a moment.
      if (!(await this.#countSeveral(turn.mandanten, turns))) return TAKEN_PAUSE;
    } catch (error) {
      if (error instanceof StretchChanged) return 0;
      throw error;
    }
    if (!rests || !turn.isLittle) return 0;
    const took = performance.now() - start;
    return Math.max(LITTLE_EVERY - took, Math.min(took, LONGEST_REST));
  }

  /** No further stretch is begun; what is under way ends. */
  stop(): void {
    this.#stopping = true;
  }

  /** Resolves when nothing of it is at work on the database any more, once all turns are over. */
  end(): Promise<void> {
    return this.#sweeping.end();
  }

  /**
   * Counts what waits of many Mandanten together; false when another worker has them. Those that others are at work on have
   * another turn; where one fails, halves of them are counted, at last each alone: nobody waits for a neighbour's trouble.
   */
  async #countSeveral(mandanten: string[], turns: Turns): Promise<boolean> {
    const [only, another] = mandanten;
    if (only === undefined) return false;
    if (another === undefined) return this.#countOne(only, turns);
    const start = performance.now();
    const stretch = await this.#reader.several(mandanten);
    if (!stretch) return true;
    let counted: boolean;
    try {
      counted = await this.#count(stretch);
    } catch (error) {
      if (isUnreachable(error)) throw error;
      const others = mandanten.filter((mandant) => !isTaken(error, mandant));
      if (others.length < mandanten.length) return this.#countSeveral(others, turns);
      return this.#countHalves(mandanten, turns);
    }
    // Counting them all takes little of what keeps the API busy, and many wait for it.
    await this.#options.stepBack?.(Math.min(performance.now() - start, SHORT));
    return counted;
  }

  async #countHalves(mandanten: string[], turns: Turns): Promise<boolean> {
    const middle = mandanten.length >> 1;
    const first = await this.#countSeveral(mandanten.slice(0, middle), turns);
    return (await this.#countSeveral(mandanten.slice(middle), turns)) || first;
  }

  /** Counts a Mandant to the end of its inbox, or a short stretch when others wait; false when another worker has it. */
  async #countOne(mandant: string, turns: Turns): Promise<boolean> {
    const { isUrgent, stepBack } = this.#options;
    let stretch = await this.#reader.next(mandant, START, [], turns.othersWait ? SHARED : WHOLE);
    for (let turn = 1; stretch && !this.#stopping; turn += 1) {
      const start = performance.now();
      const before: Stretch = stretch;
      const { counted, next } = await this.#countWhileReading(before, () =>
        turns.othersWait ? null : this.#readAhead(mandant, before, turn),
      );
      if (!counted) return false;
      stretch = next;
      if (!isUrgent?.(mandant)) await stepBack?.(performance.now() - start);
    }
    return true;
  }

  /** Counts a stretch while the next one is read. What counting throws goes first; where another worker has it, nothing is next. */
  async #countWhileReading(
    stretch: Stretch,
    readNext: () => Promise<Stretch | null> | null,
  ): Promise<{ counted: boolean; next: Stretch | null }> {
    const [counted, next] = await Promise.allSettled([this.#count(stretch), readNext()]);
    if (counted.status === 'rejected') throw counted.reason;
    if (!counted.value) return { counted: false, next: null };
    if (next.status === 'rejected') throw next.reason;
    return { counted: true, next: next.value };
  }

  /**
   * What comes after a stretch that is still being counted. Every few stretches from the start again: a batch may be
   * stored a little after one with a later id.
   */
  #readAhead(mandant: string, stretch: Stretch, turn: number): Promise<Stretch | null> {
    return this.#reader.next(mandant, turn % READ_ANEW === 0 ? START : stretch.lastId, batchesOf(stretch));
  }

  /** Whether a stretch was counted; false when another worker has it. */
  async #count(stretch: Stretch): Promise<boolean> {
    for (const { mandant, eingangId, reason } of stretch.unreadable)
      await this.#parts.countApart(mandant, [eingangId], reason);
    try {
      const result = await countStretch(this.#options.db, this.#remembered, stretch);
      this.#sweeping.gone(stretch.parts.reduce((sum, { eingangIds }) => sum + eingangIds.length, 0));
      this.#reader.recycle(stretch);
      return this.#report(result);
    } catch (error) {
      if (isPassing(error) || stretch.parts.length > 1) throw error;
      for (const { mandant, eingangIds } of stretch.parts)
        await this.#parts.countApart(mandant, eingangIds, error);
      return true;
    }
  }

  /** Tells what was counted; false where another worker has it. */
  #report(result: CountResult): boolean {
    if (result.kind !== 'counted') return false;
    this.#options.onCounted?.(result.events, result.duplicates);
    return true;
  }
}
