/** What API keys cost since each of several moments: for keys what `costsSince` is for values of dimensions, by the hour. */
import type { Ask } from '#platform/database/index.ts';

export interface KeyCostQuestion {
  mandant: string;
  /** `schluessel_id` of each. */
  schluessel: readonly string[];
  /** Local hours that begin from there on, each ISO 8601 in UTC; the earliest first. */
  since: readonly [string, ...string[]];
  /** And before this. */
  until: string;
}

const statement = (moments: number): string => {
  const sums = Array.from(
    { length: moments },
    (_, index) =>
      `trim_scale(coalesce(sum(kosten_eur) FILTER (WHERE stunde >= ($3::timestamptz[])[${index + 1}]), 0))::text`,
  );
  return `SELECT schluessel_id, ARRAY[${sums.join(', ')}] AS kosten FROM verbrauch_schluessel
    WHERE mandant_id = $1 AND schluessel_id = ANY($2::uuid[]) AND stunde >= ($3::timestamptz[])[1] AND stunde < $4::timestamptz
    GROUP BY schluessel_id`;
};

/**
 * Costs in EUR of each key, exact decimals, by the same position as `since`; a key without calls is not in it. Sent by the owner and
 * by requests alike.
 *
 * @public Budgets of keys are to read it.
 */
export async function keyCostsSince(
  ask: Ask,
  { mandant, schluessel, since, until }: KeyCostQuestion,
): Promise<Map<string, string[]>> {
  if (schluessel.length === 0) return new Map();
  const rows = await ask<{ schluessel_id: string; kosten: string[] }>(statement(since.length), [
    mandant,
    schluessel,
    since,
    until,
  ]);
  return new Map(rows.map(({ schluessel_id, kosten }) => [schluessel_id, kosten]));
}
