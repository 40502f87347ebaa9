/**
 * Every library as a new user has it: an empty project with the tarball or the wheel, a program as the library's own documentation begins, at
 * most two lines more; then what the service says of it. `npm run trial` writes the table of `docs/libraries.md`.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeProvider, startFakeProvider, type Truth } from '../../test/fake-provider/index.ts';
import type { Run } from '../../test/outside-account.ts';
import { createServiceProcess, type ServiceProcess } from '../../test/service-process.ts';
import { expectTrue } from '../typescript/matrix/counted.ts';
import type { Ereignis } from '../typescript/src/index.ts';
import { createArmed, runsOf, sourcesOf } from './account.ts';
import { makePackages, makeProject, type Packages, type Project } from './packages.ts';
import { AGENT, connected, PROGRAMS, type Program } from './programs.ts';
import { type Tried, writeTable } from './table.ts';

const MOST_LINES = 2;
const MOST_CALLS = 10;
/** As long as a short answer of a model takes. */
const AS_A_MODEL = 'slow=1500';
const PACKAGE = join(import.meta.dirname, '../typescript/package.json');
const { version: VERSION } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };

let folder: string;
let fake: FakeProvider;
let service: ServiceProcess;
let packages: Packages | null = null;
const tried: Tried[] = [];

/** Without a registry there is nothing to try, which only a build machine may not have. */
async function unlessOffline<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (process.env.CI) throw error;
    console.warn(`Left out, it could not be installed: ${String(error).slice(0, 300)}`);
    return null;
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zw-trial-'));
  fake = await startFakeProvider();
  service = createServiceProcess();
  await service.start();
  packages = await unlessOffline(() => makePackages(folder));
});
afterAll(async () => {
  if (process.env.ZW_TABLE && tried.length === PROGRAMS.length) writeTable(tried);
  await fake?.stop();
  await service?.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** The provider and the service of a program, in the words of each library. */
function environment(url: string, key: string): Record<string, string> {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  return {
    PATH: process.env.PATH ?? '',
    HOME: home,
    ...{ ZAEHLWERK_URL: service.address(), ZAEHLWERK_KEY: key },
    ...{ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_BASE: `${url}/v1` },
    ...{ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url },
    ...{ GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: url },
    ...{ MISTRAL_API_KEY: 'k', MISTRAL_URL: url },
    ...{ CO_API_KEY: 'k', CO_API_URL: url },
    ...{ AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_ENDPOINT_URL_BEDROCK_RUNTIME: url },
    ...{ AWS_REGION: 'eu-central-1', AWS_DEFAULT_REGION: 'eu-central-1' },
  };
}

interface Ended {
  code: number;
  out: string;
  errors: string;
}

const start = ({ folder: cwd, runtime }: Project, file: string, env: Record<string, string>) =>
  new Promise<Ended>((resolve) => {
    const child = execFile(runtime, [file], { cwd, env, timeout: 240_000 }, (_error, out, errors) =>
      resolve({ code: child.exitCode ?? -1, out, errors }),
    );
  });

const nameOf = ({ library, language }: Program) => `${library} (${language})`;

/** The run has all of these calls, with their tokens, as its steps; what passed of a last one that was cut off is estimated. */
function expectSteps(run: Run | undefined, truths: Truth[], isCut = false): void {
  const whole = truths.length - (isCut ? 1 : 0);
  const events = (run?.ereignisse ?? []) as Ereignis[];
  expectTrue(events.slice(0, whole), truths.slice(0, whole));
  expect(events.slice(whole).every(({ geschaetzt }) => geschaetzt)).toBe(true);
  expect(run?.ereignisse.map(({ schritt_nr }) => schritt_nr)).toEqual(truths.map(({ number }) => number));
  expect(run?.lauf).toMatchObject({ agent: AGENT, aufrufe: truths.length });
}

async function tryOut(program: Program, project: Project): Promise<void> {
  const { source, lines } = connected(program);
  expect(lines).toBeLessThanOrEqual(MOST_LINES);
  writeFileSync(join(project.folder, program.file), source);
  const account = await createArmed(service);
  const [once, endless] = [crypto.randomUUID(), crypto.randomUUID()];

  const loop = environment(fake.url(endless, 'loop', AS_A_MODEL), account.key);
  const stopped = await start(project, program.file, loop);
  const calls = fake.truth(endless).length;
  // A stream under way ends with its provider's error, which says the same.
  const isCut = /APIError: anhalten \(lauf /.test(stopped.errors);
  if (!isCut) expect(stopped.errors).toContain('StoppedByIntervention');
  expect(stopped.code).toBeGreaterThan(0);
  expect(calls).toBeLessThanOrEqual(MOST_CALLS);

  // What the error has left on the disk goes out with this program.
  const answered = await start(project, program.file, environment(fake.url(once), account.key));
  expect(answered, answered.errors).toMatchObject({ code: 0, out: expect.stringContaining('Water boils') });
  const [run, ended, ...others] = await runsOf(account);
  expect(others).toEqual([]);
  expectSteps(run, fake.truth(once));
  expectSteps(ended, fake.truth(endless), isCut);
  const told = program.language === 'Python' ? 'zaehlwerk-python' : 'zaehlwerk-js';
  expect(await sourcesOf(account)).toEqual([`${told} ${VERSION}`]);

  tried.push({
    program,
    version: project.version,
    lines,
    calls: fake.truth(once).length,
    token: run?.lauf.token ?? 0,
    steps: run?.ereignisse.length ?? 0,
    stoppedAfter: calls,
  });
}

test.each(PROGRAMS.map((program) => [nameOf(program), program] as const))('%s', async (name, program) => {
  const at = join(folder, name.replaceAll(/\W+/g, '-'));
  const made = packages;
  const project = made && (await unlessOffline(() => makeProject(at, program, made)));
  if (project) await tryOut(program, project);
});
