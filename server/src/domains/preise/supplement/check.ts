/** `npm run prices`: says what of the supplement can go since the list has it; fails when there is something. */
import { loadSupplements } from './load.ts';
import { superfluousIn } from './superfluous.ts';

const found = loadSupplements().flatMap(superfluousIn);
for (const sentence of found) console.log(sentence);
if (found.length > 0) process.exitCode = 1;
