/** What a request is about: found when it is made, changed when it is granted, by the mechanisms that people use. */
import type { BUDGET_ARTEN } from '#contracts';
import {
  findBudget,
  setBudgetOfAgentWithin,
  setBudgetOfNamedWithin,
  setBudgetOfProjectWithin,
} from '#domains/budgets/index.ts';
import { liftWithin, readEingriffInForce } from '#domains/eingriffe/index.ts';
import type { Akteur } from '#domains/protokoll/index.ts';
import { changeRuleWithin, lockRule } from '#domains/regeln/index.ts';
import { notFound } from '#kernel/errors.ts';
import { eurFrom } from '#kernel/money.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { amountMissing, noBudget, noLimit, notHigher, notInForce, oneThing } from './errors.ts';
import type { AntragAnswer, Gestellt } from './store.ts';

/** What a program asks for. */
export interface Wunsch {
  eingriff_id?: string | null | undefined;
  regel_id?: string | null | undefined;
  budget?: { objekt_art: (typeof BUDGET_ARTEN)[number]; objekt: string } | null | undefined;
  betrag_eur?: string | null | undefined;
  begruendung: string;
}

type Subject = Pick<Gestellt, 'art' | 'objekt_art' | 'objekt' | 'bezeichnung' | 'bisher_eur' | 'wunsch_eur'>;

/** The limit that is asked for; more than so far, or nothing is asked for. */
function higher(betrag: string | null | undefined, bisher: string): string {
  if (betrag == null) throw amountMissing();
  if (eurFrom(betrag) <= eurFrom(bisher)) throw notHigher(betrag);
  return betrag;
}

async function order(tx: MandantTx, id: string, now: Date): Promise<Subject> {
  const row = await readEingriffInForce(tx, id, now);
  if (!row) throw notInForce(id);
  const bezeichnung = row.objekt || row.objekt_art;
  return { art: 'eingriff', objekt_art: null, objekt: id, bezeichnung, bisher_eur: null, wunsch_eur: null };
}

async function rule(tx: MandantTx, id: string, betrag: Wunsch['betrag_eur']): Promise<Subject> {
  const row = await lockRule(tx, id);
  if (row?.einheit !== 'eur' || row.schwelle === null) throw noLimit(id);
  return {
    art: 'regel',
    objekt_art: null,
    objekt: id,
    bezeichnung: row.name,
    bisher_eur: row.schwelle,
    wunsch_eur: higher(betrag, row.schwelle),
  };
}

async function budget(
  tx: MandantTx,
  { objekt_art, objekt }: NonNullable<Wunsch['budget']>,
  betrag: Wunsch['betrag_eur'],
): Promise<Subject> {
  const found = await findBudget(tx, objekt_art, objekt);
  if (!found) throw noBudget(objekt);
  return {
    art: 'budget',
    objekt_art,
    objekt,
    bezeichnung: found.name,
    bisher_eur: found.budget_eur,
    wunsch_eur: higher(betrag, found.budget_eur),
  };
}

/** What is asked for. Throws InvalidInput for what there is not, and for what is so already. */
export function subjectOf(
  tx: MandantTx,
  { eingriff_id, regel_id, budget: wanted, betrag_eur }: Wunsch,
  now: Date,
): Promise<Subject> {
  if ([eingriff_id, regel_id, wanted].filter((one) => one != null).length !== 1) throw oneThing();
  if (eingriff_id != null) return order(tx, eingriff_id, now);
  if (regel_id != null) return rule(tx, regel_id, betrag_eur);
  return budget(tx, wanted as NonNullable<Wunsch['budget']>, betrag_eur);
}

async function raiseBudget(
  tx: MandantTx,
  now: Date,
  akteur: Akteur,
  { objekt_art, objekt }: AntragAnswer,
  betrag_eur: string,
): Promise<void> {
  const found = objekt_art === null ? undefined : await findBudget(tx, objekt_art, objekt);
  if (!found) throw notFound({ de: 'Dieses Budget', en: 'This budget' });
  const { objekt_art: art, objekt_id: id } = found;
  if (art === 'agent') await setBudgetOfAgentWithin(tx, now, akteur, id, { betrag_eur });
  else if (art === 'projekt') await setBudgetOfProjectWithin(tx, now, akteur, id, { betrag_eur });
  else await setBudgetOfNamedWithin(tx, now, akteur, { objekt_art: art, objekt, betrag_eur });
}

/** Does what was asked for, as the person who grants it. Throws 404 where what it is about is gone. */
export async function grant(
  tx: MandantTx,
  now: Date,
  akteur: Akteur,
  antrag: AntragAnswer,
  betrag_eur: string | null,
): Promise<void> {
  if (antrag.art === 'eingriff') {
    await liftWithin(tx, now, akteur, antrag.objekt);
    return;
  }
  if (betrag_eur === null) throw amountMissing();
  if (antrag.art === 'regel')
    await changeRuleWithin(tx, now, akteur, antrag.objekt, { schwelle: betrag_eur });
  else await raiseBudget(tx, now, akteur, antrag, betrag_eur);
}
