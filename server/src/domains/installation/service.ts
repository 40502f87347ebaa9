/** The licence of this installation as it stands now, and the Mandanten it covers. */
import { conflict } from '#kernel/errors.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { installedLicence, type VerifiedLicence } from './licence.ts';
import {
  effectiveNow,
  type Gemerkt,
  graceEnd,
  type Hindernis,
  type Lizenzstatus,
  names,
  statusOf,
  unreachedSince,
} from './rules.ts';
import { countMandanten, type Erinnerung, lockMandantenPlaetze, readErinnerung } from './store.ts';

type Context = Pick<ServiceContext, 'config' | 'clock'>;

/** How the revocation list stands; instants as ISO 8601 in UTC. */
interface Listenstand {
  /** Null, as the next two, before the first one came. */
  nummer: number | null;
  ausgestellt_am: string | null;
  erreicht_am: string | null;
  /** Null while it is reached. */
  nicht_erreicht_seit: string | null;
  hindernis: Hindernis | null;
  /** Until when the licence gives its package without the list. */
  arbeitet_bis: string;
}

/** The licence, or that it proves nothing. */
export type Lizenzstand =
  | { status: 'ungültig' }
  | { status: Lizenzstatus; licence: VerifiedLicence; liste: Listenstand };

/** A list that none of the keys vouches for any more counts for nothing. */
function believed(erinnerung: Erinnerung, keys: ReadonlyMap<string, unknown>): Erinnerung {
  const { liste } = erinnerung;
  return liste && keys.has(liste.kid) ? erinnerung : { ...erinnerung, liste: null, erreicht_am: null };
}

/** The licence as it stands; null when none is set. */
export async function readLizenzstand(
  { config, clock }: Context,
  tx: MandantTx,
): Promise<Lizenzstand | null> {
  const installed = await installedLicence(config);
  if (installed === null) return null;
  if ('invalid' in installed) return { status: 'ungültig' };
  const { licence, keys } = installed;
  const erinnerung = believed(await readErinnerung(tx, licence.fingerabdruck), keys);
  const { liste, erreicht_am, versucht_am, hindernis, einsatz } = erinnerung;
  const now = clock.now();
  // Until the first job has noted it, it is in use since now.
  const begun = einsatz ?? { seit: now.toISOString(), zuletzt_am: now.toISOString() };
  const gemerkt: Gemerkt = { ...begun, erreicht_am, versucht_am, hindernis };
  return {
    status: statusOf(licence, names(liste?.sperren ?? [], licence), gemerkt, now),
    licence,
    liste: {
      nummer: liste?.nummer ?? null,
      ausgestellt_am: liste?.ausgestellt_am ?? null,
      erreicht_am,
      nicht_erreicht_seit: unreachedSince(gemerkt, effectiveNow(now, gemerkt.zuletzt_am)),
      hindernis,
      arbeitet_bis: graceEnd(gemerkt).toISOString(),
    },
  };
}

/** How many Mandanten may be there: null without a licence. One that proves nothing covers a single one. */
async function allowedMandanten({ config }: Pick<Context, 'config'>): Promise<number | null> {
  const installed = await installedLicence(config);
  if (installed === null) return null;
  return 'invalid' in installed ? 1 : installed.licence.mandanten;
}

/**
 * Makes sure that the licence covers one Mandant more; of two at once who want the last place, the second waits for the
 * first and is refused. Throws 409.
 */
export async function requireMandantenPlatz(context: Pick<Context, 'config'>, tx: MandantTx): Promise<void> {
  const allowed = await allowedMandanten(context);
  if (allowed === null) return;
  await lockMandantenPlaetze(tx);
  if ((await countMandanten(tx)) < allowed) return;
  throw conflict('lizenz_ausgeschoepft', {
    de: `Die Lizenz dieser Installation umfasst ${allowed === 1 ? 'einen Mandanten' : `${allowed} Mandanten`}; einen weiteren gibt es erst mit einer größeren. Wenden Sie sich an den Betreiber.`,
    en: `The licence of this installation covers ${allowed === 1 ? 'one Mandant' : `${allowed} Mandanten`}; another one needs a larger licence. Please turn to the operator.`,
  });
}
