/** What the sources are, so that a build is started for the very ones it was made of. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SOURCES = '{contracts,server/src,clients/typescript/src}/**/*.ts';
/** What decides on a build besides: packages, the version, and how it is made. */
const BESIDES = ['package.json', 'package-lock.json', 'server/build.ts'];

/** A hash over names and contents of all sources below the folder of the project, tests aside. Dates say nothing: a copy may keep them. */
export function stateOfSources(root: string): string {
  const hash = createHash('sha256');
  const sources = globSync(SOURCES, { cwd: root, exclude: ['**/*.test.ts'] }).sort();
  for (const file of [...sources, ...BESIDES])
    if (existsSync(join(root, file))) hash.update(`${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}
