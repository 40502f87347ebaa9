/** The API keys of a Mandant. */
import { v7 as uuidv7 } from 'uuid';
import type { BodyOf, Schluessel, SchluesselNeu, Static, schluesselAnlegen } from '#contracts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { notFound } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { cursorOf, type PageQuery, pageOf } from '#platform/page.ts';
import { hashOf } from '#platform/secret.ts';
import { newKeySecret, scopesOf, visibleParts } from './rules.ts';
import { blockSchluessel, insertSchluessel, listSchluessel, readSchluessel } from './store.ts';
import { schluesselToApi } from './to-api.ts';

const cursor = cursorOf('schluessel', 'instant', 'uuid');

/** In the place of a page of keys, for those who may not administer them. */
export const NO_KEYS = { schluessel: null, weiter: null };

/** A page of the Mandant's keys, blocked ones too, oldest first. */
export async function pageOfKeys(
  tx: MandantTx,
  { limit, nach }: PageQuery,
): Promise<{ schluessel: Static<typeof Schluessel>[]; weiter: string | null }> {
  const [erstellt_am, schluessel_id] = cursor.read(nach) ?? [];
  const after = erstellt_am && schluessel_id ? { erstellt_am, schluessel_id } : null;
  const found = await listSchluessel(tx, limit + 1, after);
  const { rows, weiter } = pageOf(found, limit, cursor, (row) => [row.erstellt_am, row.schluessel_id]);
  return { schluessel: rows.map(schluesselToApi), weiter };
}

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
    if (!row) throw notFound({ de: 'Diesen Schlüssel', en: 'This key' });
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
