import { CompactSign, exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

const LICENCE = {
  lizenz_id: '0193f3c4-0000-7000-8000-000000000001',
  kunde: 'Muster GmbH',
  paket: 'enterprise',
  gueltig_bis: '2027-01-01T00:00:00.000Z',
};
const PAKETE = [
  { paket: 'frei', name: 'Frei', buchbar: false },
  { paket: 'team', name: 'Team', buchbar: true },
  { paket: 'enterprise', name: 'Enterprise', buchbar: false },
];

async function makeLicence(): Promise<{ LIZENZ: string; LIZENZ_PRUEFSCHLUESSEL: string }> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519' });
  const token = new CompactSign(Buffer.from(JSON.stringify(LICENCE)));
  return {
    LIZENZ: await token.setProtectedHeader({ alg: 'EdDSA' }).sign(privateKey),
    LIZENZ_PRUEFSCHLUESSEL: JSON.stringify(await exportJWK(publicKey)),
  };
}

const read = (service: TestService, headers: Record<string, string>) =>
  service.app.inject({ url: '/v1/cockpit/lizenz', headers });

describe('GET /v1/cockpit/lizenz', () => {
  let service: TestService;
  let account: Account;
  beforeAll(async () => {
    service = await startService();
    account = await registerAccount(service);
  });
  afterAll(() => service.stop());

  it('answers the package of the Mandant and what there is to book', async () => {
    const answer = await read(service, { cookie: account.cookie });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      paket: 'frei',
      paket_bis: null,
      abrechnungsstatus: 'keine',
      quelle: 'frei',
      buchung_moeglich: false,
      pakete: PAKETE,
      lizenz: null,
    });
  });

  it('answers what was booked, of this Mandant only', async () => {
    const booked = await registerAccount(service);
    await service.sql(
      `UPDATE mandanten SET paket = 'team', paket_bis = '2026-12-20T12:00:00Z', paket_quelle = 'buchung',
         abrechnungsstatus = 'aktiv' WHERE mandant_id = $1`,
      [booked.mandantId],
    );
    expect((await read(service, { cookie: booked.cookie })).json()).toMatchObject({
      paket: 'team',
      paket_bis: '2026-12-20T12:00:00.000Z',
      abrechnungsstatus: 'aktiv',
      quelle: 'buchung',
    });
    expect((await read(service, { cookie: account.cookie })).json().paket).toBe('frei');
  });

  it('is open to every role', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => read(service, { cookie }));
    expect(statuses).toEqual(admitting(EVERYBODY));
  });

  it('wants a session', async () => {
    expect((await read(service, {})).statusCode).toBe(401);
  });

  it('tells when packages can be booked', async () => {
    const env = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };
    const selling = await startService(env);
    const { cookie } = await registerAccount(selling);
    expect((await read(selling, { cookie })).json().buchung_moeglich).toBe(true);
    await selling.stop();
  });
});

describe('the licence of the installation', () => {
  let service: TestService;
  let cookie: string;
  beforeAll(async () => {
    service = await startService(await makeLicence());
    ({ cookie } = await registerAccount(service));
  });
  afterAll(() => service.stop());
  const answer = async () => (await read(service, { cookie })).json();

  it('gives the package while it is valid', async () => {
    service.clock.set('2026-12-31T23:59:59.999Z');
    await service.sql('UPDATE sitzungen SET erstellt_am = $1, zuletzt_am = $1', ['2026-12-31T23:00:00Z']);
    expect(await answer()).toMatchObject({
      paket: 'enterprise',
      paket_bis: LICENCE.gueltig_bis,
      quelle: 'lizenz',
      lizenz: { ...LICENCE, status: 'gültig' },
    });
  });

  it('gives nothing from its last instant on', async () => {
    service.clock.set(LICENCE.gueltig_bis);
    expect(await answer()).toMatchObject({ paket: 'frei', quelle: 'frei', lizenz: { status: 'abgelaufen' } });
  });

  it('gives nothing while it is blocked', async () => {
    service.clock.set('2026-12-31T23:59:59.999Z');
    await service.sql(`INSERT INTO lizenz_sperren (lizenz_id, fingerabdruck, grund) VALUES ($1, '', 'x')`, [
      LICENCE.lizenz_id,
    ]);
    expect(await answer()).toMatchObject({ paket: 'frei', lizenz: { ...LICENCE, status: 'gesperrt' } });
    await service.sql('DELETE FROM lizenz_sperren');
    expect(await answer()).toMatchObject({ paket: 'enterprise', lizenz: { status: 'gültig' } });
  });

  it.each([
    ['another key', async () => ({ ...(await makeLicence()), LIZENZ: (await makeLicence()).LIZENZ })],
    ['no key', async () => ({ LIZENZ: (await makeLicence()).LIZENZ })],
    ['no token at all', async () => ({ ...(await makeLicence()), LIZENZ: 'unsinn' })],
  ])('that proves nothing (%s) says nothing', async (_what, makeEnv) => {
    const other = await startService(await makeEnv());
    const user = await registerAccount(other);
    expect((await read(other, { cookie: user.cookie })).json()).toMatchObject({
      paket: 'frei',
      quelle: 'frei',
      lizenz: { lizenz_id: null, kunde: null, paket: null, gueltig_bis: null, status: 'ungültig' },
    });
    await other.stop();
  });
});
