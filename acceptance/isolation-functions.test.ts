/** The functions that run as the owner answer the holder of a secret or an address, and nobody else. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashOf } from '#platform/secret.ts';
import { startService, type TestService } from '#test/service.ts';
import { createTenants, domainOf, hashFor, type Tenant } from '#test/tenants.ts';

let service: TestService;
let ours: Tenant;

beforeAll(async () => {
  service = await startService();
  ({ ours } = await createTenants(service));
});
afterAll(() => service?.stop());

function lastBitFlipped(bytes: Buffer): Buffer {
  const flipped = Buffer.from(bytes);
  flipped[31] = (flipped[31] ?? 0) ^ 1;
  return flipped;
}

/** What finds the Mandant `wir`, by function; a caller must have exactly that. */
const secrets = (): Record<string, Buffer | string> => ({
  zw_adresse_finden: ours.account.email,
  zw_anmeldung_finden: ours.account.email,
  zw_domain_finden: domainOf('wir'),
  zw_einladung_finden: hashFor('einladung', 'wir'),
  zw_kunde_finden: 'kunde_wir',
  zw_ruecksetzung_finden: hashFor('ruecksetzung', 'wir'),
  zw_schluessel_mit_kontingent: hashOf(ours.key.secret),
  zw_sitzung_finden: hashOf(ours.account.cookie.split('=')[1] ?? ''),
  zw_sso_vorgang_finden: hashFor('vorgang', 'wir'),
});

test('are known, have a fixed search path, and are for the request role only', async () => {
  const rows = await service.sql<{ name: string; path: boolean; open: boolean }>(
    `SELECT proname AS name, proconfig = ARRAY['search_path=public, pg_temp'] AS path,
       has_function_privilege('public', oid, 'EXECUTE') AS open
     FROM pg_proc WHERE prosecdef AND pronamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const others = [
    'zw_auftraege_stand',
    'zw_lizenzschluessel',
    'zw_mandanten_anzahl',
    'zw_mail_stand',
    'zw_rueckstand',
    'zw_sperrliste_geaendert',
  ];
  const names = [...Object.keys(secrets()), ...others].sort();
  expect(rows).toEqual(names.map((name) => ({ name, path: true, open: false })));
});

test('find nothing without the exact secret', async () => {
  const find = (name: string, secret: unknown) =>
    service.context.db.transaction((client) => client.query(`SELECT * FROM ${name}($1)`, [secret]));
  const known = Object.values(secrets()).filter((secret) => Buffer.isBuffer(secret));
  const otherBytes = (bytes: Buffer) => [
    null,
    Buffer.alloc(0),
    randomBytes(32),
    bytes.subarray(0, 31),
    lastBitFlipped(bytes),
    ...known.filter((other) => !other.equals(bytes)),
  ];
  const otherTexts = (text: string) => [null, '', '%', '_'.repeat(text.length), ' ', `${text} `];
  for (const [name, secret] of Object.entries(secrets())) {
    const found = await find(name, secret);
    expect(
      found.rows.map((row) => row.mandant_id),
      name,
    ).toEqual([ours.account.mandantId]);
    const guesses = Buffer.isBuffer(secret) ? otherBytes(secret) : otherTexts(secret);
    for (const guess of guesses) expect((await find(name, guess)).rowCount, `${name} ${guess}`).toBe(0);
  }
});

test('find nothing of a Mandant that has cancelled, but for the payment provider and for those who want an address', async () => {
  await service.sql(`UPDATE mandanten SET status = 'gekündigt' WHERE mandant_id = $1`, [
    ours.account.mandantId,
  ]);
  for (const [name, secret] of Object.entries(secrets())) {
    const { rows } = await service.context.db.transaction((client) =>
      client.query(`SELECT * FROM ${name}($1)`, [secret]),
    );
    // Keys of a cancelled Mandant are found as blocked ones; whose an address is, is asked to free it.
    const isFound = name === 'zw_kunde_finden' || name === 'zw_adresse_finden';
    const expected = isFound ? [{}] : name.startsWith('zw_schluessel_') ? [{ gesperrt: true }] : [];
    expect(rows, name).toMatchObject(expected);
  }
  await service.sql(`UPDATE mandanten SET status = 'aktiv' WHERE mandant_id = $1`, [ours.account.mandantId]);
});

test('say nothing of any Mandant where they need no secret', async () => {
  const { rows } = await service.context.db.transaction((client) =>
    client.query('SELECT * FROM zw_rueckstand()'),
  );
  expect(rows).toEqual([{ sekunden: expect.any(Number), unzaehlbar: 2 }]);
  const mail = await service.context.db.transaction((client) =>
    client.query('SELECT * FROM zw_mail_stand()'),
  );
  expect(mail.rows).toEqual([{ scheiternd: 0, sekunden: 0 }]);
  const jobs = await service.context.db.transaction((client) =>
    client.query('SELECT * FROM zw_auftraege_stand()'),
  );
  const mandanten = await service.context.db.transaction((client) =>
    client.query('SELECT * FROM zw_mandanten_anzahl()'),
  );
  expect(mandanten.rows).toEqual([{ anzahl: expect.any(Number) }]);
  expect(jobs.rows).toEqual([{ job: 'test.kanarie', wartend: 2, sekunden: 0, aufgegeben: 0 }]);
});
