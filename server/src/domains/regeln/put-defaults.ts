/** The rules a Mandant begins with are put in once, however often this is asked and whatever becomes of them. */
import { v7 as uuidv7 } from 'uuid';
import { recordChange, SYSTEM } from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { DEFAULT_RULES } from './defaults.ts';
import { claimDefaults, insertRules } from './store.ts';

/** Resolves with how many rules were put in: none where it was done before. */
export const putDefaults = (
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  mandant: MandantId,
): Promise<number> =>
  db.forMandant(mandant, async (tx) => {
    const now = clock.now();
    if (!(await claimDefaults(tx, now.toISOString()))) return 0;
    const rules = DEFAULT_RULES.map((rule) => ({ ...rule, regel_id: uuidv7() }));
    await insertRules(tx, rules, now.toISOString());
    await recordChange(tx, mandant, now, {
      akteur: SYSTEM,
      aktion: 'regeln.vorgabe_angelegt',
      objekt: { art: 'mandant', id: mandant },
      nachher: { regeln: rules.map(({ name }) => name) },
    });
    return rules.length;
  });
