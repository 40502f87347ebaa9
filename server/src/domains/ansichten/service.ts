/** The views of a user: nobody else sees or changes them. */
import { v7 as uuidv7 } from 'uuid';
import {
  ANSICHTEN_MAX,
  type Ansicht,
  type ansichtAendern,
  type ansichtAnlegen,
  type BodyOf,
  type Static,
} from '#contracts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import { lockBenutzer } from '#domains/zugang/index.ts';
import { notFound, unauthorized } from '#kernel/errors.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { SessionPrincipal } from '#platform/principal.ts';
import { nameTaken, tooMany } from './errors.ts';
import { type Inhalt, inhaltOf } from './rules.ts';
import { type AnsichtRow, deleteAnsicht, insertAnsicht, listAnsichten, updateAnsicht } from './store.ts';
import { ansichtToApi } from './to-api.ts';

type Context = Pick<ServiceContext, 'db' | 'clock'>;
type Answer = Static<typeof Ansicht>;

/** The audit log is read by others: it says that a view was kept, not which. */
const objektOf = ({ ansicht_id }: AnsichtRow) => ({ art: 'ansicht', id: ansicht_id });
const inhaltOfRow = ({ name, pfad, suche }: Inhalt): Inhalt => ({ name, pfad, suche });

/**
 * The views of a user as they are until the transaction ends: changes come one after another, or two at once could pass the
 * limit or take the same name. Throws 401 when the user is gone meanwhile.
 */
async function holdAnsichten(tx: MandantTx, benutzerId: string): Promise<AnsichtRow[]> {
  if (!(await lockBenutzer(tx, benutzerId)))
    throw unauthorized('nicht_angemeldet', {
      de: 'Bitte melden Sie sich an.',
      en: 'Please sign in.',
    });
  return listAnsichten(tx, benutzerId);
}

/** Throws 404 when none of them has this id. */
function viewOf(rows: AnsichtRow[], ansichtId: string): AnsichtRow {
  const row = rows.find(({ ansicht_id }) => ansicht_id === ansichtId);
  if (!row) throw notFound({ de: 'Diese Ansicht', en: 'This view' });
  return row;
}

const isTaken = (rows: AnsichtRow[], name: string) => rows.some((row) => row.name === name);

/** The views of the asking user, by name. */
export const ownViews = ({ db }: Context, { mandant, benutzerId }: SessionPrincipal) =>
  db.forMandant(
    mandant,
    async (tx): Promise<{ ansichten: Answer[] }> => ({
      ansichten: (await listAnsichten(tx, benutzerId)).map(ansichtToApi),
    }),
  );

/** Keeps a view. Throws 422; 409 for a name that one has already, and beyond the limit. */
export async function keepView(
  { db, clock }: Context,
  { mandant, benutzerId }: SessionPrincipal,
  akteur: Akteur,
  input: BodyOf<typeof ansichtAnlegen>,
): Promise<Answer> {
  const inhalt = { ...inhaltOfRow(input), ...inhaltOf(input) };
  return db.forMandant(mandant, async (tx) => {
    const rows = await holdAnsichten(tx, benutzerId);
    if (isTaken(rows, inhalt.name)) throw nameTaken();
    if (rows.length >= ANSICHTEN_MAX) throw tooMany();
    const now = clock.now();
    const erstellt_am = now.toISOString();
    const row = { ansicht_id: uuidv7(), ...inhalt, erstellt_am, geaendert_am: erstellt_am };
    await insertAnsicht(tx, { mandant_id: mandant, benutzer_id: benutzerId, ...row });
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'ansicht.angelegt',
      objekt: objektOf(row),
    });
    return ansichtToApi(row);
  });
}

/** Changes what is given of an own view. Throws 422, 404 for one that is not the user's, 409 for a name that another has. */
export async function changeView(
  { db, clock }: Context,
  { mandant, benutzerId }: SessionPrincipal,
  akteur: Akteur,
  ansichtId: string,
  input: BodyOf<typeof ansichtAendern>,
): Promise<Answer> {
  const wish = inhaltOf(input);
  return db.forMandant(mandant, async (tx) => {
    const rows = await holdAnsichten(tx, benutzerId);
    const before = viewOf(rows, ansichtId);
    const others = rows.filter((row) => row !== before);
    if (wish.name !== undefined && isTaken(others, wish.name)) throw nameTaken();
    if (!changedFields({ ...inhaltOfRow(before) }, { ...inhaltOfRow({ ...before, ...wish }) }))
      return ansichtToApi(before);
    const now = clock.now();
    const after = { ...before, ...wish, geaendert_am: now.toISOString() };
    await updateAnsicht(tx, benutzerId, after);
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'ansicht.geaendert',
      objekt: objektOf(after),
    });
    return ansichtToApi(after);
  });
}

/** Removes an own view. Throws 404 for one that is not the user's. */
export async function removeView(
  { db, clock }: Context,
  { mandant, benutzerId }: SessionPrincipal,
  akteur: Akteur,
  ansichtId: string,
): Promise<{ entfernt: boolean }> {
  return db.forMandant(mandant, async (tx) => {
    const row = viewOf(await holdAnsichten(tx, benutzerId), ansichtId);
    await deleteAnsicht(tx, benutzerId, ansichtId);
    await recordChange(tx, mandant, clock.now(), {
      akteur,
      aktion: 'ansicht.entfernt',
      objekt: objektOf(row),
    });
    return { entfernt: true };
  });
}
