/** How much is too much, an hour. */
import type { ErrandLimits, SubjectLimits } from '#platform/throttle.ts';

/** A user who waits for a record asks again every half minute. */
export const DOMAIN_CHECKS: ErrandLimits = { kind: 'domain', perMandant: 120, perNetwork: 500 };

/** A changed issuer makes the service ask for its description. */
export const ISSUER_CHECKS: ErrandLimits = { kind: 'aussteller', perMandant: 60, perNetwork: 300 };

/** Each makes the service ask a provider; a whole company comes from one network in the morning. */
export const COMPANY_LOGINS: SubjectLimits = { kind: 'firmenkonto', perHour: 1_000 };
