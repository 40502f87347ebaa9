import { expect, test } from 'vitest';
import { BLANK, eventOf, exchangeOf, sse } from '../test-exchange.ts';
import { toEvents } from '../to-events.ts';

const RUNS = 'https://api.openai.com/v1/threads/thread_1/runs';
const run = (status: string, more: object = {}) => ({
  id: 'run_1',
  object: 'thread.run',
  created_at: 1_760_000_000,
  model: 'gpt-4o',
  status,
  usage: null,
  last_error: null,
  ...more,
});
const usage = {
  prompt_tokens: 120,
  completion_tokens: 30,
  total_tokens: 150,
  prompt_token_details: { cached_tokens: 64 },
};
const ended = run('completed', { usage });

test('a run counts once it has ended, with the same id however often it is asked for', () => {
  expect(toEvents(exchangeOf(RUNS, run('queued'))).events).toEqual([]);
  expect(toEvents({ ...exchangeOf(`${RUNS}/run_1`, run('in_progress')), method: 'GET' }).events).toEqual([]);
  const event = eventOf({ ...exchangeOf(`${RUNS}/run_1`, ended), method: 'GET' });
  expect(event).toStrictEqual({
    ...BLANK,
    ereignis_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    zeitpunkt: '2025-10-09T08:53:20.000Z',
    anbieter: 'openai',
    modell: 'gpt-4o',
    eingabe_token: 120,
    ausgabe_token: 30,
    cache_lese_token: 64,
  });
  const stream = sse(run('queued'), run('in_progress'), ended);
  expect(eventOf(exchangeOf('https://api.openai.com/v1/threads/runs', stream))).toEqual(event);
  expect(eventOf(exchangeOf(`${RUNS}/run_1/submit_tool_outputs`, ended))).toEqual(event);
  expect(
    eventOf({ ...exchangeOf(`${RUNS}/run_2`, { ...ended, id: 'run_2' }), method: 'GET' }).ereignis_id,
  ).not.toBe(event.ereignis_id);
});

test('a list of runs is no result; one that failed is an error', () => {
  expect(toEvents({ ...exchangeOf(RUNS, { object: 'list', data: [ended] }), method: 'GET' }).events).toEqual(
    [],
  );
  const failed = run('failed', { usage, last_error: { code: 'rate_limit_exceeded', message: 'x' } });
  expect(eventOf({ ...exchangeOf(`${RUNS}/run_1`, failed), method: 'GET' })).toMatchObject({
    eingabe_token: 120,
    status: 'fehler',
    fehlercode: 'rate_limit_exceeded',
  });
});

test('a run that was refused is an error, a look at one that is not there is nothing', () => {
  const error = { error: { code: 'rate_limit_exceeded' } };
  expect(eventOf(exchangeOf(RUNS, error, { model: 'gpt-4o' }, 429))).toMatchObject({
    modell: 'gpt-4o',
    status: 'fehler',
    fehlercode: 'rate_limit_exceeded',
  });
  expect(toEvents({ ...exchangeOf(`${RUNS}/run_9`, error, {}, 404), method: 'GET' }).events).toEqual([]);
});
