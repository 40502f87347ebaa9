/** The rules a Mandant begins with, and those of later releases, are put in once, however often this is asked and whatever becomes of them. */
import { v7 as uuidv7 } from 'uuid';
import type { Regeltyp } from '#contracts';
import { recordChange, SYSTEM, wasDone } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { DEFAULT_RULES, GIVEN_LATER } from './defaults.ts';
import { MAX_RULES } from './limits.ts';
import { claimDefaults, claimLater, countRules, hasRuleOf, insertRules, type RegelFields } from './store.ts';

type Context = Pick<ServiceContext, 'db' | 'clock'>;

/** Puts rules in, with an entry in the audit log. */
async function put(tx: MandantTx, given: readonly RegelFields[], now: Date): Promise<number> {
  const rules = given.map((rule) => ({ ...rule, regel_id: uuidv7() }));
  await insertRules(tx, rules, now.toISOString());
  await recordChange(tx, tx.mandant, now, {
    akteur: SYSTEM,
    aktion: 'regeln.vorgabe_angelegt',
    objekt: { art: 'mandant', id: tx.mandant },
    nachher: { regeln: rules.map(({ name }) => name) },
  });
  return rules.length;
}

/** Resolves with how many rules were put in: none where it was done before. */
export const putDefaults = ({ db, clock }: Context, mandant: MandantId): Promise<number> =>
  db.forMandant(mandant, async (tx) => {
    const now = clock.now();
    if (!(await claimDefaults(tx, now.toISOString()))) return 0;
    for (const typ of GIVEN_LATER) await claimLater(tx, typ);
    return put(tx, DEFAULT_RULES, now);
  });

/** Whether somebody decided about a rule of a type already: there is one, or the audit log says that one was removed. */
const isDecided = async (tx: MandantTx, typ: Regeltyp): Promise<boolean> =>
  (await hasRuleOf(tx, typ)) || (await wasDone(tx, 'regel.entfernt', { typ }));

/**
 * Gives a Mandant the rules of later releases that it lacks, each once; nothing where somebody decided about one, and later where it has as
 * many rules as there can be. Resolves with how many were put in.
 */
export const putLater = ({ db, clock }: Context, mandant: MandantId): Promise<number> =>
  db.forMandant(mandant, async (tx) => {
    let count = 0;
    for (const typ of GIVEN_LATER) {
      const rules = DEFAULT_RULES.filter((rule) => rule.typ === typ);
      if ((await countRules(tx)) + rules.length > MAX_RULES) return count;
      if (!(await claimLater(tx, typ)) || (await isDecided(tx, typ))) continue;
      count += await put(tx, rules, clock.now());
    }
    return count;
  });
