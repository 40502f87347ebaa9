/** FOCUS's own validator, by a Python that can run it. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Newer releases of pyarrow want another numpy than the validator does. */
const PACKAGES = ['focus-validator==2.2.1', 'pyarrow<22'];
const KEPT = process.env.ZW_FOCUS ?? join(homedir(), '.cache', 'zaehlwerk-focus');

const isNewEnough = (python: string) =>
  spawnSync(python, ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 12))']).status === 0;
const NAMED = process.env.ZW_FOCUS_PYTHON;
/** One that has been made into an environment before is found in any case. */
const kept = ['3.13', '3.12']
  .map((version) => join(KEPT, version))
  .find((each) => existsSync(join(each, 'made')));
const given =
  (NAMED === undefined ? ['python3.12', 'python3.13', 'python3'] : [NAMED]).find(isNewEnough) ?? null;

/** An environment with the validator, made once; null where it cannot be made. */
function environmentOf(python: string): string | null {
  const version = execFileSync(python, ['-c', 'import sys; print("%d.%d" % sys.version_info[:2])']);
  const folder = join(KEPT, version.toString().trim());
  const own = join(folder, 'bin/python');
  try {
    if (existsSync(join(folder, 'made'))) return own;
    execFileSync(python, ['-m', 'venv', '--clear', folder]);
    execFileSync(own, ['-m', 'pip', 'install', '-q', ...PACKAGES], { stdio: 'pipe', timeout: 540_000 });
    writeFileSync(join(folder, 'made'), '');
    return own;
  } catch (error) {
    console.warn(`FOCUS's validator could not be installed: ${String(error).slice(0, 300)}`);
    return null;
  }
}

const python = kept ? join(kept, 'bin/python') : given === null ? null : environmentOf(given);
if (python === null)
  console.warn("FOCUS's validator is left out: no Python from 3.12 on (ZW_FOCUS_PYTHON names one).");

/** Whether there is one that can be run. */
export const hasValidator = python !== null;

/** What the datasets have of what FOCUS leaves to a provider. */
const HAS = [
  'ACCOUNT_NAMING_SUPPORTED',
  'PRICING_BILLING_CURRENCY_DIFFERENCES_SUPPORTED',
  'SUB_ACCOUNT_SUPPORTED',
  'USAGE_MEASUREMENT_SUPPORTED',
];

/** The rules that pass and those that fail. */
export async function judgeFocus(csv: string): Promise<Record<'PASS' | 'FAIL', string[]>> {
  const own = python as string;
  const folder = mkdtempSync(join(tmpdir(), 'zw-focus-'));
  const file = join(folder, 'focus.csv');
  writeFileSync(file, csv);
  // It looks for files of its own where it is started.
  const cwd = execFileSync(own, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']);
  const options = [
    ...['--data-file', file, '--validate-version', '1.2', '--block-download', '--output-type', 'console'],
    ...['--focus-dataset', 'CostAndUsage', '--applicability-criteria', HAS.join(',')],
  ];
  const { stdout } = await run(own, ['-m', 'focus_validator.main', ...options], {
    cwd: cwd.toString().trim(),
    maxBuffer: 64 * 1024 * 1024,
  }).finally(() => rmSync(folder, { recursive: true, force: true }));
  const told = [...stdout.matchAll(/^\S+ ([\w-]+): (PASS|FAIL) /gm)];
  const named = (what: string) => told.filter(([, , how]) => how === what).map(([, rule = '']) => rule);
  return { PASS: named('PASS'), FAIL: named('FAIL') };
}
