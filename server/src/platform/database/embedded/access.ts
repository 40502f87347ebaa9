/**
 * Who may connect to the embedded server. Users who reach the socket need no password: the system says whose
 * process it is, and only the user of the service and root are let in.
 */
import { closeSync, fchownSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { REQUEST_ROLE } from '../request-database.ts';
import type { Account } from './data-files.ts';

/** The superuser that the data files are made with. It sets up roles and the database at the start; no pool is its. */
export const SYSTEM_ROLE = 'zaehlwerk_system';
/** Owns the database and all that is in it. */
export const OWNER_ROLE = 'zaehlwerk';

const MAP = 'zaehlwerk';
const ROLES = [SYSTEM_ROLE, OWNER_ROLE, REQUEST_ROLE];

/** Replaces a file of the server, whatever stands under its name. */
function replaceFile(directory: string, name: string, lines: string[], account: Account): void {
  const unnamed = join(directory, `${name}.neu`);
  rmSync(unnamed, { force: true });
  const descriptor = openSync(unnamed, 'wx', 0o600);
  try {
    if (account.uid !== undefined && account.gid !== undefined)
      fchownSync(descriptor, account.uid, account.gid);
    writeSync(descriptor, lines.map((line) => `${line}\n`).join(''));
  } finally {
    closeSync(descriptor);
  }
  renameSync(unnamed, join(directory, name));
}

/** Writes the rules anew at every start: data files that were made under other rules or by another user get them, too. */
export function writeAccessRules(cluster: string, account: Account): void {
  const users = [...new Set(['root', userInfo().username])];
  const head = '# Written at every start of Zählwerk.';
  replaceFile(cluster, 'pg_hba.conf', [head, `local all all peer map=${MAP}`], account);
  const lines = users.flatMap((user) => ROLES.map((role) => `${MAP} "${user}" ${role}`));
  replaceFile(cluster, 'pg_ident.conf', [head, ...lines], account);
}
