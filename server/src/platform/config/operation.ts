/** How the process runs. */
import { zoneOf } from '#kernel/zone.ts';
import { type Env, fail, read } from './read.ts';

export const NODE_ENVS = ['development', 'production', 'test'] as const;
export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/**
 * With such a link anybody takes over any account: only where somebody has said so. Whether others reach the service, neither its
 * configuration nor a request tells.
 */
export const showsLinks = (env: Env): boolean =>
  ['development', 'test'].includes(read(env, 'NODE_ENV') ?? '');

export function parseTimeZone(env: Env): string {
  const zone = read(env, 'ZEITZONE') ?? 'Europe/Berlin';
  return zoneOf(zone) ?? fail('ZEITZONE', `„${zone}“ ist keine Zeitzone wie Europe/Berlin.`);
}

/** Less than process managers wait for an end. */
const MOST_LEAVE_SECONDS = 30;

export function parseLeaveSeconds(env: Env): number {
  const text = read(env, 'ABMELDEN_SEKUNDEN') ?? '0';
  const seconds = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return seconds <= MOST_LEAVE_SECONDS
    ? seconds
    : fail('ABMELDEN_SEKUNDEN', `Erwartet wird eine ganze Zahl von 0 bis ${MOST_LEAVE_SECONDS}.`);
}
