/** Room of limits: as long as there is some nobody asks for sums, and never too long. */
import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readActiveRules } from '#domains/regeln/index.ts';
import { ownerOf } from '#test/jobs.ts';
import { createProtected, equalCalls } from '#test/protection.ts';
import { startService, type TestService } from '#test/service.ts';
import { detect, isSumRule } from '../detectors.ts';
import { localBegin } from '../local-time.ts';
import { ALL_TOGETHER, LimitRooms } from './rooms.ts';

const MANDANT = 'm';
const LIMIT = 'l';

/** Marks in turn that say what agents spent. */
function createMarks() {
  const rooms = new LimitRooms();
  let nummer = 0;
  const see = (kosten: Record<string, number> | null, missing = 0) => {
    nummer += 1 + missing;
    rooms.note({
      mandant: MANDANT,
      nummern: [nummer],
      agenten: Object.keys(kosten ?? {}),
      kosten: kosten && Object.values(kosten),
    });
  };
  see({});
  return {
    see,
    learn: (room: Record<string, number>) => rooms.learn(MANDANT, LIMIT, new Map(Object.entries(room))),
    without: (...objects: string[]) => rooms.withoutRoom(MANDANT, LIMIT, objects),
  };
}

describe('room', () => {
  test('is what was learnt without what was spent since, by agent and of all together', () => {
    const marks = createMarks();
    expect(marks.without('a', ALL_TOGETHER)).toEqual(['a', ALL_TOGETHER]);
    marks.learn({ a: 10, b: 5, [ALL_TOGETHER]: 20 });
    expect(marks.without('a', 'b', 'c', ALL_TOGETHER)).toEqual(['c']);
    marks.see({ a: 10, c: 3 });
    marks.see({ b: 6 });
    expect(marks.without('a', 'b', ALL_TOGETHER)).toEqual(['b']);
    marks.see({ c: 2 });
    expect(marks.without('a', 'b', ALL_TOGETHER)).toEqual(['b', ALL_TOGETHER]);
    marks.learn({ b: 0 });
    expect(marks.without('a', 'b', ALL_TOGETHER)).toEqual([ALL_TOGETHER]);
  });

  test.each<[string, (marks: ReturnType<typeof createMarks>) => void]>([
    ['others took marks meanwhile', (marks) => marks.see({}, 1)],
    ['a mark comes again', (marks) => marks.see({}, -1)],
    ['calls of before have changed', (marks) => marks.see(null)],
  ])('is not known where %s', (_, happen) => {
    const marks = createMarks();
    marks.learn({ a: 10 });
    happen(marks);
    expect(marks.without('a')).toEqual(['a']);
    marks.learn({ a: 10 });
    marks.see({ a: 1 });
    expect(marks.without('a')).toEqual([]);
  });
});

describe('what anybody spends at any time', () => {
  let service: TestService;
  let owner: ReturnType<typeof ownerOf>;
  beforeAll(async () => {
    service = await startService();
    owner = ownerOf(service);
  });
  afterAll(async () => {
    await owner.close();
    await service.stop();
  });

  const HOUR = 3_600_000;
  const AGENTS = ['a/eins', 'a/zwei', 'b/drei'];
  /** Calls from three hours ago to twenty hours ahead, half of them just now, at most 0.11 EUR each. */
  const someCalls = () =>
    Array.from({ length: randomInt(1, 6) }, () => ({
      ...equalCalls(1).calls[0],
      lauf_id: randomUUID(),
      agent: AGENTS[randomInt(AGENTS.length)],
      zeitpunkt: new Date(
        Date.now() + ([20, -3, 0, 0][randomInt(4)] as number) * Math.random() * HOUR,
      ).toISOString(),
      eingabe_token: randomInt(1_500_000),
      cache_lese_token: 0,
    }));

  test('each limit that sums say is crossed was told', async () => {
    const ours = await createProtected(service, owner);
    const limits = [
      { schwelle: '0.15', zeitfenster: 'stunde', parameter: { je: 'agent' } },
      { schwelle: '0.3', zeitfenster: 'tag', parameter: { je: 'agent' } },
      { schwelle: '0.4', zeitfenster: '2h' },
      { schwelle: '0.5', zeitfenster: 'tag' },
      { schwelle: '0.9', zeitfenster: 'monat' },
    ];
    const ids = [];
    for (const limit of limits) ids.push(await ours.addRule('kosten_grenze', limit));
    const told = async () =>
      new Set((await ours.rows('befunde', 'regel_id, objekt')).map((each) => JSON.stringify(each)));
    const crossed = () =>
      owner.transaction(async (client) => {
        const bis = Temporal.Now.instant();
        const zone = 'Europe/Berlin';
        const rules = (await readActiveRules(client, [ours.mandant])).get(ours.mandant) ?? [];
        const found = [];
        for (const rule of rules.filter(isSumRule)) {
          const von = localBegin(bis, rule.zeitfenster === 'stunde' ? 'hour' : 'day', zone).toInstant();
          found.push(...(await detect({ client, mandant: ours.mandant, zone, von, bis }, rule)));
        }
        return found.map(({ regel, objekt }) => JSON.stringify({ regel_id: regel?.regel_id, objekt }));
      });
    for (let round = 0; round < 20; round += 1) {
      await ours.send(someCalls());
      await ours.settle();
      const known = await told();
      expect((await crossed()).filter((each) => !known.has(each))).toEqual([]);
    }
    expect((await ours.rows('befunde', 'regel_id, objekt')).map(({ regel_id }) => regel_id)).toContain(
      ids[2],
    );
  });
});
