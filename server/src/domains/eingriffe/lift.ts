/** Interventions are lifted with their cause: in the transaction that takes it away. */
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { type Aufhebungsgrund, liftCaused, lockFindings } from './store.ts';

/** More than this many are one entry of the audit log. */
const ONE_BY_ONE = 20;

export interface Lifting {
  akteur: Akteur;
  now: Date;
  grund: Aufhebungsgrund;
  /** What was changed: where several were lifted with it, the audit log names it. */
  objekt: { art: string; id: string; name: string };
}

/** Lifts what a rule, or findings, have ordered and what is in force of it, and notes why; resolves with how many. */
export async function liftWithCause(
  tx: MandantTx,
  of: Parameters<typeof liftCaused>[1],
  { akteur, now, grund, objekt }: Lifting,
): Promise<number> {
  await lockFindings(tx);
  const lifted = await liftCaused(tx, of, { am: now.toISOString(), von: akteur.name ?? '', grund });
  const entry = { akteur, aktion: 'eingriff.aufgehoben' };
  if (lifted.length > ONE_BY_ONE)
    await recordChange(tx, tx.mandant, now, {
      ...entry,
      objekt,
      nachher: { grund, eingriffe: lifted.length },
    });
  else
    for (const { eingriff_id: id, stufe, objekt_art: art, objekt: name } of lifted)
      await recordChange(tx, tx.mandant, now, {
        ...entry,
        objekt: { art, id, name },
        vorher: { stufe },
        nachher: { grund },
      });
  return lifted.length;
}
