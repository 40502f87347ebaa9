/**
 * What a base is on the disk: a directory with a copy of the data files (`daten/`, packed with zstd one by one), `grundlage.json` that says what
 * it is, and `SHA256SUMS` over all of it, signed as that of a backup is.
 */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { BackupRefused, parseSums, readText, requireSignature, SUMS } from '../backup/manifest.ts';
import { type ArchivePlace, placesIn } from './place.ts';

export const BASE_FORMAT = 1;
export const BASE_MANIFEST = 'grundlage.json';
/** Below it, the data files. */
export const FILES = 'daten';

const lsn = Type.String({ pattern: '^[0-9A-F]{1,8}/[0-9A-F]{1,8}$' });
const manifest = Type.Object({
  format: Type.Literal(BASE_FORMAT),
  /** Of the service that made it. */
  version: Type.String(),
  postgres: Type.String(),
  zeitlinie: Type.Integer({ minimum: 1 }),
  /** The log is needed from here on; to here at least. */
  log_von: lsn,
  log_bis: lsn,
  /** From this instant on it can be gone back to. */
  stand: Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$' }),
  /** Bytes before they were packed. */
  umfang: Type.Integer({ minimum: 0 }),
  /** Directories among the data files, also those without a file. */
  verzeichnisse: Type.Array(Type.String({ pattern: '^\\w+(/\\w+)*$' })),
});
export type BaseManifest = Static<typeof manifest>;

export interface Base {
  place: ArchivePlace;
  name: string;
  directory: string;
  manifest: BaseManifest;
  /** Hashes by the names of its files. */
  sums: ReadonlyMap<string, string>;
}

function parseBase(text: string): BaseManifest | null {
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(manifest, value) ? value : null;
  } catch {
    return null;
  }
}

/** A base by what stands in it, its files not read; null where it is none, or not signed under the key. */
async function readBase(place: ArchivePlace, name: string, key: Buffer | 'unsigned'): Promise<Base | null> {
  const directory = join(place.bases, name);
  const [listed, text] = await Promise.all([
    readText(join(directory, SUMS)),
    readText(join(directory, BASE_MANIFEST)),
  ]);
  if (listed === null || text === null) return null;
  if (key !== 'unsigned' && !(await isSignedBy(directory, listed, key))) return null;
  const sums = parseSums(listed);
  const found = parseBase(text);
  if (!found || sums.get(BASE_MANIFEST) !== createHash('sha256').update(text).digest('hex')) return null;
  return { place, name, directory, manifest: found, sums };
}

async function isSignedBy(directory: string, listed: string, key: Buffer): Promise<boolean> {
  try {
    await requireSignature(directory, listed, key);
    return true;
  } catch (error) {
    if (error instanceof BackupRefused) return false;
    throw error;
  }
}

/** The bases of one database that are ours, the newest first; those that are being written are none. */
export async function basesOf(place: ArchivePlace, key: Buffer | 'unsigned'): Promise<Base[]> {
  const names = await readdir(place.bases).catch(() => []);
  const found = await Promise.all(
    names.filter((name) => !name.includes('.unfertig-')).map((name) => readBase(place, name, key)),
  );
  return found
    .filter((base) => base !== null)
    .sort((a, b) => b.manifest.stand.localeCompare(a.manifest.stand));
}

/** Likewise of all databases in a folder. */
export async function basesIn(folder: string, key: Buffer | 'unsigned'): Promise<Base[]> {
  const found = await Promise.all((await placesIn(folder)).map((place) => basesOf(place, key)));
  return found.flat();
}
