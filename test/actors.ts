/** Everybody who may knock: with which credentials, and who they are. */
import { randomUUID } from 'node:crypto';
import type { Scope } from '#contracts';
import { type Account, createKey, openSession, registerAccount } from './account.ts';
import type { Grant, Role } from './rights-table.ts';
import type { TestService } from './service.ts';

export interface Actor {
  name: string;
  /** What the credentials are worth: a user's role, a key's scopes, nothing. */
  is: { role: Role; operator?: true } | { scopes: readonly Scope[] } | null;
  /** A user has a new session each time: some operations end sessions. */
  headers(): Promise<Record<string, string>>;
}

async function userOf(
  service: TestService,
  { mandantId }: Account,
  role: Role,
  active = true,
): Promise<string> {
  const benutzerId = randomUUID();
  await service.sql(
    `INSERT INTO benutzer (mandant_id, benutzer_id, email, rolle, aktiv) VALUES ($1, $2, $3, $4, $5)`,
    [mandantId, benutzerId, `${benutzerId}@example.org`, role, active],
  );
  return benutzerId;
}

const ROLES: readonly Role[] = ['inhaber', 'verwalter', 'bearbeiter', 'buchhaltung', 'betrachter'];
const SCOPES: readonly Scope[][] = [['Senden'], ['Lesen'], ['Senden', 'Lesen']];

async function createUsers(service: TestService, account: Account, other: Account): Promise<Actor[]> {
  const actor = (name: string, is: Actor['is'], { mandantId }: Account, benutzerId: string): Actor => ({
    name,
    is,
    headers: async () => ({ cookie: await openSession(service, { mandantId, benutzerId }) }),
  });
  const operator = await userOf(service, account, 'betrachter');
  await service.sql('INSERT INTO betreiber (mandant_id, benutzer_id) VALUES ($1, $2)', [
    account.mandantId,
    operator,
  ]);
  const roles = ROLES.map(async (role) =>
    actor(role, { role }, account, await userOf(service, account, role)),
  );
  return [
    ...(await Promise.all(roles)),
    actor('operator', { role: 'betrachter', operator: true }, account, operator),
    actor('disabled user', null, account, await userOf(service, account, 'inhaber', false)),
    actor('user of another Mandant', { role: 'inhaber' }, other, other.benutzerId),
  ];
}

async function createKeys(service: TestService, account: Account): Promise<Actor[]> {
  const actor = (name: string, is: Actor['is'], secret: string): Actor => ({
    name,
    is,
    headers: async () => ({ authorization: `Bearer ${secret}` }),
  });
  const keys = SCOPES.map(async (scopes) =>
    actor(`key ${scopes.join(', ')}`, { scopes }, (await createKey(service, account, scopes)).secret),
  );
  const blocked = await createKey(service, account);
  await service.sql('UPDATE schluessel SET gesperrt_am = now() WHERE schluessel_id = $1', [
    blocked.schluesselId,
  ]);
  return [...(await Promise.all(keys)), actor('blocked key', null, blocked.secret)];
}

/** Those of one account, and of one that has cancelled. */
export async function createActors(service: TestService, account: Account): Promise<Actor[]> {
  const [other, cancelled] = [await registerAccount(service), await registerAccount(service)];
  const { secret } = await createKey(service, cancelled);
  await service.sql(`UPDATE mandanten SET status = 'gekündigt' WHERE mandant_id = $1`, [cancelled.mandantId]);
  return [
    { name: 'nobody', is: null, headers: async () => ({}) },
    { name: 'made-up session', is: null, headers: async () => ({ cookie: `zw_sitzung=${'a'.repeat(43)}` }) },
    ...(await createUsers(service, account, other)),
    ...(await createKeys(service, account)),
    {
      name: 'user of a cancelled Mandant',
      is: null,
      headers: async () => ({ cookie: await openSession(service, cancelled) }),
    },
    {
      name: 'key of a cancelled Mandant',
      is: null,
      headers: async () => ({ authorization: `Bearer ${secret}` }),
    },
  ];
}

/** What the actor gets where the grant is needed: admission, or the status of the refusal. */
export function verdict({ is }: Actor, grant: Grant): 'admitted' | 401 | 403 {
  if (grant === 'public') return 'admitted';
  if (is === null) return 401;
  if ('operators' in grant) {
    if (!('role' in is)) return 401;
    return is.operator ? 'admitted' : 403;
  }
  if ('roles' in grant) {
    if (!('role' in is)) return 401;
    return grant.roles.includes(is.role) ? 'admitted' : 403;
  }
  if (!('scopes' in is)) return 401;
  return is.scopes.some((scope) => grant.keys.includes(scope)) ? 'admitted' : 403;
}
