/** The newest lists: those on PyPI by pip, where Python reads them, since one of them is a program; of ours on npm the version. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface NewestLists {
  litellm: { version: string; json: string };
  genai: { version: string; json: string };
}

const PYTHON = process.env.PYTHON ?? 'python3';

/** Throws where Python, pip or the network is missing. */
export function fetchNewest(): NewestLists {
  const folder = mkdtempSync(join(tmpdir(), 'zw-preislisten-'));
  const python = (args: string[], env = {}) =>
    execFileSync(PYTHON, args, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } });
  try {
    const packages = join(folder, 'packages');
    python(['-m', 'pip', 'download', '-q', '--no-deps', '-d', folder, 'litellm']);
    python(['-m', 'pip', 'install', '-q', '--target', packages, 'genai-prices']);
    const wheel = readdirSync(folder).find((name) => name.endsWith('.whl')) as string;
    const script = join(import.meta.dirname, 'newest.py');
    python([script, folder, join(folder, wheel)], { PYTHONPATH: packages });
    const versionIn = (name: string) => /-(\d[^-]*)[-.](?:cp|py|dist)/.exec(name)?.[1] ?? 'unknown';
    const info = readdirSync(packages).find((name) => /^genai_prices-.*dist-info$/.test(name)) as string;
    return {
      litellm: { version: versionIn(wheel), json: readFileSync(join(folder, 'litellm.json'), 'utf8') },
      genai: { version: versionIn(info), json: readFileSync(join(folder, 'genai-prices.json'), 'utf8') },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const LIST = '@pydantic/genai-prices';

/** The version of the list that is installed, which a release ships. */
export function installedVersion(): string {
  const about = readFileSync(new URL('../package.json', import.meta.resolve(LIST)), 'utf8');
  return (JSON.parse(about) as { version: string }).version;
}

/** The version of the list that npm has. */
export const newestOnNpm = (): string =>
  execFileSync('npm', ['view', LIST, 'version'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim();

/** Why a release must not have the list that is installed; nothing where npm has no newer one. */
export const outdated = (installed: string, newest: string): string[] =>
  installed === newest
    ? []
    : [`${LIST} ${newest} is on npm, ${installed} is installed: a release takes the newest`];
