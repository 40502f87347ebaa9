/** Transcripts as Claude Code writes them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TRANSCRIPTS, trueCalls } from '../../../../test/claude-code-capture.ts';
import { idOfAnswer } from '../answer-id.ts';
import { type ImportOptions, readTranscripts, transcriptFolders, transcripts } from './claude-code.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'zw-claude-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const SESSION = '0192f5c1-7d2e-7c3a-9b61-0a4f5e6d7c8b';
const ID = 'msg_01XFDUDYJgAACzvnptvVoYEL';
const USAGE = {
  input_tokens: 4,
  cache_creation_input_tokens: 2_000,
  cache_read_input_tokens: 10_000,
  cache_creation: { ephemeral_5m_input_tokens: 1_500, ephemeral_1h_input_tokens: 500 },
  output_tokens: 1,
  service_tier: 'standard',
};

const answer = (
  more: { id?: string; requestId?: string; output?: number; content?: object; at?: string } = {},
) =>
  JSON.stringify({
    type: 'assistant',
    sessionId: SESSION,
    cwd: '/home/anna/shop',
    timestamp: more.at ?? '2026-03-02T10:00:00.000Z',
    requestId: more.requestId ?? 'req_011CSHoEeqs5C35K2UUqR7Fy',
    message: {
      type: 'message',
      role: 'assistant',
      id: more.id ?? ID,
      model: 'claude-sonnet-4-5-20250929',
      stop_reason: null,
      content: [more.content ?? { type: 'text', text: 'Ulm' }],
      usage: { ...USAGE, output_tokens: more.output ?? 1 },
    },
  });

/** Reads what stands in these files of the projects. */
async function read(files: Record<string, string[]>, options: ImportOptions = {}) {
  for (const [name, lines] of Object.entries(files)) {
    const path = join(home, 'projects', name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `${lines.join('\n')}\n`);
  }
  return readTranscripts(await transcripts(transcriptFolders({ CLAUDE_CONFIG_DIR: home })), options);
}

test('an answer in several lines and in a resumed session is one call, with its last counts', async () => {
  const lines = [
    JSON.stringify({
      type: 'user',
      sessionId: SESSION,
      message: { role: 'user', content: 'Ulm? "assistant"' },
    }),
    answer(),
    answer({
      output: 120,
      content: { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } },
    }),
    JSON.stringify({ type: 'assistant', message: { id: 'x', model: '<synthetic>', usage: USAGE } }),
    '{"type":"assistant", broken',
  ];
  const found = await read({ 'shop/a.jsonl': lines, 'shop/b/c.jsonl': [answer({ output: 120 })] });
  expect(found).toMatchObject({ unreadable: 1, repeated: 2 });
  expect(found.events).toHaveLength(1);
  expect(found.events[0]).toMatchObject({
    ereignis_id: idOfAnswer(ID, 0),
    zeitpunkt: '2026-03-02T10:00:00.000Z',
    lauf_id: SESSION,
    agent: 'claude-code',
    anbieter: 'anthropic',
    modell: 'claude-sonnet-4-5-20250929',
    eingabe_token: 4,
    cache_lese_token: 10_000,
    cache_schreib_token: 2_000,
    ausgabe_token: 120,
    quelle: 'import:claude-code',
    zusatz: { verzeichnis: 'shop' },
  });
  expect(JSON.stringify(found.events)).not.toContain('Ulm');
});

test('other answers are other calls; what the provider does not name is named by where it stands', async () => {
  const other = 'msg_01YFDUDYJgAACzvnptvVoYEM';
  const found = await read({
    'a.jsonl': [answer(), answer({ id: other }), answer({ id: '1' }), answer({ id: '2' })],
  });
  const ids = found.events.map(({ ereignis_id }) => ereignis_id);
  expect(new Set(ids).size).toBe(4);
  expect((await read({})).events.map(({ ereignis_id }) => ereignis_id)).toEqual(ids);
});

test('only calls of the time that is asked for, said to be of an agent and of a subscription', async () => {
  const other = 'msg_01YFDUDYJgAACzvnptvVoYEM';
  const lines = [answer(), answer({ id: other, at: '2026-03-03T00:00:00.000Z' })];
  const since = await read({ 'a.jsonl': lines }, { since: '2026-03-03', agent: 'anna', subscription: true });
  expect(since.events).toMatchObject([
    { ereignis_id: idOfAnswer(other, 0), agent: 'anna', zusatz: { abonnement: true } },
  ]);
  const until = await read({ 'a.jsonl': lines }, { until: '2026-03-03' });
  expect(until.events).toMatchObject([{ ereignis_id: idOfAnswer(ID, 0) }]);
});

test('a machine without transcripts has no calls', async () => {
  expect(await read({})).toEqual({ events: [], unreadable: 0, repeated: 0 });
});

test('a session with a subagent, resumed and forked, counts to the token, each call once and of the session that made it', async () => {
  const [session, agent, forked] = TRANSCRIPTS as [string, string, string];
  for (const files of [
    [session, agent, forked],
    [forked, agent, session],
  ]) {
    const { events, unreadable, repeated } = await readTranscripts(files, {});
    expect({ unreadable, repeated }).toEqual({ unreadable: 0, repeated: 5 });
    expect(
      events
        .map(
          ({
            ereignis_id,
            lauf_id,
            eingabe_token,
            cache_lese_token,
            cache_schreib_token,
            ausgabe_token,
          }) => ({
            ...{ ereignis_id, lauf_id, eingabe_token, cache_lese_token, cache_schreib_token, ausgabe_token },
          }),
        )
        .sort((a, b) => Number(a.eingabe_token) - Number(b.eingabe_token)),
    ).toEqual(
      trueCalls().map((call, index) => ({
        ereignis_id: idOfAnswer(call.id, 0),
        lauf_id: index < 5 ? '9e3d6c33-9d7f-4bd0-887a-ab61c3e7134e' : '7bf989bc-560e-4bde-ba67-c78d165b76a1',
        eingabe_token: call.input_tokens,
        cache_lese_token: call.cache_read_input_tokens,
        cache_schreib_token: call.cache_creation_input_tokens,
        ausgabe_token: call.output_tokens,
      })),
    );
  }
});
