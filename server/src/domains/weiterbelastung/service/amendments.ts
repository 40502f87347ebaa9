/** What bookkeeping calls end customers of months that are closed. */
import type { BodyOf, buchungBerichtigen, ResponseOf } from '#contracts';
import { lockMandant } from '#domains/mandant/index.ts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import { InvalidInput } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { notClosed } from '../errors.ts';
import { type Amendment, readAmendments, readLines, writeAmendment } from '../store/lines.ts';
import { readClosedMonths, setSettings } from '../store/months.ts';
import { readSettings } from '../store/settings.ts';
import { givenMasterData } from './master-data.ts';

type AmendmentOrder = BodyOf<typeof buchungBerichtigen>;

interface LineAmendment {
  zahler: string;
  next: Amendment;
  changes: NonNullable<ReturnType<typeof changedFields>>;
}

const NO_LINE = {
  de: 'hat in diesem Monat keine Zeile',
  en: 'has no line in this month',
};

/** What the order changes of what bookkeeping is told of a month. Throws 422. */
async function changesOf(tx: MandantTx, { monat, zeilen }: AmendmentOrder): Promise<LineAmendment[]> {
  const known = new Map((await readLines(tx, monat)).map((line) => [line.zahler, line]));
  const amendments = await readAmendments(tx, monat);
  return zeilen.flatMap(({ referenz, ...fields }, at) => {
    const line = known.get(referenz);
    if (!line) throw new InvalidInput({ path: ['zeilen', at, 'referenz'], reason: NO_LINE, input: referenz });
    const { name, kostenstelle, debitorenkonto } = { ...line, ...amendments.get(referenz) };
    const before = { name, kostenstelle, debitorenkonto };
    const next = { ...before, ...givenMasterData(fields) };
    const changes = changedFields({ ...before }, { ...next });
    return changes ? [{ zahler: referenz, next, changes }] : [];
  });
}

/** Corrects them, all or none; amounts never. Throws 409 while the month is open, 422, also for whom it has no line. */
export function amendBooking(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  mandant: MandantId,
  akteur: Akteur,
  order: AmendmentOrder,
): Promise<ResponseOf<typeof buchungBerichtigen>> {
  const { monat, einstellungen } = order;
  return db.forMandant(mandant, async (tx) => {
    // Who corrects at the same time waits.
    await lockMandant(tx);
    const closed = (await readClosedMonths(tx)).find((month) => month.monat === monat);
    if (!closed) throw notClosed();
    const record = (
      change: { objekt: { art: string; id: string; name: string } } & LineAmendment['changes'],
    ) => recordChange(tx, mandant, clock.now(), { akteur, aktion: 'abrechnung.berichtigt', ...change });
    const changes = await changesOf(tx, order);
    for (const { zahler, next, changes: of } of changes) {
      await writeAmendment(tx, monat, zahler, next);
      await record({ objekt: { art: 'abrechnungsmonat', id: monat, name: `${monat} ${zahler}` }, ...of });
    }
    const settings = await readSettings(tx);
    const of = einstellungen ? changedFields({ ...closed.buchhaltung }, { ...settings }) : null;
    if (of) {
      await setSettings(tx, monat, settings);
      await record({ objekt: { art: 'abrechnungsmonat', id: monat, name: monat }, ...of });
    }
    return { monat, zeilen: changes.length };
  });
}
