/** What is written, and what a service sends, held against FOCUS's own validator. */
import { afterAll, expect, test } from 'vitest';
import { registerAccount } from '#test/account.ts';
import { hasValidator, judgeFocus } from '#test/formats/focus/validator.ts';
import { type PlainCall, sendPlainCalls } from '#test/plain-calls.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { type FocusInfo, type FocusRow, writeFocus } from './write.ts';

let service: TestService | undefined;
afterAll(() => service?.stop());

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
    'an invoice for every charge: “where there is one” is no condition of its rule. The provider’s comes after the month is closed; without the column seven rules fail',
  'CostAndUsage-D-048-C':
    'a unit price, recommended; a row has several, and the column must not be empty where it is there',
  'CostAndUsage-D-056-C':
    'a unit price, recommended; a row has several, and the column must not be empty where it is there',
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

test.skipIf(!hasValidator)('the validator finds nothing but what is known of it', async () => {
  const { PASS, FAIL } = await judgeFocus(await written());
  expect(FAIL.sort()).toEqual(Object.keys(EXCEPTED).sort());
  expect(PASS.length).toBeGreaterThan(160);
});

test.skipIf(!hasValidator)('the validator finds what is made wrong', async () => {
  const csv = (await written()).replaceAll(',Usage,', ',Use,').replaceAll(',EUR,', ',Euro,');
  const { FAIL } = await judgeFocus(csv);
  expect(FAIL.map((rule) => rule.replace(/-C-.*/, ''))).toEqual(
    expect.arrayContaining(['ChargeCategory', 'BillingCurrency']),
  );
});

test.skipIf(!hasValidator)(
  'of a file that a service has sent, as well: of an open month, a closed one, and with a correction',
  async () => {
    service = await startService();
    const address = await service.app.listen({ port: 0, host: '127.0.0.1' });
    // Half past midnight of the first of October, there.
    service.clock.set('2026-09-30T22:30:00Z');
    const account = await registerAccount(service);
    const get = async (monat: string) => {
      const answer = await fetch(`${address}/v1/cockpit/export/focus.csv?monat=${monat}`, {
        headers: { cookie: account.cookie },
      });
      expect(answer.status).toBe(200);
      return answer.text();
    };
    const send = async (...calls: PlainCall[]) => {
      await sendPlainCalls(service as TestService, account, calls);
      await countAll(service as TestService);
    };
    const of = (tag: string, n: number): PlainCall => ({
      zeitpunkt: `${tag}T22:1${n % 10}:00Z`,
      ...(n % 4 === 0 ? {} : { endkunde_ref: `kunde-${n % 3}` }),
      anbieter: n % 5 === 0 ? 'azure' : 'openai',
      modell: n % 2 === 0 ? 'gpt-4o' : 'gpt-4o-mini',
    });
    await send(...Array.from({ length: 20 }, (_, n) => of(`2026-09-1${n % 3}`, n)));
    const open = await get('2026-09');
    const closing = await fetch(`${address}/v1/cockpit/abrechnung/abschliessen`, {
      method: 'POST',
      headers: { cookie: account.cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ monat: '2026-09' }),
    });
    expect(closing.status).toBe(200);
    service.clock.set('2026-09-30T23:30:00Z');
    await send(of('2026-09-10', 1), ...Array.from({ length: 5 }, (_, n) => of('2026-09-30', n)));
    const corrected = await get('2026-10');
    expect(corrected).toContain('Korrektur 2026-09');
    for (const csv of [open, await get('2026-09'), corrected]) {
      const { PASS, FAIL } = await judgeFocus(csv);
      expect(Object.keys(EXCEPTED)).toEqual(expect.arrayContaining(FAIL));
      expect(PASS.length).toBeGreaterThan(160);
    }
  },
);
