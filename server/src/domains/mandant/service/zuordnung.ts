/** Whose calls are, where programs say it in their own words; and whether what a subscription pays for is passed on. */
import type { BodyOf, ResponseOf, zuordnungSetzen } from '#contracts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { lockMandant, readMandant, updateMandant } from '../store.ts';
import { zuordnungToApi } from '../to-api.ts';

/** Own names of attributes, the first of each counts most. */
export interface OwnNames {
  endkunde: string[];
  funktion: string[];
  projekt: string[];
}

/** By which names the programs of the Mandant name what no convention has a name for. */
export async function readOwnNames(tx: MandantTx): Promise<OwnNames> {
  const { endkunde_namen, funktion_namen, projekt_namen } = await readMandant(tx);
  return { endkunde: endkunde_namen, funktion: funktion_namen, projekt: projekt_namen };
}

const once = (names: readonly string[]): string[] => [...new Set(names)];

export function setZuordnung(
  context: Pick<ServiceContext, 'db' | 'clock'>,
  mandant: MandantId,
  akteur: Akteur,
  body: BodyOf<typeof zuordnungSetzen>,
): Promise<ResponseOf<typeof zuordnungSetzen>> {
  const next = {
    endkunde_namen: once(body.endkunde_namen),
    funktion_namen: once(body.funktion_namen),
    projekt_namen: once(body.projekt_namen),
    abo_weiterbelasten: body.abo_weiterbelasten,
  };
  return context.db.forMandant(mandant, async (tx) => {
    const row = await lockMandant(tx);
    const changes = changedFields(zuordnungToApi(row), next);
    if (changes) {
      await updateMandant(tx, mandant, next);
      await recordChange(tx, mandant, context.clock.now(), {
        akteur,
        aktion: 'zuordnung.geaendert',
        objekt: { art: 'mandant', id: mandant, name: row.firma },
        ...changes,
      });
    }
    return next;
  });
}
