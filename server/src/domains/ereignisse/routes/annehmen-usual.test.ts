/** POST /v1/ereignisse answers and stores the same, whether a batch is read straight from its bytes or in general. */
import { randomUUID } from 'node:crypto';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { BatchScanner } from '../fast-path/batch.ts';

const NOW = '2026-11-20T10:00:00.123Z';
const scan = vi.spyOn(BatchScanner.prototype, 'scan');

let service: TestService;
let secret: string;
let mandantId: string;
beforeAll(async () => {
  service = await startService();
  service.clock.set(NOW);
});
afterAll(() => service?.stop());
beforeEach(async () => {
  const account = await registerAccount(service);
  mandantId = account.mandantId;
  secret = (await createKey(service, account)).secret;
});
afterEach(() => scan.mockClear());

/** Which way the last body went; null when nobody looked at its bytes. */
function lastWay(): 'short' | 'general' | null {
  const last = scan.mock.results.at(-1);
  return last ? (last.value ? 'short' : 'general') : null;
}

const send = (
  payload: string | Buffer,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> =>
  service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    payload,
  });

const compact = (ereignisse: object[]) => JSON.stringify({ ereignisse });
/** Forms that only the general way knows, and the same batch in them. */
const GENERAL: [form: string, toText: (ereignisse: object[]) => string][] = [
  ['with escapes', (events) => compact(events).replaceAll('ü', '\\u00fc').replaceAll('/', '\\/')],
  ['with a field of another sender', (events) => JSON.stringify({ quelle: 1, ereignisse: events }, null, 2)],
  ['with a byte-order mark', (events) => `\ufeff${compact(events)}`],
];

const RUN = '8f14e45f-ceea-467f-a0e6-9d2c4b1a7c11';
const EVENTS = [
  {
    ereignis_id: '0A1B2C3D-0000-4000-8000-00000000000A',
    zeitpunkt: '2026-11-20T09:59:58.123456Z',
    anbieter: 'openai',
    modell: 'gpt-4o',
    agent: 'münchen/prüfer',
    lauf_id: RUN,
    schritt_nr: 1,
    eltern_span: '0a1b2c3d-0000-4000-8000-00000000000b',
    eingabe_token: 1200,
    ausgabe_token: 345,
    cache_lese_token: 200,
    cache_schreib_token: 0,
    denk_token: 7,
    werkzeugaufrufe: 2,
    latenz_ms: 1830,
    erste_zeichen_ms: 210,
    status: 'erfolgreich',
    geschaetzt: true,
    prompt_fingerabdruck: '00FF00ff00ff00ff',
    werkzeug_fingerabdruck: '0123456789abcdef',
    endkunde_ref: 'Müller & Söhne',
    funktion_ref: 'antwort/entwurf',
    benutzer_ref: 'u-1',
    quelle: 'sdk',
    zusatz: { projekt: 'grün', '2': [1, { a: 0.1 }], '1': '{}', eingabe_umfasst_cache: true },
  },
  { zeitpunkt: '2026-11-20T09:59:59Z', agent: 'münchen/prüfer', lauf_id: RUN, eingabe_token: 4, zusatz: {} },
  {
    status: 'fehler',
    fehlercode: 'rate_limit/ü',
    eingabe_token: 3,
    cache_lese_token: null,
    denk_token: null,
  },
  { agent: 'ü', eingabe_token: 2, endkunde_ref: '', zusatz: null },
];

const ANSWER = {
  angenommen: EVENTS.length,
  doppelt_im_stapel: 0,
  eingang_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  eingriffe: [],
};

/** What has been counted of this Mandant's events; ids that were assigned at the door are left out. */
async function countedRows(): Promise<object[]> {
  await countAll(service);
  const rows = await service.sql(
    'SELECT * FROM ereignisse WHERE mandant_id = $1 ORDER BY eingabe_token DESC',
    [mandantId],
  );
  return rows.map(({ mandant_id: _mandant, schluessel_id: _key, ereignis_id, ...row }, index) =>
    EVENTS[index]?.ereignis_id ? { ...row, ereignis_id } : row,
  );
}

describe('a batch of the usual form', () => {
  test.each([
    ['in any white space', () => send(JSON.stringify({ ereignisse: EVENTS }, null, '\t'))],
    ['with a charset', () => send(compact(EVENTS), { 'content-type': 'Application/JSON; charset=utf-8' })],
  ])('%s goes the short way', async (_form, sending) => {
    const answer = await sending();
    expect(answer.statusCode, answer.body).toBe(202);
    expect(answer.json()).toEqual(ANSWER);
    expect(lastWay()).toBe('short');
  });

  test.each([
    ['gzip', gzipSync, {}],
    ['br', brotliCompressSync, {}],
    ['deflate', deflateSync, { 'idempotency-key': 'a' }],
    ['identity', (text: string) => Buffer.from(text.padEnd(140_000)), { 'idempotency-key': 'b' }],
  ] as const)(
    'in %s, packed or large, is read elsewhere and answered alike',
    async (encoding, pack, more) => {
      const sending = () => send(pack(compact(EVENTS)), { 'content-encoding': encoding, ...more });
      const answer = await sending();
      expect(answer.statusCode, answer.body).toBe(202);
      expect(answer.json()).toEqual(ANSWER);
      expect(lastWay()).toBeNull();
      const again = await sending();
      expect(again.json()).toEqual('idempotency-key' in more ? answer.json() : ANSWER);
    },
  );

  test.each(GENERAL)('is answered and stored as the same batch %s', async (_form, toText) => {
    const general = await send(toText(EVENTS));
    expect([general.statusCode, lastWay()]).toEqual([202, 'general']);
    expect(general.json()).toEqual(ANSWER);
    const expected = await countedRows();
    expect(expected).toHaveLength(EVENTS.length);

    const account = await registerAccount(service);
    mandantId = account.mandantId;
    secret = (await createKey(service, account)).secret;
    const short = await send(compact(EVENTS));
    expect([short.statusCode, lastWay()]).toEqual([202, 'short']);
    expect(short.json()).toEqual(ANSWER);
    expect(await countedRows()).toEqual(expected);
  });

  test.each([
    ['is odd', (text: string) => text.replace('rate_limit/ü', 'rate_limit\\/\\u00fc')],
    ['has an odd number', (text: string) => text.replace('"eingabe_token":2', '"eingabe_token":2.0')],
  ])('of which a part %s is answered and stored as if none were', async (_part, spoil) => {
    await send(compact(EVENTS));
    const expected = await countedRows();

    const account = await registerAccount(service);
    mandantId = account.mandantId;
    secret = (await createKey(service, account)).secret;
    const body = spoil(compact(EVENTS));
    expect(body).not.toBe(compact(EVENTS));
    const answer = await send(body);
    expect([answer.statusCode, lastWay()]).toEqual([202, 'short']);
    expect(answer.json()).toEqual(ANSWER);
    expect(await countedRows()).toEqual(expected);
  });

  test('is stored whole: the first row holds what was sent', async () => {
    await send(compact(EVENTS));
    const [row] = await countedRows();
    expect(row).toMatchObject({
      ereignis_id: EVENTS[0]?.ereignis_id?.toLowerCase(),
      agent: 'münchen/prüfer',
      projekt: 'grün',
      endkunde_ref: 'Müller & Söhne',
      prompt_fingerabdruck: Buffer.from('00ff00ff00ff00ff', 'hex'),
      eltern_span: EVENTS[0]?.eltern_span,
      geschaetzt: true,
    });
  });

  test('is not even looked at for strangers, nor as plain text', async () => {
    expect((await send(compact(EVENTS), { authorization: 'Bearer zw_fremd' })).statusCode).toBe(401);
    const plain = await send(compact(EVENTS), { 'content-type': 'text/plain' });
    expect([plain.statusCode, plain.json().detail[0].loc]).toEqual([422, ['body']]);
    expect(lastWay()).toBeNull();
  });

  test('that repeats an id is counted in every form alike', async () => {
    const id = randomUUID();
    const repeating = [{ ereignis_id: id, agent: 'a' }, { agent: 'b' }, { ereignis_id: id.toUpperCase() }];
    for (const text of [compact(repeating), JSON.stringify({ ereignisse: repeating }, null, 1)]) {
      const answer = await send(text);
      expect(answer.json()).toEqual({ ...ANSWER, angenommen: 2, doppelt_im_stapel: 1 });
    }
  });
});

describe('a fault', () => {
  test.each([
    ['a count below 0', { eingabe_token: -1 }, 'eingabe_token'],
    ['half a call', { ausgabe_token: 1.5 }, 'ausgabe_token'],
    ['a count beyond all bounds', { denk_token: 2 ** 53 }, 'denk_token'],
    ['a moment too far ahead', { zeitpunkt: '2026-11-21T10:00:01Z' }, 'zeitpunkt'],
    ['a day that never was', { zeitpunkt: '2026-02-30T10:00:00Z' }, 'zeitpunkt'],
    ['an id that is none', { ereignis_id: 'eins' }, 'ereignis_id'],
    ['a text too long', { anbieter: 'ü'.repeat(61) }, 'anbieter'],
    ['null where it may not be', { status: null }, 'status'],
    ['a fingerprint too short', { prompt_fingerabdruck: '00ff' }, 'prompt_fingerabdruck'],
    ['free data that are none', { zusatz: [] }, 'zusatz'],
  ])('is explained alike in every form: %s', async (_what, wrong, field) => {
    const events = [...EVENTS, wrong];
    const short = await send(compact(events));
    expect(short.statusCode).toBe(422);
    expect(short.json().detail.map(({ loc }: { loc: unknown }) => loc)).toEqual([
      ['body', 'ereignisse', EVENTS.length, field],
    ]);
    for (const [form, toText] of GENERAL) {
      const general = await send(toText(events));
      expect([general.statusCode, general.json()], form).toEqual([422, short.json()]);
    }
    expect(await service.sql('SELECT 1 FROM eingang WHERE mandant_id = $1', [mandantId])).toEqual([]);
  });

  test.each([
    ['a count that is half', { websuchen: 0.5 }, ['websuchen']],
    ['a count as text', { seiten: '3' }, ['seiten']],
    ['a tier that is no text', { preisstufe: 1, region: 'x'.repeat(41) }, ['preisstufe', 'region']],
    ['seconds below 0', { sekunden: -1 }, ['sekunden']],
    ['seconds as a word', { sekunden: 'drei' }, ['sekunden']],
    ['more seconds than there are', { sekunden: 1e15 }, ['sekunden']],
    ['a cost with an exponent', { gemeldete_kosten_usd: '1e9' }, ['gemeldete_kosten_usd']],
    ['a flag that is a text', { eingabe_umfasst_cache: 'ja' }, ['eingabe_umfasst_cache']],
    ['more kept for an hour than written', { cache_schreib_1h_token: 51 }, ['cache_schreib_1h_token']],
    [
      'more parts of the input than input',
      { audio_eingabe_token: 60, bild_eingabe_token: 41 },
      ['audio_eingabe_token', 'bild_eingabe_token'],
    ],
    ['more audio read from the cache than read', { audio_cache_lese_token: 31 }, ['audio_cache_lese_token']],
    ['more images than output', { bild_ausgabe_token: 21 }, ['bild_ausgabe_token']],
  ])('of what a price depends on is named in every form: %s', async (_what, zusatz, names) => {
    const event = {
      eingabe_token: 100,
      ausgabe_token: 20,
      cache_lese_token: 30,
      cache_schreib_token: 50,
      zusatz,
    };
    const short = await send(compact([...EVENTS, event]));
    expect(short.statusCode, short.body).toBe(422);
    expect(short.json().detail.map(({ loc }: { loc: unknown }) => loc)).toEqual(
      names.map((name) => ['body', 'ereignisse', EVENTS.length, 'zusatz', name]),
    );
    for (const [form, toText] of GENERAL) {
      const general = await send(toText([...EVENTS, event]));
      expect([general.statusCode, general.json()], form).toEqual([422, short.json()]);
    }
  });

  test('are no facts of a price that fit the counts, say nothing or have other names', async () => {
    const events = [
      { eingabe_token: 9, cache_schreib_token: 5, zusatz: { cache_schreib_1h_token: 5, sekunden: '12.5' } },
      { eingabe_token: 8, zusatz: { cache_schreib_1h_token: null, preisstufe: null, sekunden: 0.25 } },
      // Small numbers that JavaScript writes with an exponent.
      { zusatz: { sekunden: 1e-7, gemeldete_kosten_usd: 0.000000375 } },
      // Counts that are unknown contradict nothing; input beside the cache has room for what is cached.
      { cache_schreib_token: null, zusatz: { cache_schreib_1h_token: 5 } },
      {
        anbieter: 'anthropic',
        eingabe_token: 1,
        cache_lese_token: 40,
        zusatz: { bild_eingabe_token: 41, audio: 'ja', kosten: [] },
      },
    ];
    for (const toText of [compact, ...GENERAL.map(([, text]) => text)]) {
      const answer = await send(toText(events));
      expect(answer.statusCode, answer.body).toBe(202);
    }
  });

  test('of the headers is found beside a usual body, too', async () => {
    const answer = await send(compact(EVENTS), { 'idempotency-key': 'x'.repeat(256) });
    expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, ['header', 'idempotency-key']]);
    expect(await service.sql('SELECT 1 FROM eingang WHERE mandant_id = $1', [mandantId])).toEqual([]);
  });

  test('is a batch of too many events, in every form', async () => {
    const many = Array.from({ length: 10_001 }, () => ({ agent: 'ü' }));
    const answers = [await send(compact(many)), await send(GENERAL[0]?.[1](many) ?? '')];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([413, 413]);
    expect(answers[0]?.json()).toEqual(answers[1]?.json());
  });
});

describe('an Idempotency-Key', () => {
  const forms = () => [compact(EVENTS), ...GENERAL.map(([, toText]) => toText(EVENTS))];

  test('goes with the bytes it came with: the same ones are a repetition, others are refused', async () => {
    for (const first of forms()) {
      const headers = { 'idempotency-key': randomUUID() };
      const answer = await send(first, headers);
      expect([answer.statusCode, answer.headers['idempotency-replayed']]).toEqual([202, undefined]);
      for (const again of forms()) {
        const repeated = await send(again, headers);
        if (again === first) {
          expect([repeated.statusCode, repeated.headers['idempotency-replayed']]).toEqual([202, 'true']);
          expect(repeated.body).toBe(answer.body);
        } else {
          expect(repeated.statusCode).toBe(422);
          expect(repeated.json().detail[0].loc).toEqual(['header', 'idempotency-key']);
        }
      }
    }
    const [stored] = await service.sql('SELECT count(*)::int AS n FROM eingang WHERE mandant_id = $1', [
      mandantId,
    ]);
    expect(stored).toEqual({ n: forms().length });
  });

  test('sees through compression: the same batch packed is a repetition', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const answer = await send(compact(EVENTS), headers);
    const packed = await send(gzipSync(compact(EVENTS)), { ...headers, 'content-encoding': 'gzip' });
    expect([packed.statusCode, packed.headers['idempotency-replayed']]).toEqual([202, 'true']);
    expect(packed.body).toBe(answer.body);
  });
});
