/** Events of all kinds for property tests: odd hours, odd counts, all sorts of providers, repeats. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Ereignis } from '#client/index.ts';

/** Instants around which the calendar does something: midnights of Berlin at month's and year's end, clock changes. */
export const EDGES = [
  '2026-03-29T01:00:00Z',
  '2026-10-25T00:00:00Z',
  '2026-10-25T01:00:00Z',
  '2026-10-25T23:00:00Z',
  '2026-01-31T23:00:00Z',
  '2026-02-28T23:00:00Z',
  '2026-04-30T22:00:00Z',
  '2025-12-31T23:00:00Z',
  '2026-12-31T23:00:00Z',
];

/** Providers of all kinds: cache inside and outside the input, thoughts on top, tiers, prices by time and by call. */
const MODELS: [anbieter: string | null, modell: string | null][] = [
  ['openai', 'gpt-4o-mini'],
  ['openai', 'text-embedding-3-small'],
  ['openai', 'gibt-es-nicht'],
  ['openai', null],
  ['anthropic', 'claude-sonnet-4-5'],
  ['anthropic', 'claude-sonnet-4-6'],
  ['google', 'gemini-2.5-pro'],
  ['deepseek', 'deepseek-r1'],
  ['deepseek', 'deepseek-v4-pro'],
  ['perplexity', 'sonar'],
  ['aws', 'amazon.nova-pro-v1:0'],
  ['eigener-server', 'gpt-4o-mini'],
  [null, 'gpt-4o'],
  ['', 'claude-sonnet-4-5'],
  [null, null],
];

const HUGE = Number.MAX_SAFE_INTEGER;
const count = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 5_000 }) },
  { weight: 3, arbitrary: fc.integer({ min: 199_990, max: 200_010 }) },
  { weight: 3, arbitrary: fc.constantFrom(null, 0) },
  { weight: 1, arbitrary: fc.integer({ min: HUGE - 2, max: HUGE }) },
);

const HALF_DAY = 12 * 3_600_000;
/** Without an offset it is read as UTC; null is the time of receipt. */
const zeitpunkt = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  {
    weight: 15,
    arbitrary: fc
      .tuple(
        fc.constantFrom(...EDGES),
        fc.oneof(fc.integer({ min: -HALF_DAY, max: HALF_DAY }), fc.integer({ min: -2, max: 2 })),
        fc.constantFrom('Z', '', '456Z', '+02:00'),
      )
      .map(([edge, ms, end]) => {
        const shift = end === '+02:00' ? 2 * 3_600_000 : 0;
        return new Date(Date.parse(edge) + ms + shift).toISOString().replace('Z', end);
      }),
  },
);

/** Runs the events belong to, if any. */
export const RUNS = Array.from({ length: 3 }, () => randomUUID());
const IDS = Array.from({ length: 12 }, () => randomUUID());

const zusatz = fc.constantFrom(
  null,
  { eingabe_umfasst_cache: true },
  { eingabe_umfasst_cache: false, projekt: 'eigenes' },
  { ausgabe_umfasst_denken: false },
  { ausgabe_umfasst_denken: true, projekt: '' },
  { eingabe_umfasst_cache: null },
  { abonnement: true, bibliothek: 'zweite', bibliothek_version: '1.0' },
  { abonnement: false, bibliothek: 'zweite' },
);

const event: fc.Arbitrary<Ereignis> = fc
  .tuple(
    fc.constantFrom(...MODELS),
    fc.record({ zeitpunkt, zusatz, eingabe_token: count, ausgabe_token: count }),
    fc.record(
      {
        ereignis_id: fc.oneof(
          { weight: 4, arbitrary: fc.uuid() },
          fc.constantFrom(...IDS),
          fc.constant(null),
        ),
        agent: fc.constantFrom('a', 'b/x', 'ü😀', '', null),
        endkunde_ref: fc.constantFrom('k1', 'k2', '', null),
        funktion_ref: fc.constantFrom('f1', 'f2', '', null),
        benutzer_ref: fc.constantFrom('u1', 'u2', 'u3', '', null),
        lauf_id: fc.constantFrom(...RUNS, null),
        cache_lese_token: count,
        cache_schreib_token: count,
        denk_token: count,
        status: fc.constantFrom('erfolgreich', 'erfolgreich', 'fehler', 'abgebrochen'),
        geschaetzt: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([[anbieter, modell], always, sometimes]) => ({ anbieter, modell, ...always, ...sometimes }));

/** Some batches, in the order in which they are sent; some are empty. */
export const batches = fc.array(fc.array(event, { maxLength: 25 }), { minLength: 1, maxLength: 6 });
