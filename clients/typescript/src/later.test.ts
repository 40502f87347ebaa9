import { expect, test, vi } from 'vitest';
import { createClient } from './connect.ts';
import type { Ereignis } from './event.ts';
import { Later } from './later.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('work waits for a turn of its own, in its order, and what is settled is not done again', async () => {
  const done: number[] = [];
  const onWork = vi.fn();
  const later = new Later(onWork);
  for (const number of [1, 2, 3]) later.add(() => done.push(number));
  await Promise.resolve();
  expect(done).toEqual([]);
  expect(onWork).toHaveBeenCalledTimes(3);
  await turn();
  expect(done).toEqual([1]);
  later.settle();
  expect(done).toEqual([1, 2, 3]);
  await turn();
  await turn();
  expect(done).toEqual([1, 2, 3]);
});

test('a program that gives no other turn does not have it wait without end', () => {
  const done: number[] = [];
  const later = new Later(() => undefined);
  for (let number = 0; number < 101; number++) later.add(() => done.push(number));
  expect(done).toHaveLength(101);
});

test('where there are no such turns, work is done at once', () => {
  vi.stubGlobal('setImmediate', undefined);
  const work = vi.fn();
  new Later(() => undefined).add(work);
  expect(work).toHaveBeenCalledTimes(1);
  vi.unstubAllGlobals();
});

test('another agent’s call right after one of the run names its event, which waited', async () => {
  const events: Ereignis[] = [];
  const service = async (_uri: unknown, init?: RequestInit) => {
    if (init?.method !== 'POST') return Response.json({ eingriffe: [] }, { headers: { etag: '"1"' } });
    events.push(...(JSON.parse(String(init.body)) as { ereignisse: Ereignis[] }).ereignisse);
    return Response.json({}, { status: 202 });
  };
  const zw = createClient({ baseUrl: 'http://service.invalid', key: 'k', fetch: service as typeof fetch });
  const answer = () => Response.json({ id: crypto.randomUUID(), model: 'gpt-5.1', choices: [], usage: {} });
  const call = zw.instrument({ fetch: async () => answer() });
  const ask = async () => {
    const init = { method: 'POST', body: '{"model":"gpt-5.1"}' };
    await (await call('https://api.openai.com/v1/chat/completions', init)).text();
  };
  await zw.run({ agent: 'a' }, async () => {
    await ask();
    await zw.run({ agent: 'b' }, ask);
  });
  await zw.shutdown();
  expect(events).toMatchObject([{ agent: 'a' }, { agent: 'b', eltern_span: events[0]?.ereignis_id }]);
});
