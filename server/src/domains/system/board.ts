/**
 * How the parts are, for everybody who asks this process: looked at once a second at most, however many ask, and taken down, so that
 * the history knows.
 */
import { ereignisseAnnehmen } from '#contracts';
import { BUDGET_CHECK } from '#domains/budgets/index.ts';
import type { Acceptance, Trouble } from '#domains/ereignisse/index.ts';
import { readMailState } from '#domains/postausgang/index.ts';
import { readNewestRate, readPriceListAge } from '#domains/preise/index.ts';
import { readJobStates, readLastRun } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { type ArchiveFiles, readArchiveFiles } from '#platform/database/archive/index.ts';
import { createDiskProbe } from '#platform/disk.ts';
import { mailwegOf } from '#platform/mail.ts';
import { type Clocks, createClockWatch, systemClocks } from './clock-watch.ts';
import { type Day, lastDays, lineOf, type Span, sinceWhen } from './history.ts';
import { type Kept, kept } from './kept.ts';
import { createProbe } from './probe.ts';
import { type ArchiveState, type Assessment, assess, type Facts, type Part } from './rules.ts';
import { readArchiver, readBacklog, readBackupState, readSpans } from './store.ts';
import { createTimeline, type Timeline } from './timeline.ts';

/** A part, and since when it is as it is, in seconds since 1970. */
interface StandingPart extends Part {
  since: number;
}

interface Standing extends Omit<Assessment, 'parts'> {
  parts: StandingPart[];
}

/** What is known of the last 90 days, the line of time of each part. */
export interface History {
  now: number;
  days: Day[];
  lines: Map<string, Span[]>;
}

export interface Board {
  /** How the parts are now, or were a second ago. */
  standing(): Promise<Standing>;
  /** While the database is away, as it was last read, and with what this process has seen since. */
  history(): Promise<History>;
  /** The history has to be read anew. */
  forgetHistory(): void;
  timeline: Timeline;
  steady(): number;
}

export const FRESH_MS = 1_000;
const HISTORY_FRESH_MS = 30_000;
/** Some thousand names are read. */
const ARCHIVE_FRESH_MS = 30_000;
const HISTORY_DAYS = 90;

/** How the archive stands, from what the server says of it and, of the embedded one, from its files. */
async function readArchive(
  context: ServiceContext,
  files: (() => Promise<ArchiveFiles>) | null,
): Promise<ArchiveState | null> {
  const archiver = await readArchiver(context.db);
  if (!archiver || !files) return archiver && { ...archiver, baseAge: undefined };
  const { newestBase } = await files();
  const ageOf = (at: string) => (context.clock.now().getTime() - Date.parse(at)) / 1_000;
  return { ...archiver, baseAge: newestBase === null ? null : ageOf(newestBase) };
}

/** Of the parts that the database knows about. One question after the other: each takes a connection that requests need. */
async function readFacts(
  context: ServiceContext,
  archiveFiles: (() => Promise<ArchiveFiles>) | null,
): Promise<Facts> {
  const { db } = context;
  const orUndefined = async <T>(ask: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await ask();
    } catch (error) {
      context.log.warn({ err: error }, 'status: a part could not be asked');
      return undefined;
    }
  };
  return {
    jobs: await orUndefined(() => readJobStates(db)),
    check: await orUndefined(() => readLastRun(db, BUDGET_CHECK)),
    mail: await orUndefined(() => readMailState(db)),
    rate: await orUndefined(() => readNewestRate(context)),
    listAge: await orUndefined(() => readPriceListAge(context)),
    backup: await orUndefined(() => readBackupState(db)),
    archive: await orUndefined(() => readArchive(context, archiveFiles)),
  };
}

const NOTHING: Facts = {
  jobs: undefined,
  check: undefined,
  mail: undefined,
  rate: undefined,
  listAge: undefined,
  backup: null,
  archive: null,
};

/** Asks all parts and says how they are. */
function createLook(context: ServiceContext, trouble: Acceptance['trouble'], clocks: Clocks) {
  const { log, metrics, config } = context;
  const askBacklog = createProbe(() => readBacklog(context.db));
  const { dataDir, walArchive } = config;
  const files =
    walArchive === null
      ? null
      : kept(() => readArchiveFiles(dataDir, walArchive), ARCHIVE_FRESH_MS, clocks.steady).get;
  const askFacts = createProbe(() => readFacts(context, files));
  const askTrouble = createProbe(trouble);
  const askRoom = createDiskProbe(config);
  const sinceJump = createClockWatch(clocks);
  const noAnswer = (error: unknown): null => {
    log.warn({ err: error }, 'status: no answer from the database');
    return null;
  };
  return async (): Promise<Assessment> => {
    const [backlog, found, room] = await Promise.all([
      askBacklog().catch(noAnswer),
      askTrouble().catch((): Trouble => 'unreachable'),
      askRoom(),
    ]);
    return assess({
      now: context.clock.now(),
      backlog,
      facts: (backlog && (await askFacts().catch(noAnswer))) ?? NOTHING,
      trouble: found,
      sinceRefusal: metrics.secondsSinceFailure(ereignisseAnnehmen.id),
      room,
      sinceJump: sinceJump(),
      mailweg: mailwegOf(config),
    });
  };
}

const seconds = (ms: number) => Math.floor(ms / 1_000);

class SystemBoard implements Board {
  readonly timeline = createTimeline();
  readonly steady: () => number;
  readonly #clock: ServiceContext['clock'];
  readonly #timeZone: string;
  readonly #look: () => Promise<Assessment>;
  readonly #askSpans: () => ReturnType<typeof readSpans>;
  #known: History['lines'] = new Map();
  readonly #reading: Kept<void>;
  readonly #standing: Kept<Standing>;

  constructor(context: ServiceContext, trouble: Acceptance['trouble'], clocks: Clocks) {
    this.steady = clocks.steady;
    this.#clock = context.clock;
    this.#timeZone = context.config.timeZone;
    this.#look = createLook(context, trouble, clocks);
    this.#askSpans = createProbe(() => readSpans(context.db, this.#days()[0]?.from ?? 0));
    this.#reading = kept(() => this.#readLines(), HISTORY_FRESH_MS, this.steady);
    this.#standing = kept(() => this.#see(), FRESH_MS, this.steady);
  }

  standing(): Promise<Standing> {
    return this.#standing.get();
  }

  async history(): Promise<History> {
    await this.standing();
    return { now: this.#now(), days: this.#days(), lines: await this.#lines() };
  }

  forgetHistory(): void {
    this.#reading.forget();
  }

  /** Looks at all parts and takes down how they are. */
  async #see(): Promise<Standing> {
    const { parts, ...whole } = await this.#look();
    this.timeline.note(this.steady(), parts);
    const lines = await this.#lines();
    return { ...whole, parts: parts.map((part) => ({ ...part, since: this.#sinceOf(part, lines) })) };
  }

  #sinceOf({ name, status }: Part, lines: History['lines']): number {
    const isSeen = status !== 'unbekannt' && status !== 'nicht_eingerichtet';
    const long = isSeen ? sinceWhen(lines.get(name) ?? [], status, this.#now()) : null;
    return long ?? this.#onTheWall(this.timeline.since(name) ?? this.steady());
  }

  async #readLines(): Promise<void> {
    // As one line: it is put together with what this process sees every second.
    this.#known = new Map([...(await this.#askSpans())].map(([name, spans]) => [name, lineOf(spans)]));
  }

  async #lines(): Promise<History['lines']> {
    // Without an answer: what was read before, and what this process has seen.
    await this.#reading.get().catch(() => undefined);
    const own = Map.groupBy(this.timeline.all(), ({ name }) => name as string);
    const names = new Set([...this.#known.keys(), ...own.keys()]);
    const spans = (name: string) => [
      ...(this.#known.get(name) ?? []),
      ...(own.get(name) ?? []).map(({ status, from, to }) => ({
        status,
        from: this.#onTheWall(from),
        to: this.#onTheWall(to),
      })),
    ];
    return new Map([...names].map((name) => [name, lineOf(spans(name))]));
  }

  #days(): Day[] {
    return lastDays(this.#clock.now(), this.#timeZone, HISTORY_DAYS);
  }

  #now(): number {
    return seconds(this.#clock.now().getTime());
  }

  /** An instant of the clock nobody can set, as the wall clock has it now. */
  #onTheWall(at: number): number {
    return seconds(this.#clock.now().getTime() - (this.steady() - at));
  }
}

export const createBoard = (
  context: ServiceContext,
  { trouble }: Pick<Acceptance, 'trouble'>,
  clocks: Clocks = systemClocks,
): Board => new SystemBoard(context, trouble, clocks);
