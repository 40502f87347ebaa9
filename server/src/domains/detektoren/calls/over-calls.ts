import type { Look } from '../detector.ts';

/**
 * Runs statements over calls where they lie. Of months without statistics yet the planner takes a million calls for a few, and
 * would look through all of them for each of them: they are hashed whatever it thinks. Inside a transaction.
 */
export async function overCalls<T>({ client }: Pick<Look, 'client'>, work: () => Promise<T>): Promise<T> {
  await client.query('SET LOCAL enable_nestloop = off');
  const result = await work();
  await client.query('SET LOCAL enable_nestloop = on');
  return result;
}
