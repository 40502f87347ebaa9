import { type Answer, fromPath } from '../answer.ts';
import { at, count, first, last, list, objectAt, text } from '../json.ts';
import { aboveZero, type Counts, noCounts, remainder, type Shape } from './shape.ts';

function ofModality(details: unknown, modality: string): number | null {
  return first(list(details), (entry) =>
    at(entry, 'modality') === modality ? count(at(entry, 'tokenCount')) : null,
  );
}

/**
 * Counts of `usageMetadata`. The prompt includes the cached content; thoughts come on top of the candidates; the
 * results of Google's own tools come on top of the prompt and are billed as input. Google leaves zeros out of its
 * JSON, so a missing count follows from the total.
 */
function countsOf(usage: object | null): Counts {
  if (usage === null) return noCounts();
  const prompt = count(at(usage, 'promptTokenCount'));
  const tools = count(at(usage, 'toolUsePromptTokenCount'));
  const thoughts = count(at(usage, 'thoughtsTokenCount'));
  const rest = remainder(count(at(usage, 'totalTokenCount')), prompt, tools, thoughts);
  return {
    ...noCounts(),
    eingabe_token: prompt === null ? null : prompt + (tools ?? 0),
    ausgabe_token: count(at(usage, 'candidatesTokenCount')) ?? (prompt === null ? null : rest),
    cache_lese_token: count(at(usage, 'cachedContentTokenCount')),
    denk_token: thoughts,
    ausgabeUmfasstDenken: false,
    zusatz: aboveZero({
      eingabe_audio_token: ofModality(at(usage, 'promptTokensDetails'), 'AUDIO'),
      ausgabe_audio_token: ofModality(at(usage, 'candidatesTokensDetails'), 'AUDIO'),
    }),
  };
}

function modelIn(answer: Answer): string | null {
  const named = first(answer.parts, (part) => text(at(part, 'modelVersion')));
  return (named ?? fromPath(answer, /\/models\/([^/:]+):/))?.replace(/^models\//, '') ?? null;
}

function functionCalls(parts: unknown[]): number {
  const candidates = parts.flatMap((part) => list(at(part, 'candidates')));
  const pieces = candidates.flatMap((candidate) => list(at(candidate, 'content', 'parts')));
  return pieces.filter((piece) => objectAt(piece, 'functionCall') !== null).length;
}

/** Gemini on Google's API and on Vertex AI; streams are SSE or one JSON array, each part with running counts. */
export const gemini: Shape = {
  name: 'gemini',
  anbieter: 'google',
  matchesUri: ({ path }) =>
    /\/models\/[^/:]+(:|%3A)(generateContent|streamGenerateContent|embedContent|batchEmbedContents)$/i.test(
      path,
    ),
  matchesBody: ({ parts }) => parts.some((part) => objectAt(part, 'usageMetadata') !== null),
  toUsage: (answer) => ({
    ...countsOf(last(answer.parts, (part) => objectAt(part, 'usageMetadata'))),
    modell: modelIn(answer),
    werkzeugaufrufe: functionCalls(answer.parts),
  }),
};
