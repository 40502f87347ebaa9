/** Putting in, changing, deleting and merging end customers. */
import {
  type BodyOf,
  type Endkunde as EndkundeSchema,
  type endkundeAendern,
  type endkundeAnlegen,
  MAX_MERGED,
  type Static,
} from '#contracts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import { InvalidInput } from '#kernel/errors.ts';
import { toInstant } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { textProblem } from '#kernel/name.ts';
import type { ServiceContext } from '#platform/context.ts';
import { type MandantTx, requireRoomFor } from '#platform/database/index.ts';
import { chained, customerExists, customerMissing, tooManyMerged } from '../errors.ts';
import { CUSTOMERS } from '../limits.ts';
import {
  type EndkundeRow,
  insertEndkunde,
  lockByReference,
  lockEndkunde,
  readMerged,
  releaseMerged,
  type Stammdaten,
  updateEndkunde,
} from '../store/endkunden.ts';
import { givenMasterData } from './master-data.ts';

type Context = Pick<ServiceContext, 'db' | 'clock'>;
type Endkunde = Static<typeof EndkundeSchema>;

export const toApi = (row: EndkundeRow, merged: EndkundeRow[]): Endkunde => ({
  endkunde_id: row.endkunde_id,
  referenz: row.referenz,
  name: row.name,
  kostenstelle: row.kostenstelle,
  debitorenkonto: row.debitorenkonto,
  email: row.email,
  aufschlag_prozent: row.aufschlag_prozent,
  entfernt: row.entfernt_am !== null,
  zusammengefuehrt: merged.map(({ endkunde_id, referenz }) => ({ endkunde_id, referenz })),
  erstellt_am: toInstant(row.erstellt_am),
});

export const EMPTY: Stammdaten = {
  name: null,
  kostenstelle: null,
  debitorenkonto: null,
  email: null,
  aufschlag_prozent: '0',
};

export const stammdatenOf = (row: Stammdaten): Stammdaten => ({
  name: row.name,
  kostenstelle: row.kostenstelle,
  debitorenkonto: row.debitorenkonto,
  email: row.email,
  aufschlag_prozent: row.aufschlag_prozent,
});

const objektOf = (row: Pick<EndkundeRow, 'endkunde_id' | 'referenz'>) => ({
  art: 'endkunde',
  id: row.endkunde_id,
  name: row.referenz,
});

async function hold(tx: MandantTx, id: string): Promise<EndkundeRow> {
  const row = await lockEndkunde(tx, id);
  if (!row) throw customerMissing();
  return row;
}

const answer = async (tx: MandantTx, id: string): Promise<Endkunde> =>
  toApi(await hold(tx, id), await readMerged(tx, id));

/** Puts one in. Throws 422, and 409 when there is one with the reference, or too many. */
export function addEndkunde(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  input: BodyOf<typeof endkundeAnlegen>,
): Promise<Endkunde> {
  const { referenz, ...rest } = input;
  const problem = textProblem(referenz);
  if (problem) throw new InvalidInput({ path: ['referenz'], reason: problem, input: referenz });
  const fields = { ...EMPTY, ...givenMasterData(rest) };
  return db.forMandant(mandant, async (tx) => {
    await requireRoomFor(tx, CUSTOMERS);
    let id = await insertEndkunde(tx, { referenz, ...fields });
    if (id === null) {
      const row = await lockByReference(tx, referenz);
      if (!row || row.entfernt_am === null) throw customerExists();
      id = row.endkunde_id;
      await updateEndkunde(tx, id, { ...fields, entfernt_am: null });
    }
    await recordChange(tx, mandant, clock.now(), {
      akteur,
      aktion: 'endkunde.angelegt',
      objekt: objektOf({ endkunde_id: id, referenz }),
      nachher: { referenz, ...fields },
    });
    return answer(tx, id);
  });
}

/** Sets the fields that are given. Throws 404, 422. */
export function changeEndkunde(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
  input: BodyOf<typeof endkundeAendern>,
): Promise<Endkunde> {
  const fields = givenMasterData(input);
  return db.forMandant(mandant, async (tx) => {
    const row = await hold(tx, id);
    const changes = changedFields(stammdatenOf(row), { ...stammdatenOf(row), ...fields });
    if (changes) {
      await updateEndkunde(tx, id, { ...fields, entfernt_am: null });
      await recordChange(tx, mandant, clock.now(), {
        akteur,
        aktion: 'endkunde.geaendert',
        objekt: objektOf(row),
        ...changes,
      });
    }
    return answer(tx, id);
  });
}

/** Forgets all but the reference. Throws 404. */
export function removeEndkunde(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
): Promise<Endkunde> {
  return db.forMandant(mandant, async (tx) => {
    const row = await hold(tx, id);
    const now = clock.now();
    if (row.entfernt_am === null) {
      await releaseMerged(tx, id);
      await updateEndkunde(tx, id, { ...EMPTY, gehoert_zu: null, entfernt_am: now.toISOString() });
      await recordChange(tx, mandant, now, {
        akteur,
        aktion: 'endkunde.entfernt',
        objekt: objektOf(row),
        vorher: { ...stammdatenOf(row) },
      });
    }
    return answer(tx, id);
  });
}

/** Whether one of them counts for another already or has others that count for it, is the other itself, or is forgotten. */
async function makesChain(tx: MandantTx, row: EndkundeRow, target: EndkundeRow): Promise<boolean> {
  const isForgotten = target.entfernt_am !== null || row.entfernt_am !== null;
  if (isForgotten || target.gehoert_zu !== null || target.endkunde_id === row.endkunde_id) return true;
  return (await readMerged(tx, row.endkunde_id)).length > 0;
}

async function requireRoomIn(tx: MandantTx, target: EndkundeRow): Promise<void> {
  if ((await readMerged(tx, target.endkunde_id)).length >= MAX_MERGED) throw tooManyMerged();
}

/** What the audit log says of it. */
const mergerOf = (row: EndkundeRow, target: EndkundeRow | null) =>
  target
    ? { aktion: 'endkunde.zusammengefuehrt' as const, nachher: { ziel: target.referenz } }
    : { aktion: 'endkunde.getrennt' as const, vorher: { ziel_id: row.gehoert_zu } };

/** Has the reference count for another end customer, or with null for itself again. Throws 404; 409 where that makes a chain. */
export function mergeEndkunde(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
  ziel_id: string | null,
): Promise<Endkunde> {
  return db.forMandant(mandant, async (tx) => {
    // Both in the order of their ids: two mergers the other way round do not wait for each other in a circle.
    for (const each of [id, ziel_id ?? id].toSorted()) await hold(tx, each);
    const row = await hold(tx, id);
    const target = ziel_id === null ? null : await hold(tx, ziel_id);
    if (target && (await makesChain(tx, row, target))) throw chained();
    if (row.gehoert_zu !== ziel_id) {
      if (target) await requireRoomIn(tx, target);
      await updateEndkunde(tx, id, { gehoert_zu: ziel_id });
      await recordChange(tx, mandant, clock.now(), {
        akteur,
        objekt: objektOf(row),
        ...mergerOf(row, target),
      });
    }
    return answer(tx, id);
  });
}
