/**
 * What providers really answered, from the recorded exchange to the sum in the consumption query: every count as the
 * provider gave it, every cost as the price list has it.
 */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ereignis } from '#client/index.ts';
import { eventsOfRecordings } from '#client/recordings.ts';
import { readRecordings } from '#client/replay.ts';
import { comparable, GROUPS, sumsOfEvents } from '#test/event-sums.ts';
import { type Account, createAccount, type Run } from '#test/outside-account.ts';
import { Exact, usdOf } from '#test/reference-cost.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';

const folder = process.env.ZW_REFERENCE_DATA ?? resolve(import.meta.dirname, '../../shared/data');
const file = resolve(folder, 'recorded-llm-calls.jsonl.gz');
const missing = existsSync(file) ? '' : ` (skipped: no ${file}, set ZW_REFERENCE_DATA)`;

let service: ServiceProcess;
beforeAll(async () => {
  service = createServiceProcess();
  await service.start();
});
afterAll(() => service?.dispose());

const RUN = '0b0f8a34-6d5c-4c1e-9a57-2f1d3c5e7a90';
/** Everything the recordings may be dated. */
const ALWAYS = 'von=2019-01-01&bis=2028-12-31';

type Counted = Run['ereignisse'][number];

/** Sends the events as one run and returns what was counted of them, by id. */
async function count(account: Account, events: Ereignis[]): Promise<Map<string, Counted>> {
  const answer = await account.send(events.map((event) => ({ ...event, lauf_id: RUN })));
  expect(answer.status, answer.text).toBe(202);
  expect(answer.json()).toMatchObject({ angenommen: events.length, doppelt_im_stapel: 0 });
  await account.untilCounted(events.length);
  const { ereignisse, gekuerzt } = await account.lauf(RUN);
  expect(gekuerzt).toBe(false);
  return new Map(ereignisse.map((event) => [event.ereignis_id, event]));
}

const COUNTS = [
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'cache_schreib_token',
  'denk_token',
] as const;

/** Per provider and model: calls, failed calls, calls without a count, the sums of the counts. */
function sums(events: (Ereignis | Counted)[]): Record<string, number[]> {
  const groups = Map.groupBy(events, (event) => `${event.anbieter} ${event.modell}`);
  return Object.fromEntries(
    [...groups].map(([name, group]) => [
      name,
      [
        group.length,
        group.filter((event) => event.status !== 'erfolgreich').length,
        group.filter((event) => event.eingabe_token === null).length,
        ...COUNTS.map((field) => group.reduce((sum, event) => sum + (event[field] ?? 0), 0)),
      ],
    ]),
  );
}

/** What an event must have cost at the time and the rate it was counted with. What the list has not, the supplement says. */
function costsOf(event: Ereignis, { zeitpunkt, kurs_usd_eur, preis_quelle }: Counted) {
  if (preis_quelle?.includes('zaehlwerk'))
    return { preis_quelle: expect.stringMatching(/zaehlwerk \d{4}-\d{2}-\d{2}( |$)/) };
  const usd = usdOf(event, new Date(zeitpunkt));
  return {
    kosten_usd: usd?.toFixed() ?? null,
    kosten_eur: usd?.mul(kurs_usd_eur ?? Number.NaN).toFixed() ?? null,
    preis_quelle: usd === null ? null : expect.stringMatching(/^genai-prices \S+ \S+\/\S+/),
  };
}

/** Checks everything that is true of any set of events. */
async function check(account: Account, events: Ereignis[]): Promise<void> {
  const counted = await count(account, events);
  expect(counted.size).toBe(events.length);
  for (const event of events) {
    const row = counted.get(event.ereignis_id ?? '') as Counted;
    const { zeitpunkt, ...sent } = event;
    expect(row).toMatchObject({ ...sent, ...costsOf(event, row) });
    expect(Date.parse(row.zeitpunkt)).toBe(Date.parse(zeitpunkt ?? ''));
  }
  expect(sums([...counted.values()])).toEqual(sums(events));
  for (const gruppe of GROUPS) {
    const answer = await account.verbrauch(`?gruppe=${gruppe}&${ALWAYS}`);
    expect(comparable(answer)).toEqual(await sumsOfEvents(service, account.mandantId, gruppe));
  }
  const { summe } = await account.verbrauch(`?${ALWAYS}`);
  const { lauf } = await account.lauf(RUN);
  expect(lauf).toMatchObject({
    aufrufe: summe.aufrufe,
    kosten_eur: summe.kosten_eur,
    kosten_usd: summe.kosten_usd,
    unbepreist: summe.unbepreist,
  });
  // Sent once more, nothing changes.
  await account.send(events);
  await account.untilNothingWaits();
  expect((await account.verbrauch(`?${ALWAYS}`)).summe).toEqual(summe);
}

describe.skipIf(missing !== '')(`267 recorded exchanges${missing}`, () => {
  const { events } = eventsOfRecordings(missing === '' ? readRecordings(file) : []);

  test('are counted and priced as the providers and the price list say', async () => {
    expect(events).toHaveLength(267);
    const account = await createAccount(service);
    await check(account, events);
    const { summe } = await account.verbrauch(`?${ALWAYS}`);
    // The bulk of them has a price; what has none is said, not guessed.
    expect(summe.unbepreist).toBeLessThan(events.length / 3);
    expect(new Exact(summe.kosten_usd ?? 0).gt(0)).toBe(true);
  });
});

/** An exchange as a line of a recordings file. */
const exchange = (id: string, uri: string, answer: object | string, status = 200) =>
  JSON.stringify({
    id,
    source: 'packages/muster/tests/cassettes/test_muster/a.yaml',
    method: 'POST',
    uri,
    request: {},
    status,
    content_type: typeof answer === 'string' ? 'text/event-stream' : 'application/json',
    body: typeof answer === 'string' ? answer : JSON.stringify(answer),
  });

const CREATED = Date.parse('2026-10-01T12:00:00Z') / 1_000;
const sse = (...events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

/** One exchange per way of counting, with the exact cost in USD worked out by hand. */
const EXCHANGES: [line: string, usd: string | null][] = [
  [
    // 600 × 0.15 + 400 × 0.075 + 50 × 0.6 per million: input includes the cache, output the reasoning.
    exchange('openai', 'https://api.openai.com/v1/chat/completions', {
      model: 'gpt-4o-mini',
      created: CREATED,
      choices: [],
      usage: {
        prompt_tokens: 1_000,
        completion_tokens: 50,
        prompt_tokens_details: { cached_tokens: 400 },
        completion_tokens_details: { reasoning_tokens: 20 },
      },
    }),
    '0.00015',
  ],
  [
    // 100 × 3 + 2,000 × 0.3 + 300 × 3.75 + 40 × 15 per million: input excludes the cache.
    exchange('anthropic', 'https://api.anthropic.com/v1/messages', {
      type: 'message',
      model: 'claude-sonnet-4-5',
      content: [],
      usage: {
        input_tokens: 100,
        output_tokens: 40,
        cache_read_input_tokens: 2_000,
        cache_creation_input_tokens: 300,
      },
    }),
    '0.002625',
  ],
  [
    // 1,000 × 1.25 + (200 + 800) × 10 per million: thoughts come on top of the candidates.
    exchange(
      'gemini',
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-pro:generateContent',
      {
        modelVersion: 'gemini-2.5-pro',
        candidates: [],
        usageMetadata: {
          promptTokenCount: 1_000,
          candidatesTokenCount: 200,
          thoughtsTokenCount: 800,
          totalTokenCount: 2_000,
        },
      },
    ),
    '0.01125',
  ],
  [
    exchange(
      'stream',
      'https://api.openai.com/v1/chat/completions',
      sse(
        { model: 'gpt-4o-mini', created: CREATED, choices: [{ delta: { content: 'Hallo' } }], usage: null },
        {
          model: 'gpt-4o-mini',
          created: CREATED,
          choices: [],
          usage: { prompt_tokens: 10, completion_tokens: 5 },
        },
      ),
    ),
    '0.0000045',
  ],
  // Without a usage block what was used is unknown, and so is its cost.
  [
    exchange(
      'stream without usage',
      'https://api.openai.com/v1/chat/completions',
      sse({ model: 'gpt-4o-mini', created: CREATED, choices: [{ delta: { content: 'Hallo' } }] }),
    ),
    null,
  ],
  [
    exchange('embedding', 'https://api.openai.com/v1/embeddings', {
      model: 'text-embedding-3-small',
      data: [],
      usage: { prompt_tokens: 1_000, total_tokens: 1_000 },
    }),
    '0.00002',
  ],
  [
    exchange('own server', 'http://localhost:11434/api/chat', {
      model: 'llama3',
      created_at: '2026-10-01T12:00:00Z',
      message: {},
      done: true,
      prompt_eval_count: 10,
      eval_count: 20,
    }),
    null,
  ],
  // Refused before it used anything.
  [
    exchange(
      'error',
      'https://api.openai.com/v1/chat/completions',
      { model: 'gpt-4o-mini', error: { code: 'rate_limit_exceeded' } },
      429,
    ),
    '0',
  ],
];

describe('exchanges made by hand, one per way of counting', () => {
  const { events } = eventsOfRecordings(EXCHANGES.map(([line]) => line));

  test('are all model calls', () => {
    expect(events).toHaveLength(EXCHANGES.length);
  });

  test('are counted and priced as the providers and the price list say', async () => {
    await check(await createAccount(service), events);
  });

  test('cost what they cost by hand', async () => {
    const account = await createAccount(service);
    const counted = await count(account, events);
    const costs = events.map((event) => [
      event.zusatz?.aufzeichnung,
      counted.get(event.ereignis_id ?? '')?.kosten_usd,
    ]);
    expect(costs).toEqual(events.map((event, index) => [event.zusatz?.aufzeichnung, EXCHANGES[index]?.[1]]));
    const { summe } = await account.verbrauch(`?${ALWAYS}`);
    expect(summe).toMatchObject({ aufrufe: 8, unbepreist: 2, fehler: 1, kosten_usd: '0.0140495' });
  });
});
