/** Setting the budget of an agent or a project. */
import { liftForBudget } from '#domains/befunde/index.ts';
import {
  type Agent,
  agentMissing,
  lockAgent,
  lockProject,
  type Projekt,
  projectMissing,
  setAgent,
  setProjectBudget,
  toApi,
} from '#domains/katalog/index.ts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import { InvalidInput } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { eurFrom, fitsEur } from '#kernel/money.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';

type Context = Pick<ServiceContext, 'db' | 'clock'>;

function requireExact(betrag: string | null): void {
  if (betrag === null || fitsEur(betrag)) return;
  throw new InvalidInput({
    path: ['betrag_eur'],
    reason: { de: 'höchstens 34 Nachkommastellen', en: 'no more than 34 decimal places' },
    input: betrag,
  });
}

/** More may be spent than before. */
const isRaised = (before: string | null, after: string | null): boolean =>
  before !== null && (after === null || eurFrom(after) > eurFrom(before));

/** Notes the change, if it is one; resolves with whether it is. What was ordered because of a lower budget is lifted with it. */
async function noteChange(
  { clock }: Context,
  tx: MandantTx,
  akteur: Akteur,
  objekt: { art: 'agent' | 'projekt'; id: string; name: string },
  [before, after]: [string | null, string | null],
): Promise<boolean> {
  const changed = changedFields({ budget_eur: before }, { budget_eur: after });
  if (!changed) return false;
  const aktion = `budget.${objekt.art}_gesetzt`;
  const now = clock.now();
  await recordChange(tx, tx.mandant, now, { akteur, aktion, objekt, ...changed });
  if (isRaised(before, after))
    await liftForBudget(
      tx,
      { art: objekt.art, objekt: objekt.name },
      { akteur, now, grund: 'budget', objekt },
    );
  return true;
}

/** Sets (null: removes) the budget of an agent. Throws 404, and 422 for more decimal places than amounts have. */
export function setBudgetOfAgent(
  context: Context,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
  budget_eur: string | null,
): Promise<Agent> {
  requireExact(budget_eur);
  return context.db.forMandant(mandant, async (tx) => {
    const agent = await lockAgent(tx, id);
    if (!agent) throw agentMissing();
    const objekt = { art: 'agent', id, name: agent.schluessel } as const;
    if (await noteChange(context, tx, akteur, objekt, [agent.budget_eur, budget_eur]))
      await setAgent(tx, id, { budget_eur });
    return toApi({ ...agent, budget_eur });
  });
}

/** The same for a project. */
export function setBudgetOfProject(
  context: Context,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
  budget_eur: string | null,
): Promise<Projekt> {
  requireExact(budget_eur);
  return context.db.forMandant(mandant, async (tx) => {
    const project = await lockProject(tx, id);
    if (!project) throw projectMissing();
    const objekt = { art: 'projekt', id, name: project.schluessel } as const;
    if (await noteChange(context, tx, akteur, objekt, [project.budget_eur, budget_eur]))
      await setProjectBudget(tx, id, budget_eur);
    return { ...project, budget_eur };
  });
}
