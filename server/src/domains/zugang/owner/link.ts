/** Links that let somebody in, for the operator to hand over: where no mail brings them. */
import type pg from 'pg';
import {
  type Acting,
  actAsOperator,
  asSeenByMandant,
  type Done,
  recordChange,
} from '#domains/protokoll/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { continueAsMandant, type MandantTx } from '#platform/database/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { randomSecret } from '#platform/secret.ts';
import { storeConfirmation } from '../service/bestaetigung.ts';
import { storeReset } from '../service/ruecksetzung.ts';
import { lockUserOfAddress, type UserOfAddress } from './user-of-address.ts';

/** To set a new password; to confirm one's address. */
export type LinkKind = 'passwort' | 'bestaetigung';

/** `link` is null where none was made: a user who may not sign in, an address that is confirmed already. */
export type IssuedLink = UserOfAddress & { link: string | null };

type Service = Pick<ServiceContext, 'config'>;
interface Wish extends Acting {
  kind: LinkKind;
  email: string;
}

const ACTS = { passwort: 'passwort.link_ausgegeben', bestaetigung: 'email.link_ausgegeben' } as const;

const isOfUse = ({ aktiv, bestaetigt }: UserOfAddress, kind: LinkKind): boolean =>
  aktiv && (kind === 'passwort' || !bestaetigt);

const store = (service: Service, tx: MandantTx, benutzerId: string, { kind, now }: Wish): Promise<string> =>
  kind === 'passwort'
    ? storeReset(service, tx, benutzerId, randomSecret(), now)
    : storeConfirmation(service, tx, benutzerId, now);

async function issue(client: pg.PoolClient, service: Service, wish: Wish): Promise<Done<IssuedLink | null>> {
  const { kind, email, akteur, now } = wish;
  const user = await lockUserOfAddress(client, email);
  if (!user || !isOfUse(user, kind)) return { result: user && { ...user, link: null }, act: null };
  const { mandant, benutzerId } = user;
  const tx = await continueAsMandant(client, mandant);
  const link = await store(service, tx, benutzerId, wish);
  const objekt = { art: 'benutzer', id: benutzerId };
  await recordChange(tx, mandant, now, {
    aktion: ACTS[kind],
    akteur: asSeenByMandant(akteur),
    objekt: { ...objekt, name: user.email },
  });
  return { result: { ...user, link }, act: { aktion: ACTS[kind], mandant, objekt } };
}

/** Makes a link for the user of an address; the links before it end, and no mail goes. Null when there is no such user. */
export const issueLink = (db: OwnerDatabase, service: Service, wish: Wish): Promise<IssuedLink | null> =>
  actAsOperator(db, wish, (owner) => owner.transaction((client) => issue(client, service, wish)));
