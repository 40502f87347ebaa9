import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Decimal } from 'decimal.js';
import { describe, expect, test } from 'vitest';
import { type Call, PRICE_CASES } from '#test/price-cases.ts';
import { breadthOf } from './breadth.ts';
import { compare, unexplained } from './compare.ts';
import { contestedEntries, entriesCompared } from './contested.ts';
import { foreignCost } from './foreign-cost.ts';
import { type ForeignList, type ForeignRates, readLists } from './lists.ts';
import { boundsOf, breadthPart, casesPart, listsPart, recordingsPart, withPart } from './page.ts';
import { FILE, recordedCalls } from './recorded.ts';
import { callsOfLitellm } from './sweep/litellm.ts';
import { MOST_USED, mostUsed, unread } from './sweep/most-used.ts';
import { installedVersion, outdated } from './sweep/newest.ts';
import { contested, type Swept, sweep } from './sweep/sweep.ts';

const lists = readLists();
const groups = Object.fromEntries(
  Object.entries(PRICE_CASES).map(([what, cases]) => [what, cases.map((each) => compare(each, lists))]),
);

/** What stands in the document under that name. */
const partOf = (text: string, name: string) => text.slice(...boundsOf(text, name)).trim();

const page = readFileSync(join(import.meta.dirname, '../../docs/prices.md'), 'utf8');

describe('docs/prices.md', () => {
  test('names the lists as they are installed', () => {
    expect(partOf(page, 'lists')).toBe(listsPart(lists));
    expect(lists.map(({ asOf }) => asOf)).not.toContain('not looked at yet');
  });

  test('holds what the comparison of the cases says now', () => {
    expect(partOf(page, 'cases')).toBe(casesPart(groups, lists));
  });

  test('and of all models of the other lists', () => {
    expect(partOf(page, 'breadth')).toBe(breadthPart(lists.map((list) => [list, breadthOf(list)])));
  });

  test('keeps what stands around a part that is made anew', () => {
    const changed = withPart(page, 'cases', 'x');
    expect(partOf(changed, 'cases')).toBe('x');
    expect(partOf(changed, 'recordings')).toBe(partOf(page, 'recordings'));
    expect(withPart(changed, 'cases', partOf(page, 'cases'))).toBe(page);
    expect(() => withPart(page, 'nichts', 'x')).toThrow('no place');
  });
});

const folder = process.env.ZW_REFERENCE_DATA ?? resolve(import.meta.dirname, '../../../shared/data');
const missing = existsSync(join(folder, FILE)) ? '' : ` (skipped: no ${FILE}, set ZW_REFERENCE_DATA)`;

test.skipIf(missing !== '')(`docs/prices.md holds what recorded real calls cost${missing}`, () => {
  const { calls, uncounted } = recordedCalls(folder);
  const compared = calls.map((each) => compare(each, lists));
  expect(unexplained(compared, ['differs', 'unknown here', 'unknown to both'])).toEqual([]);
  expect(partOf(page, 'recordings')).toBe(recordingsPart(compared, uncounted, lists));
});

test('no two lists say the same against an entry of the supplement; it would be told', () => {
  expect(contestedEntries(entriesCompared())).toEqual([]);
  const list = (name: string): ForeignList => ({
    ...(lists[0] as ForeignList),
    name,
    rates: () => ({ input: 7, output: 7, per: 1_000_000 }),
  });
  const call = { anbieter: 'openai', modell: 'davinci-002', tokens: { eingabe: 1_000, ausgabe: 500 } };
  const told = contestedEntries([compare(call, [list('a'), list('b')])]);
  expect(told).toEqual([
    expect.stringMatching(/^openai\/davinci-002: 0\.003 here \(zaehlwerk .*\), 0\.0105 in a and b$/),
  ]);
});

test('a release has the newest list of npm, else the sweep fails', () => {
  expect(outdated(installedVersion(), installedVersion())).toEqual([]);
  expect(outdated('0.1.8', '0.1.9')).toEqual([
    '@pydantic/genai-prices 0.1.9 is on npm, 0.1.8 is installed: a release takes the newest',
  ]);
});

test('what the supplement says of the sixty most used models is read anew for a release, else the sweep fails', () => {
  expect(
    new Set(Object.entries(MOST_USED).flatMap(([by, models]) => models.map((each) => `${by} ${each}`))).size,
  ).toBe(60);
  const models = mostUsed([]);
  const sonnet = models.filter(({ name }) => name === 'anthropic claude-sonnet-5-5');
  expect(sonnet).toEqual([expect.objectContaining({ read: expect.stringMatching(/^2026-/), confirmed: [] })]);
  const read = Date.parse(sonnet[0]?.read ?? '');
  const daysLater = (days: number) => new Date(read + days * 86_400_000);
  expect(unread(sonnet, daysLater(14))).toEqual([]);
  expect(unread(sonnet, daysLater(15))).toEqual([
    `anthropic claude-sonnet-5-5: what the supplement says was read 15 days ago, on ${sonnet[0]?.read}`,
  ]);
  const whisper = models.filter(({ name }) => name === 'openai whisper-1');
  expect(unread(whisper, daysLater(0))).toEqual(['openai whisper-1: no newest list says what is said here']);
  expect(
    unread(
      whisper.map((each) => ({ ...each, confirmed: ['litellm'] })),
      daysLater(0),
    ),
  ).toEqual([]);
});

describe('a sweep', () => {
  const swept = (list: string, usd: string): Swept[] =>
    sweep(list, [
      {
        anbieter: 'openai',
        modell: 'davinci-002',
        listed: 'davinci-002',
        fact: 'text',
        tokens: { eingabe: 1_000, ausgabe: 500 },
        expected: new Decimal(usd),
      },
    ]);

  test('tells what is equal, and what differs without a reason', () => {
    expect(swept('litellm', '0.003')[0]).toMatchObject({ outcome: 'equal' });
    expect(swept('litellm', '0.004')[0]).toMatchObject({ outcome: 'differs', reason: null });
  });

  test('tells an entry that both lists are against, and none that one is', () => {
    const both = [...swept('litellm', '0.004'), ...swept('genai-prices', '0.004')];
    expect(contested(both)).toEqual([
      expect.stringMatching(/text: 0\.003 here, 0\.004 in litellm and genai-prices$/),
    ]);
    expect(contested([...swept('litellm', '0.004'), ...swept('genai-prices', '0.005')])).toEqual([]);
  });

  test('makes a call for each fact that litellm has a rate of', () => {
    const entry = {
      litellm_provider: 'openai',
      input_cost_per_token: 1e-6,
      output_cost_per_token: 2e-6,
      cache_read_input_token_cost: 1e-7,
      input_cost_per_token_batches: 5e-7,
      output_cost_per_token_batches: 1e-6,
      input_cost_per_audio_token: 4e-5,
    };
    const calls = callsOfLitellm(JSON.stringify({ 'openai/m': entry }));
    expect(calls.map(({ modell, fact, expected }) => [modell, fact, expected.toFixed()])).toEqual([
      ['m', 'text', '0.002'],
      ['m', 'cache read', '0.0038'],
      ['m', 'tier batch', '0.001'],
      ['m', 'audio in', '0.0332'],
    ]);
  });
});

test('every difference of a case has a reason', () => {
  expect(unexplained(Object.values(groups).flat(), ['differs', 'unknown here'])).toEqual([]);
});

describe('a call', () => {
  const call = (more: Partial<Call> = {}): Call => ({
    anbieter: 'openai',
    modell: 'gpt-4o',
    tokens: { eingabe: 1_000, ausgabe: 500 },
    ...more,
  });
  const listOf = (rates: ForeignRates | null): ForeignList => ({
    name: 'liste',
    version: '1',
    asOf: 'heute',
    entries: 1,
    models: () => [],
    rates: () => rates,
  });
  const verdictOf = (rates: ForeignRates | null, more: Partial<Call> = {}) =>
    compare(call(more), [listOf(rates)]).others[0]?.verdict;

  test('is equal, differs, or is unknown to one or to both', () => {
    const right: ForeignRates = { per: 1_000_000, input: 2.5, output: 10 };
    expect(verdictOf(right)).toBe('equal');
    expect(verdictOf({ ...right, output: 10.000000001 })).toBe('differs');
    expect(verdictOf({ per: 1_000_000, input: 2.5 })).toBe('unknown there');
    expect(verdictOf(null)).toBe('unknown there');
    expect(verdictOf(right, { anbieter: 'eigener-server' })).toBe('unknown here');
    expect(verdictOf(right, { zusatz: { websuchen: 1 }, modell: 'davinci-002' })).toBe('unknown to both');
    expect(verdictOf(null, { anbieter: 'eigener-server' })).toBe('unknown to both');
  });

  test('without a reason for its difference is reported', () => {
    const compared = compare(call(), [listOf({ per: 1, input: 1, output: 1 })]);
    expect(unexplained([compared], ['differs'])).toEqual([expect.stringContaining('1500 in liste')]);
    expect(unexplained([compared], ['unknown here'])).toEqual([]);
  });
});

describe('a cost by another list', () => {
  const RATES: ForeignRates = {
    per: 1_000_000,
    input: 3,
    output: 15,
    cacheRead: 0.3,
    cacheWrite: 3.75,
    reasoning: 20,
    audioIn: 40,
    webSearches: 10,
    audioMinute: 0.006,
    long: { over: 200_000, input: 6, output: 22.5 },
  };
  const CLAUDE = { anbieter: 'anthropic', modell: 'claude-x' };

  test.each<[string, Call]>([
    ['0.0405', { ...CLAUDE, tokens: { eingabe: 1_000, ausgabe: 500 }, zusatz: { websuchen: 3 } }],
    ['0.009', { ...CLAUDE, tokens: { lesen: 5_000, schreiben: 2_000 } }],
    // Reasoning is a part of the output, cached tokens one of OpenAI's input, sound one of the rest of it.
    ['0.0095', { ...CLAUDE, tokens: { ausgabe: 600, denk: 100 } }],
    [
      '0.0082',
      {
        anbieter: 'openai',
        modell: 'x',
        tokens: { eingabe: 6_000, lesen: 5_000 },
        zusatz: { audio_eingabe_token: 100, preisstufe: 'default' },
      },
    ],
    ['0.600015', { ...CLAUDE, tokens: { eingabe: 200_000, ausgabe: 1 } }],
    ['1.2000285', { ...CLAUDE, tokens: { eingabe: 200_001, ausgabe: 1 } }],
    ['0.00615', { ...CLAUDE, tokens: {}, zusatz: { sekunden: '61.5' } }],
  ])('%s USD: %o', (usd, call) => {
    const cost = foreignCost(call, RATES);
    expect('usd' in cost && cost.usd.toFixed()).toBe(usd);
  });

  test.each<[string, Record<string, unknown>]>([
    ['tier batch', { preisstufe: 'batch' }],
    ['region us', { region: 'us' }],
    ['cache writes for an hour', { cache_schreib_1h_token: 5 }],
    ['audio output', { audio_ausgabe_token: 5 }],
    ['code executions', { codeausfuehrungen: 1 }],
  ])('lacks %s', (lacks, zusatz) => {
    const tokens = { eingabe: 10, ausgabe: 10, schreiben: 10 };
    expect(foreignCost({ ...CLAUDE, tokens, zusatz }, RATES)).toEqual({ lacks });
  });
});
