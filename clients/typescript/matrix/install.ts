/** The libraries lie outside of the tree, once for each list of them, so that nobody who does not run the matrix has to install them. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const LIST = join(import.meta.dirname, 'package.json');
const INSTALL_MS = 540_000;

export type Load = (name: string) => Promise<unknown>;

/** What imports a library from where they lie; it lies there itself. */
const LOADER = 'node_modules/zaehlwerk-loader/index.mjs';

/** Installs aside and moves there at the end: one that is broken off leaves nothing, and of two at a time one is taken. */
async function install(directory: string): Promise<void> {
  const aside = `${directory}.${process.pid}`;
  mkdirSync(aside, { recursive: true });
  writeFileSync(join(aside, 'package.json'), readFileSync(LIST));
  const options = ['install', '--ignore-scripts', '--no-audit', '--no-fund'];
  await promisify(execFile)('npm', options, { cwd: aside, timeout: INSTALL_MS });
  mkdirSync(join(aside, 'node_modules/zaehlwerk-loader'), { recursive: true });
  writeFileSync(join(aside, LOADER), 'export const load = (name) => import(name);\n');
  try {
    renameSync(aside, directory);
  } catch (error) {
    rmSync(aside, { recursive: true });
    if (!existsSync(join(directory, LOADER))) throw error;
  }
}

/** Loads a library by its name in the list; null where there is no registry, which only a build machine may not have. */
export async function libraries(): Promise<Load | null> {
  const edition = createHash('sha256').update(readFileSync(LIST)).digest('hex').slice(0, 12);
  const cache = process.env.ZW_MATRIX ?? join(homedir(), '.cache', 'zaehlwerk-matrix');
  const directory = join(cache, edition);
  try {
    if (!existsSync(join(directory, LOADER))) await install(directory);
  } catch (error) {
    if (process.env.CI) throw error;
    console.warn(
      `The matrix of libraries is left out, they could not be installed: ${String(error).slice(0, 300)}`,
    );
    return null;
  }
  const loader = (await import(pathToFileURL(join(directory, LOADER)).href)) as { load: Load };
  return loader.load;
}
