/** Setting budgets. Every change of one goes through `noteChange`. */
import type { BodyOf, budgetAgent, budgetSetzen, ResponseOf } from '#contracts';
import { isAtLeast, liftForBudget } from '#domains/befunde/index.ts';
import { tellOfChange } from '#domains/eingriffe/index.ts';
import {
  type Agent,
  agentMissing,
  findKey,
  lockAgent,
  lockProject,
  type Projekt,
  projectMissing,
  setAgent,
  setProjectBudget,
  toApi,
} from '#domains/katalog/index.ts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import { InvalidInput, notFound } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { eurFrom, fitsEur } from '#kernel/money.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { MOST_BUDGETS, tooManyBudgets } from '../limits.ts';
import type { Art } from '../spend.ts';
import {
  type BudgetWerte,
  countBudgets,
  deleteBudget,
  lockBudget,
  nameOfEndkunde,
  nameOfKey,
  putBudget,
} from '../store.ts';

type Context = Pick<ServiceContext, 'db' | 'clock'>;
type Eingabe = BodyOf<typeof budgetAgent>;
type Stufe = BudgetWerte['bei_erreichen'];

/** A budget, or none: the amount is null. */
interface Stand {
  budget_eur: string | null;
  bei_erreichen: Stufe;
}

const NONE: Stand = { budget_eur: null, bei_erreichen: 'warnen' };

function requireExact(betrag: string | null): void {
  if (betrag === null || fitsEur(betrag)) return;
  throw new InvalidInput({
    path: ['betrag_eur'],
    reason: { de: 'höchstens 34 Nachkommastellen', en: 'no more than 34 decimal places' },
    input: betrag,
  });
}

/** More may be spent than before, or less is done about it. */
const isLoosened = (before: Stand, after: Stand): boolean =>
  before.budget_eur !== null &&
  (after.budget_eur === null ||
    eurFrom(after.budget_eur) > eurFrom(before.budget_eur) ||
    !isAtLeast(after.bei_erreichen, before.bei_erreichen));

/** What is to be: nothing without an amount; what is not said of the level stays. */
function wantedOf({ betrag_eur = null, bei_erreichen = null }: Eingabe, before: Stand): Stand {
  requireExact(betrag_eur);
  if (betrag_eur === null) return NONE;
  return { budget_eur: betrag_eur, bei_erreichen: bei_erreichen ?? before.bei_erreichen };
}

/** Notes the change, if it is one; resolves with whether it is. What was ordered because of it before is lifted with it. */
async function noteChange(
  now: Date,
  tx: MandantTx,
  akteur: Akteur,
  { schluessel, ...objekt }: { art: Art; id: string; schluessel: string; name: string },
  [before, after]: [Stand, Stand],
): Promise<boolean> {
  const changed = changedFields({ ...before }, { ...after });
  if (!changed) return false;
  const aktion = `budget.${objekt.art}_gesetzt`;
  await recordChange(tx, tx.mandant, now, { akteur, aktion, objekt, ...changed });
  if (isLoosened(before, after))
    await liftForBudget(
      tx,
      { art: objekt.art, objekt: schluessel },
      { akteur, now, grund: 'budget', objekt },
    );
  // A budget that stops is a hard limit, which clients hear of.
  await tellOfChange(tx);
  return true;
}

const standOf = (row: { budget_eur: string | null; budget_bei_erreichen: Stufe | null }): Stand =>
  row.budget_eur === null
    ? NONE
    : { budget_eur: row.budget_eur, bei_erreichen: row.budget_bei_erreichen ?? 'warnen' };

/** Throws 409 where it would be one too many. Two requests at once may go one beyond. */
async function requireRoom(tx: MandantTx, before: Stand, after: Stand): Promise<void> {
  if (before.budget_eur !== null || after.budget_eur === null) return;
  if ((await countBudgets(tx)) >= MOST_BUDGETS) throw tooManyBudgets();
}

const columnsOf = ({ budget_eur, bei_erreichen }: Stand) => ({
  budget_eur,
  budget_bei_erreichen: budget_eur === null ? null : bei_erreichen,
});

/** Sets (without an amount: removes) the budget of an agent. Throws 404, and 422 for more decimal places than amounts have. */
export async function setBudgetOfAgentWithin(
  tx: MandantTx,
  now: Date,
  akteur: Akteur,
  id: string,
  eingabe: Eingabe,
): Promise<Agent> {
  const agent = await lockAgent(tx, id);
  if (!agent) throw agentMissing();
  const before = standOf(agent);
  const after = wantedOf(eingabe, before);
  const objekt = { art: 'agent', id, schluessel: agent.schluessel, name: agent.schluessel } as const;
  if (await noteChange(now, tx, akteur, objekt, [before, after])) await setAgent(tx, id, columnsOf(after));
  return toApi({ ...agent, ...columnsOf(after) });
}

/** The same in a transaction of its own. */
export const setBudgetOfAgent = (
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
  eingabe: Eingabe,
): Promise<Agent> =>
  db.forMandant(mandant, (tx) => setBudgetOfAgentWithin(tx, clock.now(), akteur, id, eingabe));

/** What is said of agents, for a project. Throws 409 for one too many. */
export async function setBudgetOfProjectWithin(
  tx: MandantTx,
  now: Date,
  akteur: Akteur,
  id: string,
  eingabe: Eingabe,
): Promise<Projekt> {
  const project = await lockProject(tx, id);
  if (!project) throw projectMissing();
  const before = standOf(project);
  const after = wantedOf(eingabe, before);
  await requireRoom(tx, before, after);
  const objekt = { art: 'projekt', id, schluessel: project.schluessel, name: project.schluessel } as const;
  if (await noteChange(now, tx, akteur, objekt, [before, after]))
    await setProjectBudget(tx, id, columnsOf(after));
  return { ...project, ...columnsOf(after) };
}

/** The same in a transaction of its own. */
export const setBudgetOfProject = (
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  id: string,
  eingabe: Eingabe,
): Promise<Projekt> =>
  db.forMandant(mandant, (tx) => setBudgetOfProjectWithin(tx, clock.now(), akteur, id, eingabe));

type Named = BodyOf<typeof budgetSetzen>;

/** What is named, with its name where it has one. Functions and users are whatever is said. */
async function findNamed(
  tx: MandantTx,
  { objekt_art, objekt }: Named,
): Promise<{ schluessel: string; name: string }> {
  if (objekt_art === 'schluessel') {
    const id = objekt.toLowerCase();
    const name = await nameOfKey(tx, id);
    if (name === undefined) throw notFound({ de: 'Diesen Schlüssel', en: 'This key' });
    return { schluessel: id, name };
  }
  if (objekt_art !== 'endkunde') return { schluessel: objekt, name: objekt };
  // By id or reference, or by that of one that is gone.
  const known = await findKey(tx, objekt_art, objekt);
  if (known === undefined && !(await lockBudget(tx, objekt_art, objekt)))
    throw notFound({ de: 'Diesen Endkunden', en: 'This end customer' });
  const schluessel = known ?? objekt;
  return { schluessel, name: (await nameOfEndkunde(tx, schluessel)) ?? schluessel };
}

/** What is said of agents, for what has no table of its own. Throws 404 for an end customer, or a key, that is not known, 409 for one too many. */
export async function setBudgetOfNamedWithin(
  tx: MandantTx,
  now: Date,
  akteur: Akteur,
  eingabe: Named,
): Promise<ResponseOf<typeof budgetSetzen>> {
  const { objekt_art: art } = eingabe;
  const { schluessel, name } = await findNamed(tx, eingabe);
  const before: Stand = (await lockBudget(tx, art, schluessel)) ?? NONE;
  const after = wantedOf(eingabe, before);
  await requireRoom(tx, before, after);
  // Of an API key the id says nothing to people; of anything else the reference is what they know.
  const objekt = { art, id: schluessel, schluessel, name: art === 'schluessel' ? name : schluessel };
  if (await noteChange(now, tx, akteur, objekt, [before, after])) {
    const { budget_eur, bei_erreichen } = after;
    if (budget_eur === null) await deleteBudget(tx, art, schluessel);
    else await putBudget(tx, art, schluessel, { budget_eur, bei_erreichen });
  }
  const { budget_eur, budget_bei_erreichen: bei_erreichen } = columnsOf(after);
  return { objekt_art: art, objekt_id: schluessel, schluessel, name, budget_eur, bei_erreichen };
}

/** The same in a transaction of its own. */
export const setBudgetOf = (
  { db, clock }: Context,
  mandant: MandantId,
  akteur: Akteur,
  eingabe: Named,
): Promise<ResponseOf<typeof budgetSetzen>> =>
  db.forMandant(mandant, (tx) => setBudgetOfNamedWithin(tx, clock.now(), akteur, eingabe));
