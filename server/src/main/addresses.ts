/** What is done to addresses when the service starts: brought into one form, and operators made of those in `BETREIBER_EMAILS`. */
import type pg from 'pg';
import { SYSTEM } from '#domains/protokoll/index.ts';
import { nameOperator, normaliseStoredAddresses } from '#domains/zugang/index.ts';
import { systemClock } from '#kernel/clock.ts';
import type { Config } from '#platform/config.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';

const STATEMENT_TIMEOUT = 10_000;

/**
 * Makes the users with these addresses operators, as far as they have proven them: anybody may register an address. Who proves one
 * later becomes operator at the next start, since no request makes anybody one.
 */
export async function prepareAddresses(
  { operatorEmails }: Pick<Config, 'operatorEmails'>,
  connection: pg.ClientConfig,
  log: Log,
): Promise<void> {
  const options = { connection, max: 1, statementTimeout: STATEMENT_TIMEOUT, name: 'operators' };
  const owner = createOwnerDatabase(createPool(options, log));
  try {
    await normaliseStoredAddresses(owner, systemClock.now(), (user) =>
      log.warn(user, 'two accounts had this mailbox; this one can no longer sign in with it'),
    );
    for (const email of operatorEmails) {
      const naming = { email, akteur: SYSTEM, now: systemClock.now(), onlyProven: true };
      const user = await nameOperator(owner, naming);
      if (!user) log.warn({ email }, 'BETREIBER_EMAILS: nobody is registered with this address');
      else if (!user.betreiber)
        log.warn(
          { email, firma: user.firma },
          'BETREIBER_EMAILS: this user has not confirmed the address yet',
        );
      else if (user.geaendert)
        log.warn({ email, firma: user.firma }, 'BETREIBER_EMAILS: this user is an operator now');
    }
  } finally {
    await owner.close();
  }
}
