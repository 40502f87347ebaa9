import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Ereignis } from './event.ts';
import { eventsOfRecordings } from './recordings.ts';
import { readRecordings } from './replay.ts';

const folder = process.env.ZW_REFERENCE_DATA ?? resolve(import.meta.dirname, '../../../../shared/data');
const file = resolve(folder, 'recorded-llm-calls.jsonl.gz');
const missing = existsSync(file) ? '' : ` (skipped: no ${file}, set ZW_REFERENCE_DATA)`;

interface Line {
  uri: string;
  request: { model?: string };
  body: string;
}

/**
 * A reading of the usage blocks that shares nothing with the converters: the last number after a key in the raw text,
 * the keys per address by hand. Order: input, output, cache read, cache write, reasoning.
 */
const KEYS: [host: RegExp, path: RegExp, keys: string[]][] = [
  [
    /anthropic/,
    /./,
    ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', '-'],
  ],
  [
    /bedrock/,
    /anthropic.*invoke$/,
    ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens', '-'],
  ],
  [/bedrock/, /titan.*invoke$/, ['inputTextTokenCount', 'tokenCount', '-', '-', '-']],
  [/bedrock/, /sagemaker/, ['prompt_tokens', 'completion_tokens', '-', '-', '-']],
  [/bedrock/, /./, ['inputTokens', 'outputTokens', 'cacheReadInputTokens', 'cacheWriteInputTokens', '-']],
  [/cohere/, /./, ['input_tokens', 'output_tokens', '-', '-', '-']],
  [/11434/, /./, ['prompt_eval_count', 'eval_count', '-', '-', '-']],
  [/voyageai/, /./, ['total_tokens', '-', '-', '-', '-']],
  [/./, /responses$/, ['input_tokens', 'output_tokens', 'cached_tokens', '-', 'reasoning_tokens']],
  [/./, /./, ['prompt_tokens', 'completion_tokens', 'cached_tokens', '-', 'reasoning_tokens']],
];

function lastNumber(body: string, key: string): number | null {
  const found = [...body.matchAll(new RegExp(`"${key}":\\s*(\\d+)`, 'g'))].at(-1)?.[1];
  return found === undefined ? null : Number(found);
}

function truthOf(line: Line): { host: string; model: string; counts: (number | null)[] } {
  const url = new URL(line.uri);
  const [, , keys] = KEYS.find(([host, path]) => host.test(url.host) && path.test(url.pathname)) ?? KEYS[0]!;
  // Cohere sends two blocks; the billed one is what costs.
  const billed = /"billed_units":\s*(\{[^}]*\})/.exec(line.body)?.[1] ?? '';
  const body = url.host.includes('cohere') ? billed : line.body;
  const inPath = /\/model\/(?!arn%3Aaws%3Asagemaker)(?:.*inference-profile%2F)?([^/]+)\//.exec(
    url.pathname,
  )?.[1];
  const inBody = /"model":\s*"([^"]+)"/.exec(line.body)?.[1];
  const model = inPath === undefined ? (inBody ?? line.request.model ?? '') : decodeURIComponent(inPath);
  return { host: url.host, model, counts: keys.map((key) => lastNumber(body, key)) };
}

const ANBIETER: [RegExp, string][] = [
  [/bedrock/, 'aws'],
  [/azure/, 'azure'],
  [/openai\.com/, 'openai'],
  [/11434/, 'ollama'],
  [/localhost:(?!11434)/, 'null'],
  [/(anthropic|cohere|groq|mistral|deepseek|together|voyageai|writer)/, '$1'],
];

function anbieterOf(host: string): string {
  const [pattern, name] = ANBIETER.find(([known]) => known.test(host)) ?? [/./, host];
  return name === '$1' ? (pattern.exec(host)?.[1] ?? host) : name;
}

function countsOf(event: Ereignis): (number | null | undefined)[] {
  return [
    event.eingabe_token,
    event.ausgabe_token,
    event.cache_lese_token,
    event.cache_schreib_token,
    event.denk_token,
  ];
}

/** `provider model` -> calls, calls with input, then the five sums. */
function sumUp(rows: { key: string; counts: (number | null | undefined)[] }[]): Record<string, number[]> {
  const sums: Record<string, number[]> = {};
  for (const { key, counts } of rows) {
    sums[key] ??= [0, 0, 0, 0, 0, 0, 0];
    const row = [1, counts[0] == null ? 0 : 1, ...counts.map((value) => value ?? 0)];
    sums[key] = sums[key].map((sum, i) => sum + (row[i] ?? 0));
  }
  return sums;
}

describe.skipIf(missing !== '')(`recorded exchanges${missing}`, () => {
  const lines = missing === '' ? readRecordings(file) : [];

  test('every exchange gives an event with an id of its own', () => {
    const { events } = eventsOfRecordings(lines);
    expect(events).toHaveLength(lines.length);
    expect(events).toHaveLength(267);
    expect(new Set(events.map((event) => event.ereignis_id)).size).toBe(267);
  });

  test('per provider and model the sums are those of the usage blocks', () => {
    const truth = lines.map((line) => truthOf(JSON.parse(line) as Line));
    const { events } = eventsOfRecordings(lines);
    const expected = sumUp(
      truth.map((row) => ({ key: `${anbieterOf(row.host)} ${row.model}`, counts: row.counts })),
    );
    const actual = sumUp(
      events.map((event) => ({ key: `${event.anbieter} ${event.modell}`, counts: countsOf(event) })),
    );
    expect(actual).toEqual(expected);
    expect(Object.keys(actual).length).toBeGreaterThan(40);
  });

  test('every single event carries the counts of its own exchange', () => {
    const { events } = eventsOfRecordings(lines);
    lines.forEach((line, position) => {
      const recorded = JSON.parse(line) as Line;
      const { counts } = truthOf(recorded);
      const event = events[position]!;
      // An embedding has no output: 0 where the block counts the input, though no key says so.
      if (recorded.uri.includes('/embeddings') && counts[0] != null) counts[1] ??= 0;
      expect(countsOf(event), `${event.zusatz?.aufzeichnung}`).toEqual(counts);
    });
  });

  test('errors are errors, with the code the provider gave', () => {
    const failed = eventsOfRecordings(lines).events.filter((event) => event.status !== 'erfolgreich');
    expect(failed.map((event) => [event.anbieter, event.fehlercode]).sort()).toEqual([
      ['azure', '401'],
      ['azure', 'DeploymentNotFound'],
      ['azure', 'content_filter'],
      ['openai', 'invalid_image_url'],
    ]);
  });
});
