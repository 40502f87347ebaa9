import { calculateJwkThumbprint, compactVerify, type JWK } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApi } from '#main/api.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => service.clock.set('2026-05-01T10:00:00.000Z'));

const ask = (query = '', headers: Record<string, string> = {}, app = service.app) =>
  app.inject({ url: `/v1/lizenzen/sperrliste${query}`, headers });
const read = async (query = '', app = service.app) => {
  const answer = await ask(query, {}, app);
  expect(answer.statusCode).toBe(200);
  return answer.json();
};
/** The only key, as it is stored. */
async function storedKey(): Promise<{ sealed: Buffer; jwk: JWK }> {
  const rows = await service.sql<{ verschluesselt: Buffer }>('SELECT verschluesselt FROM lizenz_schluessel');
  expect(rows).toHaveLength(1);
  const sealed = rows[0]?.verschluesselt as Buffer;
  return { sealed, jwk: JSON.parse(service.context.secrets.open(sealed).toString()) };
}
/** Its public half, as an installation would have it. */
async function publicKey(): Promise<JWK> {
  const { kty, crv, x } = (await storedKey()).jwk;
  return { kty, crv, x } as JWK;
}

const block = (grund: string) =>
  service.sql(
    `INSERT INTO lizenz_sperren (lizenz_id, fingerabdruck, grund, gesperrt_am)
     VALUES (gen_random_uuid(), 'ab12', $1, '2026-04-30T00:00:00Z')`,
    [grund],
  );

describe('GET /v1/lizenzen/sperrliste', () => {
  it('makes one key, however many processes start at once, and keeps it sealed', async () => {
    const others = await Promise.all([1, 2, 3].map(() => createApi(service.context, service.operators)));
    const lists = await Promise.all([service.app, ...others].map((app) => read('', app)));
    const { sealed, jwk } = await storedKey();
    for (const { signatur } of lists)
      await compactVerify(signatur, await publicKey(), { algorithms: ['EdDSA'] });
    expect(new Set(lists.map((list) => list.signatur)).size).toBe(1);
    expect(sealed.toString('latin1')).not.toContain(jwk.d);
    await Promise.all(others.map((app) => app.close()));
  });

  it('signs exactly what it answers, names no customer, and is valid for seven days', async () => {
    await block('Muster GmbH zahlt nicht');
    const answer = await ask();
    expect(answer.body).not.toContain('Muster');
    const { signatur, ...list } = answer.json();
    expect(list).toEqual({
      nummer: expect.any(Number),
      ausgestellt_am: '2026-05-01T00:00:00.000Z',
      gueltig_bis: '2026-05-08T00:00:00.000Z',
      sperren: [
        { lizenz_id: expect.any(String), fingerabdruck: 'ab12', gesperrt_am: '2026-04-30T00:00:00.000Z' },
      ],
    });
    const key = await publicKey();
    const { payload, protectedHeader } = await compactVerify(signatur, key, { algorithms: ['EdDSA'] });
    expect(Buffer.from(payload).toString()).toBe(JSON.stringify(list));
    expect(protectedHeader).toEqual({
      alg: 'EdDSA',
      kid: await calculateJwkThumbprint(key),
      typ: 'zaehlwerk-sperrliste+json',
    });
  });

  it('stays the same for a day, and anybody may keep it for an hour', async () => {
    const first = await ask();
    expect(first.headers['cache-control']).toBe('public, max-age=3600');
    expect(first.headers.vary).toBe('Accept-Encoding');
    service.clock.set('2026-05-01T23:59:59.999Z');
    const known = await ask('', { 'if-none-match': String(first.headers.etag) });
    expect([known.statusCode, known.body]).toEqual([304, '']);
    const other = await createApi(service.context, service.operators);
    expect((await ask('', {}, other)).headers.etag).toBe(first.headers.etag);
    await other.close();
    service.clock.set('2026-05-02T00:00:00.000Z');
    const next = await ask('', { 'if-none-match': String(first.headers.etag) });
    expect(next.statusCode).toBe(200);
    expect(next.json()).toMatchObject({
      ausgestellt_am: '2026-05-02T00:00:00.000Z',
      nummer: first.json().nummer,
    });
    await block('neu');
    expect((await ask('', { 'if-none-match': String(next.headers.etag) })).statusCode).toBe(200);
  });

  it('grows its number with every change, removals too, and with nothing else', async () => {
    const numbers = [(await read()).nummer];
    const changes = [
      () => block('a'),
      () => service.sql(`UPDATE lizenz_sperren SET grund = 'b' WHERE grund = 'a'`),
      () => service.sql(`DELETE FROM lizenz_sperren WHERE grund = 'b'`),
      () => service.sql('TRUNCATE lizenz_sperren'),
    ];
    for (const change of changes) {
      await change();
      numbers.push((await read()).nummer);
    }
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect((await read()).nummer).toBe(numbers.at(-1));
    expect((await read()).sperren).toEqual([]);
  });

  it.each([
    'SELECT * FROM lizenz_schluessel',
    'SELECT * FROM lizenzen',
    `INSERT INTO lizenz_sperren (lizenz_id, fingerabdruck, grund) VALUES (gen_random_uuid(), 'x', 'x')`,
    'UPDATE sperrliste_stand SET nummer = 0',
    'UPDATE sperrliste_bekannt SET hindernis = NULL',
    'UPDATE lizenz_einsaetze SET zuletzt_am = seit',
  ])('is out of reach for requests: %s', async (statement) => {
    const run = service.context.db.transaction((client) => client.query(statement));
    await expect(run).rejects.toThrow('permission denied');
  });

  it.each(['?kid=', '?kid=%00', `?kid=${'a'.repeat(101)}`, '?kid=gibt-es-nicht'])(
    '%s is none',
    async (query) => {
      expect([404, 422]).toContain((await ask(query)).statusCode);
    },
  );
});
