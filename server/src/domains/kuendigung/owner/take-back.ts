/** Taking a cancellation back: what only an operator may do. */
import {
  type Acting,
  actOnMandant,
  asSeenByMandant,
  type OperatorDatabase,
} from '#domains/protokoll/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { type LeavingContext, revokeKuendigung, type TakenBack } from '../service.ts';

/** As `revokeKuendigung`, with its entry in the operator log. */
export const takeBackKuendigung = (
  db: OperatorDatabase,
  context: LeavingContext,
  mandant: MandantId,
  acting: Acting,
): Promise<TakenBack> =>
  actOnMandant(db, acting, mandant, async (tx) => {
    const result = await revokeKuendigung(context, tx, asSeenByMandant(acting.akteur));
    const { entsperrte_schluessel, ohne_adresse } = result;
    return {
      result,
      act: {
        aktion: 'konto.kuendigung_aufgehoben',
        objekt: { art: 'mandant', id: mandant },
        vorher: { status: 'gekündigt' },
        nachher: { status: 'aktiv', entsperrte_schluessel, ohne_adresse },
      },
    };
  });
