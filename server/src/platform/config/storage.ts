/** Where data are kept, and the key to them. */
import { join, resolve } from 'node:path';
import { type Env, fail, parseUrl, read } from './read.ts';

export function parseSecretKey(env: Env): string | null {
  const text = read(env, 'ZW_SCHLUESSEL');
  if (text === undefined) return null;
  if (Buffer.from(text, 'base64').length !== 32) {
    fail('ZW_SCHLUESSEL', 'Erwartet werden 32 Byte in Base64, etwa aus „openssl rand -base64 32“.');
  }
  return text;
}

export const POSTGRES = ['postgres:', 'postgresql:'];

export function parseRequestDatabaseUrl(env: Env): string | null {
  const url = parseUrl(env, 'DATABASE_URL_ANFRAGEN', POSTGRES);
  if (url !== null && read(env, 'DATABASE_URL') === undefined)
    fail('DATABASE_URL_ANFRAGEN', 'Gilt nur zusammen mit DATABASE_URL.');
  return url;
}

export function parseWalArchive(env: Env, dataDir: string): string | null {
  const text = read(env, 'WAL_ARCHIV');
  if (text === undefined) return null;
  if (read(env, 'DATABASE_URL') !== undefined)
    fail('WAL_ARCHIV', 'Gilt nur für die eingebettete Datenbank, nicht zusammen mit DATABASE_URL.');
  const folder = resolve(text);
  if (`${folder}/`.startsWith(`${join(dataDir, 'postgres')}/`))
    fail('WAL_ARCHIV', `„${text}“ liegt in der Datenbank selbst.`);
  return folder;
}

const MEBIBYTE = 1024 * 1024;

export function parseMebibytes(env: Env, name: string, preset: number): number {
  const text = read(env, name) ?? String(preset);
  const isCount = /^\d{1,9}$/.test(text) && Number(text) > 0;
  return isCount ? Number(text) * MEBIBYTE : fail(name, `„${text}“ ist keine Zahl von Mebibyte ab 1.`);
}
