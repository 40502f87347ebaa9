import { expect, test } from 'vitest';
import { BLANK, exchangeOf, sse } from '../test-exchange.ts';
import { toEvent } from '../to-event.ts';

const BASE = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash';
const text = { candidates: [{ content: { role: 'model', parts: [{ text: 'Ulm' }] } }] };
const call = { candidates: [{ content: { parts: [{ functionCall: { name: 'wetter', args: {} } }] } }] };
const usageMetadata = {
  promptTokenCount: 300,
  cachedContentTokenCount: 256,
  toolUsePromptTokenCount: 40,
  candidatesTokenCount: 25,
  thoughtsTokenCount: 110,
  totalTokenCount: 475,
  promptTokensDetails: [
    { modality: 'TEXT', tokenCount: 290 },
    { modality: 'AUDIO', tokenCount: 10 },
  ],
};
const expected = {
  ...BLANK,
  anbieter: 'google',
  modell: 'gemini-2.5-flash-002',
  eingabe_token: 340,
  ausgabe_token: 25,
  cache_lese_token: 256,
  denk_token: 110,
  werkzeugaufrufe: 1,
  zusatz: { eingabe_audio_token: 10 },
};
const final = { ...call, usageMetadata, modelVersion: 'gemini-2.5-flash-002' };

test('JSON answer: thoughts on top of the candidates, tool results on top of the prompt', () => {
  expect(toEvent(exchangeOf(`${BASE}:generateContent`, final))).toStrictEqual(expected);
});

const early = { ...text, usageMetadata: { promptTokenCount: 300, totalTokenCount: 300 } };

test('stream as server-sent events: the last counts hold', () => {
  expect(toEvent(exchangeOf(`${BASE}:streamGenerateContent?alt=sse`, sse(early, final)))).toStrictEqual(
    expected,
  );
});

test('stream as one JSON array, whole and cut off', () => {
  const uri = `${BASE}:streamGenerateContent`;
  const array = JSON.stringify([early, final], null, 2);
  expect(toEvent(exchangeOf(uri, array))).toStrictEqual(expected);
  expect(toEvent(exchangeOf(uri, array.slice(0, -2)))).toStrictEqual(expected);
});

test('a count that Google leaves out follows from the total; without one it is unknown', () => {
  const blocked = {
    promptFeedback: { blockReason: 'SAFETY' },
    usageMetadata: { promptTokenCount: 9, totalTokenCount: 9 },
  };
  expect(toEvent(exchangeOf(`${BASE}:generateContent`, blocked))).toStrictEqual({
    ...BLANK,
    anbieter: 'google',
    modell: 'gemini-2.5-flash',
    eingabe_token: 9,
    ausgabe_token: 0,
  });
  expect(toEvent(exchangeOf(`${BASE}:generateContent`, text))).toMatchObject({
    eingabe_token: null,
    ausgabe_token: null,
  });
});

test('error named by its status', () => {
  const error = { error: { code: 429, message: 'x', status: 'RESOURCE_EXHAUSTED' } };
  expect(toEvent(exchangeOf(`${BASE}:generateContent`, error, {}, 429))).toMatchObject({
    modell: 'gemini-2.5-flash',
    status: 'fehler',
    fehlercode: 'RESOURCE_EXHAUSTED',
  });
});

test('behind a proxy its form still tells the provider', () => {
  const event = toEvent(exchangeOf('https://proxy.intern/ki', final));
  expect(event).toMatchObject({ anbieter: 'google', eingabe_token: 340 });
});
