import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf, sse } from '../test-exchange.ts';

const URI = 'https://api.openai.com/v1/audio';
const tokens = {
  type: 'tokens',
  input_tokens: 14,
  output_tokens: 45,
  total_tokens: 59,
  input_token_details: { text_tokens: 4, audio_tokens: 10 },
};
const transcribed = {
  ...BLANK,
  anbieter: 'openai',
  modell: 'gpt-4o-transcribe',
  eingabe_token: 14,
  ausgabe_token: 45,
  zusatz: { audio_eingabe_token: 10 },
};

test('transcription by tokens, plain and streamed', () => {
  const request = { model: 'gpt-4o-transcribe' };
  const uri = `${URI}/transcriptions`;
  expect(eventOf(exchangeOf(uri, { text: 'Ulm', usage: tokens }, request))).toStrictEqual(transcribed);
  const stream = sse(
    { type: 'transcript.text.delta', delta: 'U' },
    { type: 'transcript.text.done', text: 'Ulm', usage: tokens },
  );
  expect(eventOf(exchangeOf(uri, stream, request))).toStrictEqual(transcribed);
});

test.each([
  ['by its usage', `${URI}/transcriptions`, { text: 'Ulm', usage: { type: 'duration', seconds: 9 } }, 9],
  ['by the transcript', `${URI}/translations`, { text: 'Ulm', duration: 8.47, segments: [] }, 8.47],
  ['at Groq', 'https://api.groq.com/openai/v1/audio/transcriptions', { text: 'Ulm', duration: 3.5 }, 3.5],
  [
    'at Mistral',
    'https://api.mistral.ai/v1/audio/transcriptions',
    { text: 'Ulm', usage: { prompt_audio_seconds: 30, prompt_tokens: 150, completion_tokens: 42 } },
    30,
  ],
])('seconds %s', (_name, uri, answer, sekunden) => {
  expect(eventOf(exchangeOf(uri, answer, { model: 'whisper-1' }))).toMatchObject({
    modell: 'whisper-1',
    zusatz: { sekunden },
  });
});

test('a transcript as mere text says nothing of its length', () => {
  const exchange = {
    ...exchangeOf(`${URI}/transcriptions`, 'Ulm liegt an der Donau', { model: 'whisper-1' }),
    contentType: 'text/plain',
  };
  expect(eventOf(exchange)).toStrictEqual({ ...BLANK, anbieter: 'openai', modell: 'whisper-1' });
});

test('speech: characters of the text, and tokens where it is streamed', () => {
  const request = { model: 'tts-1', input: 'Grüße 🦜' };
  const spoken = {
    ...exchangeOf(`${URI}/speech`, '', request),
    contentType: 'audio/mpeg',
    body: '\ufffd{"usage":{"input_tokens":1}}',
  };
  expect(eventOf(spoken)).toStrictEqual({
    ...BLANK,
    anbieter: 'openai',
    modell: 'tts-1',
    zusatz: { zeichen: 7 },
  });
  const stream = sse(
    { type: 'speech.audio.delta', audio: 'AA' },
    { type: 'speech.audio.done', usage: { input_tokens: 14, output_tokens: 101, total_tokens: 115 } },
  );
  expect(
    eventOf(exchangeOf(`${URI}/speech`, stream, { model: 'gpt-4o-mini-tts', input: 'Ulm' })),
  ).toMatchObject({
    eingabe_token: 14,
    ausgabe_token: 101,
    zusatz: { zeichen: 3, audio_ausgabe_token: 101 },
  });
});
