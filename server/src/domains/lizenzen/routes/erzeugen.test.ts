import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fingerprintOf, readKeys, verifyLicence } from '#domains/installation/index.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { createOperator, operatorActs } from '#test/operator.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let operator: Account;
beforeAll(async () => {
  service = await startService({ BASE_URL: 'https://lizenzen.example.org' });
  service.clock.set('2026-10-01T10:00:00.000Z');
  operator = await createOperator(service);
});
afterAll(() => service?.stop());
beforeEach(() => service.sql('TRUNCATE lizenzen'));

const make = (payload: object, { cookie } = operator) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/betreiber/lizenzen/erzeugen',
    headers: { cookie },
    payload,
  });
const licences = () => service.sql('SELECT kunde FROM lizenzen');

describe('POST /v1/betreiber/lizenzen/erzeugen', () => {
  it('answers the licence once, with the key that proves it, and leaves an entry', async () => {
    const answer = await make({ kunde: 'Muster GmbH', gueltig_bis: '2027-10-01', mandanten: 3 });
    expect(answer.statusCode).toBe(200);
    const { lizenz, token, pruefschluessel } = answer.json();
    expect(lizenz).toEqual({
      lizenz_id: expect.any(String),
      fingerabdruck: fingerprintOf(token),
      ...{ kunde: 'Muster GmbH', paket: 'enterprise', gueltig_bis: '2027-10-01T00:00:00.000Z', mandanten: 3 },
      kid: JSON.parse(pruefschluessel).kid,
      ausgestellt_am: '2026-10-01T10:00:00.000Z',
      ausgestellt_von: operator.email,
      ...{ status: 'aktiv', gesperrt_am: null, grund: null },
    });
    expect(await verifyLicence(token, await readKeys(pruefschluessel))).toMatchObject({
      lizenz_id: lizenz.lizenz_id,
      sperrliste: 'https://lizenzen.example.org/v1/lizenzen/sperrliste',
    });
    const { fingerabdruck, paket, gueltig_bis, mandanten, kid } = lizenz;
    expect((await operatorActs(service)).at(-1)).toMatchObject({
      ...{ aktion: 'lizenz.erzeugt', mandant: null, akteur_art: 'benutzer', akteur_id: operator.benutzerId },
      ...{ objekt_art: 'lizenz', objekt_id: lizenz.lizenz_id, objekt_name: 'Muster GmbH', vorher: null },
      nachher: { fingerabdruck, paket, gueltig_bis, mandanten, kid },
    });
  });

  it('makes one of the package enterprise for one Mandant, without end, unless asked otherwise', async () => {
    const { lizenz } = (await make({ kunde: 'Muster GmbH' })).json();
    expect(lizenz).toMatchObject({ paket: 'enterprise', gueltig_bis: null, mandanten: 1 });
  });

  it.each<[object, string]>([
    [{}, 'kunde'],
    [{ kunde: 'M' }, 'kunde'],
    [{ kunde: ' M ' }, 'kunde'],
    [{ kunde: 'x'.repeat(121) }, 'kunde'],
    [{ kunde: 'Muster\u0000GmbH' }, 'kunde'],
    [{ kunde: 'Muster\r\nGmbH' }, 'kunde'],
    [{ kunde: 'Muster', paket: 'gold' }, 'paket'],
    [{ kunde: 'Muster', paket: 'frei' }, 'paket'],
    [{ kunde: 'Muster', mandanten: 0 }, 'mandanten'],
    [{ kunde: 'Muster', mandanten: 1.5 }, 'mandanten'],
    [{ kunde: 'Muster', mandanten: 1e9 }, 'mandanten'],
    [{ kunde: 'Muster', gueltig_bis: '2026-10-01T10:00:00Z' }, 'gueltig_bis'],
    [{ kunde: 'Muster', gueltig_bis: 'bald' }, 'gueltig_bis'],
  ])('refuses %j', async (payload, field) => {
    const answer = await make(payload);
    expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, ['body', field]]);
    expect(await licences()).toEqual([]);
  });

  it('is for operators', async () => {
    expect((await make({ kunde: 'Muster' }, { ...operator, cookie: '' })).statusCode).toBe(401);
    const answer = await make({ kunde: 'Muster' }, await registerAccount(service));
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'verboten']);
    expect(await licences()).toEqual([]);
  });
});
