import { describe, expect, test } from 'vitest';
import type { Exchange } from './event.ts';
import { eventOf, exchangeOf, sse } from './test-exchange.ts';

const request = {
  model: 'gpt-4o',
  messages: [
    { role: 'system', content: 'x'.repeat(40) },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'x'.repeat(41) },
        { type: 'image_url', image_url: { url: 'data:x' } },
      ],
    },
  ],
};
const cut = (exchange: Exchange): Exchange => ({ ...exchange, aborted: true });
const chat = (...deltas: object[]) =>
  exchangeOf(
    'https://api.openai.com/v1/chat/completions',
    sse(...deltas.map((delta) => ({ model: 'gpt-4o', choices: [{ index: 0, delta }] }))),
    request,
  );

describe('an answer that was cut off', () => {
  const text = { content: 'Zwölf Töne 😀' };
  const tool = {
    tool_calls: [{ index: 0, id: 'call_1', function: { name: 'suche', arguments: '{"q":"Ulm"}' } }],
  };

  test('is estimated from what was asked and what passed, and says so', () => {
    expect(eventOf(cut(chat(text, tool)))).toMatchObject({
      eingabe_token: 21,
      ausgabe_token: 6,
      geschaetzt: true,
    });
  });

  test('keeps what the provider had counted', () => {
    const stream = sse(
      {
        type: 'message_start',
        message: { model: 'claude-opus-4-8', usage: { input_tokens: 1_000, output_tokens: 2 } },
      },
      { type: 'content_block_delta', delta: { type: 'text_delta', text: 'x'.repeat(9) } },
    );
    expect(eventOf(cut(exchangeOf('https://api.anthropic.com/v1/messages', stream, request)))).toMatchObject({
      eingabe_token: 1_000,
      ausgabe_token: 3,
      geschaetzt: true,
    });
  });

  test('is not estimated where all was counted, where nothing passed, or where it failed', () => {
    const counted = {
      ...chat(text),
      body: `${chat(text).body}data: {"usage":{"prompt_tokens":9,"completion_tokens":4}}\n\n`,
    };
    expect(eventOf(cut(counted))).toMatchObject({ eingabe_token: 9, ausgabe_token: 4 });
    expect(eventOf(cut(counted)).geschaetzt).toBeUndefined();
    expect(eventOf(cut({ ...chat(), request: {} })).ausgabe_token).toBeNull();
    expect(eventOf(cut({ ...chat(text), status: 500 })).ausgabe_token).toBeNull();
  });
});

test('a stream that came to its end without counts is not estimated', () => {
  expect(eventOf(chat({ content: 'Ulm' }))).toMatchObject({ eingabe_token: null, ausgabe_token: null });
});
