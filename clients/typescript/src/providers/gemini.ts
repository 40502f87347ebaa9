import { type Answer, fromPath } from '../answer.ts';
import { at, count, first, last, list, objectAt, text } from '../json.ts';
import { facts, tierOf } from './facts.ts';
import { type Counts, noCounts, remainder, type Shape, sumOf } from './shape.ts';

function ofModality(modality: string, ...details: unknown[]): number | null {
  const entries = details.flatMap(list).filter((entry) => at(entry, 'modality') === modality);
  return sumOf(...entries.map((entry) => count(at(entry, 'tokenCount'))));
}

function factsOf(usage: object) {
  const details = (name: string) => at(usage, `${name}TokensDetails`);
  const input = [details('prompt'), details('toolUsePrompt')];
  const cache = details('cache');
  const output = details('candidates');
  return facts({
    audio_eingabe_token: ofModality('AUDIO', ...input),
    bild_eingabe_token: ofModality('IMAGE', ...input),
    video_eingabe_token: ofModality('VIDEO', ...input),
    audio_cache_lese_token: ofModality('AUDIO', cache),
    bild_cache_lese_token: ofModality('IMAGE', cache),
    audio_ausgabe_token: ofModality('AUDIO', output),
    bild_ausgabe_token: ofModality('IMAGE', output),
    video_ausgabe_token: ofModality('VIDEO', output),
    // What Google's own tools found was a prompt again.
    eingabe_ist_summe: (count(at(usage, 'toolUsePromptTokenCount')) ?? 0) > 0 || null,
    preisstufe: tierOf(text(at(usage, 'trafficType')) ?? text(at(usage, 'serviceTier'))),
  });
}

/**
 * Counts of `usageMetadata`. The prompt includes the cached content; thoughts come on top of the candidates; the
 * results of Google's own tools come on top of the prompt and are billed as input. Google leaves zeros out of its
 * JSON, so a missing count follows from the total; where the answer was cut off, a nothing may be what had not been counted yet.
 */
function countsOf(usage: object | null, isCutOff: boolean): Counts {
  if (usage === null) return noCounts();
  const prompt = count(at(usage, 'promptTokenCount'));
  const tools = count(at(usage, 'toolUsePromptTokenCount'));
  const thoughts = count(at(usage, 'thoughtsTokenCount'));
  const rest = remainder(count(at(usage, 'totalTokenCount')), prompt, tools, thoughts);
  const written = count(at(usage, 'candidatesTokenCount')) ?? (prompt === null ? null : rest);
  return {
    ...noCounts(),
    eingabe_token: prompt === null ? null : sumOf(prompt, tools),
    ausgabe_token: isCutOff && written === 0 ? null : written,
    cache_lese_token: count(at(usage, 'cachedContentTokenCount')),
    denk_token: thoughts,
    ausgabeUmfasstDenken: false,
    zusatz: factsOf(usage),
  };
}

/**
 * Searches as Google bills them: up to Gemini 2 a grounded prompt, however many queries it took; from Gemini 3 on each
 * query. Those it names are counted once each and empty ones not at all, as Google does; what it says it has billed
 * comes first, since with thoughts the queries may stay hidden.
 */
function searches(usage: object | null, parts: unknown[], modell: string | null): number | null {
  const billed = list(at(usage, 'billedToolCalls')).filter((call) =>
    /search/i.test(text(at(call, 'tool')) ?? ''),
  );
  const grounding = parts
    .flatMap((part) => list(at(part, 'candidates')))
    .flatMap((candidate) => list(at(candidate, 'groundingMetadata', 'webSearchQueries')));
  const queries = new Set(grounding.map(text).filter((query) => query?.trim())).size;
  const made = sumOf(...billed.map((call) => count(at(call, 'successfulToolCallCount')))) ?? queries;
  return /gemini-[12]\D/.test(modell ?? '') ? Math.min(made, 1) : made;
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

const isKept = (part: unknown): boolean => text(at(part, 'name'))?.includes('cachedContents/') === true;

/** Gemini on Google's API and on Vertex AI; streams are SSE or one JSON array, each part with running counts. */
export const gemini: Shape = {
  name: 'gemini',
  anbieter: 'google',
  matchesUri: ({ path }) =>
    /\/models\/[^/:]+(:|%3A)(generateContent|streamGenerateContent|embedContent|batchEmbedContents)$/i.test(
      path,
    ),
  matchesBody: ({ parts }) =>
    // What is kept for later prompts has such a block, too.
    parts.some((part) => objectAt(part, 'usageMetadata') !== null && !isKept(part)),
  toUsages: (answer) => {
    const usage = last(answer.parts, (part) => objectAt(part, 'usageMetadata'));
    const counts = countsOf(usage, answer.exchange.aborted === true);
    const modell = modelIn(answer);
    return [
      {
        ...counts,
        modell,
        werkzeugaufrufe: functionCalls(answer.parts),
        zusatz: { ...counts.zusatz, ...facts({ websuchen: searches(usage, answer.parts, modell) }) },
      },
    ];
  },
};
