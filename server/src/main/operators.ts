/** Operators by configuration: `BETREIBER_EMAILS`, looked at when the service starts. */
import type pg from 'pg';
import { SYSTEM } from '#domains/protokoll/index.ts';
import { nameOperator } from '#domains/zugang/index.ts';
import { systemClock } from '#kernel/clock.ts';
import type { Config } from '#platform/config.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';

const STATEMENT_TIMEOUT = 10_000;

/**
 * Makes the users with these addresses operators. Who registers one of them later becomes none: registration does not
 * check that the address is one's own, so it takes somebody who looks, and starts again or uses the command line.
 */
export async function nameConfiguredOperators(
  { operatorEmails }: Pick<Config, 'operatorEmails'>,
  connection: pg.ClientConfig,
  log: Log,
): Promise<void> {
  if (operatorEmails.length === 0) return;
  const options = { connection, max: 1, statementTimeout: STATEMENT_TIMEOUT, name: 'operators' };
  const owner = createOwnerDatabase(createPool(options, log));
  try {
    for (const email of operatorEmails) {
      const user = await nameOperator(owner, { email, akteur: SYSTEM, now: systemClock.now() });
      if (!user) log.warn({ email }, 'BETREIBER_EMAILS: nobody is registered with this address');
      else if (user.geaendert)
        log.warn({ email, firma: user.firma }, 'BETREIBER_EMAILS: this user is an operator now');
    }
  } finally {
    await owner.close();
  }
}
