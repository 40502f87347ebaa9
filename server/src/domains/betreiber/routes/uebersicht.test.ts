import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { createOperator } from '#test/operator.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

const URL = '/v1/betreiber/uebersicht';
const NOW = '2026-11-20T12:00:00.000Z';

let service: TestService;
let operator: Account;
beforeAll(async () => {
  service = await startService();
  service.clock.set(NOW);
  operator = await createOperator(service);
});
afterAll(() => service?.stop());

const read = async ({ cookie } = operator) => {
  const answer = await service.app.inject({ url: URL, headers: { cookie } });
  return { status: answer.statusCode, body: answer.json() };
};

async function send(account: Account, days: string[], modell = 'gpt-4o'): Promise<void> {
  const { secret } = await createKey(service, account);
  const ereignisse = days.map((day) => ({ zeitpunkt: `${day}T10:00:00Z`, modell, eingabe_token: 1_000_000 }));
  const headers = { authorization: `Bearer ${secret}` };
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers,
    payload: { ereignisse },
  });
  expect(answer.statusCode).toBe(202);
}

it('is all zeros where nothing has happened', async () => {
  const { status, body } = await read();
  expect(status).toBe(200);
  expect(body).toMatchObject({
    zeitpunkt: NOW,
    version: '0.1.0',
    mandanten: [{ status: 'aktiv', paket: 'frei', anzahl: 1 }],
    heute: { ereignisse: 0, kosten_eur: '0' },
    monate: [],
    eingang: { stapel: 0, ereignisse: 0, aelteste_sekunden: null },
    unzaehlbare_stapel: 0,
    ereignisse_ab: null,
  });
});

it('adds up all Mandanten, from the sums and the calls that are in none yet', async () => {
  const [one, other] = [await registerAccount(service), await registerAccount(service)];
  await send(one, ['2026-11-20', '2026-11-15', '2026-10-25', '2025-11-02', '2025-10-30']);
  await countAll(service);
  await send(other, ['2026-11-20', '2026-11-13']);
  await countAll(service);
  const { body } = await read();
  const counts = ({ heute, sieben_tage, dreissig_tage }: typeof body) =>
    [heute, sieben_tage, dreissig_tage].map(({ ereignisse }) => ereignisse);
  expect(counts(body)).toEqual([2, 3, 5]);
  // The month before thirteen is not looked at.
  expect(body.monate.map(({ monat, ereignisse }: Record<string, unknown>) => [monat, ereignisse])).toEqual([
    ['2026-11', 4],
    ['2026-10', 1],
    ['2025-11', 1],
  ]);
  const [sum] = await service.sql<{ eur: string }>(
    `SELECT trim_scale(sum(kosten_eur))::text AS eur FROM ereignisse WHERE zeitpunkt >= '2026-11-01'`,
  );
  expect(body.monate[0].kosten_eur).toBe(sum?.eur);
  expect(body.mandanten).toEqual([{ status: 'aktiv', paket: 'frei', anzahl: 3 }]);
});

it('does not take an unknown price for nothing', async () => {
  const unpriced = await registerAccount(service);
  await send(unpriced, ['2026-09-09'], 'gibt-es-nicht-1');
  await countAll(service);
  const { body } = await read();
  expect(body.monate.find(({ monat }: { monat: string }) => monat === '2026-09')).toEqual({
    monat: '2026-09',
    ereignisse: 1,
    kosten_eur: null,
  });
});

it('says what waits and what was given up', async () => {
  await send(await registerAccount(service), ['2026-11-20', '2026-11-20']);
  await service.sql(`UPDATE eingang SET empfangen_am = now() - interval '90 seconds'`);
  const nobody = '00000000-0000-0000-0000-000000000000';
  await service.sql(
    `INSERT INTO auftraege (auftrag_id, mandant_id, job, fassung, nutzlast, versuche, fehler, aufgegeben_am)
     VALUES (gen_random_uuid(), $1, 'x.y', 1, '{}', 1, 'kaputt', now()), (gen_random_uuid(), $1, 'x.y', 1, '{}', 1, 'kaputt', NULL)`,
    [nobody],
  );
  const { body } = await read();
  expect(body.eingang).toMatchObject({ stapel: 1, ereignisse: 2 });
  expect(body.eingang.aelteste_sekunden).toBeGreaterThanOrEqual(90);
  expect(body.auftraege.find(({ job }: { job: string }) => job === 'x.y')).toMatchObject({
    ...{ wartend: 1, fehlgeschlagen: 1, aufgegeben: 1 },
  });
  expect(body.speicher.gesamt_bytes).toBeGreaterThan(body.speicher.frei_bytes);
  expect(body.datenbank_bytes).toBeGreaterThan(0);
  await countAll(service);
});

it('says from when on single calls are there, once older ones are removed', async () => {
  await service.sql(`UPDATE aufbewahrung SET ereignisse_ab = '2026-05-01T00:00:00Z'`);
  expect((await read()).body.ereignisse_ab).toBe('2026-05-01T00:00:00Z');
});

it('401 and 403 for who is no operator', async () => {
  expect(await read({ ...operator, cookie: '' })).toMatchObject({ status: 401 });
  expect(await read(await registerAccount(service))).toMatchObject({
    status: 403,
    body: { code: 'verboten' },
  });
});

it('wants a second factor in production', async () => {
  const strict = await startService({ NODE_ENV: 'production', BASE_URL: 'https://zaehlwerk.example' });
  try {
    const { cookie, mandantId, benutzerId } = await createOperator(strict);
    const headers = { cookie, host: 'zaehlwerk.example' };
    const ask = () => strict.app.inject({ url: URL, headers });
    const refused = await ask();
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'zweiter_faktor_noetig']);
    await strict.sql(
      `INSERT INTO zweite_faktoren (mandant_id, benutzer_id, geheimnis, erstellt_am, bestaetigt_am) VALUES ($1, $2, 'x', now(), now())`,
      [mandantId, benutzerId],
    );
    expect((await ask()).statusCode).toBe(200);
  } finally {
    await strict.stop();
  }
});
