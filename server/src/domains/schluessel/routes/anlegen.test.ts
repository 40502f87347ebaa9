import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const create = (payload: object, headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({ method: 'POST', url: '/v1/cockpit/konto/schluessel', headers, payload });

describe('POST /v1/cockpit/konto/schluessel', () => {
  it('creates a key that may do everything, shown once and stored as its hash', async () => {
    service.clock.set('2026-05-01T10:00:00.000Z');
    const answer = await create({});
    expect(answer.statusCode).toBe(201);
    const { schluessel, ...rest } = answer.json();
    expect(schluessel).toMatch(/^zw_live_[A-Za-z0-9_-]{43}$/);
    expect(rest).toEqual({
      schluessel_id: expect.any(String),
      name: 'standard',
      anfragen_je_minute: null,
      ereignisse_je_minute: null,
      anzeige: `${schluessel.slice(0, 12)}…${schluessel.slice(-4)}`,
      bereiche: ['Senden', 'Lesen'],
      status: 'aktiv',
      erstellt_am: '2026-05-01T10:00:00.000Z',
      gesperrt_am: null,
      zuletzt_benutzt_am: null,
    });
    const [row] = await service.sql(
      'SELECT s::text AS row, projekt FROM schluessel s WHERE schluessel_id = $1',
      [rest.schluessel_id],
    );
    expect(row?.row).not.toContain(schluessel.slice(12, -4));
    expect(row?.projekt).toBeNull();
  });

  it('takes name, scopes and project', async () => {
    const answer = await create({ name: 'Zulieferung', bereiche: ['Senden', 'Senden'], projekt: 'shop' });
    expect(answer.json()).toMatchObject({ name: 'Zulieferung', bereiche: ['Senden'] });
    const [row] = await service.sql('SELECT projekt FROM schluessel WHERE schluessel_id = $1', [
      answer.json().schluessel_id,
    ]);
    expect(row?.projekt).toBe('shop');
  });

  it('takes null for the scopes as no wish', async () => {
    expect((await create({ bereiche: null })).json().bereiche).toEqual(['Senden', 'Lesen']);
  });

  it.each([
    [{ bereiche: ['Schreiben'] }, ['body', 'bereiche', 0]],
    [{ bereiche: [] }, ['body', 'bereiche']],
    [{ name: 'x'.repeat(121) }, ['body', 'name']],
    [{ projekt: '' }, ['body', 'projekt']],
  ])('checks its body: %j', async (payload, loc) => {
    const answer = await create(payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(loc);
  });

  it('is for those who administer', async () => {
    const refusals: object[] = [];
    const statuses = await statusByRole(service, account, async ({ cookie }) => {
      const answer = await create({}, { cookie });
      if (answer.statusCode === 403) refusals.push(answer.json());
      return answer;
    });
    expect(statuses).toEqual(admitting(ADMINISTRATORS, 201));
    expect(refusals).toEqual(Array(3).fill({ detail: expect.any(String), code: 'verboten' }));
  });

  it('wants a session, before it looks at the body', async () => {
    const answer = await create({ bereiche: 7 }, {});
    expect(answer.statusCode).toBe(401);
  });

  it.each([{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://boese.example' }])(
    'refuses a foreign page: %j',
    async (headers) => {
      const answer = await create({}, { cookie: account.cookie, ...(headers as Record<string, string>) });
      expect(answer.statusCode).toBe(403);
      expect(answer.json().code).toBe('fremde_herkunft');
    },
  );
});
