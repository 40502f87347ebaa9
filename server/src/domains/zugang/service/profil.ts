/** What users say of themselves: their name, and how the cockpit speaks and shows times to them. */
import type { BodyOf, ich, profilAendern, ResponseOf } from '#contracts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import { InvalidInput } from '#kernel/errors.ts';
import { requireName } from '#kernel/name.ts';
import { zoneOf } from '#kernel/zone.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { SessionPrincipal } from '#platform/principal.ts';
import { loginFailed, zoneUnknown } from '../errors.ts';
import { lockProfil, type Profil, updateProfil } from '../store/benutzer.ts';
import { describeSelf } from './sitzungen.ts';

type Input = BodyOf<typeof profilAendern>;

/** A name without blanks around it; null for none. */
function nameOf(text: string | null): string | null {
  const name = text?.trim() || null;
  if (name !== null) requireName('name', name);
  return name;
}

function zeitzoneOf(text: string | null): string | null {
  if (text === null) return null;
  const zone = zoneOf(text);
  if (zone === null) throw new InvalidInput(zoneUnknown(text));
  return zone;
}

/** What is given, in the form it is stored in. Throws 422. */
const wishOf = ({ name, sprache, zeitzone }: Input): Partial<Profil> => ({
  ...(name === undefined ? {} : { name: nameOf(name) }),
  ...(sprache === undefined ? {} : { sprache }),
  ...(zeitzone === undefined ? {} : { zeitzone: zeitzoneOf(zeitzone) }),
});

/** Changes what is given of the own profile; null clears it. Throws 422; 401 when the user is gone meanwhile. */
export async function changeProfile(
  { db, clock, config }: Pick<ServiceContext, 'db' | 'clock' | 'config'>,
  principal: SessionPrincipal,
  akteur: Akteur,
  input: Input,
): Promise<ResponseOf<typeof ich>> {
  const { mandant, benutzerId, email } = principal;
  const wish = wishOf(input);
  return db.forMandant(mandant, async (tx) => {
    const before = await lockProfil(tx, benutzerId);
    if (!before) throw loginFailed();
    const after = { ...before, ...wish };
    const changes = changedFields({ ...before }, after);
    if (changes) {
      await updateProfil(tx, benutzerId, after);
      await recordChange(tx, mandant, clock.now(), {
        akteur,
        aktion: 'profil.geaendert',
        objekt: { art: 'benutzer', id: benutzerId, name: email },
        ...changes,
      });
    }
    return describeSelf({ config }, tx, { ...principal, name: after.name });
  });
}
