import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answerId, idOfAnswer } from './answer-id.ts';
import { toEvents } from './to-events.ts';

interface Golden {
  name: string;
  answer: unknown[];
  requestId?: string;
  id: string | null;
  ereignis_id: string | null;
  weiteres: string | null;
}

const golden: Golden[] = JSON.parse(readFileSync(join(import.meta.dirname, '../../golden/ids.json'), 'utf8'));
const exchange = {
  uri: 'https://api.openai.com/v1/chat/completions',
  request: {},
  status: 200,
  contentType: '',
  body: '',
};

it.each(golden)('$name', ({ answer, requestId, id, ereignis_id, weiteres }) => {
  const found = answerId({
    exchange: requestId === undefined ? exchange : { ...exchange, requestId },
    parts: answer,
  });
  expect(found).toBe(id);
  expect(found && idOfAnswer(found, 0)).toBe(ereignis_id);
  expect(found && idOfAnswer(found, 1)).toBe(weiteres);
});

it('the event of an answer has its id, the same each time', () => {
  const body = JSON.stringify({
    id: 'chatcmpl-CeXvq2N0mTz5b8aQwErTyUiOpAsDf',
    choices: [{ message: {} }],
    usage: {},
  });
  const ids = [1, 2].map(() => toEvents({ ...exchange, body }).events.map((event) => event.ereignis_id));
  const known = golden.find(({ name }) => name === 'OpenAI chat')?.ereignis_id;
  expect(ids).toEqual([[known], [known]]);
});

it('a call that its provider does not name has none yet', () => {
  const body = JSON.stringify({ id: 'chatcmpl-7', choices: [{ message: {} }], usage: {} });
  expect(toEvents({ ...exchange, body }).events[0]?.ereignis_id).toBeUndefined();
});
