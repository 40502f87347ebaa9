/** Reads what a real emitter sent to a capture server (tests only). */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '#domains/otlp/wire/json.ts';
import { readOpenAiAgents } from '#domains/otlp/wire/openai-agents.ts';
import { readProtobuf } from '#domains/otlp/wire/protobuf.ts';
import type { OtlpRecord } from '#domains/otlp/wire/record.ts';

const data = process.env.ZW_REFERENCE_DATA ?? join(import.meta.dirname, '../../shared/data');
const folder = join(data, 'otlp');

/** Names of the emitters; none where the folder is not there. */
export const captures = (): string[] => (existsSync(folder) ? readdirSync(folder) : []);

/** A body of a request. */
export interface Body {
  signal: 'traces' | 'logs' | 'metrics' | 'other';
  type: 'application/json' | 'application/x-protobuf';
  bytes: Buffer;
}

export const bodiesOf = (capture: string): Body[] =>
  readdirSync(join(folder, capture)).flatMap((file) => {
    const [, signal, form] = /^\d+-(\w+)\.(bin|json)$/.exec(file) ?? [];
    if (!signal || !form) return [];
    const bytes = readFileSync(join(folder, capture, file));
    const type = form === 'bin' ? 'application/x-protobuf' : 'application/json';
    return [{ signal: signal as Body['signal'], type, bytes } satisfies Body];
  });

export function recordsOf({ signal, type, bytes }: Body): OtlpRecord[] {
  if (signal === 'metrics') return [];
  if (signal === 'other') return readOpenAiAgents(JSON.parse(bytes.toString()));
  const kind = signal === 'logs' ? 'log' : 'span';
  return type === 'application/json'
    ? readJson(JSON.parse(bytes.toString()), kind)
    : readProtobuf(bytes, kind);
}

/** A request that reached the provider, with what it used. */
export interface TrueCall {
  path: string;
  stream: boolean;
  error?: number;
  usage_sent?: boolean;
  model?: string;
  response_model?: string;
  input_incl_cache: number;
  output_incl_reasoning: number;
  cache_read?: number | null;
  cache_write?: number | null;
  cache_write_1h?: number | null;
  reasoning?: number | null;
}

export const truthOf = (capture: string): TrueCall[] =>
  readFileSync(join(folder, capture, 'truth.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
