/**
 * Archives that are read while they are made: how many there may be, and where they wait for their readers. Who makes one is never held
 * up by who reads it.
 */
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { AppError, unavailable } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Config } from './config.ts';
import type { Log } from './log.ts';
import { createShares, type Shares } from './shares.ts';
import { createSpoolRoom, type Spool, SpoolFull, type SpoolRoom } from './spool.ts';

/** Half a megabit a second. A slower reader has one of the places that others wait for. */
const PACE = { bytes: 60 * 64 * 1024, ms: 60_000 };
/** What the database on the same disk needs to go on. */
const RESERVE = 1024 * 1024 * 1024;
/** A connection on which nothing moves for so long is dead; milliseconds. */
export const STALLED = 120_000;

/** Each takes up a connection, a snapshot and much of this process while it is made. */
const WRITTEN_AT_ONCE = 4;
/** Who waits for its turn has an open connection, which proxies cut after a minute without a byte. */
const WAITING = { waiting: 16, longest: 50_000 };

/** Where archives wait for their readers, and the places of those that are being made. */
export interface ArchiveRoom extends SpoolRoom {
  readonly writing: Shares<MandantId>;
}

/** The room of all archives of a process. */
export function createArchiveRoom({ dataDir, exportBytes }: Config): ArchiveRoom {
  const spools = createSpoolRoom({
    directory: join(dataDir, 'ausgaben'),
    maxBytes: exportBytes,
    reserve: RESERVE,
    pace: PACE,
  });
  const refuse = (ofOwn: boolean) => (ofOwn ? isRunning() : areRunning());
  return Object.assign(spools, {
    writing: createShares<MandantId>({ places: WRITTEN_AT_ONCE, ...WAITING, refuse }),
  });
}

const NO_ROOM_RETRY_AFTER = 300;
/** The disk has no room for an archive. */
const noRoom = () =>
  unavailable(
    'export_kein_platz',
    {
      de: 'Auf dem Datenträger des Dienstes ist gerade nicht genug Platz für dieses Archiv.',
      en: 'The disk of the service has no room for this archive right now.',
    },
    NO_ROOM_RETRY_AFTER,
  );

/** Takes a place for an archive; throws 429 when there is none. */
export type Places<M> = (mandant: M) => () => void;

const RETRY_AFTER = 30;
const isRunning = () =>
  new AppError(
    'too-many',
    'export_laeuft',
    {
      de: 'Ein Export läuft schon. Bitte warten Sie, bis er fertig ist.',
      en: 'An export is running already. Please wait until it is done.',
    },
    RETRY_AFTER,
  );
const areRunning = () =>
  new AppError(
    'too-many',
    'export_laeuft',
    {
      de: 'Gerade laufen andere Exporte. Bitte versuchen Sie es gleich noch einmal.',
      en: 'Other exports are running right now. Please try again in a moment.',
    },
    RETRY_AFTER,
  );

/** At most `most` at a time in this process, and one for each Mandant. What is returned gives the place back. */
export function createPlaces<M>(most: number): Places<M> {
  const taken = new Set<M>();
  return (mandant) => {
    if (taken.has(mandant)) throw isRunning();
    if (taken.size >= most) throw areRunning();
    taken.add(mandant);
    let held = true;
    return () => {
      // Given back once: after that the place may be another export's.
      if (held) taken.delete(mandant);
      held = false;
    };
  };
}

/** What the archives of a kind share. */
export interface Shared {
  /** From the request to the last byte that is read. */
  takePlace: Places<MandantId>;
  /** Where it lies, and the places of those that are being made. */
  spools: ArchiveRoom;
  /** How long making an archive may take, in milliseconds. */
  longest: number;
}

/** Where an archive goes. */
export interface Target<T> {
  /** A file with room for this many bytes. Throws 503 `export_kein_platz`. */
  open(expected: number): Promise<Writable>;
  /** Called once the writer is open and the archive has begun. */
  started(begun: T): void;
}

async function openSpool(log: Log, mandant: MandantId, spools: SpoolRoom, expected: number): Promise<Spool> {
  try {
    return await spools.open(expected);
  } catch (error) {
    if (!(error instanceof SpoolFull)) throw error;
    log.error(
      { err: error, mandant },
      'no room for an archive: see EXPORT_PLATZ_MB, and what is free on the disk',
    );
    throw noRoom();
  }
}

/**
 * Has an archive written into a file, however slowly it is read; resolves once there is something to read, with what has begun. The
 * stream breaks off without its end when something fails; destroyed, it ends the writing. Throws what `write` does before it has
 * started, 429 `export_laeuft` when one of the Mandant or too many are under way, and `CallerGone` when nobody waits for it any more.
 */
export async function startArchive<T extends object>(
  log: Log,
  { takePlace, spools }: Shared,
  mandant: MandantId,
  write: (target: Target<T>) => Promise<void>,
): Promise<T & { stream: Readable }> {
  const leave = takePlace(mandant);
  const started = Promise.withResolvers<T & { stream: Readable }>();
  const spool: { open?: Spool } = {};
  const target: Target<T> = {
    async open(expected) {
      spool.open = await openSpool(log, mandant, spools, expected);
      // Who has read the last byte may ask for the next one before the file is closed.
      spool.open.reader.once('end', leave).once('close', leave);
      return spool.open.writer;
    },
    started: (begun) => started.resolve({ ...begun, stream: (spool.open as Spool).reader }),
  };
  spools.writing
    .inTurn(mandant, () => write(target))
    .catch((error: Error) => {
      // With it the reader: it must not wait for an archive that nobody writes.
      spool.open?.writer.destroy(error);
      if (spool.open || !(error instanceof AppError)) log.warn({ err: error, mandant }, 'archive broken off');
      started.reject(error);
    });
  return started.promise.catch((error: unknown) => {
    leave();
    throw error;
  });
}
