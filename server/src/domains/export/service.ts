/** Everything of a Mandant, as one stream. */
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Right } from '#contracts';
import { readZaehlstand } from '#domains/ereignisse/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { SessionPrincipal } from '#platform/principal.ts';
import { type Spool, SpoolFull, type SpoolRoom } from '#platform/spool.ts';
import { createArchive } from './archive.ts';
import { filesOf } from './contents.ts';
import type { About } from './readme.ts';
import { expectedBytes, fileNameOf, lastDays, noRoom, type Places } from './rules.ts';

export interface Export {
  /** A ZIP archive. It breaks off without its end when something fails; destroyed, it ends the export. */
  stream: Readable;
  fileName: string;
  /** How many counted events are in it. */
  events: number;
}

const recordExport = ({ db, clock }: ServiceContext, mandant: MandantId, akteur: Akteur, tage: number) =>
  db.forMandant(mandant, (tx) =>
    recordChange(tx, mandant, clock.now(), {
      akteur,
      aktion: 'daten.ausgegeben',
      objekt: { art: 'mandant', id: mandant },
      nachher: { tage },
    }),
  );

/** What the exports of a process share. */
export interface Shared {
  /** From the request to the last byte that is read. */
  takePlace: Places<MandantId>;
  /** While the archive is made: a connection, a snapshot and much of this process. */
  takeWritingPlace: Places<symbol>;
  spools: SpoolRoom;
  /** How long making an archive may take, in milliseconds. */
  longest: number;
}

/** A file for the archive. Throws 503 when the disk has no room for it. */
async function openSpool({ db, log }: ServiceContext, mandant: MandantId, spools: SpoolRoom): Promise<Spool> {
  const events = (await db.forMandant(mandant, readZaehlstand))?.ereignisse_gesamt ?? 0;
  try {
    return await spools.open(expectedBytes(events));
  } catch (error) {
    if (!(error instanceof SpoolFull)) throw error;
    log.error(
      { err: error, mandant },
      'no room for an export: see EXPORT_PLATZ_MB, and what is free on the disk',
    );
    throw noRoom();
  }
}

interface Order {
  mandant: MandantId;
  about: Omit<About, 'takenAt' | 'days'>;
  tage: number;
  longest: number;
}

/** Writes the archive as of one moment into the file; calls `started` once that has begun. The snapshot ends with it. */
function writeArchive(
  { db, clock, secrets }: ServiceContext,
  { mandant, about, tage, longest }: Order,
  writer: Writable,
  started: (begun: Pick<Export, 'fileName' | 'events'>) => void,
): Promise<void> {
  return db.snapshot(mandant, async (snapshot) => {
    const now = clock.now();
    const takenAt = Temporal.Instant.fromEpochMilliseconds(now.getTime());
    const days = lastDays(tage, takenAt, about.zone);
    const events = (await readZaehlstand(snapshot.tx))?.ereignisse_gesamt ?? 0;
    const { stream, done } = createArchive(filesOf(snapshot, secrets, { ...about, days, takenAt }), now);
    const limit = setTimeout(() => stream.destroy(new Error('the export took too long')), longest);
    started({ events, fileName: fileNameOf(about.firma, days.today) });
    const written = pipeline(stream, writer);
    // The contents have to be left before the snapshot ends, whichever of the two broke off.
    await Promise.allSettled([written, done]);
    clearTimeout(limit);
    await written;
  });
}

/**
 * Begins an export whose CSV files hold the last `tage` local days; resolves once there is something to read. The archive is
 * written to a file, however slowly it is read. Throws 429 when too many are under way, 503 without room for it.
 */
export async function startExport(
  context: ServiceContext,
  { takePlace, takeWritingPlace, spools, longest }: Shared,
  {
    mandant,
    firma,
    zeitzone,
    rolle,
    rechte,
  }: Pick<SessionPrincipal, 'mandant' | 'firma' | 'zeitzone' | 'rolle' | 'rechte'>,
  akteur: Akteur,
  tage: number,
): Promise<Export> {
  const leave = takePlace(mandant);
  const started = Promise.withResolvers<Export>();
  const write = async () => {
    const leaveWriting = takeWritingPlace(Symbol(mandant));
    try {
      const { reader, writer } = await openSpool(context, mandant, spools);
      reader.once('close', leave);
      const may = (right: Right) => rechte.includes(right);
      const order = { mandant, about: { firma, zone: zeitzone, rolle, may }, tage, longest };
      await recordExport(context, mandant, akteur, tage)
        .then(() =>
          writeArchive(context, order, writer, (begun) => started.resolve({ ...begun, stream: reader })),
        )
        .catch((error: Error) => {
          // With it the reader: it must not wait for an archive that nobody writes.
          writer.destroy(error);
          throw error;
        });
    } finally {
      leaveWriting();
    }
  };
  write().catch((error: unknown) => {
    context.log.warn({ err: error, mandant }, 'export broken off');
    started.reject(error);
  });
  return started.promise.catch((error: unknown) => {
    leave();
    throw error;
  });
}
