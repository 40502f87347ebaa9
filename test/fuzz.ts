/** How many bodies, values and the like a test makes by chance: `count`, times `ZW_FUZZ` for a long run. */
export const fuzzRuns = (count: number): number => Math.ceil(count * Number(process.env.ZW_FUZZ ?? 1));
