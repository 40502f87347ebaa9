/** Asking for values in a transaction of others, which does not wait for their sums. */
import { enqueueFor } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { type AskedValue, type Client, noteAsked } from './asked-values.ts';
import { werteFuehren } from './jobs/werte-fuehren.ts';

/** Notes, in a transaction of others, that these values are asked for; a job makes the sums of those that have none. */
export async function askForValues(
  client: Client,
  mandant: MandantId,
  asked: readonly AskedValue[],
): Promise<void> {
  const { areNew } = await noteAsked(client, mandant, asked);
  if (areNew) await enqueueFor(client, mandant, werteFuehren, {});
}
