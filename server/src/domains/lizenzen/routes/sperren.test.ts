import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { createOperator, operatorActs } from '#test/operator.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let operator: Account;
let made: { lizenz_id: string; fingerabdruck: string; kunde: string };
beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-10-01T10:00:00.000Z');
  operator = await createOperator(service);
});
afterAll(() => service?.stop());
beforeEach(async () => {
  await service.sql('TRUNCATE lizenzen, lizenz_sperren');
  made = (await send('erzeugen', { kunde: 'Muster GmbH' })).json().lizenz;
});

const send = (what: string, payload: object, { cookie } = operator) =>
  service.app.inject({ method: 'POST', url: `/v1/betreiber/lizenzen/${what}`, headers: { cookie }, payload });
const published = async () => (await service.app.inject({ url: '/v1/lizenzen/sperrliste' })).json();

describe.each(['sperren', 'entsperren'] as const)('POST /v1/betreiber/lizenzen/%s', (what) => {
  const prepare = () => (what === 'entsperren' ? send('sperren', { kunde: 'Muster GmbH' }) : null);

  it('does it to the licence that is named, says so on the list, and leaves one entry', async () => {
    await prepare();
    const { nummer } = await published();
    const acts = (await operatorActs(service)).length;
    const answer = await send(what, { lizenz_id: made.lizenz_id, grund: 'nicht bezahlt' });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { gefunden: 1, geaendert: 1, nummer: nummer + 1 },
    ]);
    const list = await published();
    expect([list.nummer, list.sperren.length]).toEqual([nummer + 1, what === 'sperren' ? 1 : 0]);
    const again = await send(what, { fingerabdruck: made.fingerabdruck });
    expect(again.json()).toEqual({ gefunden: 1, geaendert: 0, nummer: nummer + 1 });
    const [act, ...more] = (await operatorActs(service)).slice(acts);
    expect(more).toEqual([]);
    const said = what === 'sperren' ? { status: 'gesperrt', grund: 'nicht bezahlt' } : { status: 'aktiv' };
    expect(act).toMatchObject({
      ...{
        aktion: `lizenz.${what === 'sperren' ? 'gesperrt' : 'entsperrt'}`,
        akteur_id: operator.benutzerId,
      },
      ...{ objekt_art: 'lizenz', objekt_id: made.lizenz_id, objekt_name: 'Muster GmbH' },
      nachher: { ...said, lizenzen: [made.lizenz_id], sperrliste: nummer + 1 },
    });
  });

  it('means every licence of a customer', async () => {
    await send('erzeugen', { kunde: 'Muster GmbH' });
    await send('erzeugen', { kunde: 'Andere GmbH' });
    await prepare();
    expect((await send(what, { kunde: 'Muster GmbH' })).json()).toMatchObject({ gefunden: 2, geaendert: 2 });
    expect((await operatorActs(service)).at(-1)).toMatchObject({
      objekt_id: null,
      objekt_name: 'Muster GmbH',
    });
  });

  it('404 for what there is not, 422 for what names nothing', async () => {
    for (const body of [
      { lizenz_id: randomUUID() },
      { kunde: 'Keiner' },
      { fingerabdruck: 'ab' },
      { lizenz_id: made.lizenz_id, kunde: 'Andere GmbH' },
    ]) {
      const answer = await send(what, body);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'nicht_gefunden']);
    }
    for (const body of [
      {},
      { lizenz_id: null, kunde: null },
      { lizenz_id: 'x' },
      { kunde: 'x'.repeat(121) },
      { kunde: '\0' },
    ])
      expect((await send(what, body)).statusCode).toBe(422);
  });

  it('is for operators', async () => {
    expect((await send(what, { kunde: 'Muster GmbH' }, { ...operator, cookie: '' })).statusCode).toBe(401);
    expect((await send(what, { kunde: 'Muster GmbH' }, await registerAccount(service))).statusCode).toBe(403);
  });
});

it.each(['x\u202e', 'x'.repeat(201), 'x\0'])(
  'a reason is a text that people can read, not %j',
  async (grund) => {
    const answer = await send('sperren', { lizenz_id: made.lizenz_id, grund });
    expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, ['body', 'grund']]);
    expect((await published()).sperren).toEqual([]);
  },
);

it('409 where the list is full', async () => {
  await service.sql(
    `INSERT INTO lizenz_sperren (lizenz_id, fingerabdruck, grund) SELECT gen_random_uuid(), '', '' FROM generate_series(1, 10000)`,
  );
  const answer = await send('sperren', { lizenz_id: made.lizenz_id });
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'sperrliste_voll']);
});
