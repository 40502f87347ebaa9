/** Places that are few: a holder of many leaves room for others, and one that is gone holds nothing. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CallerGone, forCaller } from './caller.ts';
import { createShares, type Leave, type Shares } from './shares.ts';

type Holder = 'a' | 'b' | 'c' | 'd';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Notes who got a place, in order, and keeps what gives each back. */
function createHall(shares: Shares<Holder>) {
  const taken: string[] = [];
  const refused: string[] = [];
  const leaves: Leave[] = [];
  const ask = (holder: Holder | null, asking = {}) => {
    const name = String(holder);
    return shares.take(holder, asking).then(
      (leave) => {
        taken.push(name);
        leaves.push(leave);
      },
      (error: { code?: string }) => {
        refused.push(`${name} ${error.code ?? error}`);
      },
    );
  };
  return { taken, refused, ask, leave: () => leaves.shift()?.() };
}

describe('places', () => {
  test('are taken by one holder up to half of what the others leave', async () => {
    const { taken, ask } = createHall(createShares<Holder>({ places: 16, waiting: 100 }));
    for (const holder of ['a', 'b', 'c'] as const)
      for (let asked = 0; asked < 20; asked += 1) void ask(holder);
    await settled();
    const held = Object.entries(Object.groupBy(taken, (name) => name)).map(([name, all]) => [
      name,
      all?.length,
    ]);
    expect(held).toEqual([
      ['a', 8],
      ['b', 4],
      ['c', 2],
    ]);
  });

  test('go to one who waits for one before the second of one who waits for many', async () => {
    const { taken, ask, leave } = createHall(createShares<Holder>({ places: 1, waiting: 100 }));
    for (let asked = 0; asked < 22; asked += 1) void ask('a');
    void ask('b');
    for (let turn = 0; turn < 4; turn += 1) {
      await settled();
      leave();
    }
    expect(taken.slice(0, 3)).toEqual(['a', 'b', 'a']);
  });

  test('that are reserved go to work without a Mandant alone', async () => {
    const { taken, ask } = createHall(createShares<Holder>({ places: 4, reserved: 2, waiting: 100 }));
    for (const holder of ['a', 'b', 'c', 'd', null, null, null] as const) void ask(holder);
    await settled();
    expect(taken).toEqual(['a', 'b', 'null', 'null']);
  });

  test('of which too many wait are refused to the one with most, and never to a newcomer', async () => {
    const { taken, refused, ask, leave } = createHall(createShares<Holder>({ places: 1, waiting: 3 }));
    for (let asked = 0; asked < 6; asked += 1) void ask('a');
    void ask('b');
    await settled();
    expect(refused).toEqual(['a ueberlastet', 'a ueberlastet', 'a ueberlastet']);
    leave();
    await settled();
    expect(taken).toEqual(['a', 'b']);
  });

  test('are waited for by the patient, with others waiting beside them', async () => {
    const { taken, refused, ask, leave } = createHall(createShares<Holder>({ places: 1, waiting: 0 }));
    void ask('a');
    void ask('a', { patient: true });
    void ask('b');
    await settled();
    leave();
    await settled();
    expect([taken, refused]).toEqual([['a', 'a'], ['b ueberlastet']]);
  });

  test('are not waited for without end: told apart is who waits for itself', async () => {
    const refuse = (ofOwn: boolean) =>
      Object.assign(new Error(), { code: ofOwn ? 'own' : 'others' }) as never;
    const { refused, ask } = createHall(createShares<Holder>({ places: 1, waiting: 9, longest: 1, refuse }));
    await ask('a');
    await Promise.all([ask('a'), ask('b')]);
    expect(refused.sort()).toEqual(['a own', 'b others']);
  });

  test('are left by who hangs up while it waits, and not taken by who has', async () => {
    const { taken, refused, ask, leave } = createHall(createShares<Holder>({ places: 1, waiting: 9 }));
    const caller = new AbortController();
    const asking = forCaller(caller.signal, () => [ask('a'), ask('a')]);
    void ask('a');
    await settled();
    caller.abort(new CallerGone());
    await asking[1];
    await forCaller(caller.signal, () => ask('b'));
    leave();
    await settled();
    expect([taken, refused.map((each) => each[0])]).toEqual([
      ['a', 'a'],
      ['a', 'b'],
    ]);
  });

  test('are given back once, also by work that fails', async () => {
    const shares = createShares<Holder>({ places: 1, waiting: 9 });
    await expect(shares.inTurn('a', () => Promise.reject(new Error('kaputt')))).rejects.toThrow('kaputt');
    const leave = await shares.take('a');
    leave();
    leave();
    const { taken, ask } = createHall(shares);
    void ask('a');
    void ask('b');
    await settled();
    expect(taken).toEqual(['a']);
  });
});

interface Held {
  who: Holder | null;
  leave: Leave;
}
interface Bounds {
  places: number;
  reserved: number;
}

const holding = (held: Held[], who: Holder | null) => held.filter((each) => each.who === who).length;

/** No more is held than there is, and nobody waits for what is free. */
function expectBounds(held: Held[], waiting: Pick<Held, 'who'>[], { places, reserved }: Bounds): void {
  const ofNobody = holding(held, null);
  expect(held.length).toBeLessThanOrEqual(places);
  expect(held.length - ofNobody).toBeLessThanOrEqual(places - reserved);
  // Who holds nothing waits only while everything that it may have is taken.
  const hungry = waiting.some(({ who }) => holding(held, who) === 0 && who !== null);
  if (hungry) expect(held.length - Math.min(ofNobody, reserved)).toBe(places - reserved);
  if (waiting.some(({ who }) => who === null)) expect(held.length).toBe(places);
}

const HOLDERS = [null, 'a', 'b', 'c', 'd'] as const;
const STEP = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('ask' as const), who: fc.constantFrom(...HOLDERS) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('leave' as const), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('hang up' as const), which: fc.nat(20) }) },
);

test('whatever is asked, left and given up: bounds hold, nobody waits in vain, and in the end all are free', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 9 }),
      fc.integer({ min: 0, max: 3 }),
      fc.array(STEP, { maxLength: 60 }),
      async (more, reserved, steps) => {
        const places = more + reserved;
        const shares = createShares<Holder>({ places, reserved, waiting: 1_000 });
        const held: Held[] = [];
        const waiting: { who: Holder | null; caller: AbortController }[] = [];
        const ask = (who: Holder | null) => {
          const asked = { who, caller: new AbortController() };
          waiting.push(asked);
          const noteEnd = () => waiting.splice(waiting.indexOf(asked), 1);
          shares.take(who, { signal: asked.caller.signal }).then((leave) => {
            noteEnd();
            held.push({ who, leave });
            // What it may have: at most half of what others leave of what is not reserved, one at least.
            const others = held.filter((each) => each.who !== null && each.who !== who).length;
            const room = places - reserved - others;
            if (who !== null)
              expect(holding(held, who)).toBeLessThanOrEqual(Math.max(1, Math.floor(room / 2)));
          }, noteEnd);
        };
        for (const step of steps) {
          if (step.kind === 'ask') ask(step.who);
          else if (step.kind === 'leave') held.splice(step.which % (held.length || 1), 1)[0]?.leave();
          else waiting[step.which % (waiting.length || 1)]?.caller.abort(new CallerGone());
          await settled();
          expectBounds(held, waiting, { places, reserved });
        }
        while (held.length > 0) {
          held.shift()?.leave();
          await settled();
        }
        expect(waiting).toEqual([]);
      },
    ),
    { numRuns: 200 },
  );
});
