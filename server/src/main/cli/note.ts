import { actAsOperator, type OperatorAct } from '#domains/protokoll/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import type { OpenDatabase } from '../database.ts';
import type { HostContext } from './command.ts';

const TIMEOUT = 60_000;

/** Works as the owner on the database of a command on the installation. */
export async function asOwner<T>(
  { log }: Pick<HostContext, 'log'>,
  { connection }: Pick<OpenDatabase, 'connection'>,
  work: (owner: OwnerDatabase) => Promise<T>,
): Promise<T> {
  const pool = createPool({ connection, max: 1, statementTimeout: TIMEOUT, name: 'cli' }, log);
  const owner = createOwnerDatabase(pool);
  return work(owner).finally(() => owner.close());
}

/**
 * Notes in the operator log what was done to the database as a whole, once it is done: a backup does not hold the entry about itself.
 * Where the database is that of a release before the log, nothing is noted.
 */
export async function noteAct(
  { akteur, clock, log }: HostContext,
  database: OpenDatabase,
  act: OperatorAct,
): Promise<void> {
  await asOwner({ log }, database, (owner) =>
    actAsOperator(owner, { akteur, now: clock.now() }, async (within) => {
      const { rowCount } = await within.transaction((client) =>
        client.query(`SELECT FROM to_regclass('betreiberprotokoll') AS log WHERE log IS NOT NULL`),
      );
      return { result: null, act: rowCount === 1 ? act : null };
    }),
  );
}
