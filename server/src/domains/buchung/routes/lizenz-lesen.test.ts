import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { blockOf, createIssuer, LICENCE } from '#test/licences.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

const grenzen = (
  ereignisse_monat: number | null,
  benutzer: number | null,
  aufbewahrung_tage: number | null,
) => ({
  grenzen: { ereignisse_monat, benutzer, aufbewahrung_tage },
});
const FREI = { ...grenzen(100_000, 3, 90), funktionen: [] };
const ALLE = ['eigenes_aussehen', 'firmenkonto'];
const PAKETE = [
  { paket: 'frei', name: 'Frei', buchbar: false, ...FREI },
  {
    ...{ paket: 'starter', name: 'Starter', buchbar: false, ...grenzen(1_000_000, 10, 400) },
    funktionen: ['eigenes_aussehen'],
  },
  {
    ...{ paket: 'team', name: 'Team', buchbar: true, ...grenzen(20_000_000, 50, 800) },
    funktionen: ALLE,
  },
  {
    ...{ paket: 'enterprise', name: 'Enterprise', buchbar: false, ...grenzen(null, null, null) },
    funktionen: ALLE,
  },
];

async function makeLicence(): Promise<{ LIZENZ: string; LIZENZ_PRUEFSCHLUESSEL: string; kid: string }> {
  const { licence, jwk, kid } = await createIssuer();
  return { LIZENZ: await licence(), LIZENZ_PRUEFSCHLUESSEL: jwk, kid };
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
      ...FREI,
      // Nothing is sold here, and nobody has given the Mandant a package.
      verbindlich: false,
      nutzung: {
        monat: expect.stringMatching(/^\d{4}-\d\d$/),
        ereignisse: 0,
        benutzer: 1,
        ereignisse_ab: null,
      },
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
      verbindlich: true,
      ...grenzen(20_000_000, 50, 800),
      funktionen: ALLE,
    });
    expect((await read(service, { cookie: account.cookie })).json().paket).toBe('frei');
  });

  it('tells from when on single calls are there, once older ones are removed', async () => {
    const { cookie } = await registerAccount(service);
    await service.sql(`UPDATE aufbewahrung SET ereignisse_ab = '2026-05-01T00:00:00Z'`);
    const { nutzung } = (await read(service, { cookie })).json();
    await service.sql('UPDATE aufbewahrung SET ereignisse_ab = NULL');
    expect(nutzung.ereignisse_ab).toBe('2026-05-01T00:00:00.000Z');
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
  let env: Awaited<ReturnType<typeof makeLicence>>;
  beforeAll(async () => {
    env = await makeLicence();
    service = await startService(env);
    ({ cookie } = await registerAccount(service));
    // As the job leaves it.
    await service.sql(
      `UPDATE sperrliste_bekannt SET nummer = 7, ausgestellt_am = '2026-12-30', gueltig_bis = '2027-01-06', kid = $1,
         erreicht_am = '2026-12-31T22:00:00Z', versucht_am = '2026-12-31T22:00:00Z'`,
      [env.kid],
    );
  });
  afterAll(() => service.stop());
  const answer = async () => (await read(service, { cookie })).json();
  const { lizenz_id, kunde, paket, gueltig_bis } = LICENCE;

  it('gives the package while it is valid', async () => {
    service.clock.set('2026-12-31T23:59:59.999Z');
    await service.sql('UPDATE sitzungen SET erstellt_am = $1, zuletzt_am = $1', ['2026-12-31T23:00:00Z']);
    expect(await answer()).toMatchObject({
      paket: 'enterprise',
      paket_bis: gueltig_bis,
      quelle: 'lizenz',
      lizenz: {
        ...{ lizenz_id, kunde, paket, gueltig_bis, mandanten: 3, mandanten_belegt: 1, status: 'gültig' },
        fingerabdruck: blockOf(env.LIZENZ).fingerabdruck,
        sperrliste: {
          nummer: 7,
          ausgestellt_am: '2026-12-30T00:00:00.000Z',
          erreicht_am: '2026-12-31T22:00:00.000Z',
          nicht_erreicht_seit: null,
          hindernis: null,
          arbeitet_bis: '2027-01-14T22:00:00.000Z',
        },
      },
    });
  });

  it('gives nothing from its last instant on', async () => {
    service.clock.set(gueltig_bis);
    expect(await answer()).toMatchObject({ paket: 'frei', quelle: 'frei', lizenz: { status: 'abgelaufen' } });
  });

  it('gives nothing while the list names it, by its id or its fingerprint', async () => {
    service.clock.set('2026-12-31T23:59:59.999Z');
    const other = '0193f3c4-0000-7000-8000-00000000000f';
    for (const block of [blockOf('anderes Token'), blockOf(env.LIZENZ, other)]) {
      await service.sql('UPDATE sperrliste_bekannt SET sperren = $1', [JSON.stringify([block])]);
      expect(await answer()).toMatchObject({
        paket: 'frei',
        lizenz: { lizenz_id, kunde, status: 'gesperrt' },
      });
    }
    await service.sql(`UPDATE sperrliste_bekannt SET sperren = '[]'`);
    expect(await answer()).toMatchObject({ paket: 'enterprise', lizenz: { status: 'gültig' } });
  });

  it('believes no list whose key it is not told to believe', async () => {
    const [{ sperren } = { sperren: [] }] = await service.sql('SELECT sperren FROM sperrliste_bekannt');
    expect(sperren).toEqual([]);
    await service.sql(`UPDATE sperrliste_bekannt SET kid = 'fremd', sperren = $1`, [
      JSON.stringify([blockOf(env.LIZENZ)]),
    ]);
    expect((await answer()).lizenz).toMatchObject({
      status: 'gültig',
      sperrliste: { nummer: null, erreicht_am: null },
    });
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
      lizenz: {
        ...{ lizenz_id: null, fingerabdruck: null, kunde: null, paket: null, gueltig_bis: null },
        ...{ mandanten: null, mandanten_belegt: 1, status: 'ungültig', sperrliste: null },
      },
    });
    await other.stop();
  });
});
