import type { ErrandLimits } from '#platform/throttle.ts';

/** Payment pages and portals: each is made by the provider. */
export const BOOKINGS: ErrandLimits = { kind: 'buchung', perMandant: 60, perNetwork: 500 };
