import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf } from '../test-exchange.ts';

const MODELS =
  'https://europe-west4-aiplatform.googleapis.com/v1/projects/p/locations/europe-west4/publishers/google/models';

test('Imagen is billed by the picture; one that a filter held back is not', () => {
  const answer = {
    predictions: [
      { mimeType: 'image/png', bytesBase64Encoded: 'iVBO' },
      { mimeType: 'image/png', gcsUri: 'gs://b/2.png' },
      { raiFilteredReason: 'blocked' },
    ],
  };
  expect(eventOf(exchangeOf(`${MODELS}/imagen-4.0-generate-001:predict`, answer))).toStrictEqual({
    ...BLANK,
    anbieter: 'google',
    modell: 'imagen-4.0-generate-001',
    zusatz: { bilder: 2 },
  });
});

test('embeddings sum up the tokens of their texts', () => {
  const embedded = (token_count: number) => ({ embeddings: { values: [0.1], statistics: { token_count } } });
  const answer = { predictions: [embedded(6), embedded(4)] };
  expect(eventOf(exchangeOf(`${MODELS}/text-embedding-005:predict`, answer))).toMatchObject({
    modell: 'text-embedding-005',
    eingabe_token: 10,
    ausgabe_token: 0,
  });
});
