/** The package of a Mandant and the licence it may come from. */
import type { lizenzLesen, ResponseOf } from '#contracts';
import { countPlaces } from '#domains/benutzer/index.ts';
import { countMandanten, type Lizenzstand, readLizenzstand } from '#domains/installation/index.ts';
import {
  areLimitsBinding,
  type MandantRow,
  PAKETE,
  packageInForce,
  readMandant,
} from '#domains/mandant/index.ts';
import { readCallsOfDays } from '#domains/verbrauch/index.ts';
import { toInstantOrNull } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { readEventsFrom } from '../store.ts';

type Answer = ResponseOf<typeof lizenzLesen>;

const UNPROVEN = {
  lizenz_id: null,
  fingerabdruck: null,
  kunde: null,
  paket: null,
  gueltig_bis: null,
  mandanten: null,
  status: 'ungültig',
  sperrliste: null,
} as const;

function toApi(stand: Lizenzstand, mandanten_belegt: number): NonNullable<Answer['lizenz']> {
  // Nothing it says is shown as long as nobody vouches for it.
  if (stand.status === 'ungültig') return { ...UNPROVEN, mandanten_belegt };
  const { lizenz_id, fingerabdruck, kunde, paket, gueltig_bis, mandanten } = stand.licence;
  return {
    ...{ lizenz_id, fingerabdruck, kunde, paket, mandanten, mandanten_belegt },
    gueltig_bis: toInstantOrNull(gueltig_bis),
    status: stand.status,
    sperrliste: stand.liste,
  };
}

/** What is used of the package in the local month it is `now`. */
async function useOf(tx: MandantTx, zone: string, now: Date): Promise<Answer['nutzung']> {
  const month = now.toTemporalInstant().toZonedDateTimeISO(zone).toPlainDate().with({ day: 1 });
  return {
    monat: month.toPlainYearMonth().toString(),
    ereignisse: await readCallsOfDays(tx, { von: month, bis: month.add({ months: 1 }) }),
    benutzer: await countPlaces(tx, now),
    ereignisse_ab: await readEventsFrom(tx),
  };
}

/** What the licence, or else the Mandant's own package, gives. */
function packageOf(row: MandantRow, licensed: Answer['lizenz'], now: Date) {
  const inForce = licensed?.paket
    ? { paket: licensed.paket, paket_bis: null, paket_quelle: 'lizenz' as const }
    : row;
  const { paket, grenzen, funktionen } = packageInForce(inForce, now);
  return { paket, grenzen, funktionen: [...funktionen] };
}

/** The package in force for the Mandant, where it comes from, and the licence of the installation. */
export function readLizenz(
  context: Pick<ServiceContext, 'db' | 'config' | 'clock'>,
  mandant: MandantId,
): Promise<Answer> {
  return context.db.forMandant(mandant, async (tx) => {
    const row = await readMandant(tx);
    const stand = await readLizenzstand(context, tx);
    const now = context.clock.now();
    const lizenz = stand && toApi(stand, await countMandanten(tx));
    const licensed = lizenz?.status === 'gültig' ? lizenz : null;
    return {
      ...packageOf(row, licensed, now),
      verbindlich: areLimitsBinding(context.config, row),
      nutzung: await useOf(tx, row.zeitzone, now),
      paket_bis: licensed ? licensed.gueltig_bis : toInstantOrNull(row.paket_bis),
      abrechnungsstatus: row.abrechnungsstatus,
      quelle: licensed ? 'lizenz' : row.paket_quelle,
      buchung_moeglich: context.config.stripe !== null,
      pakete: PAKETE.map((paket) => ({ ...paket, funktionen: [...paket.funktionen] })),
      lizenz,
    };
  });
}
