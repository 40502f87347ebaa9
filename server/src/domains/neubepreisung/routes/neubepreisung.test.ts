import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createRunner } from '#jobs/runner.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { ACCOUNTANTS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';
import { rechnenJob } from '../jobs/rechnen.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
let account: Account;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});
beforeEach(async () => {
  account = await registerAccount(service);
});

const PATH = '/v1/cockpit/preise/neubepreisungen';
const post = (path: string, payload: object = {}, user: Account | null = account) =>
  service.app.inject({
    method: 'POST',
    url: `${PATH}${path}`,
    headers: { 'accept-language': 'en', ...(user ? { cookie: user.cookie } : {}) },
    payload,
  });
const get = (path: string, user: Account | null = account) =>
  service.app.inject({ url: `${PATH}${path}`, headers: user ? { cookie: user.cookie } : {} });

async function work(): Promise<void> {
  const { clock, context } = service;
  const jobs = [rechnenJob({ owner, clock, log: context.log }, createPriceList())];
  const runner = createRunner({ jobs, db: owner, log: context.log, observe: () => undefined });
  await runner.runDue();
  await runner.stop();
}

describe('POST /v1/cockpit/preise/neubepreisungen', () => {
  it('has it worked out for the days that are named, up to today unless said otherwise', async () => {
    service.clock.set('2026-07-01T21:30:00.000Z');
    const answer = await post('', { von: '2026-06-01' });
    expect(answer.statusCode, answer.body).toBe(201);
    expect(answer.json()).toEqual({
      neubepreisung_id: expect.any(String),
      status: 'vorschau',
      grund: null,
      von: '2026-06-01',
      bis: '2026-07-02',
      fassung: 0,
      liste: null,
      ereignisse: 0,
      gelesen: 0,
      geaendert: 0,
      alt_usd: '0',
      neu_usd: '0',
      differenz_eur: '0',
      unbepreist: 0,
      angelegt_am: '2026-07-01T21:30:00.000Z',
      angelegt_von: account.email,
      angewendet_am: null,
      angewendet_von: null,
      beendet_am: null,
    });
  });

  it('refuses days that are none, and a second one while one is under way', async () => {
    for (const body of [
      { von: '2026-06-01', bis: '2026-06-01' },
      { von: '2999-01-01' },
      {},
      { von: '2026-02-30' },
    ])
      expect((await post('', body)).statusCode, JSON.stringify(body)).toBe(422);
    expect((await post('', { von: '2026-06-01' })).statusCode).toBe(201);
    const second = await post('', { von: '2026-06-01' });
    expect([second.statusCode, second.json().code]).toEqual([409, 'neubepreisung_laeuft']);
  });

  it('forgets what was worked out and not applied when it is asked anew', async () => {
    const first = (await post('', { von: '2026-06-01' })).json();
    await work();
    expect((await get(`/${first.neubepreisung_id}`)).json()).toMatchObject({
      status: 'bereit',
      zeilen: [],
      weiter: null,
    });
    const second = (await post('', { von: '2026-06-02' })).json();
    expect((await get(`/${first.neubepreisung_id}`)).statusCode).toBe(404);
    const list = (await get('')).json();
    expect(list.neubepreisungen.map((each: { neubepreisung_id: string }) => each.neubepreisung_id)).toEqual([
      second.neubepreisung_id,
    ]);
  });

  it('is for those who keep the books or administer', async () => {
    const invalid = { von: '2026-06-01', bis: '2026-05-01' };
    expect(await statusByRole(service, account, (user) => post('', invalid, user))).toEqual(
      admitting(ACCOUNTANTS, 422),
    );
    expect((await post('', invalid, null)).statusCode).toBe(401);
    expect((await get('', null)).statusCode).toBe(401);
  });
});

describe('applying and ending it', () => {
  it('is refused before it is worked out, after it is over, and by other prices', async () => {
    const { neubepreisung_id: id } = (await post('', { von: '2026-06-01' })).json();
    const early = await post(`/${id}/anwenden`);
    expect([early.statusCode, early.json().code]).toEqual([409, 'neubepreisung_nicht_bereit']);
    await work();
    await service.app.inject({
      method: 'PUT',
      url: '/v1/cockpit/preise',
      headers: { cookie: account.cookie },
      payload: { fassung: 0, gemeldete_kosten: true },
    });
    const other = await post(`/${id}/anwenden`);
    expect([other.statusCode, other.json().code]).toEqual([409, 'preise_geaendert']);
    const ended = await post(`/${id}/abbrechen`);
    expect([ended.statusCode, ended.json().status, ended.json().grund]).toEqual([
      200,
      'abgebrochen',
      'von_hand',
    ]);
    for (const path of ['anwenden', 'abbrechen'])
      expect((await post(`/${id}/${path}`)).json().code).toBe('neubepreisung_nicht_bereit');
  });

  it('ends what has begun, and a worker that comes later does nothing', async () => {
    const { neubepreisung_id: id } = (await post('', { von: '2026-06-01' })).json();
    await work();
    expect((await post(`/${id}/anwenden`)).json().status).toBe('laeuft');
    expect((await post(`/${id}/abbrechen`)).statusCode).toBe(200);
    await work();
    expect((await get(`/${id}`)).json().status).toBe('abgebrochen');
  });

  it('finds nothing of another Mandant, or what nobody has', async () => {
    const { neubepreisung_id: id } = (await post('', { von: '2026-06-01' })).json();
    const other = await registerAccount(service);
    for (const name of [id, randomUUID()]) {
      expect((await get(`/${name}`, other)).statusCode).toBe(404);
      expect((await post(`/${name}/anwenden`, {}, other)).statusCode).toBe(404);
      expect((await post(`/${name}/abbrechen`, {}, other)).statusCode).toBe(404);
    }
  });
});
