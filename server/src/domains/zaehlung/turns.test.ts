import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planLittle, ROUND_EVERY, type Turn, Turns } from './turns.ts';

const waiting = (mandant: string, ereignisse: number, umfang = 100 * ereignisse) => ({
  mandant,
  ereignisse,
  umfang,
});
const names = (turns: Turn[]) => turns.map(({ mandanten }) => mandanten.join(' '));

describe('what begins', () => {
  test('much of two and little of many, side by side', () => {
    const turns = new Turns(true, ROUND_EVERY);
    const all = [
      waiting('a', 3),
      waiting('big', 9_000),
      waiting('b', 5),
      waiting('heavy', 1, 2 ** 22),
      waiting('more', 9_000),
    ];
    expect(names(turns.begin(all, 0))).toEqual(['big', 'heavy', 'a b']);
    expect(turns.othersWait).toBe(true);
    expect(turns.begin(all, 0)).toEqual([]);
  });

  test('little of each alone where Mandanten may not share a turn', () => {
    const turns = new Turns(false, ROUND_EVERY);
    expect(names(turns.begin([waiting('a', 3), waiting('b', 5), waiting('c', 5)], 0))).toEqual(['a', 'b']);
  });

  test('nobody twice, and nobody who is to be left alone for a while', () => {
    const turns = new Turns(true, 0);
    const all = [waiting('a', 9_000), waiting('b', 3)];
    const [a, b] = turns.begin(all, 0) as [Turn, Turn];
    expect(turns.begin(all, 0)).toEqual([]);
    turns.end(a, 100);
    turns.end(b);
    expect(names(turns.begin(all, 99))).toEqual(['b']);
    expect(names(turns.begin(all, 100))).toEqual(['a']);
    expect(turns.othersWait).toBe(false);
  });
});

/** Turns are taken until nothing waits; each Mandant with much counts `share` events a turn. Yields the turns as they end. */
function* simulate(turns: Turns, inbox: Map<string, number>, share: number): Generator<string[], void> {
  const underWay: Turn[] = [];
  for (;;) {
    const all = [...inbox].filter(([, left]) => left > 0).map(([name, left]) => waiting(name, left));
    underWay.push(...turns.begin(all, 0));
    // The turn that has been under way longest is over first; little is over at once.
    const place = Math.max(
      0,
      underWay.findIndex(({ isLittle }) => isLittle),
    );
    const [over] = underWay.splice(place, 1);
    if (!over) return;
    for (const name of over.mandanten) inbox.set(name, Math.max(0, (inbox.get(name) ?? 0) - share));
    turns.end(over);
    yield over.mandanten;
  }
}

test('little is counted at once, however many have much', () => {
  const property = fc.property(
    fc.array(fc.integer({ min: 5_001, max: 80_000 }), { minLength: 1, maxLength: 9 }),
    fc.nat(30),
    fc.integer({ min: 1, max: 500 }),
    (busy, after, little) => {
      const inbox = new Map(busy.map((events, index) => [`busy ${index}`, events]));
      const turns = simulate(new Turns(true, 0), inbox, 5_000);
      for (let turn = 0; turn < after; turn += 1) if (turns.next().done) return;
      inbox.set('little', little);
      expect(turns.next().value).toContain('little');
    },
  );
  fc.assert(property);
});

test('who comes with much has a turn before any other has a second one', () => {
  const property = fc.property(
    fc.array(fc.integer({ min: 4, max: 16 }), { minLength: 1, maxLength: 9 }),
    fc.nat(40),
    (busy, after) => {
      const inbox = new Map(busy.map((shares, index) => [`busy ${index}`, shares * 5_000]));
      const turns = simulate(new Turns(true, ROUND_EVERY), inbox, 5_000);
      // All have had one.
      for (let turn = 0; turn < busy.length + after; turn += 1) if (turns.next().done) return;
      inbox.set('new', 9_000);
      const before: string[] = [];
      for (const [name] of turns) {
        if (name === 'new') break;
        before.push(name as string);
      }
      // Two turns are under way when it comes.
      expect(before.length).toBeLessThanOrEqual(2);
    },
  );
  fc.assert(property);
});

test('all with much have as many turns as the others', () => {
  const inbox = new Map(Array.from({ length: 7 }, (_, index) => [`busy ${index}`, 50_000]));
  const taken = new Map<string, number>();
  for (const [name] of simulate(new Turns(true, ROUND_EVERY), inbox, 5_000)) {
    taken.set(name as string, (taken.get(name as string) ?? 0) + 1);
    if ([...inbox.values()].every((left) => left > 0)) {
      const counts = [...inbox.keys()].map((each) => taken.get(each) ?? 0);
      expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
    }
  }
  expect([...taken.values()]).toEqual(Array(7).fill(10));
});

test('everybody with little has exactly one turn, and none of the shared ones is large', () => {
  const each = fc.record({
    ereignisse: fc.integer({ min: 1, max: 500 }),
    umfang: fc.integer({ min: 1, max: 2 ** 19 }),
  });
  fc.assert(
    fc.property(fc.array(each, { maxLength: 1_500 }), (list) => {
      const all = list.map((entry, index) => ({ ...entry, mandant: `m${index}` }));
      const turns = planLittle(all);
      expect(turns.flat()).toEqual(all.map(({ mandant }) => mandant));
      const of = new Map(all.map((entry) => [entry.mandant, entry]));
      for (const mandanten of turns) {
        const sum = (name: 'ereignisse' | 'umfang') =>
          mandanten.reduce((total, mandant) => total + (of.get(mandant)?.[name] ?? 0), 0);
        expect(sum('ereignisse')).toBeLessThanOrEqual(5_000);
        expect(sum('umfang')).toBeLessThanOrEqual(4 * 2 ** 20);
        expect(mandanten.length).toBeLessThanOrEqual(250);
      }
    }),
  );
});

test('those that were counted are left alone for a while', () => {
  const waiting = ['a', 'b'].map((mandant) => ({ mandant, ereignisse: 1, umfang: 1 }));
  const turns = new Turns(true, 0);
  const [turn] = turns.begin(waiting.slice(0, 1), 0);
  expect(turn?.mandanten).toEqual(['a']);
  turns.end(turn as Turn, 100);
  const begun = (now: number) => turns.begin(waiting, now).map(({ mandanten }) => mandanten);
  expect(begun(99)).toEqual([['b']]);
  expect(begun(100)).toEqual([['a']]);
});

describe('rounds of those with little', () => {
  const EVERY = ROUND_EVERY;

  test('what comes after one has begun is in the next', () => {
    const turns = new Turns(true, EVERY);
    const some = (...mandanten: string[]) => mandanten.map((mandant) => waiting(mandant, 3));
    const [first] = turns.begin(some('a'), 1_000) as [Turn];
    turns.end(first);
    expect(turns.begin(some('b'), 1_000 + EVERY - 1)).toEqual([]);
    expect(turns.othersWait).toBe(false);
    expect(names(turns.begin([...some('b', 'c'), waiting('big', 9_000)], 1_000 + EVERY))).toEqual([
      'big',
      'b c',
    ]);
  });

  test('all that wait when one begins have a turn in it, one after the other, and those that come meanwhile none', () => {
    const turns = new Turns(false, EVERY);
    const all = ['a', 'b', 'c', 'd', 'e'].map((mandant) => waiting(mandant, 3));
    const begun: string[] = [];
    for (let now = 0; now < 2 * EVERY; now += 10) {
      const left = [...all, waiting('late', 3)].filter(({ mandant }) => !begun.includes(mandant));
      for (const turn of turns.begin(now === 0 ? all : left, now)) {
        begun.push(...turn.mandanten);
        turns.end(turn);
      }
      if (now < EVERY) expect(begun).not.toContain('late');
    }
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e', 'late']);
  });

  /** Milliseconds from each sending to its turn. */
  function waits(calls: { mandant: number; at: number }[]): number[] {
    const turns = new Turns(true, EVERY);
    let since = new Map<string, number>();
    const waited: number[] = [];
    for (let now = 0; now <= 3_000 + EVERY; now += 50) {
      const sent = calls.filter(({ at }) => at > now - 50 && at <= now);
      since = new Map([...sent.map(({ mandant, at }) => [`m${mandant}`, at] as const), ...since]);
      const all = [...since.keys()].map((mandant) => waiting(mandant, 3));
      for (const turn of turns.begin(all, now)) {
        for (const mandant of turn.mandanten) {
          waited.push(now - (since.get(mandant) as number));
          since.delete(mandant);
        }
        turns.end(turn);
      }
    }
    expect(since.size).toBe(0);
    return waited;
  }

  test('nobody waits for longer than from one to the next, whenever anybody sends', () => {
    const call = fc.record({ mandant: fc.nat(600), at: fc.nat(3_000) });
    fc.assert(
      fc.property(fc.array(call, { maxLength: 400 }), (calls) => {
        // Looks are 50 ms apart.
        for (const waited of waits(calls)) expect(waited).toBeLessThan(EVERY + 50);
      }),
    );
  });
});
