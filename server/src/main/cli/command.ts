/** What a command of the command line is. Each has a file of its own and stands in the list of `commands.ts`. */
import type { Akteur } from '#domains/protokoll/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

export interface CommandContext extends Pick<ServiceContext, 'db' | 'clock' | 'log' | 'config' | 'secrets'> {
  /** Every Mandant at once, row-level security not applied. */
  owner: OwnerDatabase;
  /** Who makes the changes. */
  akteur: Akteur;
  /** A line for the person in front of it. */
  print(line: string): void;
}

/** What the help tells of a command. */
export interface Spoken {
  name: string;
  /** Names of the arguments that are required. */
  argumente: readonly string[];
  /** Names of those that may follow. */
  wahlweise?: readonly string[];
  /** The last argument may stand several times. */
  weitere?: true;
  /** What may stand beside the arguments, as `--name`, or with a value that is called so. */
  schalter?: Readonly<Record<string, { wert?: string }>>;
  /** What it does, as a German clause. */
  zweck: string;
}

/** What was typed of them: the value, or true. */
export type Switches = Readonly<Record<string, string | boolean | undefined>>;

/** A command on the contents of the database. */
export interface Command extends Spoken {
  /** Throws `CommandRefused` or an `AppError`, whose sentence is shown. */
  run(context: CommandContext, args: readonly string[]): Promise<void>;
}

export type HostContext = Pick<CommandContext, 'clock' | 'log' | 'config' | 'akteur' | 'print'>;

/** A command on the installation as a whole, which finds or starts the database itself. */
export interface HostCommand extends Spoken {
  /** Throws `CommandRefused` or `BackupRefused`, whose sentence is shown. */
  runOnHost(host: HostContext, args: readonly string[], schalter: Switches): Promise<void>;
}

/** The command cannot be carried out, for the reason given as a German sentence. */
export class CommandRefused extends Error {}
