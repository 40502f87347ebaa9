/** The package of a Mandant and the licence it may come from. */
import type { lizenzLesen, ResponseOf } from '#contracts';
import { countMandanten, type Lizenzstand, readLizenzstand } from '#domains/installation/index.ts';
import { readMandant } from '#domains/mandant/index.ts';
import { toInstantOrNull } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { PAKETE } from '../rules.ts';

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

/** The package in force for the Mandant, where it comes from, and the licence of the installation. */
export function readLizenz(
  context: Pick<ServiceContext, 'db' | 'config' | 'clock'>,
  mandant: MandantId,
): Promise<Answer> {
  return context.db.forMandant(mandant, async (tx) => {
    const row = await readMandant(tx);
    const stand = await readLizenzstand(context, tx);
    const lizenz = stand && toApi(stand, await countMandanten(tx));
    const licensed = lizenz?.status === 'gültig' ? lizenz : null;
    return {
      paket: licensed?.paket ?? row.paket,
      paket_bis: licensed ? licensed.gueltig_bis : toInstantOrNull(row.paket_bis),
      abrechnungsstatus: row.abrechnungsstatus,
      quelle: licensed ? 'lizenz' : row.paket_quelle,
      buchung_moeglich: context.config.stripe !== null,
      pakete: [...PAKETE],
      lizenz,
    };
  });
}
