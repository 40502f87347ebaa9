/** The signed revocation list, as everybody may fetch it. */
import { LIST_TYPE, sign, signedList } from '#domains/installation/index.ts';
import { notFound } from '#kernel/errors.ts';
import type { ServiceContext } from '#platform/context.ts';
import { activeOf, createKeyring, type SigningKey } from '../keyring.ts';
import { askUnbound, type Listenkopf, readKopf, readSperrliste } from '../store.ts';

const DAY_MS = 24 * 3_600_000;
/** A list that somebody withholds or repeats is good for so long. */
const VALID_MS = 7 * DAY_MS;

/**
 * The date of the list: when it was last changed, and each day anew. So it stays the same, byte by byte, as long as it says the same:
 * its holder asks whether it still holds.
 */
function issuedAt({ geaendert_am }: Pick<Listenkopf, 'geaendert_am'>, now: Date): Date {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const changed = geaendert_am === null ? 0 : Date.parse(geaendert_am);
  return new Date(changed > now.getTime() ? today : Math.max(today, changed));
}

/** The list that was signed last with a key. */
interface Signed {
  nummer: number;
  ausgestellt_am: string;
  body: string;
}

function keyFor(keys: SigningKey[], kid: string | undefined): SigningKey {
  if (kid === undefined) return activeOf(keys);
  const key = keys.find((each) => each.kid === kid);
  if (!key) throw notFound({ de: 'Diesen Schlüssel', en: 'This key' });
  return key;
}

/**
 * Makes what answers the list as JSON text, signed with the key of that `kid`, else the active one. It is signed once, until it changes.
 * Throws 404 for a key that is not there or withdrawn.
 */
export function createSperrliste(
  context: Pick<ServiceContext, 'db' | 'clock' | 'secrets'>,
): (kid?: string) => Promise<string> {
  const keyring = createKeyring(context.secrets);
  const signed = new Map<string, Signed>();
  return (kid) =>
    context.db.transaction(async (client) => {
      const key = keyFor(await keyring(askUnbound(client)), kid);
      const head = await readKopf(client);
      const now = context.clock.now();
      const known = signed.get(key.kid);
      if (known?.nummer === head.nummer && known.ausgestellt_am === issuedAt(head, now).toISOString())
        return known.body;
      const list = await readSperrliste(client);
      const issued = issuedAt(list, now);
      const ausgestellt_am = issued.toISOString();
      const gueltig_bis = new Date(issued.getTime() + VALID_MS).toISOString();
      const { nummer, sperren } = list;
      const payload = { nummer, ausgestellt_am, gueltig_bis, sperren };
      const body = signedList(JSON.stringify(payload), await sign(payload, LIST_TYPE, key.kid, key.key));
      signed.set(key.kid, { nummer, ausgestellt_am, body });
      return body;
    });
}
