/**
 * `npm run prices`: says what of the supplement can go since the list has it; fails when there is something. With a file, what
 * the edition in it has: `npm run prices -- data.json`.
 */
import { readFileSync } from 'node:fs';
import { readPackaged } from '../list/price-data.ts';
import { readList } from '../list/read-list.ts';
import { loadSupplements } from './load.ts';
import { superfluousIn } from './superfluous.ts';

const [, , file] = process.argv;
const list = file === undefined ? await readPackaged() : readList(readFileSync(file));
const found = loadSupplements().flatMap((each) => superfluousIn(each, list));
for (const sentence of found) console.log(sentence);
if (found.length > 0) process.exitCode = 1;
