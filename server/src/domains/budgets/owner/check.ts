/** The check of all budgets of all Mandanten. Runs as the owner. */
import { recordFindings } from '#domains/befunde/index.ts';
import { readActiveRules } from '#domains/regeln/index.ts';
import type { Counters, JobContext } from '#jobs/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { findBudgetBreaches } from './breaches.ts';
import { keepBudgets, readBudgets } from './budgets.ts';

export type CheckContext = Pick<JobContext, 'owner' | 'clock' | 'log'>;

/** Mandanten of which it is asked together whether they have budgets and rules. */
const AT_ONCE = 500;

function* chunksOf(mandanten: string[], size: number): Generator<string[]> {
  for (let from = 0; from < mandanten.length; from += size) yield mandanten.slice(from, from + size);
}

/** Looks at the budgets of every Mandant, records what is found, and counts into `counters`; one that fails does not keep the others, but in the end throws. */
export async function checkBudgets({ owner, clock, log }: CheckContext, counters: Counters): Promise<void> {
  Object.assign(counters, { mandanten: 0, budgets: 0, befunde: 0 });
  const add = (name: string, more: number) => {
    counters[name] = (counters[name] ?? 0) + more;
  };
  const { rows } = await owner.query<{ mandant_id: string }>(
    `SELECT mandant_id FROM mandanten WHERE status = 'aktiv' ORDER BY mandant_id`,
  );
  const failures: unknown[] = [];
  const all = rows.map(({ mandant_id }) => mandant_id);
  for (const chunk of chunksOf(all, (await owner.isCluster()) ? 1 : AT_ONCE)) {
    const [budgets, rules] = await owner.transaction(async (client) => [
      await readBudgets(client, chunk),
      await readActiveRules(client, chunk),
    ]);
    for (const [mandant, own] of budgets) {
      try {
        if (!(await keepBudgets(owner, mandant, own)))
          log.warn({ mandant }, 'budgets without running sums not checked');
        const asked = [{ mandant, budgets: own, rules: rules.get(mandant) ?? [] }];
        const found = await owner.transaction(async (client) => {
          const now = clock.now();
          const [breaches] = await findBudgetBreaches(client, asked, now);
          const candidates = breaches?.candidates ?? [];
          await recordFindings(client, mandantId(mandant), candidates, now);
          return candidates.length;
        });
        add('mandanten', 1);
        add('budgets', own.length);
        add('befunde', found);
      } catch (error) {
        log.warn({ mandant, err: error }, 'budgets of a Mandant not checked');
        failures.push(error);
      }
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `failed for ${failures.length} Mandanten`);
}
