/** What lower slices tell of a week: findings, budgets, the twin. */
import { REPORT_BUDGETS, REPORT_FINDINGS } from '#contracts';
import { avoidedWithin, foundWithin } from '#domains/befunde/index.ts';
import { type BudgetStand, readBudgetStands } from '#domains/budgets/index.ts';
import type { Snapshot } from '#domains/verbrauch/index.ts';
import { readSavings } from '#domains/zwilling/index.ts';
import { eurFrom, scaledFrom } from '#kernel/money.ts';
import { toUtc, type Window } from '#kernel/zeitraum.ts';
import type { Report } from '../rules.ts';

/** Findings of the window. */
export async function readFound({ tx, now }: Snapshot, { von, bis }: Window): Promise<Report['befunde']> {
  const within = { von: toUtc(von), bis: toUtc(bis) };
  const found = await foundWithin(tx, within, REPORT_FINDINGS);
  return { ...found, vermieden: await avoidedWithin(tx, within, new Date(now.epochMilliseconds)) };
}

const isEmpty = ({ budget_eur }: BudgetStand) => eurFrom(budget_eur) === 0n;

/** Spent ones first, then by the share that is spent; whole percents and two decimals of them are enough to tell. */
function byShare(a: BudgetStand, b: BudgetStand): number {
  if (a.ueberschritten !== b.ueberschritten) return a.ueberschritten ? -1 : 1;
  if (isEmpty(a) !== isEmpty(b)) return isEmpty(a) ? 1 : -1;
  const share = ({ anteil_prozent }: BudgetStand) => scaledFrom(anteil_prozent ?? '0', 2);
  return share(a) < share(b) ? 1 : share(a) > share(b) ? -1 : 0;
}

/** Budgets as they stand at the snapshot's moment. */
export async function readBudgets(snapshot: Snapshot): Promise<Report['budgets']> {
  const { monat, budgets } = await readBudgetStands(snapshot);
  return {
    monat,
    anzahl: budgets.length,
    ueberschritten: budgets.filter(({ ueberschritten }) => ueberschritten).length,
    liste: budgets
      .sort(byShare)
      .slice(0, REPORT_BUDGETS)
      .map(({ ueberschritten, ...budget }) => budget),
  };
}

/** What the twin would have saved in the window. */
export async function readTwinOf(snapshot: Snapshot, window: Window): Promise<Report['zwilling']> {
  const { gespart_eur, ursachen, berechnet_am } = await readSavings(snapshot, window);
  return {
    gespart_eur,
    ursachen: ursachen
      .filter(({ geprueft }) => geprueft)
      .map(({ ursache, gespart_eur: eur, aufrufe }) => ({ ursache, gespart_eur: eur, aufrufe })),
    berechnet_am,
  };
}
