/** What costs are converted at and priced by. */
import { type Env, fail, parseUrl, read } from './read.ts';

/** The rate and the day it is of go together. */
const DEFAULT_RATE = { usdEur: '0.86', day: '2026-11-20' };

export function parseRate(env: Env): string {
  const text = read(env, 'USD_EUR_RATE') ?? DEFAULT_RATE.usdEur;
  if (!/^\d{1,4}(\.\d{1,10})?$/.test(text) || Number(text) === 0) {
    fail('USD_EUR_RATE', `„${text}“ ist kein Kurs wie 0.86 (Euro für einen US-Dollar).`);
  }
  return text;
}

export function parseRateDay(env: Env): string | null {
  const text = read(env, 'USD_EUR_RATE_DATUM');
  if (text === undefined) return parseRate(env) === DEFAULT_RATE.usdEur ? DEFAULT_RATE.day : null;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
  if (!isDay || new Date(`${text}T00:00:00Z`).toISOString().slice(0, 10) !== text)
    fail('USD_EUR_RATE_DATUM', `„${text}“ ist kein Tag wie 2026-11-20.`);
  return text;
}

/** Where the project of the list publishes it. */
const PRICE_LIST =
  'https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json';

export function parsePriceListUrl(env: Env): string | null {
  if (env.PREISLISTE_URL?.trim() === '') return null;
  return parseUrl(env, 'PREISLISTE_URL', ['https:', 'http:']) ?? PRICE_LIST;
}
