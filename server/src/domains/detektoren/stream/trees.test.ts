import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ownerOf } from '#test/jobs.ts';
import { createProtected, equalCalls, type Protected } from '#test/protection.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
let ours: Protected;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});
beforeEach(async () => {
  ours = await createProtected(service, owner);
});

const found = () => ours.rows('befunde', "objekt, stufe, werte->>'tiefe' AS tiefe");

/** Sends two calls of a run each, every run begun from the one before; resolves with the runs. */
async function chain(agents: string[], first: string | null = null): Promise<string[]> {
  const runs: string[] = first === null ? [] : [first];
  for (const agent of agents) {
    const lauf = randomUUID();
    const from = runs.at(-1);
    await ours.send(
      equalCalls(2, { lauf, agent }, (place) => ({
        prompt_fingerabdruck: `000000000000${place}${runs.length}ff`,
        ...(from === undefined ? {} : { zusatz: { eltern_lauf: from } }),
      })).calls,
    );
    runs.push(lauf);
  }
  await ours.settle();
  return runs;
}

test('an agent that begins runs of its own again and again is stopped with the fourth, whoever stands between', async () => {
  await ours.addRule('rekursion', { stufe: 'anhalten' });
  await chain(['schwarm', 'schwarm', 'schwarm']);
  expect(await found()).toEqual([]);
  const runs = await chain(['team/a', 'team/b', 'team/a', 'team/b', 'team/a', 'team/b', 'team/a']);
  expect(await found()).toEqual([{ objekt: runs[6], stufe: 'anhalten', tiefe: '4' }]);
  expect(await ours.rows('eingriffe', 'stufe, objekt')).toEqual([{ stufe: 'anhalten', objekt: runs[6] }]);
});

test('agents that begin runs of others, and runs that name themselves, none or nobody as their beginning, are no recursion', async () => {
  await ours.addRule('rekursion', { schwelle: '2' });
  await chain(['leitung', 'leser', 'pruefer']);
  const self = randomUUID();
  for (const from of [self, randomUUID(), 'keiner'])
    await ours.send(equalCalls(2, { lauf: self }, () => ({ zusatz: { eltern_lauf: from } })).calls);
  await ours.settle();
  expect(await found()).toEqual([]);
});

test('an agent that a rule leaves out may', async () => {
  await ours.addRule('rekursion', { schwelle: '2', parameter: { ausnahmen: ['baum/*'] } });
  await chain(['baum/teiler', 'baum/teiler', 'baum/teiler']);
  expect(await found()).toEqual([]);
});

test('what was begun by another Mandant is none of it', async () => {
  const theirs = ours;
  await theirs.addRule('rekursion', { schwelle: '2' });
  const [, last] = await chain(['a', 'a']);
  expect(await found()).toHaveLength(1);
  ours = await createProtected(service, owner);
  await ours.addRule('rekursion', { schwelle: '2' });
  await chain(['a'], last ?? null);
  expect(await found()).toEqual([]);
});
