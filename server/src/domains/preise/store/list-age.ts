/** How old the price list in force is, for the metrics. */
import type { ServiceContext } from '#platform/context.ts';
import { ageInDays, inForceOf } from '../list/in-force.ts';

const DAY_SECONDS = 86_400;

/** How old the price list in force is, in seconds; null before any was noted. Throws when the database does not answer. */
export async function readPriceListAge({
  db,
  clock,
}: Pick<ServiceContext, 'db' | 'clock'>): Promise<number | null> {
  const editions = await db.transaction((client) =>
    client.selectFrom('preislisten').select(['nummer', 'bestaetigt_am', 'angeheftet', 'abgelehnt']).execute(),
  );
  const edition = inForceOf(editions);
  return edition && ageInDays(edition, clock.now()) * DAY_SECONDS;
}
