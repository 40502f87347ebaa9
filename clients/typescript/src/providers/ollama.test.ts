import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf } from '../test-exchange.ts';

const HOST = 'http://127.0.0.1:11434';
const done = {
  model: 'llama3.2',
  created_at: '2025-10-09T08:53:21.5Z',
  message: { role: 'assistant', content: '', tool_calls: [{ function: { name: 'wetter', arguments: {} } }] },
  done: true,
  prompt_eval_count: 26,
  eval_count: 118,
};

test('JSON answer', () => {
  expect(eventOf(exchangeOf(`${HOST}/api/chat`, done))).toStrictEqual({
    ...BLANK,
    zeitpunkt: '2025-10-09T08:53:21.500Z',
    anbieter: 'ollama',
    modell: 'llama3.2',
    eingabe_token: 26,
    ausgabe_token: 118,
    werkzeugaufrufe: 1,
  });
});

test('stream of lines; without a prompt count (served from its cache) the input is unknown', () => {
  const { prompt_eval_count: _, message: __, ...rest } = done;
  const first = { model: 'llama3.2', created_at: '2025-10-09T08:53:20Z', response: 'U', done: false };
  const body = `${JSON.stringify(first)}\n${JSON.stringify({ ...rest, response: '' })}\n`;
  expect(eventOf(exchangeOf(`${HOST}/api/generate`, body))).toStrictEqual({
    ...BLANK,
    zeitpunkt: '2025-10-09T08:53:20.000Z',
    anbieter: 'ollama',
    modell: 'llama3.2',
    ausgabe_token: 118,
  });
});

test('embeddings: the new endpoint counts, the old one does not', () => {
  const counted = eventOf(
    exchangeOf(`${HOST}/api/embed`, { model: 'nomic', embeddings: [[0.1]], prompt_eval_count: 4 }),
  );
  expect(counted).toMatchObject({ eingabe_token: 4, ausgabe_token: 0 });
  const silent = eventOf(exchangeOf(`${HOST}/api/embeddings`, { embedding: [0.1] }, { model: 'nomic' }));
  expect(silent).toStrictEqual({ ...BLANK, anbieter: 'ollama', modell: 'nomic' });
});

test("OpenAI's form on Ollama's port", () => {
  const answer = { choices: [{ message: {} }], usage: { prompt_tokens: 1, completion_tokens: 2 } };
  expect(eventOf(exchangeOf('http://gpu:11434/v1/chat/completions', answer))?.anbieter).toBe('ollama');
});

test('error as a bare text', () => {
  expect(
    eventOf(exchangeOf(`${HOST}/api/chat`, { error: 'model not found' }, { model: 'x' }, 404)),
  ).toStrictEqual({
    ...BLANK,
    anbieter: 'ollama',
    modell: 'x',
    status: 'fehler',
    fehlercode: 'http_404',
  });
});
