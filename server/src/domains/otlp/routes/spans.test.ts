import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { idOfAnswer } from '#client/answer-id.ts';
import { printsOf } from '#client/prints/prints.ts';
import { KeyedPrints } from '#client/prints/sim-hash.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { SYSTEM_ROLE } from '#platform/database/index.ts';
import { createLog } from '#platform/log.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { onCluster } from '#test/database.ts';
import { type Body, bodiesOf, captures } from '#test/otlp-captures.ts';
import { handOnTold } from '#test/otlp-hand-on.ts';
import { readCrossedSums } from '#test/pieces.ts';
import { startService, type TestService } from '#test/service.ts';
import { sumOfAll } from '#test/sums-by-engine.ts';
import { countAll } from '#test/tenants.ts';
import { until } from '#test/until.ts';

const NOW = '2026-11-27T00:00:00.000Z';
const SECOND = 1_000_000_000n;
const START = BigInt(Date.parse('2026-11-26T12:00:00Z')) * 1_000_000n;
const ANSWER = 'chatcmpl-CeXvq2N0mTz5b8aQwErTyUiOpAsDf';

const logged: string[] = [];
let service: TestService;
let account: Account;
let secret: string;
beforeAll(async () => {
  service = await startService({}, createLog('debug', { write: (line: string) => void logged.push(line) }));
  service.clock.set(NOW);
});
afterAll(() => service?.stop());
beforeEach(async () => {
  account = await registerAccount(service);
  secret = (await createKey(service, account, ['Senden'])).secret;
});

const post = (url: string, payload: object | Buffer | string, headers: Record<string, string> = {}) =>
  service.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    payload,
  });

const PATHS: Record<Body['signal'], string> = {
  traces: '/v1/traces',
  logs: '/v1/logs',
  metrics: '/v1/metrics',
  other: '/v1/traces/ingest',
};

async function send(...bodies: Body[]) {
  for (const { signal, type, bytes } of bodies) {
    const answer = await post(PATHS[signal], bytes, { 'content-type': type });
    expect(answer.statusCode).toBe(200);
  }
}

/** What is packed is read in the reading thread. */
async function sendPacked({ signal, type, bytes }: Body) {
  const headers = { 'content-type': type, 'content-encoding': 'gzip' };
  expect((await post(PATHS[signal], gzipSync(bytes), headers)).statusCode).toBe(200);
}

/** `google.rpc.Status`, read by the library: its code and message. */
function statusIn(bytes: Buffer): [code: number, message: string] {
  const reader = new BinaryReader(bytes);
  let [code, message] = [0, ''];
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field === 1) code = reader.int32();
    else if (field === 2) message = reader.string();
    else reader.skip(type);
  }
  return [code, message];
}

/** What came whole is counted, what waits is not. */
const AT_ONCE = 1.5;

/** Some time passes, and all that is due is counted. */
async function settle(seconds = 60) {
  const now = service.clock.now();
  service.clock.set(new Date(now.getTime() + 1_000 * seconds).toISOString());
  await handOnTold(service, account.mandantId, service.clock.now());
  await countAll(service);
}

interface Event {
  ereignis_id: string;
  agent: string;
  lauf_id: string | null;
  eingabe_token: number | null;
  ausgabe_token: number | null;
  cache_lese_token: number | null;
  cache_schreib_token: number | null;
  status: string;
}

const events = () =>
  service.sql<Event & Record<string, unknown>>(
    'SELECT * FROM ereignisse WHERE mandant_id = $1 ORDER BY zeitpunkt, ereignis_id',
    [account.mandantId],
  );

/** What the sums say. */
async function sums() {
  const summe = await sumOfAll(service, account.mandantId);
  return {
    aufrufe: summe.aufrufe,
    fehler: summe.fehler,
    eingabe: summe.eingabe_token,
    ausgabe: summe.ausgabe_token,
    gelesen: summe.cache_lese_token,
    geschrieben: summe.cache_schreib_token,
    denk: summe.denk_token,
    usd: summe.kosten_usd ?? '0',
  };
}

/** The pieces of the account, added up by all values and minute. */
const crossedSums = async () =>
  Object.entries(await readCrossedSums(service.sql)).filter(([key]) => key.includes(account.mandantId));

/** All running sums by the hour, histograms and all; and those by key and by run, and pieces. */
async function allSums() {
  const hours = await service.sql(
    `SELECT v.*, m.text AS wert FROM verbrauch_laufend_stunde v LEFT JOIN merkmale m USING (mandant_id, merkmal_id)
     WHERE v.mandant_id = $1`,
    [account.mandantId],
  );
  const keys = await service.sql('SELECT * FROM verbrauch_schluessel WHERE mandant_id = $1', [
    account.mandantId,
  ]);
  const runs = await service.sql('SELECT * FROM laeufe WHERE mandant_id = $1 ORDER BY lauf_id', [
    account.mandantId,
  ]);
  const [stand] = await service.sql('SELECT ereignisse_gesamt FROM zaehlstaende WHERE mandant_id = $1', [
    account.mandantId,
  ]);
  const numbers = (row: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(row).filter(
        ([name]) =>
          !/^(mandant_id|merkmal_id|schluessel_id|letzter_aufruf_am|angelegt_am|geaendert_am|fassung)$/.test(
            name,
          ),
      ),
    );
  const counted = hours.map(numbers).filter((row) => Number(row.aufrufe) !== 0);
  const empty = hours.filter((row) => Number(row.aufrufe) === 0);
  // What was taken back to the last call has left nothing.
  for (const {
    mandant_id: _,
    merkmal_id: __,
    dimension: ___,
    stunde: ____,
    wert: _____,
    ...figures
  } of empty)
    expect(
      Object.values(figures)
        .map(Number)
        .every((figure) => figure === 0),
    ).toBe(true);
  const inOrder = (rows: object[]) => rows.map((row) => JSON.stringify(row)).sort();
  return {
    hours: inOrder(counted),
    pieces: Object.fromEntries(
      (await crossedSums()).map(([key, figures]) => [JSON.stringify(JSON.parse(key).slice(1)), figures]),
    ),
    keys: inOrder(keys.map(numbers).filter((row) => Number(row.aufrufe) !== 0)),
    runs: runs.map(numbers),
    stand,
  };
}

/** The same, of the events that stand. */
async function sumsOfEvents() {
  const [row] = await service.sql<Record<string, string>>(
    `SELECT count(*)::text AS aufrufe, count(*) FILTER (WHERE status <> 'erfolgreich')::text AS fehler,
       coalesce(sum(eingabe_token), 0)::text AS eingabe, coalesce(sum(ausgabe_token), 0)::text AS ausgabe,
       coalesce(sum(cache_lese_token), 0)::text AS gelesen, coalesce(sum(cache_schreib_token), 0)::text AS geschrieben,
       coalesce(sum(denk_token), 0)::text AS denk, trim_scale(coalesce(sum(kosten_usd), 0))::text AS usd
     FROM ereignisse WHERE mandant_id = $1`,
    [account.mandantId],
  );
  return row;
}

const attribute = (key: string, value: string | number) => ({
  key,
  value: typeof value === 'string' ? { stringValue: value } : { intValue: value },
});

interface SpanGiven {
  trace?: string;
  id: string;
  parent?: string;
  scope?: string;
  from?: bigint;
  attributes?: Record<string, string | number>;
}

/** A request with spans of a second each. */
const request = (...spans: SpanGiven[]) => ({
  resourceSpans: spans.map(
    ({ trace = 'a'.repeat(32), id, parent, scope = 'test', from = 0n, attributes = {} }) => ({
      resource: { attributes: [attribute('service.instance.id', 'one')] },
      scopeSpans: [
        {
          scope: { name: scope },
          spans: [
            {
              traceId: trace,
              spanId: id.repeat(16),
              ...(parent === undefined ? {} : { parentSpanId: parent.repeat(16) }),
              name: 'chat',
              startTimeUnixNano: String(START + from * SECOND),
              endTimeUnixNano: String(START + (from + 1n) * SECOND),
              attributes: Object.entries(attributes).map(([key, value]) => attribute(key, value)),
            },
          ],
        },
      ],
    }),
  ),
});

const chat = (input: number, output: number, more: Record<string, string | number> = {}) => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-4o-mini',
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
  ...more,
});

describe('a request', () => {
  const one = request({ id: '1', attributes: chat(10, 5) });

  test.each(['/v1/otlp/v1/traces', '/v1/traces', '/api/public/otel/v1/traces', '/otel/v1/traces'])(
    'at %s is a call, counted once',
    async (path) => {
      const answer = await post(path, one);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(answer.json()).toEqual({});
      await settle();
      expect(await events()).toMatchObject([{ eingabe_token: 10, ausgabe_token: 5, quelle: 'otlp' }]);
      expect(await sums()).toMatchObject({ aufrufe: '1', eingabe: '10', ausgabe: '5' });
    },
  );

  test('may be packed', async () => {
    expect(
      (await post('/v1/traces', gzipSync(JSON.stringify(one)), { 'content-encoding': 'gzip' })).statusCode,
    ).toBe(200);
    expect(
      (await post('/v1/traces', deflateSync(JSON.stringify(one)), { 'content-encoding': 'deflate' }))
        .statusCode,
    ).toBe(200);
    await settle();
    expect(await events()).toHaveLength(1);
  });

  test('in Protocol Buffers is answered with nothing in Protocol Buffers', async () => {
    const empty = Buffer.from([0x0a, 0x00]);
    const answer = await post('/v1/traces', empty, { 'content-type': 'application/x-protobuf' });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/x-protobuf');
    expect(answer.rawPayload).toHaveLength(0);
  });

  test('with calls in no time that can be counted says how many were refused', async () => {
    const old = { ...request({ id: '2', attributes: chat(1, 1) }) };
    const body = JSON.parse(JSON.stringify(old).replaceAll(String(START), '0'));
    expect((await post('/v1/traces', body)).json()).toEqual({
      partialSuccess: { rejectedSpans: '1', errorMessage: expect.any(String) },
    });
  });

  test.each([
    ['authorization', () => `Bearer ${secret}`],
    ['authorization', () => `Basic ${Buffer.from(`pk-lf-1:${secret}`).toString('base64')}`],
    ['authorization', () => `Basic ${Buffer.from(`${secret}:sk-lf-1`).toString('base64')}`],
    ['x-api-key', () => secret],
    ['x-svc-key', () => secret],
  ])('may have its key in %s', async (name, value) => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/traces',
      headers: { 'content-type': 'application/json', [name]: value() },
      payload: one,
    });
    expect(answer.statusCode).toBe(200);
  });

  test('without a key, with a wrong one or one that may not send is refused', async () => {
    expect((await post('/v1/traces', one, { authorization: '' })).statusCode).toBe(401);
    expect((await post('/v1/traces', one, { authorization: 'Basic eDp5' })).statusCode).toBe(401);
    const reading = await createKey(service, account, ['Lesen']);
    expect((await post('/v1/traces', one, { authorization: `Bearer ${reading.secret}` })).statusCode).toBe(
      403,
    );
  });

  test('that cannot be read is refused for good, never with 500', async () => {
    const protobuf = { 'content-type': 'application/x-protobuf' };
    for (const bytes of [Buffer.from('not protobuf'), randomBytes(500), Buffer.from([0x0a, 0xff])])
      expect([200, 400]).toContain((await post('/v1/traces', bytes, protobuf)).statusCode);
    expect((await post('/v1/traces', Buffer.from([0x0a, 0xff, 0x01]), protobuf)).statusCode).toBe(400);
    expect((await post('/v1/traces', '{')).statusCode).toBe(400);
    expect((await post('/v1/traces', { resourceSpans: 'x' })).statusCode).toBe(400);
    expect(
      (await post('/v1/traces', gzipSync('x'.repeat(20)).subarray(0, 9), { 'content-encoding': 'gzip' }))
        .statusCode,
    ).toBe(400);
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect((await post('/v1/traces', bomb, { ...protobuf, 'content-encoding': 'gzip' })).statusCode).toBe(
      413,
    );
  });

  test('in Protocol Buffers is refused in Protocol Buffers, in JSON in JSON', async () => {
    const refused = async (bytes: Buffer, headers: Record<string, string> = {}) => {
      const type = { 'content-type': 'application/x-protobuf', ...headers };
      const answer = await post('/v1/traces', bytes, type);
      expect(answer.headers['content-type']).toBe('application/x-protobuf');
      expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.length);
      return [answer.statusCode, ...statusIn(answer.rawPayload)];
    };
    const empty = Buffer.from([0x0a, 0x00]);
    expect(await refused(Buffer.from([0x0a, 0xff, 0x01]))).toEqual([
      400,
      3,
      expect.stringMatching(/parsing/),
    ]);
    expect(await refused(empty, { authorization: '' })).toEqual([
      401,
      16,
      expect.stringMatching(/^Der Schlüssel/),
    ]);
    const { secret: reading } = await createKey(service, account, ['Lesen']);
    expect(await refused(empty, { authorization: `Bearer ${reading}`, 'accept-language': 'de' })).toEqual([
      403,
      7,
      expect.stringMatching(/Senden|darf/),
    ]);
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(await refused(bomb, { 'content-encoding': 'gzip' })).toEqual([413, 8, expect.any(String)]);
    const json = await post('/v1/traces', '{');
    expect(json.headers['content-type']).toMatch(/^application\/json/);
    expect(json.json()).toEqual({ detail: expect.any(String) });
  });

  test('with many long prompts is ordinary: it is taken as often as it comes', async () => {
    const words = readFileSync(join(import.meta.dirname, '../../../../../README.md'), 'utf8').split(/\s+/);
    const promptOf = (n: number) => {
      const said = Array.from({ length: 400 }, (_, i) => words[(37 * n + i) % words.length]);
      return JSON.stringify([{ role: 'user', content: said.join(' ') }]);
    };
    const spans = Array.from({ length: 250 }, (_, n) => ({
      trace: n.toString(16).padStart(32, '0'),
      id: '1',
      attributes: chat(10, 5, { 'gen_ai.input.messages': promptOf(n) }),
    }));
    const body = JSON.stringify(request(...spans));
    for (let time = 0; time < 4; time += 1) {
      const answer = await post('/v1/traces', body);
      expect(answer.statusCode, answer.body).toBe(200);
    }
    // What the service itself hands on meanwhile is left to it.
    await until('all calls', async () => {
      await settle();
      return (await sums())?.aufrufe === '250';
    });
  });

  test('may name its end customer as the Mandant says, and as others do', async () => {
    await service.app.inject({
      method: 'PUT',
      url: '/v1/cockpit/mandant/zuordnung',
      headers: { cookie: account.cookie },
      payload: {
        endkunde_namen: ['kundennummer'],
        funktion_namen: ['vorgang'],
        projekt_namen: ['kostenstelle'],
        abo_weiterbelasten: false,
      },
    });
    const own = { kundennummer: 'k-1', customer: 'acme', vorgang: 'angebot', kostenstelle: '4711' };
    await post('/v1/traces', request({ id: '1', attributes: chat(10, 5, own) }));
    await post('/v1/traces', request({ id: '2', from: 2n, attributes: chat(11, 5, { customer: 'acme' }) }));
    await settle();
    expect(await events()).toMatchObject([
      { endkunde_ref: 'k-1', funktion_ref: 'angebot', projekt: '4711' },
      { endkunde_ref: 'acme', funktion_ref: null },
    ]);
  });

  test('of a subscription has its list price and is on nobody’s bill', async () => {
    const paid = { customer: 'acme', subscription: 'true' };
    await post('/v1/traces', request({ id: '1', attributes: chat(1_000_000, 5, paid) }));
    await settle();
    const [event] = await events();
    expect(event).toMatchObject({ endkunde_ref: null, zusatz: { abonnement: true, endkunde: 'acme' } });
    expect(Number(event?.kosten_usd)).toBeGreaterThan(0.1);
  });

  test.each([['18446744073709551615'], [1e300]])(
    'whose end is in no time holds up nothing (%s)',
    async (end) => {
      const body = request({ id: '1', attributes: chat(10, 5) });
      const [span] = body.resourceSpans[0]?.scopeSpans[0]?.spans ?? [];
      Object.assign(span as object, { endTimeUnixNano: end });
      expect((await post('/v1/traces', body)).statusCode).toBe(200);
      await post('/v1/traces', request({ id: '2', trace: 'b'.repeat(32), attributes: chat(20, 5) }));
      await settle();
      expect(await sums()).toMatchObject({ aufrufe: '2', eingabe: '30' });
    },
  );

  test('of LangSmith is preceded by a question', async () => {
    expect((await service.app.inject({ url: '/info' })).statusCode).toBe(200);
  });
});

describe('a call is counted', () => {
  const agent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'writer' };

  test('at once where all that stands around it is known', async () => {
    const spans = [
      { id: '1', parent: '2', attributes: chat(10, 5) },
      { id: '2', attributes: agent },
    ];
    await post('/v1/traces', request(...spans));
    await settle(AT_ONCE);
    expect(await events()).toMatchObject([{ agent: 'writer', eingabe_token: 10 }]);
  });

  test('later where something around it may come, at once when that has come', async () => {
    await post('/v1/traces', request({ id: '1', parent: '2', attributes: chat(10, 5) }));
    await settle(AT_ONCE);
    expect(await events()).toEqual([]);
    await post('/v1/traces', request({ id: '2', attributes: agent }));
    await settle(AT_ONCE);
    expect(await events()).toMatchObject([{ agent: 'writer', eingabe_token: 10 }]);
    await post(
      '/v1/traces',
      request({ id: '3', trace: 'b'.repeat(32), parent: '4', attributes: chat(20, 5) }),
    );
    await settle(7);
    expect(await events()).toMatchObject([{ agent: 'writer' }, { agent: 'unbekannt', eingabe_token: 20 }]);
  });

  test('at once beside what is told of it elsewhere, which corrects it', async () => {
    const one = { id: '1', scope: 'one', attributes: chat(1_000, 7) };
    await post('/v1/traces', request(one));
    await settle(AT_ONCE);
    expect(await sums()).toMatchObject({ aufrufe: '1', gelesen: '0' });
    const better = chat(1_000, 7, { 'gen_ai.usage.cache_read.input_tokens': 800 });
    await post('/v1/traces', request({ id: '2', trace: 'b'.repeat(32), scope: 'other', attributes: better }));
    await settle(AT_ONCE);
    expect(await sums()).toMatchObject({ aufrufe: '1', eingabe: '1000', gelesen: '800' });
    expect(await sums()).toEqual(await sumsOfEvents());
  });

  test('later where its program writes a log record, too', async () => {
    await post('/v1/traces', request({ id: '1', scope: 'gemini-cli', attributes: chat(10, 5) }));
    await settle(AT_ONCE);
    expect(await events()).toEqual([]);
    await settle(7);
    expect(await events()).toHaveLength(1);
    await post(
      '/v1/traces',
      request({ id: '2', trace: 'b'.repeat(32), scope: 'opencode', attributes: chat(20, 5) }),
    );
    await settle(AT_ONCE);
    expect(await events()).toHaveLength(2);
  });
});

describe('each call once', () => {
  test('an event of the package and a span of the same answer are one', async () => {
    const ereignis = {
      ereignis_id: idOfAnswer(ANSWER, 0),
      anbieter: 'openai',
      modell: 'gpt-4o-mini',
      eingabe_token: 10,
      ausgabe_token: 5,
    };
    expect((await post('/v1/ereignisse', { ereignisse: [ereignis] })).statusCode).toBe(202);
    await post('/v1/traces', request({ id: '1', attributes: chat(10, 5, { 'gen_ai.response.id': ANSWER }) }));
    await settle();
    expect(await events()).toHaveLength(1);
    expect(await sums()).toMatchObject({ aufrufe: '1', eingabe: '10' });
  });

  test('what the package said of it stands, whatever spans say later, and whatever it has put beside it', async () => {
    const ereignis = {
      ereignis_id: idOfAnswer(ANSWER, 0),
      zeitpunkt: new Date(Number(START / 1_000_000n)).toISOString(),
      modell: 'gpt-4o-mini',
      eingabe_token: 10,
      ausgabe_token: 5,
      zusatz: { otlp_fassung: 'x' },
    };
    expect((await post('/v1/ereignisse', { ereignisse: [ereignis] })).statusCode).toBe(202);
    const id = { 'gen_ai.response.id': ANSWER };
    await post('/v1/traces', request({ id: '1', scope: 'worse', attributes: chat(11, 7, id) }));
    await settle();
    const better = chat(11, 6, { ...id, 'gen_ai.usage.cache_read.input_tokens': 8 });
    await post(
      '/v1/traces',
      request({ id: '2', trace: 'b'.repeat(32), scope: 'better', attributes: better }),
    );
    await settle();
    expect(await events()).toMatchObject([{ eingabe_token: 10, ausgabe_token: 5 }]);
    expect(await sums()).toEqual(await sumsOfEvents());
    for (const table of ['eingang', 'eingang_unzaehlbar'])
      expect(await service.sql(`SELECT FROM ${table} WHERE mandant_id = $1`, [account.mandantId])).toEqual(
        [],
      );
  });

  test('repeated, and of another Mandant apart', async () => {
    const body = request({ id: '1', attributes: chat(10, 5, { 'gen_ai.response.id': ANSWER }) });
    await post('/v1/traces', body);
    await settle();
    await post('/v1/traces', body);
    await settle();
    expect(await sums()).toMatchObject({ aufrufe: '1', eingabe: '10' });
    account = await registerAccount(service);
    secret = (await createKey(service, account, ['Senden'])).secret;
    await post('/v1/traces', body);
    await settle();
    expect(await sums()).toMatchObject({ aufrufe: '1', eingabe: '10' });
  });

  test('a better source that comes later corrects what was counted', async () => {
    const id = { 'gen_ai.response.id': ANSWER };
    await post('/v1/traces', request({ id: '1', scope: 'worse', attributes: chat(1_000, 7, id) }));
    await settle();
    expect(await sums()).toMatchObject({ aufrufe: '1', eingabe: '1000', ausgabe: '7', gelesen: '0' });
    const better = chat(1_000, 5, { ...id, 'gen_ai.usage.cache_read.input_tokens': 800 });
    await post(
      '/v1/traces',
      request({ id: '2', trace: 'b'.repeat(32), scope: 'better', attributes: better }),
    );
    await settle();
    expect(await events()).toMatchObject([{ eingabe_token: 1_000, ausgabe_token: 5, cache_lese_token: 800 }]);
    expect(await sums()).toEqual(await sumsOfEvents());
    expect(await sums()).toMatchObject({ aufrufe: '1', ausgabe: '5', gelesen: '800' });
  });

  test('a parent that comes later says who it was, in all sums and runs', async () => {
    await post('/v1/traces', request({ id: '1', parent: '2', attributes: chat(10, 5) }));
    await settle();
    expect(await events()).toMatchObject([{ agent: 'unbekannt' }]);
    const run = '01a21747-3cc2-71fe-bdf8-55c6e2b4a792';
    const agent = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'writer',
      'gen_ai.agent.call.id': run,
      customer: 'acme',
    };
    await post('/v1/traces', request({ id: '2', attributes: agent }));
    await settle();
    expect(await events()).toMatchObject([{ agent: 'writer', lauf_id: run, endkunde_ref: 'acme' }]);
    expect(await sums()).toEqual(await sumsOfEvents());
    const runs = await service.sql('SELECT lauf_id, aufrufe, agent FROM laeufe WHERE mandant_id = $1', [
      account.mandantId,
    ]);
    expect(runs).toMatchObject([{ lauf_id: run, aufrufe: 1, agent: 'writer' }]);
  });

  test('calls of one process, each a trace of its own, stand beside each other whenever they are told', async () => {
    const one = request({ id: '1', trace: 'c'.repeat(32), attributes: chat(10, 5) });
    const other = request({ id: '2', trace: 'd'.repeat(32), from: 3n, attributes: chat(20, 6) });
    for (const body of [one, other]) {
      await post('/v1/traces', body);
      await settle();
    }
    expect(await sums()).toMatchObject({ aufrufe: '2', eingabe: '30' });
    await post('/v1/traces', one);
    await settle();
    expect(await sums()).toMatchObject({ aufrufe: '2', eingabe: '30' });
    expect(await sums()).toEqual(await sumsOfEvents());
  });

  test('what turns out to stand around a call is taken back', async () => {
    await post('/v1/traces', request({ id: '1', scope: 'outer', attributes: chat(10, 5) }));
    await settle();
    expect(await sums()).toMatchObject({ aufrufe: '1' });
    await post(
      '/v1/traces',
      request({
        id: '2',
        parent: '1',
        scope: 'inner',
        attributes: chat(10, 5, { 'gen_ai.response.id': ANSWER }),
      }),
    );
    await settle();
    expect(await events()).toMatchObject([{ ereignis_id: idOfAnswer(ANSWER, 0) }]);
    expect(await sums()).toEqual(await sumsOfEvents());
    expect(await sums()).toMatchObject({ aufrufe: '1', eingabe: '10' });
  });
});

const SECRETS = Array.from({ length: 20 }, (_, at) => `geheim${at}${randomBytes(6).toString('hex')}`);

/** Asks as the superuser, who may read files. */
async function asSuperuser<R extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<R[]> {
  const client = new pg.Client({ ...service.connection, user: SYSTEM_ROLE });
  await client.connect();
  return client
    .query<R>(sql, values)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

const walFile = async () =>
  (await asSuperuser<{ name: string }>('SELECT pg_walfile_name(pg_current_wal_lsn()) AS name'))[0]?.name;

/** Which of the texts stand in the log of the database, from that file on. One that a checkpoint takes away meanwhile is left out. */
const foundInWal = async (from: string | undefined, texts: string[]): Promise<string[]> =>
  (
    await asSuperuser<{ text: string }>(
      `SELECT DISTINCT text FROM pg_ls_waldir() AS w, unnest($2::text[]) AS text
       WHERE w.name >= $1 AND w.name <= pg_walfile_name(pg_current_wal_lsn())
         AND position(convert_to(text, 'UTF8') IN pg_read_binary_file('pg_wal/' || w.name, 0, w.size, true)) > 0 ORDER BY 1`,
      [from, texts],
    )
  ).map(({ text }) => text);

test.skipIf(onCluster())(
  'no word of a prompt or an answer is stored anywhere; fingerprints are',
  async () => {
    const [first, ...others] = SECRETS as [string, ...string[]];
    const messages = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: first }] }]);
    const places = [
      'gen_ai.output.messages',
      'gen_ai.system_instructions',
      'gen_ai.prompt',
      'gen_ai.completion',
      'input.value',
      'output.value',
      'ai.prompt.messages',
      'ai.response.text',
      'langfuse.observation.input',
      'langfuse.observation.output',
      'llm.input_messages.0.message.content',
      'traceloop.entity.input',
      'exception.message',
      'gen_ai.tool.call.arguments',
      'tool_arguments',
      'final_result',
      'llm.prompts',
      'db.statement',
      'gen_ai.tool.description',
    ];
    const content = Object.fromEntries(places.map((place, at) => [place, others[at] as string]));
    const from = await walFile();
    const attributes = chat(10, 5, {
      ...content,
      'gen_ai.input.messages': messages,
      'gen_ai.response.id': ANSWER,
    });
    const body = JSON.stringify(request({ id: '1', attributes }));
    // Read on the event loop, and in the thread.
    expect((await post('/v1/traces', body)).statusCode).toBe(200);
    const packed = { 'content-encoding': 'gzip' };
    expect((await post('/v1/traces', gzipSync(body), packed)).statusCode).toBe(200);
    // What is refused stands in no log either.
    expect((await post('/v1/traces', gzipSync(body.slice(0, -1)), packed)).statusCode).toBe(400);
    await settle();
    const key = service.context.secrets.derive('fingerprints', mandantId(account.mandantId)).toString('hex');
    const asked = printsOf({ messages: [{ role: 'user', content: first }] }, [], new KeyedPrints(key));
    expect(await events()).toMatchObject([{ prompt_fingerabdruck: expect.anything() }]);
    const prints = await service.sql(
      "SELECT encode(prompt_fingerabdruck, 'hex') AS print FROM ereignisse WHERE mandant_id = $1",
      [account.mandantId],
    );
    expect(prints).toEqual([{ print: asked.prompt_fingerabdruck }]);
    for (const each of SECRETS) expect(logged.join(''), 'the log').not.toContain(each);
    expect(logged.join('')).toContain('otlp.spans');
    expect(await foundInWal(from, SECRETS)).toEqual([]);
    // What is there is found.
    expect(await foundInWal(from, ['is nowhere at all', ANSWER])).toEqual([ANSWER]);
    const tables = await service.sql<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
    );
    for (const { name } of tables) {
      const rows = await service.sql<{ row: string }>(`SELECT t::text AS row FROM "${name}" AS t`);
      const texts = rows
        .map(({ row }) => row + Buffer.from(row.replaceAll(/[^0-9a-f]/g, ''), 'hex').toString('latin1'))
        .join('\n');
      for (const each of SECRETS) expect(texts, name).not.toContain(each);
    }
  },
);

describe.skipIf(captures().length === 0)('what real libraries sent', () => {
  test.each(captures())('%s, split and shuffled, adds up to the same', async (capture) => {
    const bodies = bodiesOf(capture);
    await send(...bodies);
    await settle();
    const atOnce = await sums();
    expect(atOnce).toEqual(await sumsOfEvents());
    const whole = await allSums();
    account = await registerAccount(service);
    secret = (await createKey(service, account, ['Senden'])).secret;
    for (const body of bodies.toReversed()) {
      await sendPacked(body);
      await settle(AT_ONCE);
    }
    await settle();
    // One after the other, each once, what is whole at once; and then all again.
    expect(await sums()).toEqual(atOnce);
    expect(await allSums()).toEqual(whole);
    await send(...bodies);
    await settle();
    expect(await sums()).toEqual(atOnce);
    expect(await sumsOfEvents()).toEqual(atOnce);
    expect(await allSums()).toEqual(whole);
  });
});
