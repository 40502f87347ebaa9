/** The rates of an own price, exact, under the keys of the list. */
import { BOOK_RATE_NAMES, BOOK_RATES } from '#contracts';
import { type Rate, type Rates, rateOf, withAlike } from '../rates.ts';
import type { BookPrice } from './content.ts';

/**
 * What a call is billed for in one way or another: an own price says what of it costs something, the rest is free. An hour of
 * cache costs what five minutes do, unless more is said.
 */
const FREE_KEYS = [
  'input_mtok',
  'output_mtok',
  'input_mchars',
  'input_document_kpages',
  'output_images_kcount',
  'input_audio_hours',
];
/** A rate of tokens left out is that of the more general ones. */
const KINDS = ['input_audio', 'input_image', 'input_video', 'output_audio', 'output_image', 'output_video'];
const FREE: Rate = { base: 0n, tiers: [] };

const TOOL_KEYS: ReadonlySet<string> = new Set(
  BOOK_RATE_NAMES.filter((name) => 'tool' in BOOK_RATES[name]).map((name) => BOOK_RATES[name].key),
);

/** The rates that an own price states, and what follows from them. Tools that it leaves out keep what the list says of them. */
export function ratesOfPrice({ saetze }: BookPrice, listed: Rates): Rates {
  const rates = new Map<string, Rate>(FREE_KEYS.map((key) => [key, FREE]));
  for (const [key, rate] of listed) if (TOOL_KEYS.has(key)) rates.set(key, rate);
  for (const name of BOOK_RATE_NAMES) {
    // An edition that was made before there was such a rate says nothing of it.
    const stated = saetze[name] ?? null;
    const { key, per } = BOOK_RATES[name];
    if (stated !== null) rates.set(key, rateOf(stated, key, per));
  }
  const written = rates.get('cache_write_mtok');
  if (written && !rates.has('cache_write_1h_mtok')) rates.set('cache_write_1h_mtok', written);
  const input = rates.get('input_mtok');
  if (input && !rates.has('cache_read_mtok')) rates.set('cache_read_mtok', input);
  return withAlike(rates, KINDS);
}
