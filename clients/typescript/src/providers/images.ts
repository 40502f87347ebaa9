import { type Answer, modelOf } from '../answer.ts';
import { at, count, first, last, list, text } from '../json.ts';
import { facts } from './facts.ts';
import { azureDeployment } from './openai-chat.ts';
import { openAiStreamCounts } from './openai-counts.ts';
import type { Counts, Shape } from './shape.ts';

function isPicture(entry: unknown): boolean {
  return text(at(entry, 'b64_json')) !== null || text(at(entry, 'url')) !== null;
}

/**
 * Models that count tokens (gpt-image) are billed by them, and all they put out is pictures; the others by the piece,
 * at a price that hangs on size and quality.
 */
function countsOf(answer: Answer): Counts {
  const counts = openAiStreamCounts(answer);
  const ausgabe = counts.ausgabe_token;
  if (ausgabe !== null)
    return { ...counts, zusatz: { ...facts({ bild_ausgabe_token: ausgabe }), ...counts.zusatz } };
  const setting = (name: string) =>
    first(answer.parts, (part) => text(at(part, name))) ?? text(at(answer.exchange.request, name));
  const bilder = last(answer.parts, (part) => list(at(part, 'data')).filter(isPicture).length);
  return {
    ...counts,
    zusatz: {
      ...counts.zusatz,
      ...facts({ bilder, bildgroesse: setting('size'), bildguete: setting('quality') }),
    },
  };
}

/** OpenAI's pictures: made, edited, varied; also Azure's, xAI's and Together's. Streams end with the usage. */
export const images: Shape = {
  name: 'images',
  matchesUri: ({ path }) => /\/images\/(generations|edits|variations)$/.test(path),
  matchesBody: ({ parts }) =>
    parts.some((part) => count(at(part, 'created')) !== null && list(at(part, 'data')).some(isPicture)),
  toUsages: (answer) => [
    { ...countsOf(answer), modell: modelOf(answer) ?? azureDeployment(answer), werkzeugaufrufe: 0 },
  ],
};
