/** A look back that was asked for, from its row to its result. Runs as the owner. */
import type { PriceList } from '#domains/preise/index.ts';
import type { JobContext } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { DetectedRule } from '../detectors.ts';
import { lookBack } from './rueckblick.ts';

// Begun anew after a crash: what was found by then was in the memory of the process.
const TAKE = `UPDATE rueckblicke SET status = 'laeuft', tage_fertig = 0
  WHERE mandant_id = $1 AND rueckblick_id = $2 AND status IN ('wartet', 'laeuft') AND laeuft_ab_am > $3
  RETURNING regel, zeitzone, von, bis`;
const PROGRESS = 'UPDATE rueckblicke SET tage_fertig = $3 WHERE mandant_id = $1 AND rueckblick_id = $2';
const FINISH = `UPDATE rueckblicke SET status = 'fertig', ergebnis = $3 WHERE mandant_id = $1 AND rueckblick_id = $2`;
const FAIL = `UPDATE rueckblicke SET status = 'fehlgeschlagen' WHERE mandant_id = $1 AND rueckblick_id = $2`;

interface Taken {
  regel: DetectedRule;
  zeitzone: string;
  von: string;
  bis: string;
}

/** How it ended; `weg`: its row is gone, since it was ended or its time is over. */
export type Ende = 'fertig' | 'fehlgeschlagen' | 'weg';

/** Works it out. What goes wrong stands in its row and the log; throws only when that could not be noted. */
export async function runLookBack(
  { owner, prices, log, clock }: Pick<JobContext, 'owner' | 'log' | 'clock'> & { prices: PriceList },
  mandant: MandantId,
  id: string,
): Promise<Ende> {
  const { rows } = await owner.query<Taken>(TAKE, [mandant, id, clock.now()]);
  const [taken] = rows;
  if (!taken) return 'weg';
  const asked = {
    regel: taken.regel,
    zone: taken.zeitzone,
    von: Temporal.PlainDate.from(taken.von),
    bis: Temporal.PlainDate.from(taken.bis),
  };
  // Progress that a crash takes back is shown to nobody: it begins anew.
  const goOn = (done: number) =>
    owner.repeatable(async (client) => {
      const { rowCount } = await client.query(PROGRESS, [mandant, id, done]);
      return rowCount === 1;
    });
  try {
    const result = await lookBack({ owner, prices }, mandant, asked, goOn);
    if (!result) return 'weg';
    await owner.query(FINISH, [mandant, id, JSON.stringify(result)]);
    return 'fertig';
  } catch (error) {
    log.error({ mandant, rueckblick: id, typ: asked.regel.typ, err: error }, 'look back failed');
    await owner.query(FAIL, [mandant, id]);
    return 'fehlgeschlagen';
  }
}
