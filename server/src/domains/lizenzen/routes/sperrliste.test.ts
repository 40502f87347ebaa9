import { compactVerify, decodeProtectedHeader, importJWK, type JWK } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApi } from '#main/api.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const read = async (app = service.app) => {
  const answer = await app.inject({ url: '/v1/lizenzen/sperrliste' });
  expect(answer.statusCode).toBe(200);
  return answer.json();
};

/** The public half of the stored key, as an installation would have it built in. */
async function publicKey() {
  const rows = await service.sql<{ name: string; verschluesselt: Buffer }>('SELECT * FROM geheimnisse');
  expect(rows.map((row) => row.name)).toEqual(['sperrliste']);
  const sealed = rows[0]?.verschluesselt as Buffer;
  const { d, ...jwk }: JWK = JSON.parse(service.context.secrets.open(sealed).toString());
  expect(sealed.toString('latin1')).not.toContain(d);
  return importJWK(jwk, 'EdDSA');
}

const block = (grund: string) =>
  service.sql(
    `INSERT INTO lizenz_sperren (lizenz_id, fingerabdruck, grund) VALUES (gen_random_uuid(), 'ab12', $1)`,
    [grund],
  );

describe('GET /v1/lizenzen/sperrliste', () => {
  it('makes one key, however many processes start at once', async () => {
    const others = await Promise.all([1, 2, 3].map(() => createApi(service.context, service.operators)));
    const lists = await Promise.all([service.app, ...others].map((app) => read(app)));
    const key = await publicKey();
    for (const { signatur } of lists) await compactVerify(signatur, key, { algorithms: ['EdDSA'] });
    expect(new Set(lists.map((list) => decodeProtectedHeader(list.signatur).kid)).size).toBe(1);
    await Promise.all(others.map((app) => app.close()));
  });

  it('signs exactly what it answers, valid for seven days', async () => {
    service.clock.set('2026-05-01T10:00:00.000Z');
    await block('gekündigt');
    const { signatur, ...list } = await read();
    expect(list).toEqual({
      nummer: expect.any(Number),
      ausgestellt_am: '2026-05-01T10:00:00.000Z',
      gueltig_bis: '2026-05-08T10:00:00.000Z',
      sperren: [
        {
          lizenz_id: expect.any(String),
          fingerabdruck: 'ab12',
          gesperrt_am: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          grund: 'gekündigt',
        },
      ],
    });
    const { payload, protectedHeader } = await compactVerify(signatur, await publicKey(), {
      algorithms: ['EdDSA'],
    });
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual(list);
    expect(protectedHeader).toEqual({
      alg: 'EdDSA',
      kid: expect.any(String),
      typ: 'zaehlwerk-sperrliste+json',
    });
  });

  it('does not verify when any part was changed', async () => {
    const parts = (await read()).signatur.split('.') as string[];
    const key = await publicKey();
    for (const [index, part] of parts.entries()) {
      const bytes = Buffer.from(part, 'base64url');
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 3) ^ 1, bytes.length - 3);
      const forged = parts.with(index, bytes.toString('base64url')).join('.');
      await expect(compactVerify(forged, key, { algorithms: ['EdDSA'] })).rejects.toThrow();
    }
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
    'SELECT * FROM geheimnisse',
    `INSERT INTO lizenz_sperren (lizenz_id, fingerabdruck, grund) VALUES (gen_random_uuid(), 'x', 'x')`,
    'UPDATE sperrliste_stand SET nummer = 0',
  ])('is out of reach for requests: %s', async (statement) => {
    const run = service.context.db.transaction((client) => client.query(statement));
    await expect(run).rejects.toThrow('permission denied');
  });
});
