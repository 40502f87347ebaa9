/**
 * What PostgreSQL runs for each file of its log (`archive_command`), as its own user and in its data directory:
 * folder of the archive, path and name of the file. An exit code other than 0 has it try again.
 */
import { accessSync, constants } from 'node:fs';
import { KEY_VARIABLE } from './key-variable.ts';
import { storeFile } from './store-file.ts';

const [folder = '', source, name] = process.argv.slice(2);
try {
  // Without a file it only says whether it could.
  if (source === undefined || name === undefined) accessSync(folder, constants.W_OK | constants.X_OK);
  else storeFile(folder, source, name, Buffer.from(process.env[KEY_VARIABLE] ?? '', 'hex'));
} catch (error) {
  console.error(`archive: ${(error as Error).message}`);
  process.exitCode = 1;
}
