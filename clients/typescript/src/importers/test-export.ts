/** Exports for tests: a row of LiteLLM's spend logs, files of rows, and what is read of them. */
import { ExportReader } from './index.ts';

/** A file in pieces of some characters: where it is cut makes no difference. */
export function readExport(file: string, piece = 7) {
  const reader = new ExportReader();
  const events = [];
  for (let at = 0; at < file.length; at += piece) events.push(...reader.add(file.slice(at, at + piece)));
  events.push(...reader.end());
  const { service, rows, left, cost } = reader;
  return { service, rows, events, left, cost };
}

export const ANSWER = 'chatcmpl-BkzQ8x1TjM4cW7pN2rVf5uYh';

export const SPEND_LOG = {
  request_id: ANSWER,
  call_type: 'acompletion',
  spend: 0.0123,
  total_tokens: 1_500,
  prompt_tokens: 1_200,
  completion_tokens: 300,
  startTime: '2026-03-02 10:00:00.000',
  endTime: '2026-03-02 10:00:04.500',
  completionStartTime: '2026-03-02 10:00:01.000',
  model: 'openai/gpt-4o-mini',
  model_group: 'fast',
  custom_llm_provider: 'openai',
  user: 'u-1',
  end_user: 'kunde-7',
  session_id: '0192f5c17d2e7c3a9b610a4f5e6d7c8b',
  cache_hit: 'False',
  status: 'success',
  metadata: {
    user_api_key_alias: 'support/triage',
    usage_object: {
      prompt_tokens_details: { cached_tokens: 1_000 },
      completion_tokens_details: { reasoning_tokens: 100 },
    },
  },
};
const cell = (value: unknown) => {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `"${text.replaceAll('"', '""')}"`;
};
export const csv = (...rows: object[]) =>
  [Object.keys(rows[0] ?? {}), ...rows.map(Object.values)].map((row) => row.map(cell).join(',')).join('\r\n');
