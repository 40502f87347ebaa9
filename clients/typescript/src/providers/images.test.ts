import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf, sse } from '../test-exchange.ts';

const URI = 'https://api.openai.com/v1/images';
const usage = {
  input_tokens: 50,
  output_tokens: 1_056,
  total_tokens: 1_106,
  input_tokens_details: { text_tokens: 10, image_tokens: 40 },
};
const expected = {
  ...BLANK,
  zeitpunkt: '2025-10-09T08:53:20.000Z',
  anbieter: 'openai',
  modell: 'gpt-image-1',
  eingabe_token: 50,
  ausgabe_token: 1_056,
  zusatz: { bild_eingabe_token: 40, bild_ausgabe_token: 1_056 },
};
const request = { model: 'gpt-image-1' };

test('a model that counts tokens: all it puts out is pictures', () => {
  const answer = { created: 1_760_000_000, data: [{ b64_json: 'iVBO' }], size: '1024x1024', usage };
  expect(eventOf(exchangeOf(`${URI}/generations`, answer, request))).toStrictEqual(expected);
  expect(eventOf(exchangeOf(`${URI}/edits`, answer, request))).toStrictEqual(expected);
});

test('stream: the usage comes with the last picture', () => {
  const stream = sse(
    { type: 'image_generation.partial_image', b64_json: 'iV', partial_image_index: 0 },
    { type: 'image_generation.completed', b64_json: 'iVBO', created_at: 1_760_000_000, usage },
  );
  expect(eventOf(exchangeOf(`${URI}/generations`, stream, request))).toStrictEqual(expected);
});

test('others are billed by the piece, at a price that hangs on size and quality', () => {
  const answer = { created: 1_760_000_000, data: [{ url: 'https://x/1' }, { url: 'https://x/2' }] };
  const dalle = { model: 'dall-e-3', n: 2, size: '1024x1792', quality: 'hd' };
  const uri = 'https://haus.openai.azure.com/openai/deployments/bild/images/generations';
  expect(eventOf(exchangeOf(uri, answer, dalle))).toMatchObject({
    anbieter: 'azure',
    modell: 'dall-e-3',
    eingabe_token: null,
    zusatz: { bilder: 2, bildgroesse: '1024x1792', bildguete: 'hd' },
  });
});
