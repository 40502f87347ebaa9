import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidInput } from '#kernel/errors.ts';
import { scaledFrom, textOf } from '#kernel/money.ts';
import { modelOf } from './model.ts';
import { readUsageCsv, type UsageRow } from './read.ts';
import { sumByModel } from './sum.ts';
import { MOST_BYTES, MOST_LINES } from './table.ts';

const read = (csv: string) => readUsageCsv(Buffer.from(csv));

function faultsOf(csv: string | Uint8Array) {
  try {
    readUsageCsv(typeof csv === 'string' ? Buffer.from(csv) : csv);
  } catch (error) {
    if (error instanceof InvalidInput) return error.faults;
    throw error;
  }
  return [];
}
const pathsOf = (csv: string | Uint8Array) => faultsOf(csv).map(({ path }) => path);

const NOTHING: UsageRow = {
  monat: '2026-10',
  tag: '2026-10-01',
  modell: null,
  posten: null,
  eingabe_token: null,
  ausgabe_token: null,
  cache_lese_token: null,
  cache_schreib_token: null,
  aufrufe: null,
  betrag: null,
  waehrung: null,
};

// 1790812800 is 2026-10-01T00:00:00Z
const COSTS =
  'start_time,end_time,start_time_iso,end_time_iso,amount_value,amount_currency,line_item,project_id\n1790812800,1790899200,2026-10-01T00:00:00+00:00,2026-10-02T00:00:00+00:00,0.003835980000000000000000000000,usd,"gpt-4o-mini-2024-07-18, input",p\n';

test.each<[string, string, string, string, Partial<UsageRow>[]]>([
  [
    'costs of OpenAI',
    'openai',
    'kosten',
    `${COSTS}1790899200,1790985600,2026-10-02T00:00:00+00:00,2026-10-03T00:00:00+00:00,,,,\n`,
    [
      {
        modell: 'gpt-4o-mini-2024-07-18',
        posten: 'gpt-4o-mini-2024-07-18, input',
        betrag: '0.00383598',
        waehrung: 'USD',
      },
    ],
  ],
  [
    'costs of OpenAI with quantities, an instant without a zone',
    'openai',
    'kosten',
    'start_time_iso,end_time_iso,amount_value,amount_currency,quantity,quantity_unit,line_item,api_source\n2026-10-01T00:00:00,2026-10-02T00:00:00,1e-05,usd,1000,tokens,Web search tool calls,\n',
    [{ posten: 'Web search tool calls', betrag: '0.00001', waehrung: 'USD' }],
  ],
  [
    'older costs of OpenAI: `cost` is in cents and not read',
    'openai',
    'kosten',
    'timestamp,currency,name,cost,organization_id,cost_in_major,date\n1790812800,usd,GPT-4o mini,-150,org,-1.5,2026-10-01\n',
    [{ modell: 'gpt-4o-mini', posten: 'GPT-4o mini', betrag: '-1.5', waehrung: 'USD' }],
  ],
  [
    'usage of OpenAI, from a spreadsheet',
    'openai',
    'nutzung',
    'start_time\tend_time\tnum_model_requests\tmodel\tinput_tokens\toutput_tokens\tinput_cached_tokens\tinput_uncached_tokens\n1790812800\t1790899200\t10.0\tgpt-5\t59200.0\t10646.0\t5760.0\t53440.0\n',
    [
      {
        modell: 'gpt-5',
        eingabe_token: 59200n,
        ausgabe_token: 10646n,
        cache_lese_token: 5760n,
        aufrufe: 10n,
      },
    ],
  ],
  [
    'older activity of OpenAI',
    'openai',
    'nutzung',
    'organization_id,n_requests,operation,n_context_tokens_total,n_generated_tokens_total,usage_type,model,timestamp\norg,2,completion,100,20,text,gpt-4,2026-10-01 13:45:00\n',
    [{ modell: 'gpt-4', eingabe_token: 100n, ausgabe_token: 20n, aufrufe: 2n }],
  ],
  [
    'costs of Anthropic',
    'anthropic',
    'kosten',
    'usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd,list_price_usd,cost_type,inference_geo,speed\n2026-10-01,Claude Haiku 4.5,"Acme, Inc",k,message,≤ 200k,output,0.05,0.06,token,global,\n2026-10-01,,Default,k,message,,,0.01,0.01,web_search,global,\n',
    [
      { modell: 'claude-haiku-4-5', posten: 'Claude Haiku 4.5', betrag: '0.05', waehrung: 'USD' },
      { posten: 'web_search', betrag: '0.01', waehrung: 'USD' },
    ],
  ],
  [
    'usage of Anthropic',
    'anthropic',
    'nutzung',
    'usage_date_utc,model_version,api_key,workspace,usage_type,context_window,usage_input_tokens_no_cache,usage_input_tokens_cache_write_5m,usage_input_tokens_cache_write_1h,usage_input_tokens_cache_read,usage_output_tokens,web_search_count\n2026-10-01,claude-opus-5,k,Default,standard,≤ 200k,46981,15969,31,7,16932,0\n',
    [
      {
        modell: 'claude-opus-5',
        eingabe_token: 46981n,
        ausgabe_token: 16932n,
        cache_schreib_token: 16000n,
        cache_lese_token: 7n,
      },
    ],
  ],
  [
    'older usage of Anthropic, with instants',
    'anthropic',
    'nutzung',
    'usage_date_utc,model_version,usage_input_tokens_no_cache,usage_input_tokens_cache_write,usage_input_tokens_cache_read,usage_output_tokens\n2026-10-01T05:00:00Z,claude-3-5-sonnet-20241022,1,2,3,4\n',
    [
      {
        modell: 'claude-3-5-sonnet-20241022',
        eingabe_token: 1n,
        cache_schreib_token: 2n,
        cache_lese_token: 3n,
        ausgabe_token: 4n,
      },
    ],
  ],
])('reads %s', (_, anbieter, art, csv, rows) => {
  expect(read(csv)).toEqual({ anbieter, art, zeilen: rows.map((row) => ({ ...NOTHING, ...row })) });
});

test.each([
  ['2026-10-01', '2026-10-01'],
  ['1790812800', '2026-10-01'],
  ['1790812800.0', '2026-10-01'],
  ['2026-10-01 00:00:00+00:00', '2026-10-01'],
  ['2026-10-01T00:30:00+02:00', '2026-09-30'],
  ['2026-10-01T23:59:59.999Z', '2026-10-01'],
])('the day of %s', (text, day) => {
  expect(read(`date,amount_value\n${text},1\n`).zeilen[0]).toMatchObject({
    tag: day,
    monat: day.slice(0, 7),
  });
});

test('more than a day is of its month; beyond the month is refused', () => {
  const spans = (end: string) => `start_time_iso,end_time_iso,amount_value\n2026-10-01,${end},1\n`;
  expect(read(spans('2026-11-01')).zeilen[0]).toMatchObject({ monat: '2026-10', tag: null });
  expect(pathsOf(spans('2026-11-02'))).toEqual([['csv', 2, 'end_time_iso']]);
  expect(pathsOf(spans('2026-09-30'))).toEqual([['csv', 2, 'end_time_iso']]);
});

test.each([
  ['GPT-4o mini, input', 'gpt-4o-mini'],
  ['gpt-5-nano, input_tokens', 'gpt-5-nano'],
  ['gpt-4o-2024-08-06, cached input', 'gpt-4o-2024-08-06'],
  ['text-embedding-3-small', 'text-embedding-3-small'],
  ['o4-mini-2025-04-16, output', 'o4-mini-2025-04-16'],
  ['ft:gpt-4o-mini-2024-07-18:Org::AbC, output', 'ft:gpt-4o-mini-2024-07-18:Org::AbC'],
  ['Claude 3.5 Sonnet 2024-10-22', 'claude-3-5-sonnet-20241022'],
  ['Claude Opus 5', 'claude-opus-5'],
  ['Fine-tuning models', null],
  ['GPT-4 models', null],
  ['web search tool calls, gpt-4o', null],
  ['gpt-4o, gpt-5', null],
  ['Assistants API | Code interpreter', null],
  ['claude', null],
])('the model of “%s” is %s', (text, model) => expect(modelOf(text)).toBe(model));

test.each<[string, string, string, unknown[][]]>([
  ['an amount in words', '0.003835980000000000000000000000', 'viel', [['csv', 2, 'amount_value']]],
  ['a comma for decimals', '0.003835980000000000000000000000', '"0,5"', [['csv', 2, 'amount_value']]],
  ['an exponent beyond measure', '0.003835980000000000000000000000', '1e99', [['csv', 2, 'amount_value']]],
  ['no number', '0.003835980000000000000000000000', 'Infinity', [['csv', 2, 'amount_value']]],
  ['another currency', 'usd', 'gbp', [['csv', 2, 'amount_currency']]],
  ['no time', '1790812800,1790899200,2026-10-01T00:00:00+00:00', ',1790899200,', [['csv', 2, 'start_time']]],
  ['a day that is not', '1790812800', '2026-02-30', [['csv', 2, 'start_time']]],
  ['a time before all', '1790812800', '123456789', [['csv', 2, 'start_time']]],
  ['a formula', '"gpt-4o-mini-2024-07-18, input"', '=1+1', [['csv', 2, 'line_item']]],
  ['control characters', 'mini-2024', 'mini\x07', [['csv', 2, 'line_item']]],
  ['a quote that is not closed', 'input"', 'input', [['csv', 2]]],
  ['a line too long', ',p\n', ',p,q\n', [['csv', 2]]],
  ['a column twice', 'project_id', 'line_item', [['csv', 1]]],
  ['an unknown file', 'amount_value', 'sum', [['csv', 1]]],
  ['NUL', ',p\n', ',p\0\n', [['csv']]],
])('one mutation, one fault: %s', (_, from, to, paths) => {
  expect(COSTS).toContain(from);
  expect(pathsOf(COSTS)).toEqual([]);
  expect(pathsOf(COSTS.replace(from, to))).toEqual(paths);
});

test.each(['-1', '1.5', 'x'])('a count of %s is refused', (count) => {
  expect(pathsOf(`date,model,n_requests\n2026-10-01,gpt-4,${count}\n`)).toEqual([['csv', 2, 'n_requests']]);
});

test('the refusal of an unknown file says what was looked for and what was found, in both languages', () => {
  const [fault] = faultsOf('Datum;Betrag\n1;2\n');
  const reason = fault && 'reason' in fault ? fault.reason : null;
  for (const text of [reason?.de, reason?.en]) expect(text).toContain('Datum, Betrag');
  expect(reason?.de).toContain('Kosten (Anthropic): usage_date_utc und cost_usd;');
  expect(reason?.de).toContain('amount_value oder cost_in_major');
  expect(reason?.en).toContain('costs (Anthropic): usage_date_utc and cost_usd;');
  expect(reason?.en).toContain('amount_value or cost_in_major');
});

test('reads a mark, UTF-16 with its mark and Windows-1252; refuses UTF-16 without a mark', () => {
  const rows = read(COSTS).zeilen;
  expect(
    read(`\uFEFF${COSTS.toUpperCase().replace(/GPT.*INPUT/, 'gpt-4o-mini-2024-07-18, input')}`).zeilen,
  ).toEqual(rows);
  expect(readUsageCsv(Buffer.from(`\uFEFF${COSTS}`, 'utf16le')).zeilen).toEqual(rows);
  expect(readUsageCsv(Buffer.from(COSTS.replace(',p\n', ',ü\n'), 'latin1')).zeilen).toEqual(rows);
  expect(pathsOf(Buffer.from(COSTS, 'utf16le'))).toEqual([['csv']]);
});

test('bytes, lines and faults are bounded', () => {
  const lines = (count: number, cell: string) => `date,n_requests\n${`2026-10-01,${cell}\n`.repeat(count)}`;
  expect(pathsOf(new Uint8Array(MOST_BYTES + 1))).toEqual([['csv']]);
  expect(pathsOf(lines(MOST_LINES + 1, '1'))).toEqual([['csv']]);
  expect(pathsOf(lines(150, 'x'))).toHaveLength(100);
  expect(pathsOf('')).toEqual([['csv', 1]]);
});

const NAMES = ['date', 'amount_value', 'amount_currency', 'line_item', 'x'] as const;
const rowArbitrary = fc.record({
  date: fc.constantFrom('2026-10-01', '2026-10-31', '2026-11-01'),
  amount_value: fc.tuple(fc.integer(), fc.integer({ min: 0, max: 20 })).map(([n, e]) => `${n}e-${e}`),
  amount_currency: fc.constantFrom('usd', 'EUR'),
  line_item: fc.constantFrom('"gpt-4o, input"', '"gpt-4o, output"', 'gpt-5', 'Storage'),
  x: fc.constantFrom('', 'y'),
});
type Row = { [name in (typeof NAMES)[number]]: string };
const csvOf = (names: readonly (keyof Row)[], rows: readonly Row[]) =>
  [names.join(','), ...rows.map((row) => names.map((name) => row[name]).join(','))].join('\r\n');

test('sums by model are the sums of the rows, whatever the order of rows and columns', () => {
  const both = fc.array(rowArbitrary, { maxLength: 20 }).chain((rows) =>
    fc.record({
      rows: fc.constant(rows),
      names: fc.shuffledSubarray([...NAMES], { minLength: NAMES.length }),
      moved: fc.shuffledSubarray(rows, { minLength: rows.length }),
    }),
  );
  fc.assert(
    fc.property(both, ({ rows, names, moved }) => {
      const file = read(csvOf(NAMES, rows));
      const total = (values: (string | null)[]) =>
        textOf(
          values.reduce((sum, value) => sum + scaledFrom(value as string, 60), 0n),
          60,
        );
      for (const monat of ['2026-10', '2026-11']) {
        const sums = sumByModel(file.zeilen, monat);
        for (const waehrung of ['USD', 'EUR']) {
          const ours = (row: { waehrung: string | null }) => row.waehrung === waehrung;
          expect(total(sums.filter(ours).map(({ betrag }) => betrag))).toBe(
            total(file.zeilen.filter((row) => row.monat === monat && ours(row)).map(({ betrag }) => betrag)),
          );
        }
        expect(sumByModel(read(csvOf(names, moved)).zeilen, monat)).toEqual(sums);
      }
    }),
  );
});

test('a sum of what is not said is unknown; models by name, what is of none last', () => {
  const usage =
    'date,model,input_tokens,n_requests\n2026-10-01,,1,1\n2026-10-01,o3,5,2\n2026-10-02,o3,,3\n2026-10-02,gpt-5,7,4\n';
  expect(
    sumByModel(read(usage).zeilen, '2026-10').map(({ modell, eingabe_token, aufrufe }) => [
      modell,
      eingabe_token,
      aufrufe,
    ]),
  ).toEqual([
    ['gpt-5', 7n, 4n],
    ['o3', null, 5n],
    [null, 1n, 1n],
  ]);
  expect(sumByModel(read(usage).zeilen, '2026-09')).toEqual([]);
});

test('any bytes are read or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      faultsOf(bytes);
      faultsOf(Buffer.concat([Buffer.from(COSTS), bytes]));
    }),
  );
});
