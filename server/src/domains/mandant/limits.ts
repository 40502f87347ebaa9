import type { ErrandLimits } from '#platform/throttle.ts';

/** The page that shows the logo fetches it at every visit. */
export const LOGOS: ErrandLimits = { kind: 'logo', perMandant: 300, perNetwork: 1_000 };
