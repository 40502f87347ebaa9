/** Invoices of providers: putting in, changing, taking out. */
import { v7 as uuidv7 } from 'uuid';
import { type BodyOf, MAX_RECHNUNGEN, type rechnungErfassen } from '#contracts';
import { lockMandant } from '#domains/mandant/index.ts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import { requireMonth } from '#domains/weiterbelastung/index.ts';
import { InvalidInput } from '#kernel/errors.ts';
import { toInstant } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { textProblem } from '#kernel/name.ts';
import type { ServiceContext } from '#platform/context.ts';
import { type MandantTx, requireRoomFor } from '#platform/database/index.ts';
import { invoiceMissing, invoiceThere, noRate, tooManyInvoices } from '../errors.ts';
import { INVOICES } from '../limits.ts';
import { Exact, type Invoice } from '../rules.ts';
import {
  deleteInvoice,
  type InvoiceRow,
  insertInvoice,
  lockInvoice,
  readInvoices,
  readRate,
  updateInvoice,
} from '../store/rechnungen.ts';

type Context = Pick<ServiceContext, 'db' | 'clock'>;
type Input = BodyOf<typeof rechnungErfassen>;

export const toApi = (row: InvoiceRow): Invoice => ({
  ...row,
  betrag_eur: new Exact(row.betrag).times(row.kurs).toString(),
  erfasst_am: toInstant(row.erfasst_am),
});

const said = (row: InvoiceRow) => {
  const { rechnung_id: _, erfasst_am: __, erfasst_von: ___, ...fields } = row;
  return fields;
};

const objektOf = ({ rechnung_id, monat, anbieter }: InvoiceRow) => ({
  art: 'rechnung',
  id: rechnung_id,
  name: `${anbieter} ${monat}`,
});

function refuseFaulty(input: Input): void {
  for (const name of ['anbieter', 'rechnungsnummer', 'notiz'] as const) {
    const value = input[name];
    const problem = value ? textProblem(value) : null;
    if (problem) throw new InvalidInput({ path: [name], reason: problem, input: value });
  }
  for (const name of ['betrag', 'kurs'] as const)
    if ((input[name]?.split('.')[1]?.length ?? 0) > 12)
      throw new InvalidInput({
        path: [name],
        input: input[name],
        reason: { de: 'darf höchstens 12 Nachkommastellen haben', en: 'may have 12 decimals at most' },
      });
}

async function rateOf(tx: MandantTx, { monat, waehrung, kurs }: Input): Promise<string> {
  if (waehrung === 'EUR') return '1';
  if (kurs !== null && kurs !== undefined) return kurs;
  const last = Temporal.PlainYearMonth.from(monat);
  const rate = await readRate(tx, last.toPlainDate({ day: last.daysInMonth }).toString());
  if (rate === null) throw noRate();
  return rate;
}

async function fieldsOf(tx: MandantTx, input: Input, now: Temporal.Instant) {
  // Another user who puts one in at the same time waits: there is a most of them.
  const { zeitzone } = await lockMandant(tx);
  refuseFaulty(input);
  return {
    monat: requireMonth(input.monat, now, zeitzone),
    anbieter: input.anbieter,
    betrag: new Exact(input.betrag).toString(),
    waehrung: input.waehrung,
    kurs: await rateOf(tx, input),
    rechnungsnummer: input.rechnungsnummer?.trim() || null,
    notiz: input.notiz?.trim() || null,
  };
}

async function requireRoom(tx: MandantTx, row: InvoiceRow): Promise<void> {
  const others = (await readInvoices(tx, row.monat)).filter(
    (each) => each.anbieter === row.anbieter && each.rechnung_id !== row.rechnung_id,
  );
  const isSame = (each: InvoiceRow) =>
    each.rechnungsnummer === row.rechnungsnummer &&
    each.waehrung === row.waehrung &&
    new Exact(each.betrag).equals(row.betrag);
  if (row.rechnungsnummer !== null && others.some(isSame)) throw invoiceThere();
  if (others.length >= MAX_RECHNUNGEN) throw tooManyInvoices();
}

/** Throws 422; 409 where there are too many, or no rate is known. */
export function addInvoice(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  input: Input,
): Promise<Invoice> {
  const now = clock.now();
  return db.forMandant(mandant, async (tx) => {
    const row: InvoiceRow = {
      rechnung_id: uuidv7(),
      ...(await fieldsOf(tx, input, now.toTemporalInstant())),
      erfasst_am: now.toISOString(),
      erfasst_von: akteur.name,
    };
    await requireRoom(tx, row);
    await requireRoomFor(tx, INVOICES);
    await insertInvoice(tx, row);
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'rechnung.erfasst',
      objekt: objektOf(row),
      nachher: said(row),
    });
    return toApi(row);
  });
}

/** Throws 404, 422; 409 as `addInvoice`. */
export function changeInvoice(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
  input: Input,
): Promise<Invoice> {
  const now = clock.now();
  return db.forMandant(mandant, async (tx) => {
    const fields = await fieldsOf(tx, input, now.toTemporalInstant());
    const before = await lockInvoice(tx, id);
    if (!before) throw invoiceMissing();
    const row: InvoiceRow = { ...before, ...fields };
    await requireRoom(tx, row);
    const changes = changedFields(said(before), said(row));
    if (changes) {
      await updateInvoice(tx, row);
      await recordChange(tx, mandant, now, {
        akteur,
        aktion: 'rechnung.geaendert',
        objekt: objektOf(row),
        ...changes,
      });
    }
    return toApi(row);
  });
}

/** Throws 404. */
export function removeInvoice(
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
): Promise<Invoice> {
  return db.forMandant(mandant, async (tx) => {
    const row = await lockInvoice(tx, id);
    if (!row) throw invoiceMissing();
    await deleteInvoice(tx, id);
    await recordChange(tx, mandant, clock.now(), {
      akteur,
      aktion: 'rechnung.entfernt',
      objekt: objektOf(row),
      vorher: said(row),
    });
    return toApi(row);
  });
}
