/** What the trial found, as a table of `docs/libraries.md`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Program } from './programs.ts';

export interface Tried {
  program: Program;
  version: string;
  lines: number;
  calls: number;
  token: number;
  steps: number;
  /** After how many calls the endless loop was stopped. */
  stoppedAfter: number;
}

const PAGE = join(import.meta.dirname, '../../docs/libraries.md');
const HEAD = `| library | version | lines | calls, tokens | run with its steps | endless loop stopped after |
| --- | --- | --- | --- | --- | --- |`;

const line = ({ program, version, lines, calls, token, steps, stoppedAfter }: Tried): string =>
  `| \`${program.library}\` (${program.language}) | ${version} | ${lines} | ${calls}, ${token}: as the provider's | ${steps} steps | ${stoppedAfter} calls |`;

/** Puts the table in the place of the one before. */
export function writeTable(tried: readonly Tried[]): void {
  const [before = ''] = readFileSync(PAGE, 'utf8').split(/^Tried on /m);
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(PAGE, `${before}Tried on ${day}:\n\n${[HEAD, ...tried.map(line)].join('\n')}\n`);
}
