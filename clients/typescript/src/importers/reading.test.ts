/** How files are cut into rows, and rows that tell of a call again. */
import { expect, test } from 'vitest';
import { idOfAnswer } from '../answer-id.ts';
import { ANSWER, csv, readExport, SPEND_LOG } from './test-export.ts';

const TRANSCRIPT = [
  { type: 'summary', summary: 'Ulm {"data": [', leafUuid: 'x' },
  { type: 'user', sessionId: 's', message: { role: 'user', content: 'Ulm' } },
  {
    type: 'assistant',
    sessionId: '0192f5c1-7d2e-7c3a-9b61-0a4f5e6d7c8b',
    cwd: '/home/anna/shop',
    timestamp: '2026-03-02T10:00:00.000Z',
    requestId: 'req_011CSHoEeqs5C35K2UUqR7Fy',
    costUSD: 0.02,
    message: {
      id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
      model: 'claude-sonnet-4-5-20250929',
      content: [{ type: 'text', text: 'Ulm' }],
      usage: { input_tokens: 4, output_tokens: 120 },
    },
  },
];

test('Claude Code: a transcript, of which the last line of an answer counts and one that breaks off is passed over', () => {
  const lines = [...TRANSCRIPT, TRANSCRIPT[2]].map((line) => JSON.stringify(line));
  const found = readExport(`${lines.join('\n')}\n{"type":"assis`);
  expect(found).toMatchObject({
    service: 'Claude Code',
    cost: '0.02',
    events: [{ agent: 'claude-code', zusatz: { verzeichnis: 'shop' }, ausgabe_token: 120 }],
  });
  expect(Object.fromEntries(found.left)).toEqual({ kein_aufruf: 2, wiederholt: 1, unlesbar: 1 });
  expect(JSON.stringify(found.events)).not.toContain('Ulm');
});

test('a list over several lines is cut at its elements, whatever their texts hold', () => {
  const rows = ['a"{', '}]"\\', '{"data":[{}]}'].map((text, index) => ({
    ...SPEND_LOG,
    request_id: `${ANSWER}${index}`,
    messages: [{ content: text, data: [{ nested: [text] }] }],
  }));
  const file = JSON.stringify({ object: 'list', more: [{ requests: [1] }], data: rows, last: 'x' }, null, 2);
  for (const piece of [1, 13, file.length]) {
    const { events, left, cost } = readExport(file, piece);
    expect(events.map(({ ereignis_id }) => ereignis_id)).toEqual(
      rows.map(({ request_id }) => idOfAnswer(request_id, 0)),
    );
    expect([left.size, cost]).toEqual([0, '0.0369']);
  }
  expect(readExport(file.slice(0, -300)).left.get('unlesbar')).toBe(1);
});

test('a call that stands twice in a file is one; a row beyond every size is refused', () => {
  const { events, left } = readExport(csv(SPEND_LOG, SPEND_LOG));
  expect([events.length, left.get('wiederholt')]).toEqual([1, 1]);
  const huge = `[{"call_type": "${'x'.repeat(9 * 1024 * 1024)}"}]`;
  expect(() => readExport(huge, 1024 * 1024)).toThrow('A row of it is larger than 8 MiB.');
});
