/** The API keys of a Mandant. */
import { v7 as uuidv7 } from 'uuid';
import type {
  BodyOf,
  Schluessel,
  SchluesselNeu,
  Static,
  schluesselAendern,
  schluesselAnlegen,
} from '#contracts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import { notFound } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { type MandantTx, requireRoomFor } from '#platform/database/index.ts';
import { cursorOf, type PageQuery, pageOf } from '#platform/page.ts';
import { hashOf } from '#platform/secret.ts';
import { KEYS } from './limits.ts';
import { newKeySecret, scopesOf, visibleParts } from './rules.ts';
import {
  blockSchluessel,
  insertSchluessel,
  listSchluessel,
  lockSchluessel,
  readSchluessel,
  type SchluesselRow,
  updateLimits,
} from './store.ts';
import { schluesselToApi } from './to-api.ts';

const cursor = cursorOf('schluessel', 'instant', 'uuid');

type Limits = Pick<SchluesselRow, 'anfragen_je_minute' | 'ereignisse_je_minute'>;

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

const limitsIn = ({ anfragen_je_minute, ereignisse_je_minute }: Limits): Limits => ({
  anfragen_je_minute,
  ereignisse_je_minute,
});

/** Creates an API key; the answer is the only place the whole key ever stands in. Throws 409 where there are too many. */
export async function createKey(
  context: ServiceContext,
  mandant: MandantId,
  akteur: Akteur,
  input: BodyOf<typeof schluesselAnlegen>,
): Promise<Static<typeof SchluesselNeu>> {
  const schluessel = newKeySecret();
  const now = context.clock.now();
  return context.db.forMandant(mandant, async (tx) => {
    await requireRoomFor(tx, KEYS);
    const row = await insertSchluessel(tx, {
      mandant_id: mandant,
      schluessel_id: uuidv7(),
      name: input.name,
      hash: hashOf(schluessel),
      ...visibleParts(schluessel),
      bereiche: scopesOf(input.bereiche),
      projekt: input.projekt ?? null,
      anfragen_je_minute: input.anfragen_je_minute ?? null,
      ereignisse_je_minute: input.ereignisse_je_minute ?? null,
      erstellt_am: now.toISOString(),
    });
    const { name, bereiche, projekt } = row;
    const limited = row.anfragen_je_minute !== null || row.ereignisse_je_minute !== null;
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'schluessel.angelegt',
      objekt: { art: 'schluessel', id: row.schluessel_id, name },
      nachher: { name, bereiche, projekt, ...(limited ? limitsIn(row) : {}) },
    });
    return { ...schluesselToApi(row), schluessel };
  });
}

/**
 * Changes what a key may send in a minute: null takes a limit away, a field left out stays. Throws 404 for a key the Mandant does
 * not have.
 */
export async function changeKey(
  context: ServiceContext,
  mandant: MandantId,
  akteur: Akteur,
  schluesselId: string,
  wish: BodyOf<typeof schluesselAendern>,
): Promise<Static<typeof Schluessel>> {
  return context.db.forMandant(mandant, async (tx) => {
    const before = await lockSchluessel(tx, schluesselId);
    if (!before) throw notFound({ de: 'Diesen Schlüssel', en: 'This key' });
    const {
      anfragen_je_minute = before.anfragen_je_minute,
      ereignisse_je_minute = before.ereignisse_je_minute,
    } = wish;
    const after = { anfragen_je_minute, ereignisse_je_minute };
    const fields = changedFields(limitsIn(before), after);
    if (!fields) return schluesselToApi(before);
    await updateLimits(tx, schluesselId, after);
    await recordChange(tx, mandant, context.clock.now(), {
      akteur,
      aktion: 'schluessel.geaendert',
      objekt: { art: 'schluessel', id: before.schluessel_id, name: before.name },
      ...fields,
    });
    return schluesselToApi({ ...before, ...after });
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
