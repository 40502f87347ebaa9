/** Asking for past calls to be priced anew: what would change, the change itself, its end. */
import { v7 as uuidv7 } from 'uuid';
import type {
  BodyOf,
  neubepreisung,
  neubepreisungAnlegen,
  neubepreisungen,
  QueryOf,
  ResponseOf,
} from '#contracts';
import { lockMandant } from '#domains/mandant/index.ts';
import { currentEdition } from '#domains/preise/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { readCallsOfDays } from '#domains/verbrauch/index.ts';
import { enqueue } from '#jobs/index.ts';
import { toInstant } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { cursorOf, pageOf } from '#platform/page.ts';
import { noDays, notAtThatPoint, notKept, pricesChanged, repricingMissing, repricingRuns } from './errors.ts';
import { NEU_BEPREISEN } from './jobs/rechnen.ts';
import {
  beginChange,
  endRepricing,
  firstDayKept,
  insertRepricing,
  isOneUnderWay,
  listLines,
  listRepricings,
  lockRepricing,
  type Repricing,
  readRepricing,
  removeUnapplied,
} from './store.ts';

type Context = Pick<ServiceContext, 'db' | 'clock'>;

const instant = (text: string | null) => (text === null ? null : toInstant(text));

const toApi = (row: Repricing): Repricing => ({
  ...row,
  ereignisse: Number(row.ereignisse),
  gelesen: Number(row.gelesen),
  angelegt_am: toInstant(row.angelegt_am),
  angewendet_am: instant(row.angewendet_am),
  beendet_am: instant(row.beendet_am),
});

const objektOf = ({ neubepreisung_id, von, bis }: Pick<Repricing, 'neubepreisung_id' | 'von' | 'bis'>) => ({
  art: 'neubepreisung',
  id: neubepreisung_id,
  name: `${von} – ${bis}`,
});

async function read(tx: MandantTx, id: string): Promise<Repricing> {
  const row = await readRepricing(tx, id);
  if (!row) throw repricingMissing();
  return toApi(row);
}

/** How many calls were counted of these days. */
const callsOf = (tx: MandantTx, days: { von: string; bis: string }): Promise<number> =>
  readCallsOfDays(tx, { von: Temporal.PlainDate.from(days.von), bis: Temporal.PlainDate.from(days.bis) });

/** Has it worked out what would change. Throws 422, and 409 while something is under way. */
export function prepareRepricing(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  input: BodyOf<typeof neubepreisungAnlegen>,
): Promise<Repricing> {
  return db.forMandant(mandant, async (tx) => {
    const { zeitzone } = await lockMandant(tx);
    const now = clock.now();
    const today = now.toTemporalInstant().toZonedDateTimeISO(zeitzone).toPlainDate();
    const { von } = input;
    const bis = input.bis ?? today.add({ days: 1 }).toString();
    if (bis <= von) throw noDays(input.bis ?? null);
    const first = await firstDayKept(tx);
    if (first !== null && von < first) throw notKept(first, von);
    if (await isOneUnderWay(tx)) throw repricingRuns();
    await removeUnapplied(tx);
    const neubepreisung_id = uuidv7();
    const ereignisse = await callsOf(tx, { von, bis });
    const fassung = await currentEdition(tx);
    const [angelegt_am, angelegt_von] = [now.toISOString(), akteur.name];
    await insertRepricing(tx, {
      neubepreisung_id,
      von,
      bis,
      zeitzone,
      fassung,
      ereignisse,
      angelegt_am,
      angelegt_von,
    });
    await enqueue(tx, NEU_BEPREISEN, { neubepreisung_id });
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'neubepreisung.angelegt',
      objekt: objektOf({ neubepreisung_id, von, bis }),
      nachher: { von, bis, fassung },
    });
    return read(tx, neubepreisung_id);
  });
}

/** Begins the change. Throws 404; 409 where it was not worked out, or by other prices. */
export function applyRepricing(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
): Promise<Repricing> {
  return db.forMandant(mandant, async (tx) => {
    const row = await lockRepricing(tx, id);
    if (!row) throw repricingMissing();
    if (row.status !== 'bereit') throw notAtThatPoint();
    if ((await currentEdition(tx)) !== row.fassung) throw pricesChanged();
    const first = await firstDayKept(tx);
    if (first !== null && row.von < first) throw notAtThatPoint();
    const now = clock.now();
    await beginChange(tx, id, { now: now.toISOString(), who: akteur.name });
    await enqueue(tx, NEU_BEPREISEN, { neubepreisung_id: id });
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'neubepreisung.begonnen',
      objekt: objektOf(row),
      nachher: { geaendert: row.geaendert, differenz_eur: row.differenz_eur, fassung: row.fassung },
    });
    return read(tx, id);
  });
}

/** Ends it where it is. Throws 404; 409 where it is over. */
export function endEarly(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
): Promise<Repricing> {
  return db.forMandant(mandant, async (tx) => {
    const row = await lockRepricing(tx, id);
    if (!row) throw repricingMissing();
    if (!['vorschau', 'bereit', 'laeuft'].includes(row.status)) throw notAtThatPoint();
    const now = clock.now();
    await endRepricing(tx, id, { now: now.toISOString(), grund: 'von_hand' });
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'neubepreisung.abgebrochen',
      objekt: objektOf(row),
      vorher: { status: row.status },
      nachher: { gelesen: Number(row.gelesen), geaendert: row.geaendert },
    });
    return read(tx, id);
  });
}

const LIST = cursorOf('neubepreisung.liste', 'uuid');
const LINES = cursorOf('neubepreisung.eine', 'day', 'text');

/** A page of them, the latest first. */
export async function readRepricings(
  { db }: Context,
  mandant: MandantId,
  { limit, nach }: QueryOf<typeof neubepreisungen>,
): Promise<ResponseOf<typeof neubepreisungen>> {
  const before = LIST.read(nach)?.[0] ?? null;
  const found = await db.forMandant(mandant, (tx) => listRepricings(tx, { limit: limit + 1, before }));
  const { rows, weiter } = pageOf(found, limit, LIST, ({ neubepreisung_id }) => [neubepreisung_id]);
  return { neubepreisungen: rows.map(toApi), weiter };
}

/** One with a page of its lines. Throws 404. */
export function readOneRepricing(
  { db }: Context,
  mandant: MandantId,
  id: string,
  { limit, nach }: QueryOf<typeof neubepreisung>,
): Promise<ResponseOf<typeof neubepreisung>> {
  const behind = LINES.read(nach);
  const after = behind && ([behind[0].slice(0, 7), behind[1]] as const);
  return db.forMandant(mandant, async (tx) => {
    const row = await read(tx, id);
    const found = await listLines(tx, id, { limit: limit + 1, after });
    const { rows, weiter } = pageOf(found, limit, LINES, ({ monat, agent }) => [`${monat}-01`, agent]);
    return { ...row, zeilen: rows, weiter };
  });
}
