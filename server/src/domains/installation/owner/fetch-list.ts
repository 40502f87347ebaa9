/** The revocation list of the issuer of the licence, over the network. */
import type { Config } from '#platform/config.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Outbound, readAtMost } from '#platform/outbound.ts';
import type { VerifiedLicence } from '../licence.ts';
import { freshFor } from '../rules.ts';
import type { Keys } from '../signed.ts';
import { noteConfirmed, noteFailure, type Outcome, readKnownList, takeList } from './known-list.ts';

/** Several times the longest list there can be. */
export const MAX_LIST_BYTES = 4 * 2 ** 20;

const OK = 200;
const NOT_MODIFIED = 304;

interface Fetching {
  owner: OwnerDatabase;
  outbound: Outbound;
  config: Pick<Config, 'licenceListUrl'>;
}

/** Where it is: as it is set, else as the licence says; signed with the key that this installation knows. */
export function listAddressOf(
  { licenceListUrl }: Pick<Config, 'licenceListUrl'>,
  licence: VerifiedLicence,
): string {
  const url = new URL(licenceListUrl ?? licence.sperrliste);
  url.searchParams.set('kid', licence.kid);
  return url.href;
}

type Answer = { status: number; body: string | null; etag: string | null; frisch_bis: Date };

async function ask(outbound: Outbound, adresse: string, etag: string | null, now: Date): Promise<Answer> {
  const response = await outbound.fetch(adresse, { headers: etag === null ? {} : { 'if-none-match': etag } });
  const { status, headers } = response;
  const frisch_bis = new Date(now.getTime() + freshFor(headers.get('cache-control')));
  if (status === OK) {
    const bytes = await readAtMost(response, MAX_LIST_BYTES);
    if (bytes) return { status, body: bytes.toString(), etag: headers.get('etag'), frisch_bis };
    throw new Error(`more than ${MAX_LIST_BYTES} bytes`);
  }
  await response.body?.cancel();
  if (status === NOT_MODIFIED && etag !== null) return { status, body: null, etag, frisch_bis };
  throw new Error(`answered with ${status}`);
}

/** Fetches the list and takes it, or notes why not. Redirects are not followed. */
export async function fetchList(
  { owner, outbound, config }: Fetching,
  { licence, keys }: { licence: VerifiedLicence; keys: Keys },
  now: Date,
): Promise<Outcome> {
  const { known } = await readKnownList(owner, keys);
  // One that is over would not count as reached if it were confirmed.
  const isGood = known !== null && Date.parse(known.gueltig_bis) > now.getTime();
  const adresse = listAddressOf(config, licence);
  let answer: Answer;
  try {
    answer = await ask(outbound, adresse, isGood && known.adresse === adresse ? known.etag : null, now);
  } catch (reason) {
    await noteFailure(owner, 'nicht_erreichbar', now);
    return { hindernis: 'nicht_erreichbar', reason };
  }
  if (answer.body !== null) return takeList(owner, { ...answer, body: answer.body, adresse }, keys, now);
  await noteConfirmed(owner, now, answer.frisch_bis);
  return { hindernis: null, nummer: known?.nummer ?? 0, sperren: known?.sperren.length ?? 0, neu: false };
}
