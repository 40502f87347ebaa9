/**
 * The inbox writer. Batches that arrive while a commit is under way are written together in the next one, so that many
 * senders share one flush to disk. A batch is either durable or refused; the queue is bounded in bytes and in time. Of a cluster
 * each worker has a queue of its own: one that is down holds up no batch of the others.
 */
import { conflict, unavailable } from '#kernel/errors.ts';
import { type BoundStatements, isTooSlow, type RequestDatabase } from '#platform/database/index.ts';
import { MEMORY } from '#platform/memory.ts';
import { type Batch, insertPlain, insertWithKey, OPERATION } from './inbox-rows.ts';
import { createPlaces } from './places.ts';
import { createTroubleWatch, type Trouble, type TroubleWatch } from './trouble.ts';

/** `stored`: written now. `replayed`: the key was used with the same body; `antwort` is the first answer. */
type Outcome = { kind: 'stored' } | { kind: 'replayed'; antwort: string } | { kind: 'key_reused' };

export interface Inbox {
  /** Resolves once the batch is durable. Throws 503 when it could not be stored in time. */
  store(batch: Batch): Promise<Outcome>;
  /** What the latest write to each worker met with. After a failure it is tried anew, so that it ends though nobody sends. */
  trouble(): Promise<Trouble>;
}

interface Waiting {
  batch: Batch;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
  settled: boolean;
}

const MAX_QUEUED_BYTES = MEMORY.batches;
const MAX_GROUP = 64;
const MAX_GROUP_BYTES = 8 * 1024 * 1024;
/** A second commit beside the first only when a whole group waits, or the first takes long: fewer commits carry more. */
const MAX_WRITERS = 2;
const LONG_MS = 50;
/**
 * A commit begins so long after the one before at the earliest: a program that sends one call after the other would have each flushed by
 * itself. One that sends seldom does not wait.
 */
const GATHER_MS = 2;
const PATIENCE = 10_000;
/** What became of a batch whose key had been used before. */
async function firstOutcome(db: RequestDatabase, batch: Batch): Promise<Outcome> {
  const key = batch.idempotency?.key ?? Buffer.alloc(0);
  const known = await db.forMandant(batch.mandant, (tx) =>
    tx
      .selectFrom('idempotenz')
      .select(['anfrage_hash', 'antwort'])
      .where('mandant_id', '=', tx.mandant)
      .where('operation', '=', OPERATION)
      .where('schluessel', '=', key)
      .executeTakeFirst(),
  );
  if (!known)
    throw conflict('schluessel_in_arbeit', {
      de: 'Dieselbe Anfrage wird gerade verarbeitet.',
      en: 'The same request is being handled right now.',
    });
  const same = known.anfrage_hash.equals(batch.idempotency?.requestHash ?? Buffer.alloc(0));
  return same ? { kind: 'replayed', antwort: known.antwort } : { kind: 'key_reused' };
}

const keyOf = ({ batch }: Waiting): Buffer => batch.idempotency?.key ?? Buffer.alloc(0);

/** Writes a group in one transaction; Mandanten and keys in a fixed order, so that two instances cannot deadlock. */
async function writeGroup(db: RequestDatabase, group: Waiting[]): Promise<void> {
  const [plain, keyed] = [true, false].map((isPlain) =>
    group.filter(({ batch }) => (batch.idempotency === null) === isPlain),
  ) as [Waiting[], Waiting[]];
  const together = insertPlain(plain.map(({ batch }) => batch));
  const apart = [...Map.groupBy(keyed, ({ batch }) => batch.mandant)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([mandant, waitings]) => ({
      mandant,
      waitings: waitings.sort((a, b) => Buffer.compare(keyOf(a), keyOf(b))),
    }));
  const results = await db.writeAtOnce([
    ...together,
    ...apart.map(
      ({ mandant, waitings }): BoundStatements => ({
        mandanten: [mandant],
        statements: waitings.flatMap(({ batch }) => insertWithKey(batch)),
      }),
    ),
  ]);
  for (const waiting of plain) waiting.resolve({ kind: 'stored' });
  for (const [part, { waitings }] of apart.entries())
    for (const [index, waiting] of waitings.entries()) {
      const insertedKey = results[together.length + part]?.[2 * index];
      if (insertedKey?.rowCount === 1) waiting.resolve({ kind: 'stored' });
      else firstOutcome(db, waiting.batch).then(waiting.resolve, waiting.reject);
    }
}

/** The batches of one place that wait, and the writers that take them. */
interface Lane {
  queue: Waiting[];
  bytes: number;
  writers: number;
  lastBegin: number;
  lastEnd: number;
  /** Set while batches are gathered for the next commit. */
  gathering: NodeJS.Timeout | null;
  watch: TroubleWatch;
}

function takeGroup(lane: Lane): Waiting[] {
  const group: Waiting[] = [];
  let bytes = 0;
  while (lane.queue.length > 0 && group.length < MAX_GROUP && bytes < MAX_GROUP_BYTES) {
    const waiting = lane.queue.shift() as Waiting;
    lane.bytes -= waiting.batch.daten.length;
    // A batch that has been answered with 503 in the meantime must not be stored after all.
    if (waiting.settled) continue;
    bytes += waiting.batch.daten.length;
    group.push(waiting);
  }
  return group;
}

async function writeNext(db: RequestDatabase, lane: Lane): Promise<void> {
  const group = takeGroup(lane);
  const [first] = group;
  if (!first) return;
  try {
    await writeGroup(db, group);
    lane.watch.noteSuccess();
  } catch (error) {
    lane.watch.noteFailure(error, first.batch.mandant);
    // Of rows that are written at once it is the database that is slow, not what was asked.
    for (const waiting of group) waiting.reject(isTooSlow(error) ? unanswered() : error);
  }
}

const mayBegin = ({ queue, writers, lastBegin }: Lane): boolean =>
  writers === 0 ||
  (writers < MAX_WRITERS && (queue.length >= MAX_GROUP || performance.now() - lastBegin > LONG_MS));

/** Milliseconds until the next commit may begin; 0 where a whole group waits. */
const gatherFor = ({ queue, lastEnd }: Lane): number =>
  queue.length >= MAX_GROUP ? 0 : Math.max(0, lastEnd + GATHER_MS - performance.now());

function begin(db: RequestDatabase, lane: Lane): void {
  lane.writers += 1;
  lane.lastBegin = performance.now();
  void writeNext(db, lane).finally(() => {
    lane.writers -= 1;
    lane.lastEnd = performance.now();
    pump(db, lane);
  });
}

function pump(db: RequestDatabase, lane: Lane): void {
  while (lane.queue.length > 0 && mayBegin(lane)) {
    const wait = gatherFor(lane);
    if (wait > 0) {
      lane.gathering ??= setTimeout(() => {
        lane.gathering = null;
        pump(db, lane);
      }, wait);
      return;
    }
    begin(db, lane);
  }
}

const overloaded = () =>
  unavailable('ueberlastet', {
    de: 'Der Dienst ist gerade ausgelastet; bitte gleich noch einmal senden.',
    en: 'The service is busy right now; please send again in a moment.',
  });
const unanswered = () =>
  unavailable(
    'datenbank_weg',
    { de: 'Die Datenbank antwortet gerade nicht.', en: 'The database does not answer right now.' },
    2,
  );

/** A promise for what becomes of a batch, as what waits in a queue; it is given up on after a while. */
function waitFor(batch: Batch): { waiting: Waiting; outcome: Promise<Outcome> } {
  const { promise: outcome, resolve, reject } = Promise.withResolvers<Outcome>();
  const settle =
    <A>(finish: (argument: A) => void) =>
    (argument: A) => {
      if (waiting.settled) return;
      waiting.settled = true;
      clearTimeout(timer);
      finish(argument);
    };
  const waiting: Waiting = { batch, settled: false, resolve: settle(resolve), reject: settle(reject) };
  const timer = setTimeout(() => waiting.reject(unanswered()), PATIENCE);
  return { waiting, outcome };
}

export function createInbox(db: RequestDatabase): Inbox {
  const places = createPlaces(db);
  const lanes = new Map<string, Lane>();

  const laneOf = (place: string): Lane => {
    const known = lanes.get(place);
    if (known) return known;
    const lane: Lane = {
      ...{ queue: [], bytes: 0, writers: 0, lastBegin: 0, lastEnd: 0, gathering: null },
      watch: createTroubleWatch(db),
    };
    lanes.set(place, lane);
    return lane;
  };

  const hasRoom = (lane: Lane, bytes: number): boolean => {
    const all = [...lanes.values()].reduce((sum, each) => sum + each.bytes, 0);
    // A place that does not answer leaves room for the others.
    const most = lanes.size > 1 ? MAX_QUEUED_BYTES / 2 : MAX_QUEUED_BYTES;
    return all + bytes <= MAX_QUEUED_BYTES && lane.bytes + bytes <= most;
  };

  return {
    async trouble() {
      const troubles = await Promise.all([...lanes.values()].map(({ watch }) => watch.current()));
      const [first = null] = troubles.filter((trouble) => trouble !== null);
      return first !== null && troubles.includes(null) ? 'partly' : first;
    },
    async store(batch) {
      const lane = laneOf(places.known(batch.mandant) ?? (await places.find(batch.mandant)));
      const bytes = batch.daten.length;
      if (!hasRoom(lane, bytes)) throw overloaded();
      const { waiting, outcome } = waitFor(batch);
      lane.queue.push(waiting);
      lane.bytes += bytes;
      pump(db, lane);
      return outcome;
    },
  };
}
