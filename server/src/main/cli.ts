/**
 * `npm run betreiber -- <befehl>`: what only the operator of the installation may do. Works on the database of the service,
 * whether or not that is running. Ends with 0, with 1 when the command cannot be carried out, with 2 when it is none.
 */
import { userInfo } from 'node:os';
import type { Akteur } from '#domains/protokoll/index.ts';
import { systemClock } from '#kernel/clock.ts';
import { AppError, InvalidInput, type ValueFault } from '#kernel/errors.ts';
import type { Config } from '#platform/config.ts';
import { DataDirInUse } from '#platform/data-dir-lock.ts';
import { BackupRefused } from '#platform/database/backup/index.ts';
import {
  createPool,
  createRequestDatabase,
  isTooSlow,
  isUnreachable,
  SchemaTooOld,
} from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import { createSecretBox, loadSecretKey } from '#platform/secret-box.ts';
import { type Command, CommandRefused } from './cli/command.ts';
import { COMMANDS, HOST_COMMANDS, helpText, problemOf, readTyped } from './cli/commands.ts';
import { NoDatabase, reachDatabase } from './database.ts';
import { run } from './process.ts';

// Between the lines of the answer nobody wants the log of the database.
process.env.LOG_LEVEL ??= 'fatal';

const print = (line: string) => console.log(line);
const AKTEUR: Akteur = {
  art: 'betreiber',
  id: null,
  name: `Kommandozeile (${userInfo().username})`,
  adresse: null,
};
const STATEMENT_TIMEOUT = 60_000;
const NO_SUCH_TABLE = '42P01';

async function runOnDatabase(
  command: Command,
  args: readonly string[],
  config: Config,
  log: Log,
): Promise<void> {
  const database = await reachDatabase(config, log);
  const options = {
    connection: database.connection,
    max: 1,
    statementTimeout: STATEMENT_TIMEOUT,
    name: 'cli',
  };
  const owner = createOwnerDatabase(createPool(options, log));
  const db = createRequestDatabase(createPool({ ...options, pipeline: true }, log), { signedInAs: 'owner' });
  try {
    await command.run(
      {
        db,
        owner,
        log,
        config,
        clock: systemClock,
        // Made when asked for: looking for the key makes one where there is none.
        get secrets() {
          return createSecretBox(loadSecretKey(config.secretKey, config.dataDir));
        },
        akteur: AKTEUR,
        print,
      },
      args,
    );
  } finally {
    await Promise.all([db.close(), owner.close()]);
    await database.stop();
  }
}

const sentenceOfFault = ({ path, ...fault }: ValueFault): string =>
  `„${path.join('.')}“: ${'reason' in fault ? fault.reason.de : 'Der Wert ist keiner von denen, die es gibt'}.`;

/** A sentence for what the person at the keyboard can put right; null for everything else. */
function sentenceFor(error: unknown): string | null {
  const isSpoken = [CommandRefused, BackupRefused, AppError, NoDatabase, DataDirInUse, SchemaTooOld].some(
    (kind) => error instanceof kind,
  );
  if (isSpoken) return (error as Error).message;
  if (error instanceof InvalidInput) return error.faults.map(sentenceOfFault).join('\n');
  if ((error as { code?: string }).code === NO_SUCH_TABLE)
    return 'Die Datenbank ist noch nicht eingerichtet; das tut der erste Start des Dienstes oder „npm run migrate“.';
  if (isTooSlow(error)) return 'Das dauert zu lange: Die Datenbank hat die Abfrage abgebrochen.';
  return isUnreachable(error) ? 'Die Datenbank ist nicht zu erreichen.' : null;
}

await run(async (config, log) => {
  const [name, ...typed] = process.argv.slice(2);
  if (name === 'hilfe' || name === '--help') return helpText().forEach((line) => void console.log(line));
  const onDatabase = COMMANDS.find((candidate) => candidate.name === name);
  const onHost = HOST_COMMANDS.find((candidate) => candidate.name === name);
  const command = onDatabase ?? onHost;
  const read = command ? readTyped(command, typed) : null;
  const problem = problemOf(command, name, read?.args ?? null);
  if (problem !== null || read === null) {
    for (const line of [problem ?? '', '', ...helpText()]) console.error(line);
    process.exitCode = 2;
    return;
  }
  try {
    const { args, switches } = read;
    await onHost?.runOnHost({ config, log, clock: systemClock, akteur: AKTEUR, print }, args, switches);
    if (onDatabase) await runOnDatabase(onDatabase, args, config, log);
  } catch (error) {
    const sentence = sentenceFor(error);
    if (sentence === null) throw error;
    console.error(sentence);
    process.exitCode = 1;
  }
});
