/** Reads variables of the environment: texts, and what many of them are. */
import { readFileSync } from 'node:fs';

export class ConfigError extends Error {}

export type Env = Record<string, string | undefined>;

export const fail = (name: string, sentence: string): never => {
  throw new ConfigError(`${name}: ${sentence}`);
};

/** `NAME`, or the content of the file that `NAME_FILE` names (for mounted secrets). */
export function read(env: Env, name: string): string | undefined {
  const file = env[`${name}_FILE`];
  if (file && !env[name]) {
    try {
      return readFileSync(file, 'utf8').trim();
    } catch {
      fail(`${name}_FILE`, `Die Datei „${file}“ lässt sich nicht lesen.`);
    }
  }
  return env[name]?.trim() || undefined;
}

export function parseUrl(env: Env, name: string, protocols: string[]): string | null {
  const text = read(env, name);
  if (text === undefined) return null;
  if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
    fail(name, `Das ist keine Adresse der Form ${protocols.map((p) => `${p}//…`).join(' oder ')}.`);
  }
  return text;
}

export function parseWord<T extends string>(env: Env, name: string, words: readonly T[], preset: T): T {
  const text = read(env, name) ?? preset;
  const word = words.find((candidate) => candidate === text);
  return word ?? fail(name, `„${text}“ ist nicht erlaubt; möglich sind ${words.join(', ')}.`);
}

export const listOf = (env: Env, name: string): string[] =>
  (read(env, name) ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
