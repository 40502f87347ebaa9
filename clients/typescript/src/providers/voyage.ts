import { modelOf } from '../answer.ts';
import { at, count, last } from '../json.ts';
import { noCounts, type Shape } from './shape.ts';

/** Voyage AI's embeddings: one total, all of it input. */
export const voyage: Shape = {
  name: 'voyage',
  anbieter: 'voyageai',
  matchesUri: ({ host, path }) => host.includes('voyageai') && /\/\w*embeddings$/.test(path),
  matchesBody: () => false,
  toUsages: (answer) => {
    const total = last(answer.parts, (part) => count(at(part, 'usage', 'total_tokens')));
    return [
      {
        ...noCounts(),
        eingabe_token: total,
        ausgabe_token: total === null ? null : 0,
        modell: modelOf(answer),
        werkzeugaufrufe: 0,
      },
    ];
  },
};
