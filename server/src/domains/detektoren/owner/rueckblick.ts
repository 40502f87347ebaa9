/** Holds a rule against past days, one after the other, each in a transaction of its own. Runs as the owner. */
import { REGELTYPEN, STUFEN } from '#contracts';
import { readAgents } from '#domains/befunde/index.ts';
import type { PriceList } from '#domains/preise/index.ts';
import { keepValues } from '#domains/zaehlung/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { asRule } from '../detector.ts';
import type { DetectedRule } from '../detectors.ts';
import { Bilanz, type Ergebnis } from '../rueckblick/bilanz.ts';
import { OlderHours } from '../rueckblick/older-hours.ts';
import { createSperren } from '../rueckblick/sperren.ts';
import { findOn } from '../rueckblick/suchen.ts';
import { daysOf } from '../rueckblick/tage.ts';
import { readHits } from '../rueckblick/treffer.ts';
import { askedBy } from '../sums/asked-values.ts';

export interface Asked {
  regel: DetectedRule;
  zone: string;
  von: Temporal.PlainDate;
  bis: Temporal.PlainDate;
}

/** The longest that a run is looked back, and a little: blocks from before are of no account any more. */
const REMEMBERED = { hours: 24 * 8 };

/** Counting needs the other processors; and what is read twice in a statement, each of several workers would read as a whole. */
const ALONE = 'SET LOCAL max_parallel_workers_per_gather = 0; SET LOCAL jit = off';

const rank = (stufe: string) => (STUFEN as readonly string[]).indexOf(stufe);

/** Whether the level of the rule stops anything, as far as its type goes. */
const stops = ({ typ, stufe }: DetectedRule): boolean =>
  Math.min(rank(stufe), rank(REGELTYPEN[typ].hoechstens)) >= rank('anhalten');

/**
 * What the rule would have done. `goOn` is called with each day that is done, and ends it by false: then it resolves with null.
 */
export async function lookBack(
  { owner, prices }: { owner: OwnerDatabase; prices: PriceList },
  mandant: MandantId,
  { regel, zone, ...zeitraum }: Asked,
  goOn: (done: number) => Promise<boolean>,
): Promise<Ergebnis | null> {
  if (!(await keepValues(owner, mandant, askedBy([asRule(regel)]))))
    throw new Error('what the rule is about has no running sums');
  const days = daysOf(zeitraum, zone);
  const since = { von: (days[0] as (typeof days)[number]).von };
  const bilanz = new Bilanz(days, zone, stops(regel));
  const sperren = createSperren();
  let older: OlderHours | undefined;
  for (const [index, tag] of days.entries()) {
    await owner.transaction(async (client) => {
      await client.query(ALONE);
      older = await OlderHours.of({ client, mandant, zone }, older);
      const place = { client, mandant, zone, older };
      const found = await findOn(place, regel, tag, prices, since);
      const blocks = stops(regel) ? sperren.of(found, await readAgents(client, mandant, found)) : [];
      bilanz.add(tag, found, await readHits(place, blocks));
    });
    sperren.forget(tag.von.subtract(REMEMBERED));
    if (!(await goOn(index + 1))) return null;
  }
  return bilanz.result();
}
