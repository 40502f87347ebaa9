/** What the issuer of licences does, each in one transaction with its entry in the operator log. */
import {
  type Acting,
  actAsOperator,
  type OperatorAct,
  type OperatorDatabase,
} from '#domains/protokoll/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createKeyring } from '../keyring.ts';
import { listKeys, rotateKey, type Schluesselstand, withdrawKey } from './keys.ts';
import {
  type Ausgestellt,
  blockLicences,
  type Geaendert,
  type Lizenzeintrag,
  makeLicence,
  type Neu,
  unblockLicences,
  type Wahl,
} from './licences.ts';

const LIST_PATH = '/v1/lizenzen/sperrliste';

const licenceOf = ({ lizenz_id, kunde }: Lizenzeintrag) => ({ art: 'lizenz', id: lizenz_id, name: kunde });
const keyOf = ({ kid }: Schluesselstand) => ({ art: 'lizenzschluessel', id: kid, name: kid });

/** Makes a licence. Throws 422 for a name, package or date that cannot be. */
export function issue(
  db: OperatorDatabase,
  { config, secrets }: Pick<ServiceContext, 'config' | 'secrets'>,
  input: Neu,
  acting: Acting,
): Promise<Ausgestellt> {
  const keyring = createKeyring(secrets);
  const { akteur, now } = acting;
  const issuing = { keyring, now, von: akteur.name, sperrliste: `${config.baseUrl}${LIST_PATH}` };
  return actAsOperator(db, acting, async (owner) => {
    const result = await owner.transaction((client) => makeLicence(client, input, issuing));
    const { fingerabdruck, paket, gueltig_bis, mandanten, kid } = result.lizenz;
    const nachher = { fingerabdruck, paket, gueltig_bis, mandanten, kid };
    return { result, act: { aktion: 'lizenz.erzeugt', objekt: licenceOf(result.lizenz), nachher } };
  });
}

/** One entry for all that were meant at once: of a single licence by its id, else of the customer. */
function changeAct(
  aktion: string,
  { geaendert, nummer }: Geaendert,
  nachher: Record<string, unknown>,
): OperatorAct | null {
  const [first] = geaendert;
  if (!first) return null;
  const objekt = geaendert.length === 1 ? licenceOf(first) : { art: 'lizenz', id: null, name: first.kunde };
  const lizenzen = geaendert.map(({ lizenz_id }) => lizenz_id);
  return { aktion, objekt, nachher: { ...nachher, lizenzen, sperrliste: nummer } };
}

/** Blocks the licences that are meant. Throws 404, 409 when the list is full, 422. */
export const block = (db: OperatorDatabase, wahl: Wahl, grund: string, acting: Acting): Promise<Geaendert> =>
  actAsOperator(db, acting, async (owner) => {
    const result = await owner.transaction((client) => blockLicences(client, wahl, grund, acting.now));
    return { result, act: changeAct('lizenz.gesperrt', result, { status: 'gesperrt', grund }) };
  });

/** Takes the licences that are meant off the list. Throws 404, 422. */
export const unblock = (db: OperatorDatabase, wahl: Wahl, acting: Acting): Promise<Geaendert> =>
  actAsOperator(db, acting, async (owner) => {
    const result = await owner.transaction((client) => unblockLicences(client, wahl, acting.now));
    return { result, act: changeAct('lizenz.entsperrt', result, { status: 'aktiv' }) };
  });

/** All keys there ever were, the oldest first. */
export const readSigningKeys = (
  db: OperatorDatabase,
  { clock, secrets }: Pick<ServiceContext, 'clock' | 'secrets'>,
): Promise<Schluesselstand[]> => db.transaction((client) => listKeys(client, secrets, clock.now()));

/** Has a new key sign from now on; resolves with that one. */
export const rotate = (
  db: OperatorDatabase,
  { secrets }: Pick<ServiceContext, 'secrets'>,
  acting: Acting,
): Promise<Schluesselstand> =>
  actAsOperator(db, acting, async (owner) => {
    const { vorher, nachher } = await owner.transaction((client) => rotateKey(client, secrets, acting.now));
    const change = { vorher: { aktiv: vorher.kid }, nachher: { aktiv: nachher.kid } };
    return {
      result: nachher,
      act: { aktion: 'lizenzschluessel.gewechselt', objekt: keyOf(nachher), ...change },
    };
  });

/** Withdraws a key that signs no more; resolves with how it stood. Throws 404, 409 for the active one. */
export const withdraw = (
  db: OperatorDatabase,
  { secrets }: Pick<ServiceContext, 'secrets'>,
  kid: string,
  acting: Acting,
): Promise<Schluesselstand> =>
  actAsOperator(db, acting, async (owner) => {
    const result = await owner.transaction((client) => withdrawKey(client, secrets, kid, acting.now));
    const change = { vorher: { status: result.status }, nachher: { status: 'zurückgezogen' } };
    return { result, act: { aktion: 'lizenzschluessel.zurueckgezogen', objekt: keyOf(result), ...change } };
  });
