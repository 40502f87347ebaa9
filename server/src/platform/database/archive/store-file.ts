/** Puts a file of the log into the archive, all of it or nothing. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isOurs, pack, packedName, unpack } from './packed.ts';
import { isLogFile } from './segments.ts';

function flushDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** What killed attempts have left behind. One that still runs finds its file gone and fails. */
function removeUnfinished(folder: string, name: string): void {
  for (const entry of readdirSync(folder))
    if (entry.startsWith(`${name}.unfertig-`)) rmSync(join(folder, entry), { force: true });
}

/**
 * When this returns, the file is on the disk of the archive under its name. What is there already stays: the same is well (PostgreSQL asks again
 * after a crash), anything else is refused.
 */
export function storeFile(folder: string, source: string, name: string, key: Buffer): void {
  if (!isLogFile(name)) throw new Error(`„${name}“ is no file of the log`);
  const target = packedName(name);
  const path = join(folder, target);
  const bytes = readFileSync(source);
  if (existsSync(path)) {
    const there = readFileSync(path);
    if (isOurs(name, there, key) && unpack(there).equals(bytes)) return;
    throw new Error(`the archive has another „${target}“`);
  }
  removeUnfinished(folder, target);
  const unfinished = join(folder, `${target}.unfertig-${process.pid}`);
  writeFileSync(unfinished, pack(name, bytes, key), { flag: 'wx', mode: 0o600, flush: true });
  renameSync(unfinished, path);
  flushDirectory(folder);
}
