/** A session of Claude Code that its telemetry tells of, and its transcripts or the proxy, too: every call counts once, whichever comes first. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readTranscripts } from '#client/commands/claude-code.ts';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { type Account, createKey, type Key, registerAccount } from '#test/account.ts';
import { TRANSCRIPTS, telemetry, telemetryWithoutRequests, trueCalls } from '#test/claude-code-capture.ts';
import type { SentCall } from '#test/counted-anew.ts';
import { applyImport, readFile, undoImport } from '#test/imports.ts';
import { ownerOf } from '#test/jobs.ts';
import { handOnTold } from '#test/otlp-hand-on.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
let account: Account;
let key: Key;
let calls: SentCall[];
beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-11-28T12:00:00.000Z');
  owner = ownerOf(service);
  calls = (await readTranscripts(TRANSCRIPTS, {})).events as SentCall[];
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});
beforeEach(async () => {
  account = await registerAccount(service);
  key = await createKey(service, account);
});

async function post(url: string, payload: string | object, secret = key.secret): Promise<void> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  const answer = await service.app.inject({ method: 'POST', url, headers, payload });
  expect(answer.statusCode, answer.body).toBeLessThan(300);
}

async function count(): Promise<void> {
  const { log } = service.context;
  await createCountingWorker({ db: owner, log, prices: createPriceList(), substituteRate: '0.86' }).drain();
}

async function tell(bodies = telemetry(), { mandantId } = account, secret = key.secret): Promise<void> {
  for (const { path, body } of bodies) await post(path, body, secret);
  const later = new Date(service.clock.now().getTime() + 600_000);
  await handOnTold(service, mandantId, later);
  await count();
}

const counted = () =>
  service.sql<{ quelle: string; token: string }>(
    `SELECT quelle, eingabe_ohne_cache || ' ' || cache_lese_token || ' ' || cache_schreib_token || ' ' || ausgabe_gesamt AS token
     FROM ereignisse WHERE mandant_id = $1 ORDER BY eingabe_ohne_cache`,
    [account.mandantId],
  );
const TRUE = trueCalls().map((call) =>
  [
    call.input_tokens,
    call.cache_read_input_tokens,
    call.cache_creation_input_tokens,
    call.output_tokens,
  ].join(' '),
);
const sources = (...names: string[]) => TRUE.map((token, index) => ({ quelle: names[index], token }));
const FOUR = ['otlp', 'otlp', 'otlp', 'otlp'];

describe.each([
  ['by the request', telemetry],
  ['by session, model, counts and instant', telemetryWithoutRequests],
  ['by its logs alone', () => telemetry().slice(0, 1)],
])('known %s', (_how, bodies) => {
  test('an import leaves out what telemetry has told of, and says so before and after', async () => {
    await tell(bodies());
    expect(await counted()).toHaveLength(4);
    const read = await readFile(service, account, key.schluesselId, { calls });
    expect(read).toMatchObject({ aufrufe: 6, bekannt: 4, bekannt_telemetrie: 4 });
    const done = await applyImport(service, owner, account, read.import_id);
    expect(done).toMatchObject({ angenommen: 2, schon_da: 4, schon_da_telemetrie: 4, abgewiesen: 0 });
    expect(await counted()).toEqual(sources(...FOUR, 'import:claude-code', 'import:claude-code'));
    // Once more: two are known by their ids now.
    const again = await readFile(service, account, key.schluesselId, { calls });
    expect(again).toMatchObject({ aufrufe: 6, bekannt: 6, bekannt_telemetrie: 4 });
    await undoImport(service, owner, account, read.import_id);
    expect(await counted()).toHaveLength(4);
  });
});

test('what the command sends counts likewise, and what was counted before keeps its id', async () => {
  await post('/v1/ereignisse', { ereignisse: calls.slice(0, 1) });
  await count();
  await tell();
  await post('/v1/ereignisse', { ereignisse: calls });
  await count();
  expect((await counted()).map(({ quelle }) => quelle).sort()).toEqual([
    ...['import:claude-code', 'import:claude-code', 'import:claude-code'],
    ...FOUR.slice(1),
  ]);
});

/** The same calls as the proxy tells of them, under another name of their agent, as its address gives it. */
const byProxy = (agent: string, isNamed: boolean) =>
  calls.map(({ quelle: _, zusatz, ...call }) => ({
    ...{ ...call, agent, latenz_ms: 300 },
    ...(isNamed ? { zusatz } : {}),
  }));

describe.each([
  ['by the request', telemetry, true],
  ['by session, model, counts and instant', telemetryWithoutRequests, true],
  ['by these where the proxy knows no request', telemetry, false],
])('told before, known %s', (_how, bodies, isNamed) => {
  test('telemetry adds nothing to an import, which leaves its calls when it is undone', async () => {
    const { import_id } = await readFile(service, account, key.schluesselId, { calls });
    await applyImport(service, owner, account, import_id);
    await tell(bodies());
    expect(await counted()).toEqual(sources(...Array<string>(6).fill('import:claude-code')));
    await tell(bodies());
    await undoImport(service, owner, account, import_id);
    expect(await counted()).toEqual(sources(...Array<string>(6).fill('import:claude-code')).slice(0, 4));
  });

  test.each(['before it', 'with it', 'after it'])('the proxy and telemetry, told %s', async (when) => {
    const agent = isNamed || when === 'before it' ? 'triage' : 'claude-code';
    const proxied = { ereignisse: byProxy(agent, isNamed) };
    if (when === 'after it') await tell(bodies());
    await post('/v1/ereignisse', proxied);
    if (when !== 'with it') await count();
    if (when !== 'after it') await tell(bodies());
    const first = when === 'after it' ? FOUR : Array<string>(4).fill('ingest');
    expect(await counted()).toEqual(sources(...first, 'ingest', 'ingest'));
    // … and what the transcripts keep of them, as they name them.
    await post('/v1/ereignisse', { ereignisse: calls });
    await count();
    expect(await counted()).toHaveLength(6);
  });
});

const SESSION = '01a21747-3cc2-71fe-bdf8-55c6e2b4a792';
const MODEL = 'gpt-5.1-codex';

/** What Codex tells of a call: when its answer was whole, without a name for it. */
function ofCodex(second: number, outputs: number): { path: string; body: string } {
  const said = {
    'event.name': 'codex.sse_event',
    'event.kind': 'response.completed',
    'conversation.id': SESSION,
    model: MODEL,
    input_token_count: '1210',
    output_token_count: String(outputs),
    cached_token_count: '1024',
    reasoning_token_count: '256',
  };
  const attributes = Object.entries(said).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  const timeUnixNano = `${Date.parse('2026-11-28T10:00:00Z') / 1_000 + second}000000000`;
  const resource = { attributes: [{ key: 'service.name', value: { stringValue: 'codex_exec' } }] };
  const scopeLogs = [{ scope: { name: 'codex' }, logRecords: [{ timeUnixNano, attributes }] }];
  return { path: '/v1/logs', body: JSON.stringify({ resourceLogs: [{ resource, scopeLogs }] }) };
}

test('a session of Codex by the proxy and by telemetry counts once, and no two of its calls become one', async () => {
  const call = (second: number, outputs: number) => ({
    ereignis_id: crypto.randomUUID(),
    zeitpunkt: `2026-11-28T10:00:${second}.000Z`,
    ...{ anbieter: 'openai', modell: `${MODEL}-2026-08-07`, agent: 'triage', lauf_id: SESSION },
    ...{ eingabe_token: 1_210, ausgabe_token: outputs, cache_lese_token: 1_024, cache_schreib_token: 0 },
    ...{ denk_token: 256, latenz_ms: 4_000 },
  });
  await post('/v1/ereignisse', { ereignisse: [call(20, 341), call(30, 342)] });
  await count();
  // A third call, and one like the first that the proxy has not seen.
  await tell([ofCodex(24, 341), ofCodex(34, 342), ofCodex(44, 343), ofCodex(54, 341)]);
  expect((await counted()).map(({ quelle }) => quelle).sort()).toEqual(['ingest', 'ingest', 'otlp', 'otlp']);
});

test('neither another account nor another session, nor another time with the same counts, makes a call known', async () => {
  const other = await registerAccount(service);
  await tell(telemetryWithoutRequests(), other, (await createKey(service, other)).secret);
  const preview = async (change: (call: SentCall) => object) => {
    const changed = calls.map((call) => ({ ...call, ...change(call) }) as SentCall);
    return (await readFile(service, account, key.schluesselId, { calls: changed })).bekannt_telemetrie;
  };
  expect(await preview(() => ({}))).toBe(0);
  await tell(telemetryWithoutRequests());
  expect(await preview(() => ({}))).toBe(4);
  expect(await preview(() => ({ lauf_id: '0192f5c1-7d2e-7c3a-9b61-0a4f5e6d7c8b' }))).toBe(0);
  expect(await preview(() => ({ zeitpunkt: '2026-11-28T00:10:00.000Z' }))).toBe(0);
  expect(await preview(() => ({ ausgabe_token: 7 }))).toBe(0);
  expect(await preview(() => ({ modell: 'claude-opus-4-1' }))).toBe(0);
  expect(await preview(() => ({ modell: 'claude-sonnet-4-5-20250929' }))).toBe(4);
  expect(await preview(() => ({ quelle: 'import:litellm' }))).toBe(0);
});
