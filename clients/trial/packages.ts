/** The packages as they would be published, and empty projects that have one of them and a library. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findPython } from '../python/test-interpreter.ts';
import type { Program } from './programs.ts';

const run = promisify(execFile);
const CLIENTS = join(import.meta.dirname, '..');
const BIN = join(CLIENTS, '../node_modules/.bin');
const PYTHON = findPython();
const INSTALL_MS = 540_000;

export interface Packages {
  tarball: string;
  /** Null where there is no Python. */
  wheel: string | null;
}

/** An empty project with what a program needs. */
export interface Project {
  folder: string;
  /** What runs a program there. */
  runtime: string;
  /** Version of the library. */
  version: string;
}

/** Made aside: what is built in the tree, others may be packing. */
async function pack(folder: string): Promise<string> {
  const from = join(CLIENTS, 'typescript');
  const aside = join(folder, 'typescript');
  mkdirSync(aside);
  for (const file of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'])
    cpSync(join(from, file), join(aside, file));
  await run(join(BIN, 'tsdown'), ['--out-dir', join(aside, 'dist')], { cwd: from });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: aside });
  return join(folder, (JSON.parse(stdout) as [{ filename: string }])[0].filename);
}

async function buildWheel(folder: string): Promise<string | null> {
  if (PYTHON === null) return null;
  const from = join(CLIENTS, 'python');
  await run(PYTHON, ['-m', 'pip', 'wheel', '-q', '--no-deps', '-w', folder, from], {
    timeout: INSTALL_MS,
  });
  return join(folder, globSync('*.whl', { cwd: folder })[0] ?? '');
}

/** Packs both. */
export async function makePackages(folder: string): Promise<Packages> {
  const [tarball, wheel] = await Promise.all([pack(folder), buildWheel(folder)]);
  return { tarball, wheel };
}

async function withTarball(
  folder: string,
  { library, packages }: Program,
  tarball: string,
): Promise<Project> {
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await run('npm', ['install', ...options, ...packages, tarball], { cwd: folder, timeout: INSTALL_MS });
  const { version } = JSON.parse(
    readFileSync(join(folder, 'node_modules', library, 'package.json'), 'utf8'),
  ) as {
    version: string;
  };
  return { folder, runtime: process.execPath, version };
}

/** An environment with the library, kept, since it takes a while to make. */
async function environmentOf(python3: string, { packages }: Program): Promise<string> {
  const { stdout } = await run(python3, ['-c', 'import sys; print(sys.version)']);
  const edition = createHash('sha256')
    .update([stdout, ...packages].join(' '))
    .digest('hex')
    .slice(0, 12);
  const kept = join(process.env.ZW_TRIAL ?? join(homedir(), '.cache', 'zaehlwerk-trial'), edition);
  const python = join(kept, 'bin/python');
  if (existsSync(join(kept, 'made'))) return python;
  rmSync(kept, { recursive: true, force: true });
  await run(python3, ['-m', 'venv', kept]);
  await run(python, ['-m', 'pip', 'install', '-q', ...packages], { timeout: INSTALL_MS });
  writeFileSync(join(kept, 'made'), '');
  return python;
}

async function withWheel(folder: string, program: Program, wheel: string, python3: string): Promise<Project> {
  mkdirSync(folder);
  const runtime = await environmentOf(python3, program);
  // The one of an earlier run has the same version.
  await run(runtime, ['-m', 'pip', 'install', '-q', '--no-deps', '--no-index', '--force-reinstall', wheel]);
  const said = `import importlib.metadata as m; print(m.version(${JSON.stringify(program.library)}))`;
  const { stdout } = await run(runtime, ['-c', said]);
  return { folder, runtime, version: stdout.trim() };
}

/** The project of a program; null where there is no Python for it. */
export async function makeProject(folder: string, program: Program, made: Packages): Promise<Project | null> {
  if (program.language === 'TypeScript') return withTarball(folder, program, made.tarball);
  return made.wheel === null || PYTHON === null ? null : withWheel(folder, program, made.wheel, PYTHON);
}
