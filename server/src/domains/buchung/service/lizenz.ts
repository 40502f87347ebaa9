/** The package of a Mandant and the licence it may come from. */
import type { lizenzLesen, ResponseOf } from '#contracts';
import { readMandant } from '#domains/mandant/index.ts';
import { toInstantOrNull } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { type Installed, readLicence } from '../licence.ts';
import { PAKETE } from '../rules.ts';
import { isLizenzGesperrt } from '../store.ts';

type Answer = ResponseOf<typeof lizenzLesen>;

const UNPROVEN = {
  lizenz_id: null,
  kunde: null,
  paket: null,
  gueltig_bis: null,
  status: 'ungültig',
} as const;

async function describe(tx: MandantTx, installed: Installed, now: Date): Promise<Answer['lizenz']> {
  if (installed === null) return null;
  // Nothing it says is shown as long as nobody vouches for it.
  if ('invalid' in installed) return UNPROVEN;
  const { lizenz_id, kunde, paket } = installed;
  const gueltig_bis = toInstantOrNull(installed.gueltig_bis ?? null);
  const expired = gueltig_bis !== null && Date.parse(gueltig_bis) <= now.getTime();
  const blocked = await isLizenzGesperrt(tx, lizenz_id);
  return {
    lizenz_id,
    kunde,
    paket,
    gueltig_bis,
    status: blocked ? 'gesperrt' : expired ? 'abgelaufen' : 'gültig',
  };
}

/** Reads the licence at the first use: it does not change while the service runs. */
export function createLicenceReader(context: ServiceContext): (mandant: MandantId) => Promise<Answer> {
  let reading: Promise<Installed> | null = null;
  const readOnce = async () => {
    const installed = await readLicence(context.config);
    if (installed && 'invalid' in installed)
      context.log.error({ err: installed.invalid }, 'the licence proves nothing');
    return installed;
  };
  return async (mandant) => {
    reading ??= readOnce();
    const installed = await reading;
    return context.db.forMandant(mandant, async (tx) => {
      const row = await readMandant(tx);
      const lizenz = await describe(tx, installed, context.clock.now());
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
  };
}
