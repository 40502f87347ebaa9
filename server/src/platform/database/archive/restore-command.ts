/** What PostgreSQL runs for each file of its log while it goes back (`restore_command`): folder, name, and where to put it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packedName, unpack } from './packed.ts';

const ABSENT = 1;
/** From 126 on PostgreSQL gives up instead of taking the file for one that does not exist. */
const BROKEN = 200;

const [folder = '', name = '', target = ''] = process.argv.slice(2);
const path = join(folder, packedName(name));
try {
  if (existsSync(path)) writeFileSync(target, unpack(readFileSync(path)), { mode: 0o600 });
  else process.exitCode = ABSENT;
} catch (error) {
  console.error(`archive: ${name}: ${(error as Error).message}`);
  process.exitCode = BROKEN;
}
