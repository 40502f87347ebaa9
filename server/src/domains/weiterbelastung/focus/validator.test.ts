/** What is written, held against FOCUS's own validator, by a Python that can run it. */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { type FocusInfo, type FocusRow, writeFocus } from './write.ts';

const run = promisify(execFile);
/** Newer releases of pyarrow want another numpy than the validator does. */
const PACKAGES = ['focus-validator==2.2.1', 'pyarrow<22'];
const KEPT = process.env.ZW_FOCUS ?? join(homedir(), '.cache', 'zaehlwerk-focus');

const isNewEnough = (python: string) =>
  spawnSync(python, ['-c', 'import sys, venv; sys.exit(sys.version_info < (3, 12))']).status === 0;
const NAMED = process.env.ZW_FOCUS_PYTHON;
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

const python = given === null ? null : environmentOf(given);
if (given === null)
  console.warn("FOCUS's validator is left out: no Python from 3.12 on (ZW_FOCUS_PYTHON names one).");

const folder = mkdtempSync(join(tmpdir(), 'zw-focus-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the datasets have of what FOCUS leaves to a provider. */
const HAS = [
  'ACCOUNT_NAMING_SUPPORTED',
  'PRICING_BILLING_CURRENCY_DIFFERENCES_SUPPORTED',
  'SUB_ACCOUNT_SUPPORTED',
  'USAGE_MEASUREMENT_SUPPORTED',
];

/** The rules that pass and those that fail. */
async function judge(csv: string): Promise<Record<'PASS' | 'FAIL', string[]>> {
  const own = python as string;
  const file = join(folder, `${crypto.randomUUID()}.csv`);
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
  });
  const told = [...stdout.matchAll(/^\S+ ([\w-]+): (PASS|FAIL) /gm)];
  const named = (what: string) => told.filter(([, , how]) => how === what).map(([, rule = '']) => rule);
  return { PASS: named('PASS'), FAIL: named('FAIL') };
}

const INFO: FocusInfo = {
  konto: { id: 'm-1', name: 'Müller GmbH' },
  von: '2026-09-30T22:00:00Z',
  bis: '2026-10-31T23:00:00Z',
  anbieter: { openai: { name: 'OpenAI', hersteller: 'OpenAI' } },
  ohne_anbieter: 'verschiedene',
};
const ROW: FocusRow = {
  art: 'verbrauch',
  von: '2026-10-24T22:00:00.000Z',
  bis: '2026-10-25T23:00:00.000Z',
  endkunde: { referenz: 'kunde-1', name: '=Müller, "Söhne"' },
  anbieter: 'openai',
  modell: 'gpt-4o',
  aufrufe: 12,
  eingabe_token: 10n ** 17n,
  ausgabe_token: 234n,
  token: null,
  kosten_eur: '0.0000000000000000000000000000000001',
  kosten_usd: '0.000000000000000000000001',
};
const ROWS: FocusRow[] = [
  ROW,
  { ...ROW, endkunde: null, anbieter: null, kosten_eur: '12345678901.5', token: 0n },
  {
    ...ROW,
    art: 'korrektur',
    von: '2026-07-31T22:00:00Z',
    bis: '2026-08-31T22:00:00Z',
    anbieter: null,
    modell: 'Korrektur 2026-08',
    kosten_eur: '-1.5',
    kosten_usd: null,
  },
];

/** Where the validator, or a wish of the specification, says otherwise. */
const EXCEPTED: Readonly<Record<string, string>> = {
  'InvoiceId-C-005-C':
    'an invoice for every charge: “where there is one” is no condition of its rule, and nobody knows the provider’s',
  'CostAndUsage-D-048-C': 'a unit price, recommended; a row has several',
  'CostAndUsage-D-056-C': 'a unit price, recommended; a row has several',
  ...Object.fromEntries(
    ['000-C', '003-C', '004-C', '005-C', '006-C'].map((rule) => [
      `ConsumedQuantity-C-${rule}`,
      'asks a column about discounts for commitments, which only those have who give some',
    ]),
  ),
  ...Object.fromEntries(
    ['BillingAccountName-C-000-M', 'BillingAccountName-C-002-M'].map((rule) => [
      rule,
      'ASCII; the specification wants Unicode (StringHandling-A-001-M)',
    ]),
  ),
  'SubAccountName-C-000-C': 'ASCII',
  'SubAccountName-C-002-M': 'ASCII',
};

const written = async () => (await Array.fromAsync(writeFocus(INFO, [ROWS]))).join('');

test.skipIf(python === null)('the validator finds nothing but what is known of it', async () => {
  const { PASS, FAIL } = await judge(await written());
  expect(FAIL.sort()).toEqual(Object.keys(EXCEPTED).sort());
  expect(PASS.length).toBeGreaterThan(150);
});

test.skipIf(python === null)('the validator finds what is made wrong', async () => {
  const csv = (await written()).replaceAll(',Usage,', ',Use,').replaceAll(',EUR,', ',Euro,');
  const { FAIL } = await judge(csv);
  expect(FAIL.map((rule) => rule.replace(/-C-.*/, ''))).toEqual(
    expect.arrayContaining(['ChargeCategory', 'BillingCurrency']),
  );
});
