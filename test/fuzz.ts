import { isWhole } from './depth.ts';

/** How many bodies, values and the like a test makes by chance: `count`, times `ZW_FUZZ` for a long run. */
export const fuzzRuns = (count: number): number => Math.ceil(count * Number(process.env.ZW_FUZZ ?? 1));

/** How often a test strikes at a service under load: `ZW_ROUNDS`, else twenty times in the whole suite, and once in each of the ways it knows (`ways`) in others. */
export const crashRounds = (ways: number): number => Number(process.env.ZW_ROUNDS ?? (isWhole ? 20 : ways));
