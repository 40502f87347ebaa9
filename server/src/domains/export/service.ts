/** Everything of a Mandant, as one stream. */
import type { Readable } from 'node:stream';
import type { Right } from '#contracts';
import { readZaehlstand } from '#domains/ereignisse/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { SessionPrincipal } from '#platform/principal.ts';
import { createArchive } from './archive.ts';
import { filesOf } from './contents.ts';
import { fileNameOf, lastDays, type Places } from './rules.ts';

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

/**
 * Begins an export whose CSV files hold the last `tage` local days; resolves once there is something to read. After
 * `longest` milliseconds it breaks off. Throws 429 when too many are under way.
 */
export async function startExport(
  context: ServiceContext,
  takePlace: Places<MandantId>,
  {
    mandant,
    firma,
    zeitzone,
    rolle,
    rechte,
  }: Pick<SessionPrincipal, 'mandant' | 'firma' | 'zeitzone' | 'rolle' | 'rechte'>,
  akteur: Akteur,
  { tage, longest }: { tage: number; longest: number },
): Promise<Export> {
  const leave = takePlace(mandant);
  const started = Promise.withResolvers<Export>();
  const write = async () => {
    await recordExport(context, mandant, akteur, tage);
    await context.db.snapshot(mandant, async (snapshot) => {
      const now = context.clock.now();
      const takenAt = Temporal.Instant.fromEpochMilliseconds(now.getTime());
      const days = lastDays(tage, takenAt, zeitzone);
      const events = (await readZaehlstand(snapshot.tx))?.ereignisse_gesamt ?? 0;
      const may = (right: Right) => rechte.includes(right);
      const about = { firma, zone: zeitzone, days, takenAt, rolle, may };
      const { stream, done } = createArchive(filesOf(snapshot, context.secrets, about), now);
      started.resolve({ stream, events, fileName: fileNameOf(firma, days.today) });
      const limit = setTimeout(() => stream.destroy(new Error('the export took too long')), longest);
      // Not only after the transaction: whoever has read it to the end may begin the next one.
      await done.finally(() => {
        clearTimeout(limit);
        leave();
      });
    });
  };
  write()
    .catch((error: unknown) => {
      context.log.warn({ err: error, mandant }, 'export broken off');
      started.reject(error);
    })
    .finally(leave);
  return started.promise;
}
