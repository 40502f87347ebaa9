import { modelOf } from '../answer.ts';
import { at, count, last, objectAt } from '../json.ts';
import { facts } from './facts.ts';
import { noCounts, type Shape } from './shape.ts';

/** Mistral's text recognition, billed by the page. */
export const mistralOcr: Shape = {
  name: 'mistral-ocr',
  anbieter: 'mistral',
  matchesUri: ({ path }) => path.endsWith('/v1/ocr'),
  matchesBody: ({ parts }) => parts.some((part) => objectAt(part, 'usage_info') !== null),
  toUsages: (answer) => [
    {
      ...noCounts(),
      zusatz: facts({
        seiten: last(answer.parts, (part) => count(at(part, 'usage_info', 'pages_processed'))),
      }),
      modell: modelOf(answer),
      werkzeugaufrufe: 0,
    },
  ],
};
