import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BOOK_RATE_NAMES, BOOK_RATES } from '#contracts';
import { usdText } from '#kernel/money.ts';
import { toPriceFacts } from '../facts.ts';
import { createPriceList, priceCall } from '../price-list.ts';
import { EMPTY_BOOK, type PriceInput, toContent } from './content.ts';
import { fits, toPattern } from './matching.ts';
import { withBook } from './priced.ts';

const list = createPriceList();
const AT = '2026-07-01T12:00:00Z';

interface Call {
  anbieter?: string | null;
  modell?: string;
  at?: string;
  zusatz?: Record<string, unknown>;
  input?: number;
  read?: number;
  write?: number;
  output?: number;
  denk?: number;
}

type Book = { preise?: PriceInput[]; rabatte?: Parameters<typeof toContent>[0]['rabatte'] };

/** What a call costs by a book, and where that is from. */
function priced({ preise = [], rabatte = [] }: Book, call: Call = {}) {
  const { anbieter = 'openai', modell = 'gpt-4o-mini', at = AT, zusatz = {}, denk = 0 } = call;
  const content = toContent({ fassung: 0, preise, rabatte });
  const prices = withBook(list, { fassung: 7, content, zone: 'Europe/Berlin' });
  const epochMs = Date.parse(at);
  const rates = prices.model(anbieter, modell)(epochMs);
  if (!rates) return null;
  const { input = 1_000_000, read = 0, write = 0, output = 0 } = call;
  const buckets = { eingabeOhneCache: input, cacheLese: read, cacheSchreib: write, ausgabeGesamt: output };
  const { usd, partial, source } = priceCall(buckets, denk, toPriceFacts(zusatz), rates, epochMs);
  return { usd: usd === null ? null : usdText(usd), partial, source };
}

const costOf = (book: Book, call?: Call) => priced(book, call)?.usd ?? null;
const own = (modell: string, eingabe: string | number, more: Partial<PriceInput> = {}): PriceInput => ({
  modell,
  saetze: { eingabe: String(eingabe), ausgabe: '0' },
  ...more,
});

test('a book that says nothing leaves the list as it is', () => {
  expect(withBook(list, { fassung: 1, content: EMPTY_BOOK, zone: 'UTC' })).toBe(list);
});

describe('an own price', () => {
  test('goes before the list, and says which edition it stands in', () => {
    expect(priced({ preise: [own('gpt-4o-mini', '0.1')] })).toEqual({
      usd: '0.1',
      partial: false,
      source: 'preisbuch 7 gpt-4o-mini',
    });
    expect(costOf({})).toBe('0.15');
  });

  test('makes a model that no list knows one with a price, for nothing, too', () => {
    const call = { anbieter: 'eigener-server', modell: 'llama-privat' };
    expect(priced({}, call)).toBeNull();
    expect(costOf({ preise: [own('llama-privat', 0)] }, call)).toBe('0');
    expect(costOf({ preise: [{ modell: 'llama-privat', saetze: { aufruf: '0.002' } }] }, call)).toBe('0.002');
    const second = { preise: [{ modell: 'llama-privat', saetze: { sekunde: '0.0001' } }] };
    expect(priced(second, { ...call, zusatz: { sekunden: '12.5' } })).toMatchObject({
      usd: '0.00125',
      partial: false,
    });
  });

  test('holds on whole local days, its last one left out', () => {
    const book = { preise: [own('gpt-4o-mini', 1, { gilt_ab: '2026-07-01', gilt_bis: '2026-07-02' })] };
    const at = (instant: string) => costOf(book, { at: instant });
    expect(at('2026-06-30T21:59:59.999Z')).toBe('0.15');
    expect(at('2026-06-30T22:00:00Z')).toBe('1');
    expect(at('2026-07-01T21:59:59.999Z')).toBe('1');
    expect(at('2026-07-01T22:00:00Z')).toBe('0.15');
  });

  test('of tokens says what all kinds of them cost, and nothing is left to the list but tools', () => {
    const book = { preise: [{ modell: 'claude-sonnet-4-5', saetze: { eingabe: '2', ausgabe: '8' } }] };
    const call = { anbieter: 'anthropic', modell: 'claude-sonnet-4-5', input: 0 };
    expect(costOf(book, { ...call, read: 1_000_000 })).toBe('2');
    expect(costOf(book, { ...call, write: 1_000_000, zusatz: { cache_schreib_1h_token: 1_000_000 } })).toBe(
      '2',
    );
    expect(priced(book, { ...call, zusatz: { websuchen: 3 } })).toMatchObject({
      usd: '0.03',
      partial: false,
    });
    const written = {
      ...book.preise[0],
      saetze: { eingabe: '2', ausgabe: '8', cache_schreib: '3' },
    } as PriceInput;
    expect(
      priced(
        { preise: [written] },
        { ...call, write: 1_000_000, zusatz: { cache_schreib_1h_token: 400_000 } },
      ),
    ).toMatchObject({ usd: '3', partial: false });
  });

  test('of a tier holds for that tier only; one without holds for every tier', () => {
    const batch = own('gpt-4o-mini', '0.01', { preisstufe: 'Batch' });
    const zusatz = { preisstufe: 'batch' };
    expect(costOf({ preise: [batch] }, { zusatz })).toBe('0.01');
    expect(costOf({ preise: [batch] })).toBe('0.15');
    expect(costOf({ preise: [own('gpt-4o-mini', 1), batch] }, { zusatz })).toBe('0.01');
    expect(costOf({ preise: [own('gpt-4o-mini', 1)] }, { zusatz })).toBe('1');
    const unknown = { anbieter: 'eigener-server', modell: 'privat' };
    const only = { preise: [own('privat', 1, { preisstufe: 'batch' })] };
    expect(costOf(only, unknown)).toBeNull();
    expect(costOf(only, { ...unknown, zusatz })).toBe('1');
  });

  test('is found as the call names the model before as the list does, then by the longest pattern, by provider, by place', () => {
    const call = { modell: 'gpt-4o-mini-2024-07-18' };
    const ladder = [
      own('*', 1),
      own('gpt-*', 2),
      own('gpt-4o-mini*', 3, { gilt_ab: '2020-01-01' }),
      own('GPT-4O-MINI*', 4, { anbieter: 'OpenAI' }),
      own('gpt-4o-mini', 5),
      own('gpt-4o-mini', 6, { anbieter: 'openai' }),
      own('GPT-4o-mini-2024-07-18', 7),
    ];
    for (let most = 1; most <= ladder.length; most += 1) {
      const preise = ladder.slice(0, most);
      expect(costOf({ preise }, call)).toBe(String(most));
      expect(costOf({ preise: preise.toReversed() }, call)).toBe(String(most));
    }
    expect(costOf({ preise: [own('gpt-4o-*', 1), own('gpt-*mini', 2)] }, call)).toBe('2');
    const equal = [own('*-mini-2024-07-18', 1), own('gpt-4o-mini-2024*', 2)];
    expect(equal[0]?.modell.length).toBe(equal[1]?.modell.length);
    expect(costOf({ preise: equal }, call)).toBe('1');
    expect(costOf({ preise: equal.toReversed() }, call)).toBe('2');
  });

  test('of a provider holds under each of its names, and not for others', () => {
    const preise = [own('grok-3', 1, { anbieter: 'x-ai' })];
    expect(costOf({ preise }, { anbieter: 'x_ai', modell: 'grok-3' })).toBe('1');
    expect(costOf({ preise }, { anbieter: null, modell: 'grok-3' })).toBe('1');
    expect(costOf({ preise }, { anbieter: 'openrouter', modell: 'grok-3' })).not.toBe('1');
  });

  test('is a pattern of plain characters but for the star', () => {
    const call = { anbieter: 'eigener-server', modell: 'a.b(c)[d]{2}\\e/f' };
    expect(costOf({ preise: [own('a.b(c)[d]{2}\\e/*', 1)] }, call)).toBe('1');
    expect(costOf({ preise: [own('a?b(c)*', 1)] }, call)).toBeNull();
    const many = '*a'.repeat(7);
    expect(costOf({ preise: [own(`${many}*b`, 1)] }, { ...call, modell: 'a'.repeat(200) })).toBeNull();
    expect(costOf({ preise: [own(`${many}*`, 1)] }, { ...call, modell: 'a'.repeat(200) })).toBe('1');
  });
});

describe('a discount', () => {
  test('is taken off every rate of the list, exactly, on its days', () => {
    const rabatte = [{ anbieter: 'openai', prozent: '12.5', gilt_ab: '2026-07-01' }];
    expect(priced({ rabatte })).toEqual({
      usd: '0.13125',
      partial: false,
      source: expect.stringMatching(/^genai-prices .* openai\/gpt-4o-mini - 12.5 % \(preisbuch 7\)$/),
    });
    expect(costOf({ rabatte }, { at: '2026-06-01T00:00:00Z' })).toBe('0.15');
    expect(costOf({ rabatte }, { anbieter: 'azure', modell: 'gpt-4o-mini' })).toBe('0.15');
    expect(costOf({ rabatte }, { anbieter: null })).toBe('0.13125');
  });

  test('holds for tiers and tools, and never for own prices', () => {
    const rabatte = [{ anbieter: 'openai', prozent: '50' }];
    const batch = { modell: 'gpt-4.1', zusatz: { preisstufe: 'batch' } };
    const full = costOf({}, batch);
    expect(Number(costOf({ rabatte }, batch))).toBe(Number(full) / 2);
    expect(costOf({ rabatte }, { modell: 'gpt-4.1', input: 0, zusatz: { websuchen: 2 } })).toBe('0.01');
    expect(costOf({ rabatte, preise: [own('gpt-4o-mini', 1)] })).toBe('1');
    expect(costOf({ rabatte: [{ anbieter: 'openai', prozent: '100' }] })).toBe('0');
  });

  test('leaves unknown what is unknown', () => {
    const call = { anbieter: 'eigener-server', modell: 'privat' };
    expect(priced({ rabatte: [{ anbieter: 'eigener-server', prozent: '10' }] }, call)).toBeNull();
  });
});

test('a pattern of a book from before there was a most of asterisks is tried without trying all ways', () => {
  // Trying all ways to share out the characters would not come to an end.
  const many = '*a'.repeat(95);
  expect(fits(toPattern(`${many}*b`), 'a'.repeat(200))).toBe(false);
  expect(fits(toPattern(`${many}*`), 'a'.repeat(200))).toBe(true);
});

test('a pattern fits what its regular expression fits', () => {
  const piece = fc.stringMatching(/^[ab*]{0,6}$/);
  fc.assert(
    fc.property(piece, fc.stringMatching(/^[ab]{0,8}$/), (pattern, name) => {
      const expression = new RegExp(`^${pattern.replaceAll('*', '.*')}$`);
      expect(fits(toPattern(pattern), name.toLowerCase())).toBe(expression.test(name));
    }),
  );
});

test('what an own price states is what each unit costs, to the last digit', () => {
  const amount = fc
    .tuple(fc.integer({ min: 0, max: 999_999 }), fc.stringMatching(/^\d{0,15}$/))
    .map(([whole, places]) => (places === '' ? String(whole) : `${whole}.${places}`));
  const FACT: Record<string, string> = {
    sekunde: 'sekunden',
    zeichen: 'zeichen',
    seite: 'seiten',
    bild: 'bilder',
    websuche: 'websuchen',
    dateisuche: 'dateisuchen',
    codeausfuehrung: 'codeausfuehrungen',
    reranksuche: 'reranksuchen',
    zitat: 'zitat_token',
  };
  fc.assert(
    fc.property(fc.constantFrom(...BOOK_RATE_NAMES), amount, (name, price) => {
      const fact = FACT[name];
      if (fact === undefined) return;
      const units = BOOK_RATES[name].per;
      const cost = costOf(
        { preise: [{ modell: 'privat', saetze: { [name]: price } }] },
        { anbieter: null, modell: 'privat', input: 0, zusatz: { [fact]: units } },
      );
      expect(Number(cost)).toBe(Number(price));
      expect(cost).toBe(price.includes('.') ? price.replace(/\.?0*$/, '').replace(/^$/, '0') : price);
    }),
  );
});
