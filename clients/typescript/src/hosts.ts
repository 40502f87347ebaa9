/** What the address of a provider says: whose it is, where the model runs. */
import type { Answer } from './answer.ts';
import { PROVIDERS } from './provider-hosts.ts';
import { shortened } from './providers/facts.ts';

/** Id of the provider that the price list has at this address. */
export const providerAt = (url: string): string | undefined =>
  PROVIDERS.find(([, address]) => address.test(url))?.[0];

/** Id of the provider that goes by this name. */
export function providerNamed(name: string): string | undefined {
  const sought = name.toLowerCase().trim();
  return (PROVIDERS.find(([id]) => id === sought) ??
    PROVIDERS.find(([, , names]) => names?.test(sought)))?.[0];
}

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

/** Models that their makers alone offer or license, by the names they have everywhere: open weights may run on anybody's machine. */
const CLOSED: readonly (readonly [RegExp, string])[] = [
  [
    /^(ft:)?(gpt-(?=[3-9]|image|audio|realtime)|chatgpt-|codex-mini|o[134]($|-)|text-embedding-(3|ada)-)/,
    'openai',
  ],
  [/^claude-/, 'anthropic'],
  [/^gemini-/, 'google'],
  [/^grok-[3-9]/, 'x-ai'],
];

/**
 * Who answers behind a gateway or proxy: the provider before the model's name (`azure/gpt-4o`), else the maker of a model that
 * runs nowhere else. Null where the name does not tell.
 */
function providerBehind(modell: string | null): string | null {
  const [, prefix, name = ''] = /^(?:(.+?)\/)?(?:.*\/)?([^/]*)$/.exec((modell ?? '').toLowerCase()) ?? [];
  const maker = CLOSED.find(([pattern]) => pattern.test(name))?.[1];
  if (maker === undefined) return null;
  return (prefix === undefined ? undefined : providerNamed(prefix)) ?? maker;
}

/**
 * The provider's id as the price list knows it, found by the address; else the provider whose form the answer has; else whom the
 * model's name tells. Null where none of them does: the name of a host is no provider, and calls of one have no price.
 */
export function anbieterOf(
  { exchange, host }: Answer,
  ownForm: string | undefined,
  modell: string | null,
): string | null {
  return providerAt(exchange.uri) ?? endOf(host) ?? ownForm ?? providerBehind(modell);
}

/** Whether models, and little else, answer at this address. */
export function isProvider({ exchange, host }: Answer): boolean {
  if (isGoogle(host) || endOf(host) !== undefined) return true;
  return !MIXED.test(host) && providerAt(exchange.uri) !== undefined;
}

/** Claude everywhere, Gemini from 3 on: what came before costs the same in all regions of Google. */
const REGIONAL_AT_GOOGLE = /claude|gemini-(?![12]\D)/i;

function googleRegion({ host, path }: Answer, modell: string): string | undefined {
  if (!isGoogle(host) || !REGIONAL_AT_GOOGLE.test(modell)) return undefined;
  return (/\/locations\/([^/]+)\//.exec(path) ?? /^([a-z0-9-]+)-aiplatform\./.exec(host))?.[1];
}

/** Of these models the id says all that the price needs: `eu.amazon.…`, `anthropic.…` as against `global.anthropic.…`. */
const PLACED_BY_ID = /^(us-gov|us|eu|apac|ap|au|jp|ca|in|sa|me|af|global)\.|anthropic|claude|openai\./;
/** Where Amazon charges what it lists first, and lists have. */
const AMAZON_BASE = new Set(['us-east-1', 'us-west-2']);

function amazonRegion({ host }: Answer, modell: string): string | undefined {
  const region = /(?:^|\.)bedrock-(?:runtime|mantle)(?:-fips)?\.([a-z0-9-]+)\./.exec(host)?.[1];
  return region === undefined || AMAZON_BASE.has(region) || PLACED_BY_ID.test(modell) ? undefined : region;
}

/** What OpenAI had before March 2026 costs the same at its regional ends; newer models cost more there. */
const SAME_AT_OPENAI =
  /^(ft:)?(gpt-(3|4|5(\.[0-3])?(-|$)|image-1|audio|realtime)|chatgpt-4o|codex-mini|o[134]|text-embedding-(3|ada)|whisper|tts-1|dall-e|davinci|babbage)/;

function regionalEnd({ host }: Answer, modell: string): string | undefined {
  if (host.endsWith('openai.com') && SAME_AT_OPENAI.test(modell)) return undefined;
  return /^([a-z]{2}|[a-z]{2}-[a-z]+-\d)\.api\.(openai\.com|x\.ai)$/.exec(host)?.[1];
}

/**
 * Where the address binds the inference to, if the model's price depends on it and the model's name does not say it
 * already; null where not.
 */
export function regionOf(answer: Answer, modell: string | null): string | null {
  const name = modell ?? '';
  const region = regionalEnd(answer, name) ?? googleRegion(answer, name) ?? amazonRegion(answer, name);
  return region === undefined ? null : shortened(region);
}
