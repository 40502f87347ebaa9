import { Chance } from '../chance.ts';
import { crowds } from './crowds.ts';
import { loops } from './loops.ts';
import type { Report } from './report.ts';

/** The seventeen reports. */
export const allReports = (seed: string): Report[] =>
  [...loops, ...crowds].map((report, at) => report(new Chance(`${seed}/${at}`)));
