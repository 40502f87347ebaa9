/** The revocation list as it comes from the issuer of licences. */
import { datetime, integer, type Static, Type, text, uuid } from '#contracts';
import { compileCheck } from '#http/check/index.ts';
import { type Keys, NotSigned, verifySigned } from './signed.ts';

export const LIST_TYPE = 'zaehlwerk-sperrliste+json';

const Sperre = Type.Object({ lizenz_id: uuid(), fingerabdruck: text(), gesperrt_am: datetime() });

/** What is signed. */
const Sperrliste = Type.Object({
  nummer: integer({ min: 0 }),
  ausgestellt_am: datetime(),
  gueltig_bis: datetime(),
  sperren: Type.Array(Sperre),
});
export type Sperrliste = Static<typeof Sperrliste>;

const check = compileCheck(Sperrliste);

/** It is signed, but is not a list that this version reads. */
export class NoList extends Error {}

/** The list as it is answered: what is signed, and the signature as its last field. */
export const signedList = (payload: string, signatur: string): string =>
  `${payload.slice(0, -1)},"signatur":${JSON.stringify(signatur)}}`;

function signatureOf(body: string): string {
  try {
    const { signatur } = JSON.parse(body);
    if (typeof signatur === 'string') return signatur;
  } catch {
    // Said below.
  }
  throw new NoList('no list with a signature');
}

/**
 * Reads a list that one of the keys has signed; `kid` names that key. Not a byte may differ from what was signed, so that the
 * readable part never says something else. Throws `NotSigned`, or `NoList`.
 */
export async function readList(body: string, keys: Keys): Promise<{ liste: Sperrliste; kid: string }> {
  const signatur = signatureOf(body);
  const { payload, kid } = await verifySigned(signatur, keys, LIST_TYPE);
  if (body !== signedList(payload, signatur))
    throw new NotSigned('the list says something else than was signed');
  const result = check(JSON.parse(payload), ['liste']);
  if (!result.ok) throw new NoList(result.faults.map(({ msg, loc }) => `${loc}: ${msg}`).join('; '));
  return { liste: result.value as Sperrliste, kid };
}
