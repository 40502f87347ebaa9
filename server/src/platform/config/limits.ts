/** How long data are kept, and how much may be sent. */
import type { Limits } from '../quota.ts';
import { type Env, fail, read } from './read.ts';

/** Reports, rules and backtests look back as far. */
export const LEAST_DAYS_KEPT = 92;

/** Days that events are kept at most, or as the packages of the Mandanten say. */
export type Retention = number | 'tarif';

/** How long events are kept; for ever where nothing is said. */
export function parseRetention(env: Env, name: string): Retention | null {
  const text = read(env, name);
  if (text === undefined || text === 'tarif') return text ?? null;
  if (/^\d{2,5}$/.test(text) && Number(text) >= LEAST_DAYS_KEPT) return Number(text);
  return fail(name, `„${text}“ ist weder „tarif“ noch eine Zahl von Tagen ab ${LEAST_DAYS_KEPT}.`);
}

/** A limit of a minute; none where nothing is said. */
function parseLimit(env: Env, name: string): number | null {
  const text = read(env, name);
  if (text === undefined) return null;
  const isLimit = /^\d{1,9}$/.test(text) && Number(text) > 0;
  return isLimit ? Number(text) : fail(name, `„${text}“ ist keine Zahl von 1 bis 999999999.`);
}

/** What a Mandant may send in a minute where operators say nothing else. */
export const parseMandantLimits = (env: Env): Limits => ({
  anfragen: parseLimit(env, 'KONTINGENT_ANFRAGEN_JE_MINUTE'),
  ereignisse: parseLimit(env, 'KONTINGENT_EREIGNISSE_JE_MINUTE'),
});
