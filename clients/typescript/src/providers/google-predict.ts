import { type Answer, fromPath } from '../answer.ts';
import { at, count, list, text } from '../json.ts';
import { facts } from './facts.ts';
import { type Counts, noCounts, type Shape, sumOf } from './shape.ts';

/** Pictures that were made; those that a filter held back say so instead and cost nothing. */
function isPicture(prediction: unknown): boolean {
  return text(at(prediction, 'bytesBase64Encoded')) !== null || text(at(prediction, 'gcsUri')) !== null;
}

function countsOf({ parts }: Answer): Counts {
  const predictions = parts.flatMap((part) => list(at(part, 'predictions')));
  const embedded = predictions.map((prediction) => at(prediction, 'embeddings', 'statistics', 'token_count'));
  const eingabe = sumOf(...embedded.map(count));
  return {
    ...noCounts(),
    eingabe_token: eingabe,
    ausgabe_token: eingabe === null ? null : 0,
    zusatz: facts({ bilder: predictions.filter(isPicture).length }),
  };
}

/** Google's models that predict: Imagen, billed by the picture, and embeddings on Vertex AI. */
export const googlePredict: Shape = {
  name: 'google-predict',
  anbieter: 'google',
  matchesUri: ({ path }) => /\/models\/[^/:]+(:|%3A)predict$/i.test(path),
  matchesBody: () => false,
  toUsages: (answer) => [
    { ...countsOf(answer), modell: fromPath(answer, /\/models\/([^/:%]+)/), werkzeugaufrufe: 0 },
  ],
};
