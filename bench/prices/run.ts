/**
 * `npm run prices:compare`: the service's prices beside those of two other lists, into `docs/prices.md`. With
 * `-- --aufzeichnungen <folder>` also the recorded real calls; without, their part stays as it is. Fails, and writes
 * nothing, where a difference has no reason. With `-- --sweep` instead all models of the newest lists on PyPI (needs Python and a network).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PRICE_CASES } from '#test/price-cases.ts';
import { breadthOf } from './breadth.ts';
import { compare, unexplained } from './compare.ts';
import { readLists } from './lists.ts';
import { breadthPart, casesPart, listsPart, recordingsPart, withPart } from './page.ts';
import { REASONS } from './reasons.ts';
import { recordedCalls } from './recorded.ts';
import { sweepAll } from './sweep/run.ts';

const PAGE = join(import.meta.dirname, '../../docs/prices.md');
const { values } = parseArgs({ options: { aufzeichnungen: { type: 'string' }, sweep: { type: 'boolean' } } });

/** Stands alone: it takes lists out of the network. */
function runSweep(): never {
  const { parts, faults } = sweepAll();
  for (const fault of faults) console.error(fault);
  if (faults.length === 0) {
    const page = Object.entries(parts).reduce(
      (before, [name, part]) => withPart(before, name, part),
      readFileSync(PAGE, 'utf8'),
    );
    writeFileSync(PAGE, page);
  }
  process.exit(faults.length === 0 ? 0 : 1);
}
if (values.sweep) runSweep();

const lists = readLists();
const groups = Object.fromEntries(
  Object.entries(PRICE_CASES).map(([what, cases]) => [what, cases.map((each) => compare(each, lists))]),
);
const cases = Object.values(groups).flat();
const recorded = values.aufzeichnungen === undefined ? null : recordedCalls(values.aufzeichnungen);
const recordings = recorded?.calls.map((call) => compare(call, lists)) ?? [];

const used = new Set([...cases, ...recordings].flatMap(({ others }) => others.map(({ reason }) => reason)));
const faults = [
  ...unexplained(cases, ['differs', 'unknown here']),
  ...unexplained(recordings, ['differs', 'unknown here', 'unknown to both']),
  ...(recorded
    ? REASONS.filter((each) => !used.has(each)).map(({ why }) => `a reason for nothing: ${why}`)
    : []),
];

if (faults.length > 0) {
  for (const fault of faults) console.error(fault);
  process.exitCode = 1;
} else {
  let page = readFileSync(PAGE, 'utf8');
  page = withPart(page, 'lists', listsPart(lists));
  page = withPart(page, 'cases', casesPart(groups, lists));
  page = withPart(page, 'breadth', breadthPart(lists.map((list) => [list, breadthOf(list)])));
  if (recorded) page = withPart(page, 'recordings', recordingsPart(recordings, recorded.uncounted, lists));
  writeFileSync(PAGE, page);
}
