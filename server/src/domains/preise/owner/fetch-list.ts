/** The newest edition as its project publishes it, over the network. */
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { ForbiddenAddress, type Outbound, readAtMost } from '#platform/outbound.ts';
import { MAX_LIST_BYTES, type Offer, type Taken, takeEdition } from './editions.ts';

/** There is nothing at the address that could be read; the message is a German sentence. */
export class ListNotFetched extends Error {}

const OK = 200;

function sentenceFor(error: unknown): string {
  const causes = [error, (error as { cause?: unknown }).cause];
  if (causes.some((each) => each instanceof ForbiddenAddress))
    return 'liegt in einem Netz, das der Dienst nicht erreichen darf (ERLAUBTE_NETZE)';
  const { name } = error as Error;
  return name === 'TimeoutError' || name === 'AbortError'
    ? 'hat nicht rechtzeitig geantwortet'
    : 'ist nicht zu erreichen';
}

async function fetchBytes(outbound: Outbound, url: string): Promise<Buffer> {
  const refuse = (why: string, cause?: unknown): never => {
    throw new ListNotFetched(`Die Adresse ${url} ${why}.`, { cause });
  };
  let bytes: Buffer | null;
  try {
    const response = await outbound.fetch(url);
    if (response.status !== OK) {
      await response.body?.cancel();
      return refuse(`antwortet mit ${response.status}`);
    }
    bytes = await readAtMost(response, MAX_LIST_BYTES);
  } catch (error) {
    if (error instanceof ListNotFetched) throw error;
    return refuse(sentenceFor(error), error);
  }
  return bytes ?? refuse(`liefert mehr als ${MAX_LIST_BYTES / 2 ** 20} MiB`);
}

/** Fetches the edition that is there now. Redirects are not followed. Throws `ListNotFetched`. */
export async function fetchOffer(outbound: Outbound, url: string, now: Date): Promise<Offer> {
  const bytes = await fetchBytes(outbound, url);
  const instant = now.toISOString();
  return { bytes, herkunft: 'netz', stand: instant.slice(0, 10), bestaetigt_am: instant };
}

/** Fetches the edition and takes it. Throws `ListNotFetched`, or `BadPriceList` when what is there is no list. */
export async function fetchEdition(
  { owner, outbound }: { owner: OwnerDatabase; outbound: Outbound },
  url: string,
  now: Date,
): Promise<Taken> {
  return takeEdition(owner, await fetchOffer(outbound, url, now), now);
}
