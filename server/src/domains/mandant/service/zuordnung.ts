/** Whose calls are, where programs say it in their own words; and whether what a subscription pays for is passed on. */
import type { BodyOf, ResponseOf, zuordnungSetzen } from '#contracts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import { InvalidInput } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { lockMandant, type MandantRow, readMandant, updateMandant } from '../store.ts';
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

/** Counting has read the settings by then, whenever it began. */
const IN_FORCE_AFTER_MS = 60_000;
/** Changes that are kept, each of them read with every change of a counted call. */
const MOST_CHANGES = 50;

/** InvalidInput where a key stands at two places. */
function requireDifferent(merkmale: readonly string[]): void {
  const twice = merkmale.findIndex((name, index) => name !== '' && merkmale.indexOf(name) < index);
  if (twice < 0) return;
  throw new InvalidInput({
    path: ['merkmale', twice],
    reason: { de: 'der Schlüssel steht zweimal darin', en: 'the key is named twice' },
    input: merkmale[twice],
  });
}

/** The keys of own dimensions with the instant they hold from, behind those of before. */
function ownSince({ eigene_merkmale: since }: MandantRow, namen: string[], now: Date) {
  if (since.length >= MOST_CHANGES)
    throw new InvalidInput({
      path: ['merkmale'],
      reason: {
        de: `die Schlüssel wurden schon ${MOST_CHANGES}-mal geändert`,
        en: `the keys were changed ${MOST_CHANGES} times already`,
      },
      input: namen,
    });
  return [...since, { ab: new Date(now.getTime() + IN_FORCE_AFTER_MS).toISOString(), namen }];
}

const once = (names: readonly string[]): string[] => [...new Set(names)];

export function setZuordnung(
  context: Pick<ServiceContext, 'db' | 'clock'>,
  mandant: MandantId,
  akteur: Akteur,
  body: BodyOf<typeof zuordnungSetzen>,
): Promise<ResponseOf<typeof zuordnungSetzen>> {
  requireDifferent(body.merkmale ?? []);
  return context.db.forMandant(mandant, async (tx) => {
    const row = await lockMandant(tx);
    const stands = zuordnungToApi(row);
    const next = {
      endkunde_namen: once(body.endkunde_namen),
      funktion_namen: once(body.funktion_namen),
      projekt_namen: once(body.projekt_namen),
      merkmale: body.merkmale ?? stands.merkmale,
      abo_weiterbelasten: body.abo_weiterbelasten,
    };
    const changes = changedFields(stands, next);
    if (changes) {
      const { merkmale, ...columns } = next;
      const isRenamed = merkmale.join('\0') !== stands.merkmale.join('\0');
      const own = isRenamed ? { eigene_merkmale: ownSince(row, merkmale, context.clock.now()) } : {};
      await updateMandant(tx, mandant, { ...columns, ...own });
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
