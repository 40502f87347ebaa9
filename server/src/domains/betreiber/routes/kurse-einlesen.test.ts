/** Exchange rates from a file, taken by an operator who is signed in. */
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { type Account, registerAccount } from '#test/account.ts';
import { createOperator, operatorActs } from '#test/operator.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let operator: Account;
beforeAll(async () => {
  service = await startService();
  operator = await createOperator(service);
});
afterAll(() => service?.stop());
beforeEach(async () => {
  await service.sql('TRUNCATE wechselkurse');
});

const post = (file: string | Buffer, { cookie } = operator, language = 'de') =>
  service.app.inject({
    method: 'POST',
    url: '/v1/betreiber/kurse',
    headers: { cookie, 'accept-language': language },
    payload: { datei: Buffer.from(file).toString('base64') },
  });
const newest = async () =>
  (
    await service.app.inject({
      url: '/v1/betreiber/uebersicht',
      headers: { cookie: operator.cookie },
    })
  ).json().kurs_tag;

const ALL = 'Date,USD,JPY,\n2026-09-29,1.25,170.1,\n1999-01-04,1.1789,133.73,\n';

it('takes the days that are missing, packed or not, and says so in the log and in the overview', async () => {
  expect(await newest()).toBeNull();
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(ALL), 'eurofxref-hist.csv');
  zip.end();
  const taken = { bis: '2026-09-29', abweichend: 0, abweichend_zuletzt: null };
  expect((await post(await buffer(zip.outputStream))).json()).toEqual({ neu: 2, ...taken });
  expect((await post(ALL)).json()).toEqual({ neu: 0, ...taken });
  expect((await post('Date,USD\n2026-09-29,1.5\n2026-09-28,1.25\n')).json()).toEqual({
    ...taken,
    neu: 1,
    abweichend: 1,
    abweichend_zuletzt: '2026-09-29',
  });
  expect(await newest()).toBe('2026-09-29');
  const acts = (await operatorActs(service)).filter(({ aktion }) => aktion === 'kurse.aufgenommen');
  expect(acts.map(({ nachher }) => nachher)).toEqual([
    { neu: 2, bis: '2026-09-29' },
    { neu: 1, bis: '2026-09-29' },
  ]);
});

it('refuses what is no rate of the dollar at the field, in the language of who asks', async () => {
  const faults: [string, string][] = [
    ['PK\u0003\u0004', 'The archive cannot be read.'],
    ['a,b\n1,2\n', 'These are no reference rates in a known form.'],
    ['Date,USD\n2030-01-01,1.1\n', 'The day 2030-01-01 lies ahead.'],
    ['Date,USD\n2026-09-29,170\n', 'What stands for 2026-09-29 is no rate that the dollar ever had.'],
  ];
  for (const [file, sentence] of faults) {
    const refused = await post(file, operator, 'en');
    expect(refused.statusCode).toBe(422);
    expect(refused.json().detail).toMatchObject([{ loc: ['body', 'datei'], ctx: { error: sentence } }]);
  }
  expect((await post('x'.repeat(4_300_000))).statusCode).toBe(413);
  expect(await service.sql('SELECT FROM wechselkurse')).toEqual([]);
});

it('is for operators alone', async () => {
  const customer = await registerAccount(service, 'Kunde GmbH');
  expect((await post(ALL, customer)).statusCode).toBe(403);
  expect((await post(ALL, { ...customer, cookie: '' })).statusCode).toBe(401);
});
