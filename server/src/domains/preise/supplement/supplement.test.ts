import { type Provider, waitForUpdate } from '@pydantic/genai-prices';
import { describe, expect, test } from 'vitest';
import { findModel } from '../find-model.ts';
import { loadSupplements } from './load.ts';
import { readSupplement, type Supplement } from './schema.ts';
import { superfluousIn } from './superfluous.ts';

const list = async (): Promise<Provider[]> => (await waitForUpdate()) ?? [];
const NOW = new Date('2026-11-20T12:00:00Z');

describe('the supplement to the price list', () => {
  test('says nothing that the list as installed has right', async () => {
    const installed = await list();
    expect(loadSupplements().flatMap((each) => superfluousIn(each, installed))).toEqual([]);
  });

  test('is about providers and models that there are, each once', async () => {
    const providers = await list();
    for (const { provider, models, additions } of loadSupplements()) {
      const known = providers.find(({ id }) => id === provider);
      expect(known, provider).toBeDefined();
      const own = models.map(({ id }) => id);
      expect(new Set(own).size, provider).toBe(own.length);
      // Azure sells the models of OpenAI, too.
      const sold = [provider, ...(known?.fallback_model_providers ?? [])];
      const listed = providers.filter(({ id }) => sold.includes(id)).flatMap(({ models: all }) => all);
      const ids = new Set([...own, ...listed.map(({ id }) => id)]);
      for (const id of additions.flatMap((addition) => addition.models))
        expect(ids, `${provider}/${id}`).toContain(id);
    }
  });

  test('takes no model of the list for another', async () => {
    const names = (await list()).flatMap(({ id, models }) => models.map((model) => [id, model.id] as const));
    const mistaken = names.filter(([provider, id]) => {
      const found = findModel(provider, id, NOW);
      // The end of their name marks free variants; the list has them without a price.
      const isFree = provider === 'openrouter' && id.endsWith(':free') && found?.id === ':free';
      return found?.source.startsWith('zaehlwerk') && found.id !== id && !isFree;
    });
    // The list has since given this one the name of its date.
    expect(mistaken).toEqual([['x-ai', 'grok-4.20-multi-agent']]);
  });
});

describe('a file of it', () => {
  const ENTRY = {
    id: 'm',
    match: { equals: 'm' },
    prices: { input_mtok: 1 },
    sources: ['https://example.com/preise'],
    corrects: null,
    read: '2026-11-22',
    until: '2027-02-20',
  };
  const file = (models: object[], additions: object[] = []): string =>
    JSON.stringify({ provider: 'openai', models, additions });

  test('is read as it is', () => {
    expect((readSupplement(file([ENTRY])) as Supplement).models).toEqual([ENTRY]);
  });

  test.each([
    ['no source', { ...ENTRY, sources: [] }],
    ['no day on which it was read', { ...ENTRY, read: undefined }],
    ['a price below 0', { ...ENTRY, prices: { input_mtok: -1 } }],
    ['a price as text', { ...ENTRY, prices: { input_mtok: '1' } }],
    ['a key that is none', { ...ENTRY, prices: { input_mtok: 1, eingabe: 1 } }],
    ['a word too many', { ...ENTRY, preis: 1 }],
    ['no clause', { ...ENTRY, match: { aehnelt: 'm' } }],
  ])('with %s is refused', (_what, entry) => {
    expect(() => readSupplement(file([entry]))).toThrow(TypeError);
  });

  test('with a tier that says nothing of when is refused', () => {
    const { sources, read } = ENTRY;
    const origin = { sources, read };
    const addition = (when: object) => ({
      ...origin,
      models: ['m'],
      price_variants: [{ when, factor: '0.5' }],
    });
    expect(() => readSupplement(file([], [addition({ preisstufe: 'batch' })]))).not.toThrow();
    expect(() => readSupplement(file([], [addition({})]))).toThrow(TypeError);
    expect(() => readSupplement(file([], [addition({ stufe: 'batch' })]))).toThrow(TypeError);
  });

  test('whose entry the list has by now, or whose rate, is named', async () => {
    const openai = (await list()).find(({ id }) => id === 'openai');
    const model = openai?.models.find(({ id }) => id === 'gpt-4o');
    const { sources, read } = ENTRY;
    const origin = { sources, read };
    const same = { ...ENTRY, id: 'gpt-4o', prices: model?.prices };
    const had = { ...origin, models: ['gpt-4o'], prices: { web_searches_kcount: 10 } };
    expect(superfluousIn(readSupplement(file([same], [had])), await list())).toEqual([
      'openai/gpt-4o: the list has the same prices',
      'openai/gpt-4o: the list has web_searches_kcount',
    ]);
  });
});
