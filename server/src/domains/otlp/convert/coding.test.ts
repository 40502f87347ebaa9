import { describe, expect, it } from 'vitest';
import { idOfAnswer } from '#client/answer-id.ts';
import { telemetry, trueCalls } from '#test/claude-code-capture.ts';
import { bodiesOf, captures, recordsOf } from '#test/otlp-captures.ts';
import { readJson } from '../wire/json.ts';
import type { Attributes, OtlpRecord } from '../wire/record.ts';
import { type Call, callsOf } from './calls.ts';
import { eventOf } from './events.ts';
import { sight } from './sighting.ts';
import { DEFAULT_NAMES } from './who.ts';

const SECOND = 1_000_000;
const START = 1_795_000_000 * SECOND;

interface Given {
  attributes: Attributes;
  scope?: string;
  resource?: Attributes;
  name?: string;
  trace?: string;
}

const record = (
  signal: OtlpRecord['signal'],
  { attributes, scope = '', resource = {}, name = '', trace }: Given,
): OtlpRecord => ({
  signal,
  origin: { scope, version: null, resource },
  trace: trace ?? (signal === 'span' ? '0123456789abcdef0123456789abcdef' : null),
  span: signal === 'span' ? (trace ?? 'a').slice(0, 16) : null,
  parent: null,
  name,
  begin: START,
  end: START + SECOND,
  failed: false,
  attributes,
  events: [],
});

const callsIn = (...records: OtlpRecord[]): Call[] =>
  callsOf(records.flatMap((each) => sight(each, DEFAULT_NAMES, null) ?? []));

const only = (one: OtlpRecord) => {
  const [call] = callsIn(one) as [Call];
  return eventOf(call);
};

const claude = (attributes: Attributes, resource: Attributes = {}) =>
  record('log', {
    scope: 'com.anthropic.claude_code.events',
    name: 'claude_code.api_request',
    resource: { 'service.name': 'claude-code', ...resource },
    attributes: {
      'event.name': 'api_request',
      'session.id': 'ae4e8074-6886-4e30-b3cd-1765a41ba9d4',
      'prompt.id': '37441d07-33b7-4020-a098-d88f0907711f',
      'event.sequence': 2,
      'user.id': 'a16a04',
      model: 'claude-sonnet-4-5',
      input_tokens: '21',
      output_tokens: '78',
      ...attributes,
    },
  });
const codex = (attributes: Attributes) =>
  record('log', {
    resource: { 'service.name': 'codex_exec' },
    attributes: {
      'event.name': 'codex.sse_event',
      'event.kind': 'response.completed',
      'conversation.id': '01a21747-3cc2-71fe-bdf8-55c6e2b4a792',
      model: 'gpt-5.1-codex',
      input_token_count: '100',
      output_token_count: '5',
      ...attributes,
    },
  });
const gemini = (attributes: Attributes) =>
  record('log', {
    scope: 'gemini-cli',
    resource: { 'service.name': 'gemini-cli' },
    attributes: {
      'event.name': 'gemini_cli.api_response',
      'session.id': 'b25a42b3-7dbd-4f31-95d3-ca55f018a300',
      model: 'gemini-2.5-flash',
      input_token_count: 10,
      output_token_count: 5,
      ...attributes,
    },
  });
const copilot = (attributes: Attributes) =>
  record('span', {
    scope: 'github.copilot',
    resource: { 'service.name': 'github-copilot' },
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.conversation.id': '11111111-1111-4111-8111-111111111111',
      'gen_ai.response.model': 'gpt-5.1',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
      ...attributes,
    },
  });

describe('whether a subscription pays', () => {
  it.each([
    ['Claude Code with a key', claude({}), undefined],
    ['Claude Code, signed in', claude({ 'user.account_uuid': 'c0ffee' }), true],
    [
      'Claude Code, signed in and billed by call',
      claude({ 'user.account_uuid': 'c0ffee', subscription: 'false' }),
      undefined,
    ],
    ['Claude Code, which says so by its resource', claude({}, { subscription: 'true' }), true],
    ['Codex with a key', codex({ auth_mode: 'ApiKey' }), undefined],
    ['Codex with ChatGPT', codex({ auth_mode: 'Chatgpt' }), true],
    ['Gemini CLI with a key', gemini({ auth_type: 'gemini-api-key' }), undefined],
    ['Gemini CLI with an account', gemini({ auth_type: 'oauth-personal' }), true],
    ['Copilot', copilot({ 'gen_ai.provider.name': 'github' }), true],
    ['Copilot with a provider of one’s own', copilot({ 'gen_ai.provider.name': 'openai' }), undefined],
  ])('%s', (_, told, abonnement) => {
    expect(only(told).zusatz?.abonnement).toBe(abonnement);
  });

  it('any other program says it by an attribute, too', () => {
    const attributes = { 'gen_ai.operation.name': 'chat', 'user.account_uuid': 'c', customer: 'acme' };
    const said = (subscription: Attributes) =>
      only(record('span', { attributes: { ...attributes, ...subscription } })).zusatz;
    expect(said({})).not.toHaveProperty('abonnement');
    // The end customer stays known, whatever counting makes of it.
    expect(said({ subscription: true })).toMatchObject({ abonnement: true, endkunde: 'acme' });
  });

  it.skipIf(captures().length === 0)('no capture does, all of which had keys', () => {
    for (const capture of captures())
      for (const call of callsIn(...bodiesOf(capture).flatMap(recordsOf)))
        expect(call.abo, capture).toBe(false);
  });
});

describe('whose it is', () => {
  it('developer, repository and session of Claude Code', () => {
    const event = only(
      claude({
        'user.email': 'ada@example.org',
        'user.account_uuid': 'c0ffee',
        'vcs.repository.name': 'shop',
      }),
    );
    expect(event).toMatchObject({
      agent: 'claude-code',
      benutzer_ref: 'ada@example.org',
      lauf_id: 'ae4e8074-6886-4e30-b3cd-1765a41ba9d4',
      zusatz: { projekt: 'shop' },
    });
  });

  it('who is named goes before who is signed in, and a device is better than nobody', () => {
    expect(only(claude({ 'user.email': 'a@example.org', 'enduser.id': 'ada' })).benutzer_ref).toBe('ada');
    expect(only(claude({})).benutzer_ref).toBe('a16a04');
  });

  it('Codex by its conversation, under one name', () => {
    const event = only(codex({ 'user.email': 'ada@example.org' }));
    expect(event).toMatchObject({
      agent: 'codex',
      benutzer_ref: 'ada@example.org',
      lauf_id: '01a21747-3cc2-71fe-bdf8-55c6e2b4a792',
    });
  });

  it('Copilot names the repository around the call', () => {
    const around = record('span', {
      resource: { 'service.name': 'github-copilot' },
      attributes: { 'gen_ai.operation.name': 'invoke_agent', 'github.copilot.git.repository': 'acme/shop' },
    });
    const inside = copilot({});
    const [call] = callsIn({ ...around, span: 'outer' }, { ...inside, parent: 'outer', span: 'inner' }) as [
      Call,
    ];
    expect(eventOf(call).zusatz).toMatchObject({ projekt: 'acme/shop' });
  });

  it('a session that is no UUID is the run that it is by the proxy', () => {
    const of = (session: string) => only(claude({ 'session.id': session })).lauf_id;
    expect(of('ses_6AbCdEf')).toBe('133e1a54-fd17-5b7f-be03-cdc6a2b9c1b7');
    expect(of('AE4E8074-6886-4E30-B3CD-1765A41BA9D4')).toBe('ae4e8074-6886-4e30-b3cd-1765a41ba9d4');
    expect(of('0AF7651916CD43DD8448EB211C80319C')).toBe('0af76519-16cd-43dd-8448-eb211c80319c');
  });

  it.skipIf(!captures().includes('opencode'))('opencode, whose unknown user is nobody', () => {
    const [call] = callsIn(...bodiesOf('opencode').flatMap(recordsOf)) as [Call];
    expect(call.who).toMatchObject({ agent: 'opencode', benutzer: null });
    expect(call.lauf).toBe(call.who.sitzung);
  });

  it('steps of a session of several traces have no number; those of one that is told by logs have', () => {
    const by = (trace: string, n: number) =>
      ({
        ...claude({ 'event.sequence': n }),
        trace: trace.repeat(32),
        begin: START + n,
        end: START + n,
      }) as OtlpRecord;
    expect(callsIn(by('a', 1), by('b', 2)).map(({ schritt }) => schritt)).toEqual([null, null]);
    const untraced = [1, 2].map((n) => ({ ...by('a', n), trace: null }));
    expect(callsIn(...untraced).map(({ schritt }) => schritt)).toEqual([1, 2]);
  });
});

it("what Claude Code tells by spans and log records is one call each, of its session and agent, a subagent's as well", () => {
  const records = telemetry().flatMap(({ path, body }) =>
    readJson(JSON.parse(body), path.endsWith('logs') ? 'log' : 'span'),
  );
  const told = (some: OtlpRecord[]) => callsIn(...some).map(eventOf);
  const [both, logs, spans] = [
    told(records),
    told(records.filter(({ signal }) => signal === 'log')),
    told(records.filter(({ signal }) => signal === 'span')),
  ];
  for (const events of [both, logs, spans])
    expect(events).toMatchObject(
      trueCalls()
        .slice(0, 4)
        .map(({ id, ...call }) => ({
          ereignis_id: idOfAnswer(id.replace('msg_', 'req_'), 0),
          agent: 'claude-code',
          lauf_id: '9e3d6c33-9d7f-4bd0-887a-ab61c3e7134e',
          eingabe_token: call.input_tokens + call.cache_read_input_tokens + call.cache_creation_input_tokens,
          ausgabe_token: call.output_tokens,
          zusatz: { anfrage_id: id.replace('msg_', 'req_') },
        })),
    );
});
