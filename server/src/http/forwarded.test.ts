import { afterAll, beforeAll, expect, it } from 'vitest';
import { logIn, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { addressesIn } from './forwarded.ts';

it.each([
  ['1.2.3.4', '1.2.3.4'],
  [' 1.2.3.4:5678 ', '1.2.3.4'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%eth0]:80', 'fe80::1'],
  ['::ffff:1.2.3.4', '::ffff:1.2.3.4'],
  ['9.9.9.9, 1.2.3.4:80', '9.9.9.9, 1.2.3.4'],
  ['unknown, 1.2.3.4', '1.2.3.4'],
  ['9.9.9.9, unknown', ''],
  ['9.9.9.9, junk, 1.2.3.4', '1.2.3.4'],
  ['1.2.3', ''],
  ['0x7f000001', ''],
  ['1.2.3.4:', ''],
  ['[1.2.3.4', ''],
  ['<script>', ''],
  ['', ''],
  [`fe80::1%${'x'.repeat(5_000)}`, ''],
  ['x'.repeat(5_000), ''],
])('reads entry %#', (header, addresses) => {
  expect(addressesIn(header)).toBe(addresses);
});

let service: TestService;
beforeAll(async () => {
  service = await startService({ VERTRAUTE_PROXYS: '127.0.0.1/32' });
});
afterAll(() => service.stop());

it.each([
  ['203.0.113.9:5678', '203.0.113.9'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['irgendwer', '127.0.0.1'],
  ['x'.repeat(8_000), '127.0.0.1'],
  ['198.51.100.1, <b>irgendwer</b>', '127.0.0.1'],
])('sessions and the audit log hold an address only (%#)', async (forwarded, address) => {
  const { email, benutzerId } = await registerAccount(service);
  expect((await logIn(service, email, undefined, { 'x-forwarded-for': forwarded })).statusCode).toBe(200);
  expect(
    await service.sql(
      `SELECT s.adresse AS sitzung, p.adresse AS eintrag FROM sitzungen s JOIN pruefprotokoll p USING (mandant_id)
       WHERE s.benutzer_id = $1 AND p.aktion = 'anmeldung.erfolgreich' ORDER BY s.zuletzt_am DESC LIMIT 1`,
      [benutzerId],
    ),
  ).toEqual([{ sitzung: address, eintrag: address }]);
});

it('a client that the proxy names by junk is counted as the proxy', async () => {
  await service.sql('TRUNCATE drosselung');
  const wrong = (forwarded: string) =>
    logIn(service, `${forwarded.length}@example.org`, 'falsch', { 'x-forwarded-for': forwarded });
  await wrong('quatsch');
  const before = await service.sql('SELECT key FROM drosselung');
  await wrong('anderer quatsch');
  // The network is the same one, the account another.
  expect(await service.sql('SELECT key FROM drosselung')).toHaveLength(before.length + 1);
});
