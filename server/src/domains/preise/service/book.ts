/** The price book of a Mandant: read, and made anew as an edition of its own. */
import type { BodyOf, preiseSetzen, ResponseOf } from '#contracts';
import { lockMandant } from '#domains/mandant/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { enqueue } from '#jobs/index.ts';
import { notFound } from '#kernel/errors.ts';
import { toInstant } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { type MandantTx, requireRoomFor } from '#platform/database/index.ts';
import { changesOf } from '../book/changes.ts';
import { type BookContent, type BookPrice, EMPTY_BOOK, isSameBook, toContent } from '../book/content.ts';
import { bookChanged } from '../errors.ts';
import { preisbuchGeaendert } from '../jobs/preisbuch-geaendert.ts';
import { EDITIONS } from '../limits.ts';
import { type EditionRow, insertEdition, readEdition, readLatest } from '../store/books.ts';

type Context = Pick<ServiceContext, 'db' | 'clock'>;
type Answer = ResponseOf<typeof preiseSetzen>;

const toApi = ({ inhalt, erstellt_am, ...row }: EditionRow): Answer => ({
  ...row,
  erstellt_am: toInstant(erstellt_am),
  ...inhalt,
});

const NONE: Answer = { fassung: 0, erstellt_am: null, erstellt_von: null, ...EMPTY_BOOK };

/** The edition in force; edition 0, which is empty, where there is none. */
export const readBook = ({ db }: Context, mandant: MandantId): Promise<Answer> =>
  db.forMandant(mandant, async (tx) => {
    const row = await readLatest(tx);
    return row ? toApi(row) : NONE;
  });

/** An edition as it was. Throws 404. */
export const readBookEdition = ({ db }: Context, mandant: MandantId, fassung: number): Promise<Answer> =>
  db.forMandant(mandant, async (tx) => {
    const row = await readEdition(tx, fassung);
    if (!row) throw notFound({ de: 'Diese Fassung', en: 'This edition' });
    return toApi(row);
  });

/** Who changes a book, and the edition that was read for it. */
interface Change {
  mandant: MandantId;
  akteur: Akteur;
  fassung: number;
}

/** The edition in force, which stays so until the transaction ends. Throws 409 where it is another one than was read. */
async function holdBook(tx: MandantTx, fassung: number): Promise<EditionRow | undefined> {
  await lockMandant(tx);
  const row = await readLatest(tx);
  if ((row?.fassung ?? 0) !== fassung) throw bookChanged();
  return row;
}

async function store(
  tx: MandantTx,
  now: Date,
  { mandant, akteur }: Change,
  before: EditionRow | undefined,
  inhalt: BookContent,
): Promise<Answer> {
  if (isSameBook(before?.inhalt ?? EMPTY_BOOK, inhalt)) return before ? toApi(before) : NONE;
  const fassung = (before?.fassung ?? 0) + 1;
  const row = { fassung, inhalt, erstellt_am: now.toISOString(), erstellt_von: akteur.name };
  await requireRoomFor(tx, EDITIONS);
  await insertEdition(tx, row);
  await enqueue(tx, preisbuchGeaendert, { fassung });
  const { vorher, nachher } = changesOf(before?.inhalt ?? EMPTY_BOOK, inhalt);
  await recordChange(tx, mandant, now, {
    akteur,
    aktion: 'preisbuch.geaendert',
    objekt: { art: 'preisbuch', id: null, name: String(fassung) },
    vorher: { fassung: before?.fassung ?? 0, ...vorher },
    nachher: { fassung, ...nachher },
  });
  return toApi(row);
}

/** Makes a new edition, unless it says the same. Throws 422; 409 where the book is another one than was read. */
export function setBook(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  input: BodyOf<typeof preiseSetzen>,
): Promise<Answer> {
  const content = toContent(input);
  const change = { mandant, akteur, fassung: input.fassung };
  return db.forMandant(mandant, async (tx) =>
    store(tx, clock.now(), change, await holdBook(tx, input.fassung), content),
  );
}

/** The same with own prices out of a CSV; with `probe` it is only checked. Throws 409. */
export function importPrices(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  { fassung, preise, probe }: { fassung: number; preise: BookPrice[]; probe: boolean },
): Promise<Answer> {
  return db.forMandant(mandant, async (tx) => {
    const before = await holdBook(tx, fassung);
    const content = { ...(before?.inhalt ?? EMPTY_BOOK), preise };
    const now = clock.now();
    if (!probe) return store(tx, now, { mandant, akteur, fassung }, before, content);
    const next = {
      fassung,
      erstellt_am: before?.erstellt_am ?? null,
      erstellt_von: before?.erstellt_von ?? null,
    };
    return { ...next, erstellt_am: next.erstellt_am && toInstant(next.erstellt_am), ...content };
  });
}
