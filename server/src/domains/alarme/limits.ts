import type { ErrandLimits } from '#platform/throttle.ts';

/** Tests of a channel send to addresses, and mails to people, whom the Mandant names. */
export const PROBES: ErrandLimits = { kind: 'alarmprobe', perMandant: 40, perNetwork: 200 };

/** Repeated deliveries do so, too. */
export const REPEATS: ErrandLimits = { kind: 'alarmwiederholung', perMandant: 200, perNetwork: 1_000 };
