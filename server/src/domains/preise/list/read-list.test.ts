import { describe, expect, test } from 'vitest';
import { editionOf } from '#test/price-lists.ts';
import { countModels } from './doubts.ts';
import { createPriceData, PACKAGED, readPackaged } from './price-data.ts';
import { BadPriceList, readList } from './read-list.ts';

const MODEL = { id: 'm', match: { equals: 'm' }, prices: { input_mtok: 1 } };
const PROVIDER = { id: 'p', name: 'P', api_pattern: 'https://p\\.example', models: [MODEL] };
const read = (value: unknown) => readList(Buffer.from(JSON.stringify(value)));
const withModel = (more: object) => [{ ...PROVIDER, models: [{ ...MODEL, ...more }] }];
const withPrices = (prices: unknown) => withModel({ prices });

test('the installed list, written as it is published, is the same list', async () => {
  const read = readList(await editionOf());
  const again = createPriceData('', PACKAGED.stand, read);
  const installed = await readPackaged();
  expect(countModels(read)).toBe(countModels(installed));
  const at = new Date('2026-11-20T12:00:00Z');
  for (const { id, models } of installed)
    for (const { id: name } of models) expect(again.find(id, name, at)).toEqual(PACKAGED.find(id, name, at));
});

test('a constraint that does not say what it is, as they are published, is read', () => {
  const [provider] = read(
    withPrices([
      { prices: { input_mtok: 1 } },
      { constraint: { start_date: '2026-03-13' }, prices: { input_mtok: 2 } },
      { constraint: { start_time: '00:30:00Z', end_time: '16:30:00Z' }, prices: { input_mtok: 3 } },
    ]),
  );
  const list = createPriceData('l', '2026-11-20', provider ? [provider] : []);
  const at = (instant: string) => list.find('p', 'm', new Date(instant))?.prices.input_mtok;
  expect(['2026-01-01T20:00Z', '2026-04-01T20:00Z', '2026-04-01T12:00Z'].map(at)).toEqual([1, 2, 3]);
});

test('what is not used here is left out, units that nobody knows may be there', () => {
  const [provider] = read([
    { ...PROVIDER, extractors: [1], models: [{ ...MODEL, name: 3, prices: { x_yz: 1, input_mtok: 2 } }] },
  ]);
  expect(provider).toEqual({ ...PROVIDER, models: [{ ...MODEL, prices: { x_yz: 1, input_mtok: 2 } }] });
});

describe('refused is', () => {
  test.each<[string, unknown, RegExp]>([
    ['an object', {}, /bekannten Form/],
    ['a list of something else', [1], /bekannten Form \(\/0\)/],
    ['a provider without models', [{ ...PROVIDER, models: undefined }], /bekannten Form/],
    ['a provider that is there twice', [PROVIDER, PROVIDER], /mehrmals/],
    ['a price below 0', withPrices({ input_mtok: -1 }), /bekannten Form/],
    ['a price as text', withPrices({ input_mtok: '1' }), /bekannten Form/],
    ['a price beyond all prices', withPrices({ input_mtok: 1e300 }), /bekannten Form/],
    ['no prices at all', withPrices([]), /bekannten Form/],
    ['a tier that starts nowhere', withPrices({ input_mtok: { base: 1, tiers: [{ price: 1 }] } }), /Form/],
    ['a clause that is none', withModel({ match: { aehnelt: 'm' } }), /bekannten Form/],
    ['two clauses in one', withModel({ match: { equals: 'm', contains: 'm' } }), /bekannten Form/],
    ['a clause within that is none', withModel({ match: { or: [{ and: [{ x: 1 }] }] } }), /bekannten Form/],
    ['a pattern that is none', withModel({ match: { or: [{ regex: '(' }] } }), /Ausdruck „\(“/],
    ['an address that is no pattern', [{ ...PROVIDER, api_pattern: '[' }], /Ausdruck „\[“/],
    [
      'a day that is none',
      withPrices([{ constraint: { start_date: '2026-02-30' }, prices: {} }]),
      /bekannten Form/,
    ],
    [
      'a time between half hours',
      withPrices([{ constraint: { start_time: '00:15:00Z', end_time: '16:30:00Z' }, prices: {} }]),
      /bekannten Form/,
    ],
  ])('%s', (_what, value, sentence) => {
    expect(() => read(value)).toThrow(BadPriceList);
    expect(() => read(value)).toThrow(sentence);
  });

  test.each([
    ['no JSON', Buffer.from('<html></html>'), /kein JSON/],
    ['nothing', Buffer.alloc(0), /kein JSON/],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), /kein JSON/],
    ['what is nested without end', Buffer.from(nested(200_000)), /tief|JSON/],
  ])('%s', (_what, bytes, sentence) => {
    expect(() => readList(bytes)).toThrow(BadPriceList);
    expect(() => readList(bytes)).toThrow(sentence);
  });

  function nested(depth: number): string {
    const clause = `${'{"or":['.repeat(depth)}{"equals":"m"}${']}'.repeat(depth)}`;
    return JSON.stringify(withModel({ match: 'HERE' })).replace('"HERE"', clause);
  }
});
