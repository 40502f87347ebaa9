import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { createOperator } from '#test/operator.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let operator: Account;
beforeAll(async () => {
  service = await startService();
  operator = await createOperator(service);
  for (const kunde of ['Eins GmbH', 'Zwei GmbH', 'Drei GmbH'])
    await service.app.inject({
      ...{ method: 'POST', url: '/v1/betreiber/lizenzen/erzeugen', headers: { cookie: operator.cookie } },
      payload: { kunde },
    });
});
afterAll(() => service?.stop());

const read = async (query: Record<string, string> = {}, { cookie } = operator) => {
  const answer = await service.app.inject({ url: '/v1/betreiber/lizenzen', query, headers: { cookie } });
  return { status: answer.statusCode, body: answer.json() };
};

describe('GET /v1/betreiber/lizenzen', () => {
  it('lists what was made out, the latest first, page by page', async () => {
    const { body: whole } = await read();
    expect(whole.lizenzen.map(({ kunde }: { kunde: string }) => kunde)).toEqual([
      'Drei GmbH',
      'Zwei GmbH',
      'Eins GmbH',
    ]);
    expect(whole.weiter).toBeNull();
    const { body: first } = await read({ limit: '2' });
    const { body: second } = await read({ limit: '2', nach: first.weiter });
    expect([...first.lizenzen, ...second.lizenzen]).toEqual(whole.lizenzen);
    expect(second.weiter).toBeNull();
    expect(JSON.stringify(whole)).not.toContain('eyJ');
  });

  it.each<[Record<string, string>]>([
    [{ limit: '0' }],
    [{ limit: '1001' }],
    [{ nach: 'x' }],
    [{ nach: Buffer.from('["lizenzen.liste","2026-01-01T00:00:00Z","x"]').toString('base64url') }],
  ])('422 for %j', async (query) => {
    expect((await read(query)).status).toBe(422);
  });

  it('is for operators', async () => {
    expect((await read({}, { ...operator, cookie: '' })).status).toBe(401);
    expect((await read({}, await registerAccount(service))).status).toBe(403);
  });
});
