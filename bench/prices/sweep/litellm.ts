/** The models of litellm's list, each with a call for every fact that it has a rate of, and what the call costs by it. */
import { Decimal } from 'decimal.js';
import type { Call } from '#test/price-cases.ts';

const Exact = Decimal.clone({ precision: 60, toExpNeg: -60, toExpPos: 60 });

type Entry = Record<string, unknown> & { litellm_provider?: string };

/** A call, what fact of it is tried, and USD by the other list. */
export interface SweptCall extends Call {
  fact: string;
  /** As the other list names the model. */
  listed: string;
  expected: Decimal;
}

const rateIn = (entry: Entry, key: string): Decimal | null => {
  const value = entry[key];
  return typeof value === 'number' && value >= 0 ? new Exact(String(value)) : null;
};

interface Try {
  fact: string;
  tokens: Call['tokens'];
  zusatz?: Record<string, unknown>;
  /** Units at which rate: the first key that the entry has. */
  units: [count: number, ...keys: string[]][];
}

const INCLUDES = { eingabe_umfasst_cache: true };
const PLAIN = { eingabe: 1_000, ausgabe: 500 };
const IN = 'input_cost_per_token';
const OUT = 'output_cost_per_token';
const READ = 'cache_read_input_token_cost';
const WRITE = 'cache_creation_input_token_cost';

/** Cached tokens are said to be within the input, so that nothing hangs on how who counts. */
const TRIES: readonly Try[] = [
  {
    fact: 'text',
    tokens: PLAIN,
    units: [
      [1_000, IN],
      [500, OUT],
    ],
  },
  {
    fact: 'cache read',
    tokens: { eingabe: 10_000, lesen: 8_000, ausgabe: 500 },
    zusatz: INCLUDES,
    units: [
      [2_000, IN],
      [8_000, READ],
      [500, OUT],
    ],
  },
  {
    fact: 'cache write',
    tokens: { eingabe: 6_000, schreiben: 2_000, ausgabe: 500 },
    zusatz: INCLUDES,
    units: [
      [4_000, IN],
      [2_000, WRITE],
      [500, OUT],
    ],
  },
  {
    fact: 'cache write 1h',
    tokens: { eingabe: 6_000, schreiben: 2_000, ausgabe: 500 },
    zusatz: { ...INCLUDES, cache_schreib_1h_token: 2_000 },
    units: [
      [4_000, IN],
      [2_000, `${WRITE}_above_1hr`],
      [500, OUT],
    ],
  },
  ...['batch', 'flex', 'priority'].map((tier) => {
    const suffix = tier === 'batch' ? 'batches' : tier;
    return {
      fact: `tier ${tier}`,
      tokens: PLAIN,
      zusatz: { preisstufe: tier },
      units: [
        [1_000, `${IN}_${suffix}`],
        [500, `${OUT}_${suffix}`],
      ] as Try['units'],
    };
  }),
  ...['batch', 'flex', 'priority'].map((tier) => {
    const suffix = tier === 'batch' ? 'batches' : tier;
    return {
      fact: `cache read, tier ${tier}`,
      tokens: { eingabe: 10_000, lesen: 8_000, ausgabe: 500 },
      zusatz: { ...INCLUDES, preisstufe: tier },
      units: [
        [2_000, `${IN}_${suffix}`],
        [8_000, `${READ}_${suffix}`],
        [500, `${OUT}_${suffix}`],
      ] as Try['units'],
    };
  }),
  ...[100, 128, 200, 256, 272, 512].flatMap((limit) =>
    ['', '_batches'].map((tier) => ({
      fact: tier === '' ? 'long context' : 'long context, tier batch',
      tokens: { eingabe: limit * 1_000 + 50_000, ausgabe: 500 },
      ...(tier && { zusatz: { preisstufe: 'batch' } }),
      units: [
        [limit * 1_000 + 50_000, `${IN}_above_${limit}k_tokens${tier}`],
        [500, `${OUT}_above_${limit}k_tokens${tier}`],
      ] as Try['units'],
    })),
  ),
  ...(['audio', 'image', 'video'] as const).flatMap((kind) => {
    const name = { audio: 'audio', image: 'bild', video: 'video' }[kind];
    return [
      {
        fact: `${kind} in`,
        tokens: PLAIN,
        zusatz: { [`${name}_eingabe_token`]: 800 },
        units: [
          [200, IN],
          [800, `input_cost_per_${kind}_token`],
          [500, OUT],
        ] as Try['units'],
      },
      {
        fact: `${kind} out`,
        tokens: PLAIN,
        zusatz: { [`${name}_ausgabe_token`]: 400 },
        units: [
          [1_000, IN],
          [400, `output_cost_per_${kind}_token`],
          [100, OUT],
        ] as Try['units'],
      },
    ];
  }),
  {
    fact: 'reasoning',
    tokens: { ...PLAIN, denk: 400 },
    zusatz: { ausgabe_umfasst_denken: true },
    units: [
      [1_000, IN],
      [400, 'output_cost_per_reasoning_token'],
      [100, OUT],
    ],
  },
  { fact: 'seconds', tokens: {}, zusatz: { sekunden: 60 }, units: [[60, 'input_cost_per_second']] },
  { fact: 'pages', tokens: {}, zusatz: { seiten: 3 }, units: [[3, 'ocr_cost_per_page']] },
  {
    fact: 'characters',
    tokens: {},
    zusatz: { zeichen: 1_000 },
    units: [[1_000, 'input_cost_per_character']],
  },
];

/** Rates of 0 stand where litellm knows none. */
function expectedOf(entry: Entry, { units, fact }: Try): Decimal | null {
  let sum = new Exact(0);
  for (const [count, ...keys] of units) {
    const key = keys.find((each) => rateIn(entry, each) !== null);
    const isOutputOfNone = keys[0] === OUT && entry.mode === 'embedding';
    const rate = isOutputOfNone ? new Exact(0) : key === undefined ? null : rateIn(entry, key);
    if (rate === null) return null;
    sum = sum.plus(rate.mul(count));
  }
  return sum.isZero() && fact !== 'text' ? null : sum;
}

function searches(entry: Entry): Try[] {
  const costs = entry.search_context_cost_per_query as Record<string, number> | undefined;
  const cost = costs?.search_context_size_medium;
  if (cost === undefined || entry.litellm_provider === 'perplexity') return [];
  return [
    {
      fact: 'web search',
      tokens: PLAIN,
      zusatz: { websuchen: 2 },
      units: [
        [1_000, IN],
        [500, OUT],
      ],
    },
  ];
}

/** The name without the provider before it, as calls name the model. */
const ownName = (name: string, provider: string) =>
  name.startsWith(`${provider}/`) ? name.slice(provider.length + 1) : name;

/** Calls of all models, by the list as JSON. */
export function callsOfLitellm(json: string): SweptCall[] {
  const list = JSON.parse(json) as Record<string, Entry>;
  return Object.entries(list).flatMap(([listed, entry]) => {
    const anbieter = entry.litellm_provider;
    if (!anbieter || listed === 'sample_spec') return [];
    const modell = ownName(listed, anbieter);
    return [...TRIES, ...searches(entry)].flatMap((each): SweptCall[] => {
      const expected = expectedOf(entry, each);
      if (expected === null) return [];
      const { fact, tokens, zusatz = {} } = each;
      const costs = entry.search_context_cost_per_query as Record<string, number> | undefined;
      const fee = fact === 'web search' ? new Exact(costs?.search_context_size_medium ?? 0).mul(2) : 0;
      const said = entry.mode === 'embedding' && fact === 'text' ? { eingabe: 1_000, ausgabe: 0 } : tokens;
      return [{ anbieter, modell, tokens: said, zusatz, fact, listed, expected: expected.plus(fee) }];
    });
  });
}
