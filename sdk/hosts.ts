/** What the address of a provider says: whose it is, where the model runs. */
import { findProvider } from '@pydantic/genai-prices';
import type { Answer } from './answer.ts';
import { MAX_NAME } from './providers/facts.ts';

/** Regional and private ends that the price list does not know, under the ids by which it knows their providers. */
const ENDS: readonly (readonly [RegExp, string])[] = [
  [/^[a-z]{2}\.api\.openai\.com$/, 'openai'],
  [/(^|\.)bedrock-(runtime|mantle)(-fips)?\.[a-z0-9-]+\.(vpce\.)?(amazonaws\.com(\.cn)?|api\.aws)$/, 'aws'],
  [/\.(openai|cognitiveservices)\.azure\.(us|cn)$/, 'azure'],
  [/\.(api\.cognitive\.microsoft|(inference|models)\.ai\.azure)\.com$/, 'azure'],
  [/(^|\.)aiplatform(\.[a-z]+\.rep)?\.googleapis\.com$/, 'google'],
  [/\.api\.x\.ai$/, 'x-ai'],
  [/^[a-z]{2}\.openrouter\.ai$/, 'openrouter'],
  [/^api\.jina\.ai$/, 'jina'],
  // Ollama answers in OpenAI's form too, and nothing but its port tells.
  [/:11434$/, 'ollama'],
];

const endOf = (host: string) => ENDS.find(([pattern]) => pattern.test(host))?.[1];

/** Hosts of Google where models answer; the price list takes every other service of Google for one. */
export const isGoogle = (host: string): boolean =>
  /(aiplatform|generativelanguage)[^/]*\.googleapis\.com$/.test(host);

/** Gateways that the price list takes for a provider, though other things than models stand behind them, too. */
const MIXED = /(\.azure-api\.net|\.googleapis\.com)$/;

/**
 * The provider's id as the price list knows it, found by the address; else the provider whose form the answer has;
 * else the host name. Null where there is not even a host.
 */
export function anbieterOf({ exchange, host }: Answer, ownForm: string | undefined): string | null {
  const listed = findProvider({ providerApiUrl: exchange.uri })?.id;
  return listed ?? ownForm ?? endOf(host) ?? (host.replace(/:\d+$/, '') || null);
}

/** Whether models, and little else, answer at this address. */
export function isProvider({ exchange, host }: Answer): boolean {
  if (isGoogle(host) || endOf(host) !== undefined) return true;
  return !MIXED.test(host) && findProvider({ providerApiUrl: exchange.uri }) !== undefined;
}

/** Where the address binds the inference to, as far as prices know places; null where it does not. */
export function regionOf({ host, path }: Answer): string | null {
  const openAi = /^([a-z]{2})\.api\.openai\.com$/.exec(host);
  const aws = /(?:^|\.)bedrock-(?:runtime|mantle)(?:-fips)?\.([a-z0-9-]+)\./.exec(host);
  const vertex = isGoogle(host)
    ? (/\/locations\/([^/]+)\//.exec(path) ?? /^([a-z0-9-]+)-aiplatform\./.exec(host))
    : null;
  return (openAi ?? aws ?? vertex)?.[1]?.slice(0, MAX_NAME) ?? null;
}
