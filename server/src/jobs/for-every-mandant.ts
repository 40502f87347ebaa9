/** For jobs over all Mandanten: found as the owner, worked on one by one. */
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import { reasonOf } from './failure.ts';

/** A row of a selection: the Mandant, and what else the work needs to know. */
export interface Selected extends Record<string, unknown> {
  mandant_id: string;
}

/**
 * Calls `work` for every row of `select` with its `values`, one after the other; it acts under the request role, with the database of the
 * job's context. One that fails does not keep the others: in the end an `AggregateError` holds all failures, so that the
 * job is run again. Resolves with what `work` has resolved with.
 */
export async function forEveryMandant<R extends Selected, T>(
  { owner, log }: { owner: OwnerDatabase; log: Log },
  select: string,
  work: (mandant: MandantId, row: R) => Promise<T>,
  values: unknown[] = [],
): Promise<T[]> {
  const { rows } = await owner.query<R>(select, values);
  const results: T[] = [];
  const failures: unknown[] = [];
  for (const row of rows) {
    try {
      results.push(await work(mandantId(row.mandant_id), row));
    } catch (error) {
      log.warn({ mandant: row.mandant_id, reason: reasonOf(error) }, 'work for a Mandant failed');
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `failed for ${failures.length} of ${rows.length} Mandanten`);
  return results;
}
