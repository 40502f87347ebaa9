import { modelOf } from '../answer.ts';
import { at, last, objectAt, text } from '../json.ts';
import { openAiCounts } from './openai-counts.ts';
import { noCounts, type Shape } from './shape.ts';

const ENDED = new Set(['completed', 'failed', 'cancelled', 'expired', 'incomplete']);

/** The run as it stands last; a list of runs has them one level down and is no result. */
function runIn(part: unknown): object | null {
  return at(part, 'object') === 'thread.run' ? objectAt(part) : null;
}

/**
 * Runs of OpenAI's assistants. One is asked for until it has ended, and only then says what it used; its event has the
 * same id however often it is asked for.
 */
export const openAiRuns: Shape = {
  name: 'openai-runs',
  polled: true,
  matchesUri: ({ path }) =>
    /\/threads\/runs$|\/threads\/[^/]+\/runs(\/[^/]+(\/(cancel|submit_tool_outputs))?)?$/.test(path),
  matchesBody: ({ parts }) => parts.some((part) => runIn(part) !== null),
  toUsages: (answer) => {
    const refused = { ...noCounts(), modell: modelOf(answer), werkzeugaufrufe: 0 };
    if (answer.method === 'POST' && answer.exchange.status >= 400) return [refused];
    const run = last(answer.parts, runIn);
    const ergebnis = text(at(run, 'id'));
    if (ergebnis === null || !ENDED.has(text(at(run, 'status')) ?? '')) return [];
    const usage = objectAt(run, 'usage');
    const counts = usage === null ? noCounts() : openAiCounts(usage, answer);
    return [{ ...counts, modell: text(at(run, 'model')) ?? modelOf(answer), werkzeugaufrufe: 0, ergebnis }];
  },
};
