/** How the Mandant is alarmed, and what its webhook is signed with. */
import type {
  AlarmEinstellungen,
  BodyOf,
  einstellungenSetzen,
  geheimnisErneuern,
  ResponseOf,
  Static,
} from '#contracts';
import { readMandant } from '#domains/mandant/index.ts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import { InvalidInput, type ValueFault } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { SecretBox } from '#platform/secret-box.ts';
import {
  type Einstellungen,
  lockEinstellungen,
  readEinstellungen,
  readGeheimnisse,
  writeEinstellungen,
  writeGeheimnisse,
} from '../einstellungen.ts';
import { formerUntil, renewed } from '../signing.ts';
import { einstellungenToApi } from '../to-api.ts';

type Context = Pick<ServiceContext, 'db' | 'clock' | 'secrets'>;
type Wish = BodyOf<typeof einstellungenSetzen>;

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const timeFault = (path: ValueFault['path'], text: string | undefined): ValueFault[] =>
  text === undefined || TIME.test(text)
    ? []
    : [
        {
          path,
          reason: { de: 'muss eine Uhrzeit HH:MM sein', en: 'must be a time of day HH:MM' },
          input: text,
        },
      ];

/** Throws 422 with every time that is none. */
function refuseFaulty({ ruhestunden, sammeln_um }: Wish): void {
  const faults = [
    ...timeFault(['ruhestunden', 'von'], ruhestunden?.von),
    ...timeFault(['ruhestunden', 'bis'], ruhestunden?.bis),
    ...timeFault(['sammeln_um'], sammeln_um),
  ];
  if (faults.length > 0) throw new InvalidInput(faults);
}

function merge(before: Einstellungen, { sprache, ruhestunden, sammeln, sammeln_um }: Wish): Einstellungen {
  const days = ruhestunden ? [...new Set(ruhestunden.tage)].sort((a, b) => a - b) : [];
  return {
    sprache: sprache ?? before.sprache,
    ruhestunden:
      ruhestunden === undefined ? before.ruhestunden : ruhestunden && { ...ruhestunden, tage: days },
    sammeln: sammeln ?? before.sammeln,
    sammelnUm: sammeln_um ?? before.sammelnUm,
  };
}

/** The settings as they may be shown. */
export const settingsIn = async (
  tx: MandantTx,
  secrets: SecretBox,
  now: Date,
): Promise<Static<typeof AlarmEinstellungen>> =>
  einstellungenToApi(await readEinstellungen(tx), await readGeheimnisse(tx, secrets), now);

const shown = (tx: MandantTx, { secrets, clock }: Context) => settingsIn(tx, secrets, clock.now());

export const readSettings = (
  context: Context,
  mandant: MandantId,
): Promise<Static<typeof AlarmEinstellungen>> => context.db.forMandant(mandant, (tx) => shown(tx, context));

/** What the audit log tells of settings. */
const fieldsOf = ({ sammelnUm: sammeln_um, ...others }: Einstellungen) => ({ ...others, sammeln_um });

/** What it calls them. */
const objectOf = async (tx: MandantTx) => {
  const { mandant_id, firma } = await readMandant(tx);
  return { art: 'mandant', id: mandant_id, name: firma };
};

/** Sets what is given; a field left out stays. Throws 422 for times that are none. */
export async function setSettings(
  context: Context,
  mandant: MandantId,
  akteur: Akteur,
  wish: Wish,
): Promise<Static<typeof AlarmEinstellungen>> {
  refuseFaulty(wish);
  return context.db.forMandant(mandant, async (tx) => {
    await lockEinstellungen(tx);
    const before = await readEinstellungen(tx);
    const after = merge(before, wish);
    const changes = changedFields(fieldsOf(before), fieldsOf(after));
    if (changes) {
      await writeEinstellungen(tx, after);
      await recordChange(tx, mandant, context.clock.now(), {
        akteur,
        aktion: 'alarme.einstellungen_geaendert',
        objekt: await objectOf(tx),
        ...changes,
      });
    }
    return shown(tx, context);
  });
}

/** Makes a new secret; the answer is the only place it ever stands in. */
export function renewSecret(
  { db, clock, secrets }: Context,
  mandant: MandantId,
  akteur: Akteur,
): Promise<ResponseOf<typeof geheimnisErneuern>> {
  return db.forMandant(mandant, async (tx) => {
    const now = clock.now();
    await lockEinstellungen(tx);
    const before = await readGeheimnisse(tx, secrets);
    const after = renewed(before, now);
    await writeGeheimnisse(tx, secrets, after);
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'alarme.geheimnis_erneuert',
      objekt: await objectOf(tx),
      vorher: { unterschrift_seit: before?.seit ?? null },
      nachher: { unterschrift_seit: after.seit },
    });
    return {
      geheimnis: after.aktuell,
      unterschrift_seit: after.seit,
      unterschrift_frueher_bis: formerUntil(after, now),
    };
  });
}
