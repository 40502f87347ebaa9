import { calcPrice, findProvider, type Provider, REMOTE_DATA_JSON_URL } from '@pydantic/genai-prices';
import { beforeAll, describe, expect, test } from 'vitest';
import { parseConfig } from '#platform/config.ts';
import { model } from '#test/price-lists.ts';
import { createPriceList } from '../price-list.ts';
import { loadSupplements } from '../supplement/load.ts';
import { createPriceData, LOCKED, PACKAGED, type PriceData, readPackaged } from './price-data.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

let installed: readonly Provider[];
/** What the library has, as an edition beside it. */
let copy: PriceData;
beforeAll(async () => {
  installed = await readPackaged();
  copy = createPriceData('genai-prices 2026-11-20.2', '2026-11-20', installed);
});

describe('the installed list', () => {
  test('is of the version whose day is known', () => {
    expect(PACKAGED.name).toBe(`genai-prices ${LOCKED.version}`);
  });

  test('is fetched from where the library would', () => {
    expect(parseConfig({}).priceListUrl).toBe(REMOTE_DATA_JSON_URL);
  });

  test('is searched, as an edition beside it, as the library searches its own', () => {
    const names = installed.flatMap(({ id, models }) =>
      models.flatMap((each) => [`${id} ${each.id}`, `${id} ${each.id.toUpperCase()}`, ` ${each.id}`]),
    );
    // Azure falls back to models of others.
    const more = [
      'azure gpt-4o',
      'azure claude-sonnet-4-5-20250929',
      'azure gibt-es-nicht',
      ' gibt-es-nicht',
    ];
    for (const name of [...names, ...more]) {
      const [provider = '', modell = ''] = name.split(' ');
      const options = { timestamp: NOW, ...(provider === '' ? {} : { providerId: provider }) };
      const theirs = calcPrice({}, modell, options);
      const [ours, ...others] = [copy, PACKAGED].map((each) => each.find(provider || null, modell, NOW));
      expect(others, name).toEqual([ours]);
      expect([ours?.provider, ours?.id, ours?.prices], name).toEqual([
        theirs?.provider.id,
        theirs?.model.id,
        theirs?.model_price,
      ]);
    }
    expect(names.length).toBeGreaterThan(3_000);
  });

  test.each([
    ...['openai', 'OpenAI ', 'aws.bedrock', 'amazon', 'vertex_ai', 'gemini', 'litellm', 'LiteLLM'],
    ...['azure', 'openrouter', 'eigener-server', '', '__proto__'],
  ])('knows a provider by its name as the library does: %j', (name) => {
    for (const modelId of ['gpt-4o', 'claude-sonnet-4-5', 'gibt-es-nicht'])
      for (const list of [copy, PACKAGED]) {
        const theirs = name === '' ? undefined : findProvider({ providerId: name, modelId })?.id;
        expect(list.providerOf(name, modelId)).toBe(theirs ?? null);
      }
    const url = `https://api.${name.trim()}.com/`;
    for (const list of [copy, PACKAGED])
      expect(list.providerAt(url)).toBe(findProvider({ providerApiUrl: url })?.id ?? null);
  });
});

describe('editions', () => {
  const provider = (prices: object): Provider => ({
    ...{ id: 'openai', name: 'OpenAI', api_pattern: 'https://api\\.openai\\.com' },
    model_match: { starts_with: 'nagelneu' },
    models: [model('nagelneu-1', prices)],
  });
  const edition = (stand: string, prices: object) =>
    createPriceData(`genai-prices ${stand}`, stand, [provider(prices)]);

  test('stand beside each other', () => {
    const [a, b] = [
      edition('2026-11-20', { input_mtok: 1 }),
      edition('2026-11-21', { input_mtok: 2, neue_einheit: { foo: 1 } }),
    ];
    const rates = [a, b, PACKAGED].map((list) =>
      createPriceList(() => list).model('openai', 'nagelneu-1')(NOW.getTime()),
    );
    expect(rates.map((each) => each?.source)).toEqual([
      'genai-prices 2026-11-20 openai/nagelneu-1',
      'genai-prices 2026-11-21 openai/nagelneu-1',
      undefined,
    ]);
    expect(rates.map((each) => each?.input?.base)).toEqual([10n ** 18n, 2n * 10n ** 18n, undefined]);
  });

  test('change under a list that is asked, but not under what it has answered', () => {
    let list = edition('2026-11-20', { input_mtok: 1 });
    const prices = createPriceList(() => list);
    const before = prices.model('openai', 'nagelneu-1');
    list = edition('2026-11-21', { input_mtok: 2 });
    const bases = [before, prices.model('openai', 'nagelneu-1')].map((at) => at(NOW.getTime())?.input?.base);
    expect(bases).toEqual([10n ** 18n, 2n * 10n ** 18n]);
    expect(prices.model('openai', 'gpt-4o-mini')(NOW.getTime())).toBeNull();
  });
});

describe('the supplement, on an edition of a later day', () => {
  const AT = NOW.getTime();
  /** The installed list of a later day, with other models of a provider. */
  const later = (id: string, models: (before: Provider['models']) => Provider['models']) =>
    createPriceData(
      'genai-prices 2027-01-15',
      '2027-01-15',
      installed.map((each) => (each.id === id ? { ...each, models: models(each.models) } : each)),
    );
  const sourceOf = (list: ReturnType<typeof later>, anbieter: string, modell: string) =>
    createPriceList(() => list).model(anbieter, modell)(AT)?.source;

  test('holds for what the list still lacks or has wrong, and still adds to what it has', () => {
    const same = later('openai', (models) => models);
    for (const [provider, name] of [
      ['deepseek', 'deepseek-chat'],
      ['anthropic', 'claude-fable-5-2'],
      ['aws', 'amazon.titan-embed-text-v2:0'],
    ] as const)
      expect(sourceOf(same, provider, name)).toMatch(/^zaehlwerk /);
    const rates = createPriceList(() => same).model('openai', 'gpt-5')(AT);
    const facts = {
      preisstufe: 'flex',
      region: null,
      counts: new Map(),
      eingabeIstSumme: null,
      sekunden: null,
    };
    expect(rates?.variant(facts, AT).rates?.source).toMatch(
      /^genai-prices 2027-01-15 openai\/gpt-5 \+ zaehlwerk \S+ flex$/,
    );
  });

  test('gives way where the list has got the model', () => {
    const list = later('anthropic', (models) => [
      model('claude-fable-5-2', { input_mtok: 7, output_mtok: 33 }),
      ...models,
    ]);
    expect(sourceOf(list, 'anthropic', 'claude-fable-5-2')).toBe(
      'genai-prices 2027-01-15 anthropic/claude-fable-5-2',
    );
  });

  test('gives way where the list has changed what was wrong', () => {
    const list = later('deepseek', (models) =>
      models.map((each) =>
        each.id === 'deepseek-chat' ? { ...each, prices: { input_mtok: 3, output_mtok: 4 } } : each,
      ),
    );
    expect(sourceOf(list, 'deepseek', 'deepseek-chat')).toBe(
      'genai-prices 2027-01-15 deepseek/deepseek-chat',
    );
  });

  test('holds where the list has only added something to what is wrong', () => {
    const list = later('deepseek', (models) =>
      models.map((each) => {
        if (each.id !== 'deepseek-chat') return each;
        const add = (prices: object) => ({ ...prices, web_searches_kcount: 10 });
        const prices = Array.isArray(each.prices)
          ? each.prices.map((one) => ({ ...one, prices: add(one.prices) }))
          : add(each.prices);
        return { ...each, prices } as typeof each;
      }),
    );
    expect(sourceOf(list, 'deepseek', 'deepseek-chat')).toMatch(/^zaehlwerk /);
  });

  test('holds where only a model has changed for which the list mistakes it', () => {
    const mistaken = loadSupplements().flatMap(({ provider, models }) =>
      models.flatMap(({ id }) => {
        const other = PACKAGED.find(provider, id, NOW)?.id;
        return other === undefined || other === id ? [] : [[provider, id, other] as const];
      }),
    );
    expect(mistaken.length).toBeGreaterThan(0);
    for (const [provider, id, other] of mistaken) {
      const list = later(provider, (models) =>
        models.map((each) => (each.id === other ? { ...each, prices: { input_mtok: 1 } } : each)),
      );
      expect(sourceOf(list, provider, id), id).toBe(sourceOf(PACKAGED, provider, id));
    }
  });

  test('gives way to a list that was right all along, once nobody has looked at the entry for too long', () => {
    const of = (day: string) => createPriceData(`genai-prices ${day}`, day, installed);
    const aged = loadSupplements().flatMap(({ provider, models }) =>
      models
        .filter(({ id }) => PACKAGED.find(provider, id, NOW)?.id === id)
        .map((each) => ({ provider, ...each })),
    );
    expect(aged.length).toBeGreaterThan(10);
    for (const { provider, id, until } of aged) {
      const before = Temporal.PlainDate.from(until).subtract({ days: 1 }).toString();
      expect(sourceOf(of(before), provider, id), id).toMatch(/^zaehlwerk /);
      expect(sourceOf(of(until), provider, id), id).toMatch(`genai-prices ${until}`);
    }
    expect(sourceOf(of('2030-01-01'), 'anthropic', 'claude-fable-5-2')).toMatch(/^zaehlwerk /);
  });

  test('holds on an edition of a day before it was read, whatever that says', () => {
    const older = createPriceData('genai-prices 2026-01-01', '2026-01-01', [
      {
        ...{ id: 'anthropic', name: 'Anthropic', api_pattern: 'x' },
        models: [model('claude-fable-5-2', { input_mtok: 7 })],
      },
    ]);
    expect(sourceOf(older, 'anthropic', 'claude-fable-5-2')).toMatch(/^zaehlwerk /);
  });
});
