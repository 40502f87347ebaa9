/** Everything of a Mandant, as one stream. */
import type { Readable } from 'node:stream';
import { READ_WITH, type Right } from '#contracts';
import { readZaehlstand } from '#domains/ereignisse/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { engineOf } from '#domains/verbrauch/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { createArchive, writeArchive } from '#platform/archive.ts';
import { type Shared, startArchive, type Target } from '#platform/archive-room.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { SessionPrincipal } from '#platform/principal.ts';
import { filesOf } from './contents.ts';
import type { About } from './readme.ts';
import { expectedBytes, fileNameOf, lastDays } from './rules.ts';
import { requireSums, type SumsSource } from './sums.ts';

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

interface Order {
  mandant: MandantId;
  about: Omit<About, 'takenAt' | 'days'>;
  tage: number;
  longest: number;
}

/** Writes the archive as of one moment into a file. The snapshot ends with it. */
async function writeExport(
  context: ServiceContext,
  { mandant, about, tage, longest }: Order,
  { open, started }: Target<Omit<Export, 'stream'>>,
  record: () => Promise<void>,
): Promise<void> {
  const { db, clock, secrets } = context;
  const engine = engineOf(context);
  const sumsOf = (tx: MandantTx): SumsSource => ({ engine, tx, zone: about.zone });
  if (about.may(READ_WITH.verbrauch))
    await db.snapshot(mandant, ({ tx }) => requireSums(sumsOf(tx), clock.now()));
  const writer = await open(
    expectedBytes((await db.forMandant(mandant, readZaehlstand))?.ereignisse_gesamt ?? 0),
  );
  await record();
  await db.snapshot(mandant, async (snapshot) => {
    const now = clock.now();
    const takenAt = Temporal.Instant.fromEpochMilliseconds(now.getTime());
    const days = lastDays(tage, takenAt, about.zone);
    const events = (await readZaehlstand(snapshot.tx))?.ereignisse_gesamt ?? 0;
    const sources = { snapshot, sums: sumsOf(snapshot.tx), secrets };
    const archive = createArchive(filesOf(sources, { ...about, days, takenAt }), now);
    started({ events, fileName: fileNameOf(about.firma, days.today) });
    await writeArchive(archive, writer, { longest });
  });
}

/**
 * Begins an export whose CSV files hold the last `tage` local days; resolves once there is something to read. Throws 429 when too many
 * are under way, 503 without room for it.
 */
export function startExport(
  context: ServiceContext,
  shared: Shared,
  {
    mandant,
    firma,
    zeitzone,
    benutzerId,
    rolle,
    rechte,
  }: Pick<SessionPrincipal, 'mandant' | 'firma' | 'zeitzone' | 'benutzerId' | 'rolle' | 'rechte'>,
  akteur: Akteur,
  tage: number,
): Promise<Export> {
  const may = (right: Right) => rechte.includes(right);
  const order = {
    mandant,
    about: { firma, zone: zeitzone, benutzerId, rolle, may },
    tage,
    longest: shared.longest,
  };
  const record = () => recordExport(context, mandant, akteur, tage);
  return startArchive(context.log, shared, mandant, (target) => writeExport(context, order, target, record));
}
