import { randomUUID } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createInForce, type InForce } from '#domains/eingriffe/index.ts';
import { createApi } from '#main/api.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

const NOW = '2026-11-20T10:00:00.000Z';
const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** The agents that were asked for. */
const asked: (readonly string[])[] = [];

let service: TestService;
let app: FastifyInstance;
let inForce: InForce;
let account: Account;
let secret: string;
beforeAll(async () => {
  service = await startService();
  service.clock.set(NOW);
  inForce = createInForce(service.context, async () => []);
  const named = inForce.named.bind(inForce);
  inForce.named = (mandant, agents = []) => {
    asked.push(agents);
    return named(mandant, agents);
  };
  app = await createApi(service.context, service.operators, inForce);
});
afterAll(async () => {
  await app?.close();
  await service?.stop();
});
beforeEach(async () => {
  account = await registerAccount(service);
  secret = (await createKey(service, account, ['Senden'])).secret;
  asked.length = 0;
});

const send = (
  payload: object | string | Buffer,
  headers: Record<string, string> = {},
  authorization = `Bearer ${secret}`,
) =>
  app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization, 'content-type': 'application/json', ...headers },
    payload,
  });
const batchOf = (...agents: string[]) => ({ ereignisse: agents.map((agent) => ({ agent })) });
const withKey = (key: string) => ({ 'idempotency-key': key });

const stored = async () => {
  const [row] = await service.sql<{ batches: number; keys: number }>(
    `SELECT (SELECT count(*) FROM eingang WHERE mandant_id = $1)::int AS batches,
       (SELECT count(*) FROM idempotenz WHERE mandant_id = $1)::int AS keys`,
    [account.mandantId],
  );
  return row;
};
const nothing = { batches: 0, keys: 0 };

describe('POST /v1/ereignisse', () => {
  test('answers 202 with a batch that is on disk, of the sender and its project', async () => {
    const answer = await send({ ereignisse: [{ agent: 'a', eingabe_token: 3 }, {}, { agent: 'a' }] });
    expect(answer.statusCode).toBe(202);
    expect(answer.json()).toEqual({
      angenommen: 3,
      doppelt_im_stapel: 0,
      eingang_id: UUID,
      eingriffe: [],
    });
    const rows = await service.sql('SELECT mandant_id, eingang_id, empfangen_am, anzahl FROM eingang');
    expect(rows.filter((row) => row.mandant_id === account.mandantId)).toEqual([
      {
        mandant_id: account.mandantId,
        eingang_id: answer.json().eingang_id,
        empfangen_am: expect.anything(),
        anzahl: 3,
      },
    ]);
    await countAll(service);
    const events = await service.sql(
      'SELECT agent, zeitpunkt FROM ereignisse WHERE mandant_id = $1 ORDER BY agent',
      [account.mandantId],
    );
    expect(events.map(({ agent }) => agent)).toEqual(['a', 'a', 'unbekannt']);
  });

  test('tells repeats within the batch apart', async () => {
    const ereignis_id = randomUUID();
    const answer = await send({ ereignisse: [{ ereignis_id }, {}, { ereignis_id }, { ereignis_id }] });
    expect([answer.statusCode, answer.json()]).toEqual([
      202,
      { angenommen: 2, doppelt_im_stapel: 2, eingang_id: UUID, eingriffe: [] },
    ]);
  });

  test.each([[{}], [{ ereignisse: [] }]])('takes %j, of which nothing is stored', async (payload) => {
    const answer = await send(payload);
    expect([answer.statusCode, answer.json()]).toEqual([
      202,
      { angenommen: 0, doppelt_im_stapel: 0, eingang_id: null, eingriffe: [] },
    ]);
    expect(await stored()).toEqual(nothing);
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('takes a batch in %s', async (encoding, pack) => {
    const body = pack(Buffer.from(JSON.stringify(batchOf('a'))));
    expect((await send(body, { 'content-encoding': encoding })).statusCode).toBe(202);
    expect(await stored()).toEqual({ batches: 1, keys: 0 });
  });

  test.each([
    ['401 without a key', 401, 'schluessel_ungueltig', () => send(batchOf('a'), {}, '')],
    ['401 with another key', 401, 'schluessel_ungueltig', () => send(batchOf('a'), {}, `${secret}x`)],
    [
      '413 beyond 10,000 events',
      413,
      'zu_gross',
      () => send({ ereignisse: Array.from({ length: 10_001 }, () => ({})) }),
    ],
    ['413 beyond 10 MiB', 413, 'zu_gross', () => send(' '.repeat(10 * 1024 * 1024 + 1))],
    [
      '413 beyond 10 MiB unpacked',
      413,
      'zu_gross',
      () => send(gzipSync(Buffer.alloc(10 * 1024 * 1024 + 1, ' ')), { 'content-encoding': 'gzip' }),
    ],
    ['415 in an unknown encoding', 415, 'kodierung_unbekannt', () => send('{}', { 'content-encoding': 'x' })],
    ['415 of a type that is none', 415, 'inhaltstyp_ungueltig', () => send('{}', { 'content-type': 'x' })],
  ])('answers %s and stores nothing', async (_what, status, code, sending) => {
    const answer = await sending();
    expect([answer.statusCode, answer.json()]).toEqual([status, { detail: expect.any(String), code }]);
    expect(await stored()).toEqual(nothing);
  });

  test('answers 403 to a key that may only read, 401 to one that is blocked', async () => {
    const reading = await createKey(service, account, ['Lesen']);
    const forbidden = await send(batchOf('a'), {}, `Bearer ${reading.secret}`);
    expect([forbidden.statusCode, forbidden.json().code]).toEqual([403, 'bereich_fehlt']);
    const blocked = await createKey(service, account, ['Senden']);
    await service.sql('UPDATE schluessel SET gesperrt_am = now() WHERE schluessel_id = $1', [
      blocked.schluesselId,
    ]);
    expect((await send(batchOf('a'), {}, `Bearer ${blocked.secret}`)).statusCode).toBe(401);
    expect(await stored()).toEqual(nothing);
  });

  test('answers 422 with every fault of body and headers, and stores nothing', async () => {
    const ereignisse = [{}, { eingabe_token: -1 }, { zeitpunkt: 'gestern' }];
    const answer = await send({ ereignisse }, withKey('x'.repeat(256)));
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail.map(({ loc, type }: Record<string, unknown>) => [loc, type])).toEqual([
      [['header', 'idempotency-key'], 'string_too_long'],
      [['body', 'ereignisse', 1, 'eingabe_token'], 'greater_than_equal'],
      [['body', 'ereignisse', 2, 'zeitpunkt'], expect.stringMatching(/^datetime/)],
    ]);
    expect(await stored()).toEqual(nothing);
  });

  test.each([
    ['no body', '', {}, 'missing'],
    ['null', 'null', {}, 'missing'],
    ['no object', '[]', {}, 'model_attributes_type'],
    ['text', JSON.stringify(batchOf('a')), { 'content-type': 'text/plain' }, 'model_attributes_type'],
    ['protobuf', Buffer.from([10, 0]), { 'content-type': 'application/x-protobuf' }, 'model_attributes_type'],
  ])('answers 422 to %s', async (_what, payload, headers, type) => {
    const answer = await send(payload, headers);
    expect([answer.statusCode, answer.json().detail]).toEqual([
      422,
      [expect.objectContaining({ type, loc: ['body'] })],
    ]);
    expect(await stored()).toEqual(nothing);
  });

  test.each(['usual', 'unusual'])(
    'answers 422 to events before 1970, naming each, and 202 to the first of 1970 (%s)',
    async (form) => {
      const first = '1970-01-01T00:00:00Z';
      const before = '1969-12-31T23:59:59.999999Z';
      const body = (times: (string | number)[]) => ({
        ereignisse: times.map((zeitpunkt) => ({ zeitpunkt })),
        ...(form === 'usual' ? {} : { unbekannt: 1 }),
      });
      const faults = [1, 2].map((index) => ({
        type: 'value_error',
        loc: ['body', 'ereignisse', index, 'zeitpunkt'],
        msg: 'Value error, zeitpunkt liegt vor 1970',
        input: before,
        ctx: { error: 'zeitpunkt liegt vor 1970' },
      }));
      const answer = await send(body([first, before, before]));
      expect([answer.statusCode, answer.json()]).toEqual([422, { detail: faults }]);
      expect((await send(body([-1]))).statusCode).toBe(422);
      expect(await stored()).toEqual(nothing);
      expect((await send(body([first]))).statusCode).toBe(202);
    },
  );

  test('answers 422 to events more than 24 hours ahead, naming each, and 202 to those just before', async () => {
    const last = '2026-11-21T10:00:00Z';
    const ahead = '2026-11-21T10:00:01Z';
    const faults = [1, 3].map((index) => ({
      type: 'value_error',
      loc: ['body', 'ereignisse', index, 'zeitpunkt'],
      msg: 'Value error, zeitpunkt liegt mehr als 24 Stunden in der Zukunft',
      input: ahead,
      ctx: { error: 'zeitpunkt liegt mehr als 24 Stunden in der Zukunft' },
    }));
    const times = [last, ahead, null, ahead].map((zeitpunkt) => ({ zeitpunkt }));
    const answer = await send({ ereignisse: times });
    expect([answer.statusCode, answer.json()]).toEqual([422, { detail: faults }]);
    expect(await stored()).toEqual(nothing);
    expect((await send({ ereignisse: [{ zeitpunkt: last }] })).statusCode).toBe(202);
  });
});

describe('an Idempotency-Key', () => {
  test('repeats the first answer for the same body, and counts once', async () => {
    const key = withKey(randomUUID());
    const first = await send(batchOf('a', 'b'), key);
    const again = await send(batchOf('a', 'b'), key);
    expect([first.statusCode, first.headers['idempotency-replayed']]).toEqual([202, undefined]);
    expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([202, 'true']);
    expect(again.body).toBe(first.body);
    expect(await stored()).toEqual({ batches: 1, keys: 1 });
  });

  test('of an empty batch is kept, too', async () => {
    const key = withKey(randomUUID());
    const first = await send({}, key);
    const again = await send({}, key);
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
    expect(await stored()).toEqual({ batches: 0, keys: 1 });
    expect((await send(batchOf('a'), key)).statusCode).toBe(422);
    expect(await stored()).toEqual({ batches: 0, keys: 1 });
  });

  test('is refused with another body', async () => {
    const key = withKey(randomUUID());
    await send(batchOf('a'), key);
    const answer = await send(batchOf('b'), key);
    const reason = 'der Schlüssel wurde schon mit einem anderen Inhalt verwendet';
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      {
        detail: [
          {
            type: 'value_error',
            loc: ['header', 'idempotency-key'],
            msg: `Value error, ${reason}`,
            ctx: { error: reason },
          },
        ],
      },
    ]);
    expect(await stored()).toEqual({ batches: 1, keys: 1 });
  });

  test('is the Mandant’s own', async () => {
    const key = withKey('gleich');
    await send(batchOf('a'), key);
    const other = await registerAccount(service);
    const foreign = (await createKey(service, other)).secret;
    const answer = await send(batchOf('b'), key, `Bearer ${foreign}`);
    expect([answer.statusCode, answer.headers['idempotency-replayed']]).toEqual([202, undefined]);
  });

  test('used many times at once stores once; the others get the same answer, or 409', async () => {
    const key = withKey(randomUUID());
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(batchOf('a'), key)));
    const taken = answers.filter(({ statusCode }) => statusCode === 202);
    expect(answers.filter(({ statusCode }) => statusCode !== 202 && statusCode !== 409)).toEqual([]);
    expect(taken.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    expect(new Set(taken.map(({ body }) => body)).size).toBe(1);
    expect(await stored()).toEqual({ batches: 1, keys: 1 });
  });
});

describe('the interventions of the answer', () => {
  /** Puts in force for an agent of a Mandant, or for all its calls; as answers show it. */
  async function intervene(agent: string | null, { mandant = account.mandantId, stufe = 'drosseln' } = {}) {
    const shown = {
      // In order within a millisecond, too, which those of Node are not.
      eingriff_id: uuidv7(),
      stufe,
      objekt_art: agent === null ? 'mandant' : 'agent',
      objekt: agent ?? '',
      agent,
      grund: 'Schleife.',
      grund_en: 'A loop.',
      beginn: '2026-11-20T09:00:00Z',
      bis: '2026-11-20T11:00:00Z',
    };
    await service.sql(
      `INSERT INTO eingriffe (mandant_id, eingriff_id, stufe, objekt_art, objekt, agent, grund_de, grund_en, beginn, bis, schatten)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, false)`,
      [mandant, ...Object.values(shown)],
    );
    inForce.forget(mandant);
    return shown;
  }

  const liftAll = async () => {
    await service.sql('UPDATE eingriffe SET aufgehoben_am = now() WHERE mandant_id = $1', [
      account.mandantId,
    ]);
    inForce.forget(account.mandantId);
  };

  test('are those in force for the agents of the batch, whichever way it is read', async () => {
    const a = await intervene('a');
    const unnamed = await intervene('unbekannt');
    await intervene('c');
    const all = await intervene(null);
    const bodies = [
      { ereignisse: [{ agent: 'a' }, { agent: 'b' }, { agent: 'a' }, { eingabe_token: 1 }] },
      { ereignisse: [{ agent: 'b' }, { agent: '' }, { agent: null }, { agent: 'a' }], mehr: 1 },
    ];
    for (const body of bodies) {
      const answer = await send(body);
      expect([answer.statusCode, answer.json()]).toEqual([
        202,
        { angenommen: 4, doppelt_im_stapel: 0, eingang_id: UUID, eingriffe: [all, unnamed, a] },
      ]);
    }
    expect(asked.map((agents) => agents.toSorted())).toEqual([
      ['a', 'b', 'unbekannt'],
      ['a', 'b', 'unbekannt'],
    ]);
    expect((await send({})).json().eingriffe).toEqual([]);
  });

  test('are asked for only where the Mandant has any', async () => {
    await intervene('a', { mandant: (await registerAccount(service)).mandantId });
    expect((await send(batchOf('a'))).json().eingriffe).toEqual([]);
    expect(asked).toEqual([]);
  });

  test('are those of the moment, in a repeated answer, too', async () => {
    const key = withKey(randomUUID());
    const first = (await send(batchOf('a'), key)).json();
    expect(first.eingriffe).toEqual([]);
    for (const [agent, stufe] of [
      ['a', 'drosseln'],
      ['a', 'sperren'],
      ['b', 'drosseln'],
    ] as const) {
      await liftAll();
      const made = await intervene(agent, { stufe });
      const again = await send(batchOf('a'), key);
      expect(again.headers['idempotency-replayed']).toBe('true');
      expect(again.json()).toEqual({ ...first, eingriffe: agent === 'a' ? [made] : [] });
    }
    const [row] = await service.sql('SELECT antwort FROM idempotenz WHERE mandant_id = $1', [
      account.mandantId,
    ]);
    const { eingriffe: _, ...counts } = first;
    expect(JSON.parse(row?.antwort)).toEqual(counts);
  });

  test('do not come from what an earlier version has stored', async () => {
    const key = withKey(randomUUID());
    const first = (await send(batchOf('a'), key)).json();
    await service.sql('UPDATE idempotenz SET antwort = $2 WHERE mandant_id = $1', [
      account.mandantId,
      JSON.stringify({ ...first, eingriffe: [{ agent: 'a' }] }),
    ]);
    const again = await send(batchOf('a'), key);
    expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([202, 'true']);
    expect(again.json()).toEqual({ ...first, eingriffe: [] });
    const current = await intervene('a');
    expect((await send(batchOf('a'), key)).json()).toEqual({ ...first, eingriffe: [current] });
  });
});
