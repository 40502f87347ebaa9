/** What whoever makes licences out does, each in a transaction with its entry in the operators' log. */
import type { Akteur } from '#domains/protokoll/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKeyring } from '../keyring.ts';
import { listKeys, rotateKey, type Schluesselstand, withdrawKey } from './keys.ts';
import {
  type Ausgestellt,
  blockLicences,
  type Geaendert,
  makeLicence,
  type Neu,
  unblockLicences,
  type Wahl,
} from './licences.ts';

/** For requests of operators and the command line alike. */
export interface IssuingContext extends Pick<ServiceContext, 'clock' | 'config' | 'secrets'> {
  owner: OwnerDatabase;
}

const LIST_PATH = '/v1/lizenzen/sperrliste';

/** Makes a licence. Throws 422 for a name, package or date that cannot be. */
export function issue(
  { owner, clock, config, secrets }: IssuingContext,
  input: Neu,
  akteur: Akteur,
): Promise<Ausgestellt> {
  const keyring = createKeyring(secrets);
  const now = clock.now();
  const issuing = { keyring, now, von: akteur.name, sperrliste: `${config.baseUrl}${LIST_PATH}` };
  return owner.transaction((client) => makeLicence(client, input, issuing));
}

/** Blocks the licences that are meant. Throws 404, 409 when the list is full, 422. */
export function block(
  { owner, clock }: IssuingContext,
  wahl: Wahl,
  grund: string,
  _akteur: Akteur,
): Promise<Geaendert> {
  return owner.transaction((client) => blockLicences(client, wahl, grund, clock.now()));
}

/** Takes the licences that are meant off the list. Throws 404, 422. */
export function unblock({ owner, clock }: IssuingContext, wahl: Wahl, _akteur: Akteur): Promise<Geaendert> {
  return owner.transaction((client) => unblockLicences(client, wahl, clock.now()));
}

/** All keys there ever were, the oldest first. */
export const readSigningKeys = ({ owner, clock, secrets }: IssuingContext): Promise<Schluesselstand[]> =>
  owner.transaction((client) => listKeys(client, secrets, clock.now()));

/** Has a new key sign from now on; resolves with the new one. */
export function rotate({ owner, clock, secrets }: IssuingContext, _akteur: Akteur): Promise<Schluesselstand> {
  return owner.transaction(async (client) => (await rotateKey(client, secrets, clock.now())).nachher);
}

/** Withdraws a key that signs no more; resolves with how it stood. Throws 404, 409 for the active one. */
export function withdraw(
  { owner, clock, secrets }: IssuingContext,
  kid: string,
  _akteur: Akteur,
): Promise<Schluesselstand> {
  return owner.transaction((client) => withdrawKey(client, secrets, kid, clock.now()));
}
