import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf, sse } from '../test-exchange.ts';
import { toEvents } from '../to-events.ts';

const URI = 'https://api.openai.com/v1/responses';
const response = (more: object) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_760_000_000,
  status: 'completed',
  error: null,
  model: 'gpt-5-2025-08-07',
  output: [],
  usage: null,
  ...more,
});
const finished = response({
  output: [
    { type: 'reasoning', summary: [] },
    { type: 'web_search_call', status: 'completed' },
    { type: 'function_call', name: 'wetter', arguments: '{}' },
    { type: 'message', content: [] },
  ],
  usage: {
    input_tokens: 400,
    input_tokens_details: { cached_tokens: 128 },
    output_tokens: 90,
    output_tokens_details: { reasoning_tokens: 64 },
    total_tokens: 490,
  },
});
const expected = {
  ...BLANK,
  zeitpunkt: '2025-10-09T08:53:20.000Z',
  anbieter: 'openai',
  modell: 'gpt-5-2025-08-07',
  eingabe_token: 400,
  ausgabe_token: 90,
  cache_lese_token: 128,
  denk_token: 64,
  werkzeugaufrufe: 2,
  zusatz: { websuchen: 1, eingabe_ist_summe: true },
};

test('JSON answer', () => {
  expect(eventOf(exchangeOf(URI, finished))).toStrictEqual(expected);
});

test('stream: the last event carries the response', () => {
  const stream = sse(
    { type: 'response.created', response: response({ status: 'in_progress' }) },
    { type: 'response.output_text.delta', delta: 'Ulm' },
    { type: 'response.completed', response: finished },
  );
  expect(eventOf(exchangeOf(URI, stream))).toStrictEqual(expected);
});

test('a response that failed is an error in a 200 answer', () => {
  const failed = response({ status: 'failed', error: { code: 'server_error', message: 'x' } });
  const stream = sse({ type: 'response.failed', response: failed });
  expect(eventOf(exchangeOf(URI, stream))).toMatchObject({
    eingabe_token: null,
    status: 'fehler',
    fehlercode: 'server_error',
  });
});

test('a stream that broke off: counts unknown, the tool calls begun are counted', () => {
  const stream = sse(
    { type: 'response.created', response: response({ status: 'in_progress' }) },
    { type: 'response.output_item.added', item: { type: 'function_call', name: 'wetter' } },
  );
  expect(eventOf(exchangeOf(URI, stream))).toMatchObject({ ausgabe_token: null, werkzeugaufrufe: 1 });
});

const used = (more: object, request: object = {}) =>
  toEvents(exchangeOf(URI, response({ usage: { input_tokens: 10, output_tokens: 5 }, ...more }), request))
    .events;
const search = (type: string) => ({ type: 'web_search_call', action: { type } });

test('searching is billed, opening and reading a page is not; what OpenAI counted itself comes first', () => {
  const output = [search('search'), search('open_page'), search('find_in_page'), search('search')];
  expect(used({ output })).toMatchObject([{ werkzeugaufrufe: 4, zusatz: { websuchen: 2 } }]);
  const tool_usage = { web_search: { num_requests: 3 } };
  expect(used({ output, tool_usage })).toMatchObject([{ zusatz: { websuchen: 3 } }]);
});

test('searches of files by the call, code by the container, those that were there before not at all', () => {
  const ran = (container_id: string) => ({ type: 'code_interpreter_call', container_id });
  const output = [
    { type: 'file_search_call', queries: ['a', 'b'] },
    ran('cntr_1'),
    ran('cntr_1'),
    ran('cntr_2'),
  ];
  expect(used({ output })[0]?.zusatz).toEqual({
    dateisuchen: 1,
    codeausfuehrungen: 2,
    eingabe_ist_summe: true,
  });
  const request = { tools: [{ type: 'code_interpreter', container: 'cntr_2' }] };
  expect(used({ output }, request)[0]?.zusatz).toEqual({
    dateisuchen: 1,
    codeausfuehrungen: 1,
    eingabe_ist_summe: true,
  });
});

test('pictures made on the way are an event of the model that made them', () => {
  const tool_usage = {
    image_gen: { input_tokens: 12, output_tokens: 1_056, input_tokens_details: { image_tokens: 7 } },
  };
  expect(used({ tool_usage, tools: [{ type: 'image_generation', model: 'gpt-image-1' }] })).toMatchObject([
    { modell: 'gpt-5-2025-08-07', ausgabe_token: 5, zusatz: null },
    {
      modell: 'gpt-image-1',
      eingabe_token: 12,
      ausgabe_token: 1_056,
      zusatz: { bild_ausgabe_token: 1_056, bild_eingabe_token: 7 },
    },
  ]);
});

test('a compacted conversation is a call', () => {
  const answer = response({ object: 'response.compaction', usage: { input_tokens: 900, output_tokens: 40 } });
  expect(eventOf(exchangeOf(`${URI}/compact`, answer))).toMatchObject({
    eingabe_token: 900,
    ausgabe_token: 40,
  });
});

test.each([
  ['GET', `${URI}/resp_1`],
  ['POST', `${URI}/resp_1/cancel`],
  ['DELETE', `${URI}/resp_1`],
  ['GET', 'https://haus.openai.azure.com/openai/responses/resp_1?api-version=2025-03-01-preview'],
  ['GET', `${URI}/resp_1/input_items`],
  ['POST', `${URI}/input_tokens`],
  ['get', URI],
])('%s %s is no second call', (method, uri) => {
  expect(toEvents({ ...exchangeOf(uri, finished), method })).toEqual({ events: [], unconverted: [] });
});

test('one made in the background counts once it has ended, with the same id however often it is read', () => {
  const background = (more: object) => response({ background: true, ...more });
  const queued = exchangeOf(URI, background({ status: 'queued' }));
  const ended = exchangeOf(`${URI}/resp_1`, { ...finished, background: true });
  expect(toEvents(queued).events).toEqual([]);
  expect(toEvents({ ...ended, method: 'GET', body: queued.body }).events).toEqual([]);
  const [read, again] = [1, 2].map(() => eventOf({ ...ended, method: 'GET' }));
  expect(read).toMatchObject({ eingabe_token: 400, ausgabe_token: 90, status: 'erfolgreich' });
  expect(read?.ereignis_id).toMatch(/^[0-9a-f-]{36}$/);
  expect(again).toEqual(read);
  // Where its stream was read to the end, reading it later is the same event.
  const stream = sse({ type: 'response.completed', response: { ...finished, background: true } });
  expect(eventOf(exchangeOf(URI, stream))).toEqual(read);
});
