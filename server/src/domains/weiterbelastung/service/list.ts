/** The end customers, and what each is charged for a month. */
import { Decimal } from 'decimal.js';
import type { endkunden, QueryOf, ResponseOf } from '#contracts';
import { rateSourcesOfAll, withSnapshot } from '#domains/verbrauch/index.ts';
import { toInstant } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { eurText } from '#kernel/money.ts';
import type { ServiceContext } from '#platform/context.ts';
import { cursorOf, pageOf } from '#platform/page.ts';
import type { Line } from '../line.ts';
import { comparableBefore, requireMonth, windowOf } from '../month.ts';
import { asCharged, NOTHING } from '../rules.ts';
import type { EndkundeRow } from '../store/endkunden.ts';
import { type Amendment, readAmendments } from '../store/lines.ts';
import { type Bill, billOf } from './bill.ts';
import { toApi } from './endkunden.ts';
import { momentOf } from './moment.ts';
import { amountsOf, totalsOf } from './totals.ts';
import { byCharged, usageByReference } from './usage.ts';

type CustomersPage = ResponseOf<typeof endkunden>;
type CustomerInMonth = CustomersPage['zeilen'][number];

const Percent = Decimal.clone({ precision: 60 });

/** How much more a cost is than the one before, in percent to one place; null where that is unknown or was nothing. */
function trendOf(kosten: string | null, before: string | null): string | null {
  if (kosten === null || before === null || new Percent(before).isZero()) return null;
  return new Percent(kosten).minus(before).div(before).times(100).toFixed(1);
}

/** Not deleted, and standing for itself. */
const isListed = (row: EndkundeRow): boolean => row.entfernt_am === null && row.gehoert_zu === null;

/** How bookkeeping knows whom a closed month charges. */
function bookingNameOf(
  charged: Line | undefined,
  amendment: Amendment | undefined,
): CustomerInMonth['buchung'] {
  if (!charged) return null;
  const { name, kostenstelle, debitorenkonto } = { ...charged, ...amendment };
  return { name, kostenstelle, debitorenkonto };
}

interface Sources {
  bill: Bill;
  /** What they used in the month before. */
  before: ReturnType<typeof byCharged>;
  amendments: ReadonlyMap<string, Amendment>;
}

function rowsOf({ bill, before, amendments }: Sources): CustomerInMonth[] {
  const lines = new Map(bill.lines.map((line) => [line.referenz, line]));
  const corrections = Map.groupBy(bill.corrections, ({ zahler }) => zahler);
  return bill.customers.all
    .filter((row) => isListed(row) || lines.has(row.referenz) || corrections.has(row.referenz))
    .map((row) => {
      const line = lines.get(row.referenz);
      const amounts = amountsOf(line ? [line] : [], corrections.get(row.referenz) ?? []);
      const charged = line ?? corrections.get(row.referenz)?.at(-1);
      const { kosten } = before.get(row.referenz)?.usage ?? NOTHING;
      const vormonat_kosten_eur = kosten === null ? null : eurText(kosten);
      return {
        ...toApi(row, bill.customers.references(row).slice(1)),
        // As they were billed; as they are known where they were not.
        ...(bill.closed && charged ? asCharged(charged) : {}),
        ...amounts,
        vormonat_kosten_eur,
        trend_prozent: trendOf(amounts.kosten_eur, vormonat_kosten_eur),
        buchung: bill.closed ? bookingNameOf(charged, amendments.get(row.referenz)) : null,
      };
    });
}

const isLike = (suche: string) => {
  const part = suche.toLocaleLowerCase('de');
  return ({ referenz, name }: CustomerInMonth) =>
    [referenz, name ?? ''].some((text) => text.toLocaleLowerCase('de').includes(part));
};

const PLACE = cursorOf('weiterbelastung.endkunden', 'place', 'text');

/** The highest charge first, unknown ones behind all others, then by reference. */
const placeOf = ({ betrag_eur }: CustomerInMonth) =>
  betrag_eur === null ? 'Infinity' : new Percent(betrag_eur).negated().toString();

const compare = (a: readonly [string, string], b: readonly [string, string]): number =>
  new Percent(a[0]).comparedTo(b[0]) || (a[1] < b[1] ? -1 : a[1] > b[1] ? 1 : 0);

/** A page of them. Throws InvalidInput for a month that cannot be, or a cursor of another list. */
export function listEndkunden(
  context: Pick<ServiceContext, 'db' | 'clock' | 'config' | 'log'>,
  mandant: MandantId,
  { monat, suche, limit, nach }: QueryOf<typeof endkunden>,
): Promise<CustomersPage> {
  const after = PLACE.read(nach);
  return withSnapshot(context, mandant, async (snapshot) => {
    const { tx, now, zone, gezaehltBis } = snapshot;
    const moment = momentOf(context, snapshot);
    const bill = await billOf(moment, requireMonth(monat, now, zone));
    const before = byCharged(
      await usageByReference(moment, comparableBefore(bill.monat, now, zone)),
      bill.customers,
    );
    const amendments = await readAmendments(tx, bill.monat);
    const keyed = rowsOf({ bill, before, amendments })
      .filter(suche ? isLike(suche) : () => true)
      .map((row) => ({ row, key: [placeOf(row), row.referenz] as [string, string] }))
      .sort((a, b) => compare(a.key, b.key))
      .filter(({ key }) => after === null || compare(key, after) > 0);
    const { rows, weiter } = pageOf(keyed.slice(0, limit + 1), limit, PLACE, ({ key }) => key);
    const { aufrufe, kosten } = bill.without;
    return {
      monat: bill.monat,
      status: bill.status,
      zeilen: rows.map(({ row }) => row),
      summe: totalsOf(bill),
      ohne_endkunde: { aufrufe, kosten_eur: kosten === null ? null : eurText(kosten) },
      kursquellen: await rateSourcesOfAll(snapshot, windowOf(bill.monat, zone)),
      weiter,
      gezaehlt_bis: toInstant(gezaehltBis),
    };
  });
}
