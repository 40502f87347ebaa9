/** Requests made, listed, decided. */
import { v7 as uuidv7 } from 'uuid';
import {
  type antraege,
  type antragEntscheiden,
  type BodyOf,
  MAX_OPEN_ANTRAEGE,
  type QueryOf,
  type ResponseOf,
} from '#contracts';
import { lockMandant } from '#domains/mandant/index.ts';
import { type Akteur, recordChange, SYSTEM } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { cursorOf, pageOf } from '#platform/page.ts';
import type { KeyPrincipal } from '#platform/principal.ts';
import { antragMissing, decidedAlready } from './errors.ts';
import {
  type AntragAnswer,
  countOpen,
  decideAntrag,
  findOpen,
  insertAntrag,
  lockAntrag,
  readAntraege,
  readAntrag,
} from './store.ts';
import { grant, subjectOf, type Wunsch } from './subject.ts';

type Context = Pick<ServiceContext, 'db' | 'clock'>;
type Asker = Pick<KeyPrincipal, 'mandant' | 'schluesselId'>;

const cursor = cursorOf('antraege', 'uuid');

/** A page of requests, latest first. */
export async function listAntraege(
  { db }: Pick<Context, 'db'>,
  mandant: MandantId,
  { status, limit, nach }: QueryOf<typeof antraege>,
): Promise<ResponseOf<typeof antraege>> {
  const [after] = cursor.read(nach) ?? [];
  const found = await db.forMandant(mandant, (tx) => readAntraege(tx, { status }, limit + 1, after));
  const { rows, weiter } = pageOf(found, limit, cursor, ({ antrag_id }) => [antrag_id]);
  return { antraege: rows, weiter };
}

/** Requests that one answer to a program names. */
const MOST_OF_KEY = 20;

/** The latest requests of a key. */
export const antraegeOfKey = ({ db }: Pick<Context, 'db'>, { mandant, schluesselId }: Asker) =>
  db.forMandant(mandant, (tx) => readAntraege(tx, { schluesselId }, MOST_OF_KEY));

/**
 * Makes a request; the one that waits already where the key has asked for the same. Null where too many wait. Throws InvalidInput for what
 * cannot be asked for.
 */
export function makeAntrag(
  { db, clock }: Context,
  { mandant, schluesselId }: Asker,
  wunsch: Wunsch,
): Promise<AntragAnswer | null> {
  return db.forMandant(mandant, async (tx) => {
    const now = clock.now();
    // One after another: of two at once neither would see the other.
    await lockMandant(tx);
    const wish = {
      ...(await subjectOf(tx, wunsch, now)),
      antrag_id: uuidv7(),
      schluessel_id: schluesselId,
      begruendung: wunsch.begruendung,
      angelegt_am: now.toISOString(),
    };
    const open = await findOpen(tx, wish);
    if (open === undefined) {
      if ((await countOpen(tx)) >= MAX_OPEN_ANTRAEGE) return null;
      await insertAntrag(tx, wish);
      const { antrag_id: id, bezeichnung: name, art, wunsch_eur } = wish;
      await recordChange(tx, mandant, now, {
        akteur: SYSTEM,
        aktion: 'antrag.gestellt',
        objekt: { art: 'antrag', id, name },
        nachher: { art, wunsch_eur, schluessel_id: schluesselId },
      });
    }
    return (await readAntrag(tx, open ?? wish.antrag_id)) ?? null;
  });
}

/** What a decision makes of a request. */
function decisionOf(
  { art, wunsch_eur }: AntragAnswer,
  { gewaehrt, betrag_eur, antwort }: BodyOf<typeof antragEntscheiden>,
) {
  const limit = gewaehrt && art !== 'eingriff' ? (betrag_eur ?? wunsch_eur) : null;
  const status = gewaehrt ? ('gewaehrt' as const) : ('abgelehnt' as const);
  return { status, gewaehrt_eur: limit, antwort: antwort ?? null };
}

/** Grants or declines; 404 when the Mandant has no such request or what it is about is gone, 409 when it is decided. */
export function decide(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
  body: BodyOf<typeof antragEntscheiden>,
): Promise<AntragAnswer> {
  return db.forMandant(mandant, async (tx) => {
    const before = await lockAntrag(tx, id);
    const antrag = before === undefined ? undefined : await readAntrag(tx, id);
    if (!antrag) throw antragMissing();
    if (before !== 'offen') throw decidedAlready();
    const now = clock.now();
    const decision = decisionOf(antrag, body);
    const { status, gewaehrt_eur, antwort } = decision;
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: `antrag.${status}`,
      objekt: { art: 'antrag', id, name: antrag.bezeichnung },
      nachher: { gewaehrt_eur, antwort },
    });
    if (status === 'gewaehrt') await grant(tx, now, akteur, antrag, gewaehrt_eur);
    const decided = { ...decision, entschieden_am: now.toISOString(), entschieden_von: akteur.name };
    await decideAntrag(tx, id, decided);
    return { ...antrag, ...decided };
  });
}
