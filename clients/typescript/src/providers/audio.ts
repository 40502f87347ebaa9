import { type Answer, modelOf } from '../answer.ts';
import { at, last, text } from '../json.ts';
import { facts } from './facts.ts';
import { azureDeployment } from './openai-chat.ts';
import { openAiStreamCounts } from './openai-counts.ts';
import type { Counts, Shape } from './shape.ts';

/** Longer than any recording; beyond, numbers have no plain decimals. */
const MAX_SECONDS = 1e9;

const SPEECH = /\/audio\/speech$/;

/** Length of the recording: beside or instead of tokens in the usage, or in the transcript itself. */
function secondsIn(part: unknown): number | null {
  const places = [
    at(part, 'usage', 'seconds'),
    at(part, 'usage', 'prompt_audio_seconds'),
    at(part, 'duration'),
  ];
  const seconds = places.map(Number).find((value) => value > 0 && value < MAX_SECONDS) ?? null;
  return seconds === null ? null : Number(seconds.toFixed(6));
}

/** Characters to be spoken, which the answer, sound alone, does not tell. */
function charactersOf(request: unknown): number | null {
  const input = text(at(request, 'input'));
  return input === null ? null : [...input].length;
}

/** All that speech models put out is sound; a transcript of one that counts tokens says what of its input was. */
function countsOf(answer: Answer): Counts {
  const counts = openAiStreamCounts(answer);
  const spoken = SPEECH.test(answer.path)
    ? facts({ zeichen: charactersOf(answer.exchange.request), audio_ausgabe_token: counts.ausgabe_token })
    : facts({ sekunden: last(answer.parts, secondsIn) });
  return { ...counts, zusatz: { ...counts.zusatz, ...spoken } };
}

/** OpenAI's transcriptions, translations and speech; also Azure's, Groq's and Mistral's. */
export const audio: Shape = {
  name: 'audio',
  matchesUri: ({ path }) => /\/audio\/(transcriptions|translations|speech)$/.test(path),
  matchesBody: () => false,
  toUsages: (answer) => [
    { ...countsOf(answer), modell: modelOf(answer) ?? azureDeployment(answer), werkzeugaufrufe: 0 },
  ],
};
