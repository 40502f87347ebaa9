import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf, sse } from '../test-exchange.ts';
import { toEvents } from '../to-events.ts';

const V1 = 'https://api.mistral.ai/v1';
const usage = {
  prompt_tokens: 188,
  completion_tokens: 55,
  total_tokens: 7_355,
  connector_tokens: 7_112,
  connectors: { web_search: 1, web_search_premium: 1, code_interpreter: 2, image_generation: 1 },
};
const outputs = [
  { type: 'tool.execution', name: 'web_search' },
  { type: 'message.output', model: 'mistral-medium-2505', content: [] },
];
const expected = {
  ...BLANK,
  anbieter: 'mistral',
  modell: 'mistral-medium-2505',
  eingabe_token: 7_300,
  ausgabe_token: 55,
  werkzeugaufrufe: 1,
  zusatz: { websuchen: 2, codeausfuehrungen: 2, bilder: 1 },
};

test('text recognition is billed by the page', () => {
  const answer = {
    pages: [{}, {}],
    model: 'mistral-ocr-2505',
    usage_info: { pages_processed: 2, doc_size_bytes: 900 },
  };
  expect(eventOf(exchangeOf(`${V1}/ocr`, answer))).toStrictEqual({
    ...BLANK,
    anbieter: 'mistral',
    modell: 'mistral-ocr-2505',
    zusatz: { seiten: 2 },
  });
});

test('a conversation: what its tools put into the prompt is input', () => {
  const answer = { object: 'conversation.response', conversation_id: 'c', outputs, usage };
  for (const path of ['', '/c', '/c/restart'])
    expect(eventOf(exchangeOf(`${V1}/conversations${path}`, answer))).toStrictEqual(expected);
  expect(toEvents({ ...exchangeOf(`${V1}/conversations/c`, answer), method: 'GET' }).events).toEqual([]);
});

test('a conversation streamed', () => {
  const stream = sse(
    { type: 'tool.execution.started', name: 'web_search' },
    { type: 'message.output.delta', model: 'mistral-medium-2505', content: 'Ulm' },
    { type: 'conversation.response.done', usage },
  );
  expect(eventOf(exchangeOf(`${V1}/conversations`, stream))).toStrictEqual(expected);
});

test('a known end of another provider is of that provider', () => {
  const answer = { model: 'mistral-ocr-2505', usage_info: { pages_processed: 2 } };
  const event = eventOf(exchangeOf('https://haus.eastus.models.ai.azure.com/v1/ocr', answer));
  expect(event).toMatchObject({ anbieter: 'azure', zusatz: { seiten: 2 } });
});
