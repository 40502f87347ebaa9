/**
 * What a backup is on the disk: a directory with the rows of every table (`COPY` in text, packed with zstd), `manifest.json`
 * that says what they are, and `SHA256SUMS` over all of it, which `sha256sum -c` reads, too.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { isSigned, SIGNATURE } from './signature.ts';

export const FORMAT = 1;
export const MANIFEST = 'manifest.json';
export const SUMS = 'SHA256SUMS';
/** Many times what these two have; what is larger was not written here, and is not read to find that out. */
const MOST_BYTES_READ_WHOLE = 16 * 2 ** 20;

const count = Type.Integer({ minimum: 0 });
const table = Type.Object({
  name: Type.String(),
  /** Without those that the database computes. */
  spalten: Type.Array(Type.String()),
  zeilen: count,
  /** Bytes before they were packed. */
  umfang: count,
});
const manifest = Type.Object({
  format: Type.Literal(FORMAT),
  /** Of the service that made it. */
  version: Type.String(),
  /** Everything that was committed by then is in it. */
  stand: Type.String(),
  postgres: Type.String(),
  /** Which key the sealed secrets need (`fingerprintOf`); null: there was none yet. */
  schluessel: Type.Union([Type.String(), Type.Null()]),
  migrationen: Type.Array(Type.Object({ nummer: count, name: Type.String(), pruefsumme: Type.String() })),
  /** Months that events have a partition for, `YYYY-MM`. */
  monate: Type.Array(Type.String({ pattern: '^\\d{4}-\\d{2}$' })),
  tabellen: Type.Array(table),
});
export type Manifest = Static<typeof manifest>;
export type BackupTable = Static<typeof table>;

/** It cannot be made or put back, for the reason given as a German sentence. */
export class BackupRefused extends Error {}

export const partOf = (name: string): string => `${name}.copy.zst`;

/** The text of `SHA256SUMS` for names and hashes. */
export const sumsText = (sums: ReadonlyMap<string, string>): string =>
  [...sums].map(([name, hash]) => `${hash}  ${name}\n`).join('');

/** Names lead into the directory of the sums and never out of it. */
const SUM = /^([0-9a-f]{64}) {2}((?:(?!\.{1,2}(?:\/|$))[\w.-]+\/)*(?!\.{1,2}$)[\w.-]+)$/;

export function parseSums(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '');
  const pairs = lines.map((line) => SUM.exec(line));
  return new Map(pairs.flatMap((match) => (match ? [[match[2] as string, match[1] as string]] : [])));
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  if (Value.Check(manifest, value)) return value;
  throw new BackupRefused(`„${MANIFEST}“ beschreibt keine Sicherung, die diese Version lesen kann.`);
}

/** Null where there is no such file, or one larger than in any backup. */
export async function readText(path: string): Promise<string | null> {
  const { size } = await stat(path).catch(() => ({ size: Number.POSITIVE_INFINITY }));
  return size > MOST_BYTES_READ_WHOLE ? null : readFile(path, 'utf8').catch(() => null);
}

/** What a directory says it is, where it is a backup that was signed under the key; null for everything else. Its tables are not read. */
export async function readSigned(directory: string, secretKey: Buffer): Promise<Manifest | null> {
  const sums = await readText(join(directory, SUMS));
  const signature = await readText(join(directory, SIGNATURE));
  const text = await readText(join(directory, MANIFEST));
  if (sums === null || signature === null || text === null) return null;
  if (!isSigned(secretKey, sums, signature)) return null;
  const hash = createHash('sha256').update(text).digest('hex');
  return parseSums(sums).get(MANIFEST) === hash ? parseManifest(text) : null;
}

/** Throws `BackupRefused` where the sums are not those that were signed under the key. */
export async function requireSignature(
  directory: string,
  sums: string,
  secretKey: Buffer | null,
): Promise<void> {
  const signature = await readText(join(directory, SIGNATURE));
  const why =
    secretKey === null
      ? 'Der Schlüssel für Geheimnisse fehlt (schluessel.key in DATA_DIR oder ZW_SCHLUESSEL)'
      : signature === null
        ? 'Ihr fehlt die Unterschrift'
        : 'Sie wurde nach dem Schreiben geändert, oder sie ist von einem anderen Schlüssel unterschrieben';
  if (secretKey !== null && signature !== null && isSigned(secretKey, sums, signature)) return;
  throw new BackupRefused(
    `Dass die Sicherung von dieser Installation ist, lässt sich nicht prüfen: ${why}. Wenn Sie ihr trotzdem vertrauen: „--ungeprueft“. Geändert wurde nichts.`,
  );
}

/**
 * Reads every byte of a backup and compares it with what was written, and the whole with what was signed under the key of the
 * secrets; 'unsigned' trusts everybody who could write there. Throws `BackupRefused` with the name of what is damaged, missing or not ours.
 */
export async function readBackup(
  directory: string,
  secretKey: Buffer | null | 'unsigned',
): Promise<Manifest> {
  const isThere = (name: string) =>
    stat(join(directory, name)).then(
      (found) => found.isFile(),
      () => false,
    );
  if (!(await isThere(MANIFEST)) || !(await isThere(SUMS)))
    throw new BackupRefused(`In „${directory}“ liegt keine vollständige Sicherung.`);
  for (const name of [MANIFEST, SUMS])
    if ((await stat(join(directory, name))).size > MOST_BYTES_READ_WHOLE)
      throw new BackupRefused(`„${name}“ ist größer als in jeder Sicherung.`);
  const listed = await readFile(join(directory, SUMS), 'utf8');
  if (secretKey !== 'unsigned') await requireSignature(directory, listed, secretKey);
  const sums = parseSums(listed);
  const check = async (name: string) => {
    if (!(await isThere(name))) throw new BackupRefused(`Der Sicherung fehlt „${name}“.`);
    if ((await hashOf(join(directory, name))) !== sums.get(name))
      throw new BackupRefused(
        `Die Sicherung ist beschädigt: „${name}“ ist nicht, was geschrieben wurde. Geändert wurde nichts.`,
      );
  };
  await check(MANIFEST);
  const found = parseManifest(await readFile(join(directory, MANIFEST), 'utf8'));
  for (const { name } of found.tabellen) await check(partOf(name));
  return found;
}
