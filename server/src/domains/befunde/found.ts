/** What was found in a time, for a report. */
import type { Befund, Static } from '#contracts';
import { eingriffeOfBefunde } from '#domains/eingriffe/index.ts';
import { type Eur, eurFrom, eurText, plus } from '#kernel/money.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { avoidedOf, extentFigureOf, hasStopped, STOPPING_TYPES } from './avoided.ts';
import { countWithin, type FoundWithin, readStopping, readWeightiest } from './store.ts';
import { befundToApi } from './to-api.ts';
import { readUnstopped } from './unstopped.ts';

/** Stops of a time that are looked at. */
const STOPS = 200;

/** Findings of a time, those that matter most, and how many there are; withdrawn ones and mistakes left out. */
export async function foundWithin(
  tx: MandantTx,
  within: FoundWithin,
  limit: number,
): Promise<{ anzahl: number; liste: Static<typeof Befund>[] }> {
  const rows = await readWeightiest(tx, within, limit);
  return { anzahl: await countWithin(tx, within), liste: rows.map(befundToApi) };
}

/**
 * What stops of a time kept from being spent, as one finding alone says it: an estimate. `stopps` of them stopped a run for good (the
 * latest 200), for `geschaetzt` of these a figure is known; `eur` is their sum, exact, null where none is known. Null without a stop.
 */
export async function avoidedWithin(
  tx: MandantTx,
  within: FoundWithin,
  now: Date,
): Promise<{ stopps: number; geschaetzt: number; eur: string | null } | null> {
  const rows = await readStopping(tx, within, STOPPING_TYPES, STOPS);
  const interventions = await eingriffeOfBefunde(
    tx,
    rows.map(({ befund_id }) => befund_id),
    now,
  );
  const stopped = rows
    .map((row) => ({ befund: befundToApi(row), eingriffe: interventions.get(row.befund_id) ?? [] }))
    .filter(hasStopped);
  if (stopped.length === 0) return null;
  // A finding that stopped its run is no case that nobody stopped: the cases are the same for all of a type.
  const cases = new Map<string, number[]>();
  const known: Eur[] = [];
  for (const { befund } of stopped) {
    const figure = extentFigureOf(befund.typ);
    if (!figure) continue;
    const unstopped = cases.get(befund.typ) ?? (await readUnstopped(tx, befund, figure, now));
    cases.set(befund.typ, unstopped);
    const { eur } = avoidedOf(
      { kosten_eur: befund.kosten_eur, extent: Number(befund.werte[figure]) },
      unstopped,
    );
    if (eur !== null) known.push(eurFrom(eur));
  }
  const [first, ...others] = known;
  const sum = first === undefined ? null : others.reduce((all, each) => plus(all, each), first);
  return { stopps: stopped.length, geschaetzt: known.length, eur: sum === null ? null : eurText(sum) };
}
