/** What end customers used, as it is counted now. */
import {
  consumptionByEngine,
  type EngineConsumption,
  type GroupPosition,
  type SumsRow,
} from '#domains/verbrauch/index.ts';
import { toCount } from '#kernel/count.ts';
import { eurFrom } from '#kernel/money.ts';
import type { Window } from '#kernel/zeitraum.ts';
import { NOTHING, together, type Usage } from '../rules.ts';
import type { Customers } from './customers.ts';
import type { Moment } from './moment.ts';

const toUsage = (row: Omit<SumsRow, keyof GroupPosition>): Usage => ({
  aufrufe: toCount(row.aufrufe),
  unbepreist: toCount(row.unbepreist),
  teilbepreist: toCount(row.teilbepreist),
  kosten: row.kosten_eur === null ? null : eurFrom(row.kosten_eur),
  verbrannt: eurFrom(row.verbranntes_geld_eur ?? '0'),
});

/** References that one answer has at most. */
const AT_ONCE = 50_000;

/** By the reference that calls name, of all ('' for calls without an end customer) or of these. */
export async function usageByReference(
  { tx, engine }: Pick<Moment, 'tx' | 'engine'>,
  window: Window,
  referenzen?: readonly string[],
  limit = AT_ONCE,
): Promise<Map<string, Usage>> {
  const where = referenzen ? [{ dimension: 'endkunde' as const, values: referenzen }] : [];
  const question = { window, by: ['endkunde'] as const, where, limit };
  const usage = new Map<string, Usage>();
  let after: EngineConsumption['naechster'] = null;
  do {
    const { zeilen, naechster } = await consumptionByEngine(engine, tx, { ...question, after });
    for (const { schluessel, ...sums } of zeilen) usage.set(schluessel[0] ?? '', toUsage(sums));
    after = naechster;
  } while (after);
  return usage;
}

/** Of these references together, by local month; of months with calls. */
export async function usageByMonth(
  { tx, engine }: Pick<Moment, 'tx' | 'engine'>,
  window: Window,
  referenzen: readonly string[],
): Promise<Map<string, Usage>> {
  const { zeilen } = await consumptionByEngine(engine, tx, {
    window,
    by: ['tag'],
    where: [{ dimension: 'endkunde', values: referenzen }],
  });
  const usage = new Map<string, Usage>();
  for (const { schluessel, ...sums } of zeilen) {
    const monat = (schluessel[0] as string).slice(0, 'YYYY-MM'.length);
    usage.set(monat, together(usage.get(monat) ?? NOTHING, toUsage(sums)));
  }
  return usage;
}

/** By the reference that is charged today, each with the references it is made of. */
export function byCharged(
  usage: Map<string, Usage>,
  customers: Customers,
): Map<string, { usage: Usage; of: Map<string, Usage> }> {
  const charged = new Map<string, { usage: Usage; of: Map<string, Usage> }>();
  for (const [referenz, own] of usage) {
    const by = customers.charged(referenz)?.referenz ?? referenz;
    const before = charged.get(by);
    if (!before) charged.set(by, { usage: own, of: new Map([[referenz, own]]) });
    else {
      before.of.set(referenz, own);
      before.usage = together(before.usage, own);
    }
  }
  return charged;
}
