/** The API keys of a Mandant. */
import { v7 as uuidv7 } from 'uuid';
import type { BodyOf, Schluessel, SchluesselNeu, Static, schluesselAnlegen } from '#contracts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { notFound } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { hashOf } from '#platform/secret.ts';
import { newKeySecret, scopesOf, visibleParts } from './rules.ts';
import { blockSchluessel, insertSchluessel, readSchluessel } from './store.ts';
import { schluesselToApi } from './to-api.ts';

/** Creates an API key; the answer is the only place the whole key ever stands in. */
export async function createKey(
  context: ServiceContext,
  mandant: MandantId,
  akteur: Akteur,
  input: BodyOf<typeof schluesselAnlegen>,
): Promise<Static<typeof SchluesselNeu>> {
  const schluessel = newKeySecret();
  const now = context.clock.now();
  return context.db.forMandant(mandant, async (tx) => {
    const row = await insertSchluessel(tx, {
      mandant_id: mandant,
      schluessel_id: uuidv7(),
      name: input.name,
      hash: hashOf(schluessel),
      ...visibleParts(schluessel),
      bereiche: scopesOf(input.bereiche),
      projekt: input.projekt ?? null,
      erstellt_am: now.toISOString(),
    });
    const { name, bereiche, projekt } = row;
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'schluessel.angelegt',
      objekt: { art: 'schluessel', id: row.schluessel_id, name },
      nachher: { name, bereiche, projekt },
    });
    return { ...schluesselToApi(row), schluessel };
  });
}

/** Blocks a key; repeated, it answers the same. Throws 404 for a key the Mandant does not have. */
export async function blockKey(
  context: ServiceContext,
  mandant: MandantId,
  akteur: Akteur,
  schluesselId: string,
): Promise<Static<typeof Schluessel>> {
  const now = context.clock.now();
  return context.db.forMandant(mandant, async (tx) => {
    const before = await readSchluessel(tx, schluesselId);
    const row = await blockSchluessel(tx, schluesselId, now.toISOString());
    if (!row) throw notFound('Diesen Schlüssel');
    if (before?.gesperrt_am === null)
      await recordChange(tx, mandant, now, {
        akteur,
        aktion: 'schluessel.gesperrt',
        objekt: { art: 'schluessel', id: row.schluessel_id, name: row.name },
        vorher: { status: 'aktiv' },
        nachher: { status: 'gesperrt' },
      });
    return schluesselToApi(row);
  });
}
