import type { Answer } from './answer.ts';
import type { Ereignis } from './event.ts';
import { anbieterOf, regionOf } from './hosts.ts';
import { at, first } from './json.ts';
import { outcomeOf } from './outcome.ts';
import { facts, withoutContradictions } from './providers/facts.ts';
import type { Usage } from './providers/shape.ts';
import { stableId } from './stable-id.ts';

const YEAR_2010 = Date.UTC(2010);
const DAY_MS = 86_400_000;

/** ISO time of a Unix second or an ISO text; null where it cannot be the time of a model call (vLLM sends uptimes). */
function timeOf(value: unknown, now: Date): string | null {
  const time =
    typeof value === 'number' ? value * 1000 : typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return time >= YEAR_2010 && time <= now.getTime() + DAY_MS ? new Date(time).toISOString() : null;
}

function createdAt(answer: Answer, now: Date): string | null {
  return first(answer.parts, (part) => {
    const stamps = [
      at(part, 'created'),
      at(part, 'created_at'),
      at(part, 'response', 'created_at'),
      at(part, 'createTime'),
    ];
    return first(stamps, (stamp) => timeOf(stamp, now));
  });
}

/**
 * Says how the counts are meant, unless that goes without saying: Anthropic's input excludes the cache, Google's thoughts
 * come on top of the output, and nothing like it is true of a provider with neither name. A Claude served by Amazon, a Gemini
 * behind a gateway: there a reader might think either.
 */
function meaningOf(usage: Usage, anbieter: string | null): Record<string, boolean> {
  const names = `${anbieter} ${usage.modell}`;
  const cacheIsClear = usage.eingabeUmfasstCache
    ? !/anthropic|claude/i.test(names)
    : anbieter === 'anthropic';
  const isGemini = anbieter === 'google' && !/claude/i.test(names);
  const thoughtsAreClear = usage.ausgabeUmfasstDenken ? !/google|gemini|vertex/i.test(names) : isGemini;
  const counted = usage.eingabe_token !== null;
  const thought = (usage.denk_token ?? 0) > 0;
  return {
    ...(counted && !cacheIsClear ? { eingabe_umfasst_cache: usage.eingabeUmfasstCache } : {}),
    ...(thought && !thoughtsAreClear ? { ausgabe_umfasst_denken: usage.ausgabeUmfasstDenken } : {}),
  };
}

/**
 * The event of one use of a model in an exchange. `ownForm` is the provider whose form the answer has. `now` bounds the
 * time taken from the answer, which the service would refuse if it lay ahead.
 */
export function usageEvent(answer: Answer, ownForm: string | undefined, usage: Usage, now: Date): Ereignis {
  const { exchange } = answer;
  const anbieter = anbieterOf(answer, ownForm, usage.modell);
  const found = { ...facts({ region: regionOf(answer, usage.modell) }), ...usage.zusatz };
  const zusatz = { ...withoutContradictions(found, usage), ...meaningOf(usage, anbieter) };
  return {
    ...(usage.ergebnis === undefined ? {} : { ereignis_id: stableId('answer', usage.ergebnis) }),
    zeitpunkt: exchange.zeitpunkt ?? createdAt(answer, now),
    anbieter,
    modell: usage.modell,
    eingabe_token: usage.eingabe_token,
    ausgabe_token: usage.ausgabe_token,
    cache_lese_token: usage.cache_lese_token,
    cache_schreib_token: usage.cache_schreib_token,
    denk_token: usage.denk_token,
    werkzeugaufrufe: usage.werkzeugaufrufe,
    latenz_ms: exchange.latenzMs === undefined ? null : Math.round(exchange.latenzMs),
    ...outcomeOf(answer),
    ...(usage.geschaetzt === undefined ? {} : { geschaetzt: true }),
    zusatz: Object.keys(zusatz).length === 0 ? null : zusatz,
  };
}
