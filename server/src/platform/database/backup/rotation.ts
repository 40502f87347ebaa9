/**
 * The newest backups of a directory stay, older ones go. Gone is only what this installation has made, and only while as many newer ones as are to
 * be kept have been read from the first to the last byte: a damaged one neither counts nor goes.
 */
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { unfinishedName } from './folder.ts';
import { BackupRefused, readBackup, readSigned } from './manifest.ts';

export interface Rotated {
  /** Names of what went. */
  removed: string[];
  /** Names of what this installation has made and cannot be put back. */
  damaged: string[];
}

interface Found {
  name: string;
  stand: string;
}

/** Backups that are ours by their signature, the newest first. */
async function findOwn(directory: string, secretKey: Buffer): Promise<Found[]> {
  const found: Found[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const manifest = await readSigned(join(directory, entry.name), secretKey);
    if (manifest) found.push({ name: entry.name, stand: manifest.stand });
  }
  return found.sort((a, b) => b.stand.localeCompare(a.stand) || b.name.localeCompare(a.name));
}

async function isWhole(directory: string, secretKey: Buffer): Promise<boolean> {
  try {
    await readBackup(directory, secretKey);
    return true;
  } catch (error) {
    if (error instanceof BackupRefused) return false;
    throw error;
  }
}

/** Keeps the newest `count` that are whole, one at least. */
export async function rotate(directory: string, secretKey: Buffer, count: number): Promise<Rotated> {
  const rotated: Rotated = { removed: [], damaged: [] };
  let whole = 0;
  for (const { name } of await findOwn(directory, secretKey)) {
    const path = join(directory, name);
    if (whole < Math.max(1, count)) {
      if (await isWhole(path, secretKey)) whole += 1;
      else rotated.damaged.push(name);
      continue;
    }
    // Killed in between, it is none any more, and the next backup removes the rest.
    const leaving = join(directory, unfinishedName(name));
    await rename(path, leaving);
    await rm(leaving, { recursive: true, force: true });
    rotated.removed.push(name);
  }
  return rotated;
}
