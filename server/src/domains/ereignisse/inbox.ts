/**
 * The inbox writer. Batches that arrive while a commit is under way are written together in the next one, so that many
 * senders share one flush to disk. A batch is either durable or refused; the queue is bounded in bytes and in time.
 */
import { conflict, unavailable } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { BoundStatements, RequestDatabase } from '#platform/database/index.ts';
import { createTroubleWatch, type Trouble } from './trouble.ts';

export interface Batch {
  mandant: MandantId;
  eingangId: string;
  empfangenAm: Date;
  schluesselId: string;
  projekt: string | null;
  /** Distinct events; 0 stores nothing but the idempotency key. */
  anzahl: number;
  /** Bytes of the batch, unpacked. */
  umfang: number;
  daten: Buffer;
  idempotency: { key: Buffer; requestHash: Buffer } | null;
  /** The answer's JSON text, stored with the idempotency key. */
  antwort: string;
}

/** `stored`: written now. `replayed`: the key was used with the same body; `antwort` is the first answer. */
export type Outcome = { kind: 'stored' } | { kind: 'replayed'; antwort: string } | { kind: 'key_reused' };

export interface Inbox {
  /** Resolves once the batch is durable. Throws 503 when it could not be stored in time. */
  store(batch: Batch): Promise<Outcome>;
  /** What the latest write met with. After a failure it is tried anew, so that it ends though nobody sends. */
  trouble(): Promise<Trouble>;
}

interface Waiting {
  batch: Batch;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
  settled: boolean;
}

const MAX_QUEUED_BYTES = 32 * 1024 * 1024;
const MAX_GROUP = 64;
const MAX_GROUP_BYTES = 8 * 1024 * 1024;
/** A second commit beside the first only when a whole group waits, or the first takes long: fewer commits carry more. */
const MAX_WRITERS = 2;
const LONG_MS = 50;
const PATIENCE = 10_000;
const OPERATION = 'ereignisse.annehmen';
/** Values of a row of the inbox. */
const COLUMNS = 8;

const INSERT = `INSERT INTO eingang (mandant_id, eingang_id, empfangen_am, schluessel_id, projekt, anzahl, umfang, daten)`;
const INSERT_KEY = `INSERT INTO idempotenz (mandant_id, operation, schluessel, anfrage_hash, antwort)
  VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING`;
/** The batch of the key that was just inserted: of one that was there before, the answer names another batch. */
const INSERT_OF_KEY = `${INSERT}
  SELECT k.mandant_id, $2::uuid, $3::timestamptz, $4::uuid, $5::text, $6::int, $7::int, $8::bytea FROM idempotenz k
  WHERE k.mandant_id = $1 AND k.operation = $9 AND k.schluessel = $10 AND k.antwort = $11 AND $6::int > 0`;

const rowOf = (batch: Batch) => [
  batch.mandant,
  batch.eingangId,
  batch.empfangenAm,
  batch.schluesselId,
  batch.projekt,
  batch.anzahl,
  batch.umfang,
  batch.daten,
];

function insertPlain(batches: Batch[]): BoundStatements['statements'] {
  const filled = batches.filter((batch) => batch.anzahl > 0);
  if (filled.length === 0) return [];
  const rows = filled.map((_, row) => {
    const places = Array.from({ length: COLUMNS }, (_, column) => `$${row * COLUMNS + column + 1}`);
    return `(${places.join(',')})`;
  });
  const text = `${INSERT} VALUES ${rows.join(',')}`;
  return [{ name: `eingang_${rows.length}`, text, values: filled.flatMap(rowOf) }];
}

/**
 * Key and batch in one transaction: neither can be stored without the other. A key in use by another commit is waited for.
 * Two statements, because a cluster sends each of them to one node as it is.
 */
function insertWithKey(batch: Batch): BoundStatements['statements'] {
  const { mandant, idempotency, antwort } = batch;
  return [
    {
      name: 'eingang_schluessel',
      text: INSERT_KEY,
      values: [mandant, OPERATION, idempotency?.key, idempotency?.requestHash, antwort],
    },
    {
      name: 'eingang_zum_schluessel',
      text: INSERT_OF_KEY,
      values: [...rowOf(batch), OPERATION, idempotency?.key, antwort],
    },
  ];
}

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

/** Writes a group in one transaction; Mandanten and keys in a fixed order, so that two instances cannot deadlock. */
async function writeGroup(db: RequestDatabase, group: Waiting[]): Promise<void> {
  const byMandant = [...Map.groupBy(group, (waiting) => waiting.batch.mandant)].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const parts = byMandant.map(([mandant, waitings]) => {
    const plain = waitings.filter((waiting) => waiting.batch.idempotency === null);
    const keyed = waitings.flatMap((waiting) =>
      waiting.batch.idempotency ? [{ waiting, key: waiting.batch.idempotency.key }] : [],
    );
    keyed.sort((a, b) => Buffer.compare(a.key, b.key));
    const first = insertPlain(plain.map((waiting) => waiting.batch));
    return {
      mandant,
      plain,
      keyed,
      first,
      statements: [...first, ...keyed.flatMap(({ waiting }) => insertWithKey(waiting.batch))],
    };
  });
  const results = await db.writeAtOnce(parts);
  parts.forEach(({ plain, keyed, first }, part) => {
    for (const waiting of plain) waiting.resolve({ kind: 'stored' });
    keyed.forEach(({ waiting }, index) => {
      const insertedKey = results[part]?.[first.length + 2 * index];
      if (insertedKey?.rowCount === 1) waiting.resolve({ kind: 'stored' });
      else firstOutcome(db, waiting.batch).then(waiting.resolve, waiting.reject);
    });
  });
}

export function createInbox(db: RequestDatabase): Inbox {
  const watch = createTroubleWatch(db);
  const queue: Waiting[] = [];
  let queuedBytes = 0;
  let writers = 0;
  let lastBegin = 0;

  const takeGroup = (): Waiting[] => {
    const group: Waiting[] = [];
    let bytes = 0;
    while (queue.length > 0 && group.length < MAX_GROUP && bytes < MAX_GROUP_BYTES) {
      const waiting = queue.shift() as Waiting;
      queuedBytes -= waiting.batch.daten.length;
      // Whoever has been told 503 in the meantime must not be stored after all.
      if (waiting.settled) continue;
      bytes += waiting.batch.daten.length;
      group.push(waiting);
    }
    return group;
  };

  const writeNext = async (): Promise<void> => {
    const group = takeGroup();
    if (group.length === 0) return;
    try {
      await writeGroup(db, group);
      watch.noteSuccess();
    } catch (error) {
      watch.noteFailure(error);
      for (const waiting of group) waiting.reject(error);
    }
  };

  const mayBegin = (): boolean =>
    writers === 0 ||
    (writers < MAX_WRITERS && (queue.length >= MAX_GROUP || performance.now() - lastBegin > LONG_MS));

  const pump = (): void => {
    while (queue.length > 0 && mayBegin()) {
      writers += 1;
      lastBegin = performance.now();
      void writeNext().finally(() => {
        writers -= 1;
        pump();
      });
    }
  };

  return {
    trouble: () => watch.current(),
    store: (batch) =>
      new Promise((resolve, reject) => {
        if (queuedBytes + batch.daten.length > MAX_QUEUED_BYTES) {
          reject(
            unavailable('ueberlastet', {
              de: 'Der Dienst ist gerade ausgelastet; bitte gleich noch einmal senden.',
              en: 'The service is busy right now; please send again in a moment.',
            }),
          );
          return;
        }
        const settle =
          <A>(finish: (argument: A) => void) =>
          (argument: A) => {
            if (waiting.settled) return;
            waiting.settled = true;
            clearTimeout(timer);
            finish(argument);
          };
        const waiting: Waiting = { batch, settled: false, resolve: settle(resolve), reject: settle(reject) };
        const timer = setTimeout(() => {
          waiting.reject(
            unavailable(
              'datenbank_weg',
              { de: 'Die Datenbank antwortet gerade nicht.', en: 'The database does not answer right now.' },
              2,
            ),
          );
        }, PATIENCE);
        queue.push(waiting);
        queuedBytes += batch.daten.length;
        pump();
      }),
  };
}
