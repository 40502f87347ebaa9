import { isWhole } from './depth.ts';

/** `ZW_FUZZ` for a long run; a tenth is enough for every push, since each run draws other ones. */
const TIMES = Number(process.env.ZW_FUZZ ?? (isWhole ? 1 : 0.1));

/** How many bodies, values and the like a test makes by chance: `count` in the whole suite. */
export const fuzzRuns = (count: number): number => Math.ceil(count * TIMES);

/** How long a test that makes them may take, in milliseconds. */
export const fuzzTime = (): number => 600_000 * Math.max(1, TIMES);

/** How often a test strikes at a service under load: `ZW_ROUNDS`, else twenty times in the whole suite, and once in each of the ways it knows (`ways`) in others. */
export const crashRounds = (ways: number): number => Number(process.env.ZW_ROUNDS ?? (isWhole ? 20 : ways));
