/** Who may do what: an operation asked as every role, against those that are to be admitted. */
import type { Rolle, Static } from '#contracts';
import { type Account, addUser } from './account.ts';
import type { TestService } from './service.ts';

type Role = Static<typeof Rolle>;

/** The one who may most comes last: what it does may end what the others ask about. */
export const EVERYBODY: readonly Role[] = ['betrachter', 'buchhaltung', 'bearbeiter', 'verwalter', 'inhaber'];
export const EDITORS: readonly Role[] = ['bearbeiter', 'verwalter', 'inhaber'];
export const ACCOUNTANTS: readonly Role[] = ['buchhaltung', 'verwalter', 'inhaber'];
export const ADMINISTRATORS: readonly Role[] = ['verwalter', 'inhaber'];
export const OWNERS: readonly Role[] = ['inhaber'];

/** Asks as a new user of the account in every role, one after another; resolves with the status each of them got. */
export async function statusByRole(
  service: TestService,
  account: Account,
  ask: (user: Account, rolle: Role) => Promise<{ statusCode: number }>,
): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const rolle of EVERYBODY)
    statuses[rolle] = (await ask(await addUser(service, account, rolle), rolle)).statusCode;
  return statuses;
}

/** This status for these roles, 403 for all others. */
export const admitting = (roles: readonly Role[], status = 200): Record<string, number> =>
  Object.fromEntries(EVERYBODY.map((rolle) => [rolle, roles.includes(rolle) ? status : 403]));
