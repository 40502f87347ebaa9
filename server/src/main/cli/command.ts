/** What a command of the command line is. Each has a file of its own and stands in the list of `commands.ts`. */
import type { Akteur } from '#domains/protokoll/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

export interface CommandContext extends Pick<ServiceContext, 'db' | 'clock' | 'log' | 'config' | 'secrets'> {
  /** Every Mandant at once, row-level security not applied. */
  owner: OwnerDatabase;
  /** Who makes the changes. */
  akteur: Akteur;
  /** A line for whoever sits in front of it. */
  print(line: string): void;
}

export interface Command {
  name: string;
  /** Names of the arguments, all of them required. */
  argumente: readonly string[];
  /** What it does, as a German clause. */
  zweck: string;
  /** Throws `CommandRefused` or an `AppError`, whose sentence is shown. */
  run(context: CommandContext, args: readonly string[]): Promise<void>;
}

/** The command cannot be carried out, for the reason given as a German sentence. */
export class CommandRefused extends Error {}
