/** What is kept of a run equals what its events say, however they come. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { advance, compareSteps, newRun, RECENT_STEPS, type RunState, type Step } from './run-state.ts';
import {
  copyRunState,
  earlierThanNeeded,
  hasRoomFor,
  readRunState,
  roomFor,
  type StatePlace,
  writeRunState,
} from './run-state-bytes.ts';

const PRINTS = [0n, 1n, 2n ** 64n - 1n, null];
const step = fc.record({
  schritt: fc.option(fc.integer({ min: 0, max: 40 })),
  zeit: fc.integer({ min: 1_700_000_000_000_000, max: 1_700_000_000_000_400 }),
  ereignisId: fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }),
  prompt: fc.constantFrom(...PRINTS),
  werkzeug: fc.constantFrom(...PRINTS),
  modell: fc.integer({ min: 1, max: 2 }),
  eingabe: fc.integer({ min: 0, max: 100_000 }),
  ohneCacheLesen: fc.integer({ min: 0, max: 100_000 }),
  usd: fc.option(fc.bigInt({ min: 0n, max: 10n ** 26n })),
  failed: fc.boolean(),
  geschaetzt: fc.boolean(),
  geleitet: fc.boolean(),
}) as fc.Arbitrary<Step>;
const steps = fc.uniqueArray(step, { maxLength: 60, selector: ({ ereignisId }) => ereignisId });

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

/** A step that succeeded, and its place among all. */
interface Placed {
  step: Step;
  place: number;
}

const succeededOf = (list: Step[]): Placed[] =>
  list.map((step, place) => ({ step, place })).filter(({ step }) => !step.failed);

/** Whether one is still kept when the other comes. */
const isKept = (before: Placed, now: Placed) => now.place - before.place <= RECENT_STEPS;

/** Length and cost of the repeats at the end of a list, failed ones left out, counted backwards. */
function streakOf(list: Placed[]): RunState['streak'] {
  const same = (now: Placed, before: Placed) => {
    const [a, b] = [now.step, before.step];
    const isEqual = a.prompt === b.prompt && a.werkzeug === b.werkzeug && a.modell === b.modell;
    return a.prompt !== null && isEqual && isKept(before, now);
  };
  let begin = list.length - 1;
  while (begin > 0 && same(list[begin] as Placed, list[begin - 1] as Placed)) begin -= 1;
  const streak = list.slice(begin).map(({ step }) => step);
  return {
    length: streak.length,
    repeatedUsd: streak.slice(2).reduce((total, { usd }) => total + (usd ?? 0n), 0n),
  };
}

/** How many steps at the end alternate between two tool prints, failed ones left out. */
function alternatingOf(list: Placed[]): number {
  const prints = list.map(({ step }) => step.werkzeug);
  let length = prints.at(-1) === null || prints.length === 0 ? 0 : 1;
  for (let at = prints.length - 2; length > 0 && at >= 0; at -= 1) {
    const isOther = prints[at] !== null && prints[at] !== prints[at + 1];
    const isSameAsNextButOne = at + 2 >= prints.length || prints[at] === prints[at + 2];
    const own = list[at] as Placed;
    const areKept = list.slice(at + 1, at + 3).every((later) => isKept(own, later));
    if (!isOther || !isSameAsNextButOne || !areKept) break;
    length += 1;
  }
  return length;
}

/** The state from the whole list at once. */
function reference(list: Step[]): RunState {
  const ordered = list.toSorted(compareSteps);
  const good = succeededOf(ordered);
  const y = good.map(({ step }) => step.eingabe);
  return {
    stale: false,
    geleitet: list.some(({ geleitet }) => geleitet),
    calls: list.length,
    failed: list.filter(({ failed }) => failed).length,
    usd: list.reduce((total, { usd }) => total + (usd ?? 0n), 0n),
    streak: good.length === 0 ? newRun().streak : streakOf(good),
    alternating: alternatingOf(good),
    trend: {
      sumX: sum(y.map((_, x) => x)),
      sumY: sum(y),
      sumXX: sum(y.map((_, x) => x * x)),
      sumXY: sum(y.map((value, x) => x * value)),
      first: y[0] ?? 0,
    },
    recent: ordered.slice(-RECENT_STEPS).map(({ usd: _, ereignisId: __, geleitet: ___, ...kept }) => kept),
    lastId: ordered.at(-1)?.ereignisId ?? 0n,
  };
}

/** A place with others' bytes around it. */
const placeFor = (steps: number): StatePlace => {
  const room = roomFor(steps);
  return { view: new DataView(new Uint8Array(room + 20).fill(0xee).buffer), at: 10, room };
};
const keep = (state: RunState): RunState => {
  const place = placeFor(state.recent.length);
  writeRunState(place, state);
  return readRunState(place);
};

describe('the state of a run', () => {
  test('is that of its events, stored and read after any of them', () => {
    fc.assert(
      fc.property(steps, fc.infiniteStream(fc.boolean()), (list, cuts) => {
        let state = newRun();
        for (const [index, next] of list.toSorted(compareSteps).entries()) {
          advance(state, next);
          if (cuts.next().value) state = keep(state);
          // Of every beginning: what is only seen at the end of a run would be met by chance.
          expect(keep(state)).toEqual(keep(reference(list.toSorted(compareSteps).slice(0, index + 1))));
        }
      }),
    );
  });

  test.each([
    ['the same prompt', 7n, 3],
    ['no prompt that is known', null, 1],
  ])('has a streak of equal calls with %s', (_what, prompt, length) => {
    const state = newRun();
    const equal = {
      werkzeug: 1n,
      modell: 1,
      eingabe: 1,
      ohneCacheLesen: 1,
      usd: 1n,
      failed: false,
      geschaetzt: false,
      geleitet: false,
    };
    for (const schritt of [1, 2, 3])
      advance(state, { ...equal, prompt, schritt, zeit: schritt, ereignisId: BigInt(schritt) });
    expect(keep(state).streak.length).toBe(length);
  });

  test('is marked as soon as an event comes that belongs before another, and counts it all the same', () => {
    fc.assert(
      fc.property(steps, (list) => {
        const state = newRun();
        for (const next of list) advance(state, next);
        const isOrdered = list.every(
          (each, index) => index === 0 || compareSteps(list[index - 1] as Step, each) < 0,
        );
        expect(state.stale).toBe(!isOrdered);
        const { calls, failed, usd } = reference(list);
        expect(state).toMatchObject({ calls, failed, usd });
      }),
    );
  });

  test('stays small, whatever the length of the run', () => {
    const state = newRun();
    for (let index = 0; index < 5_000; index += 1)
      advance(state, {
        schritt: index,
        zeit: index,
        ereignisId: 0n,
        prompt: 1n,
        werkzeug: null,
        modell: 1,
        eingabe: 2 ** 33,
        ohneCacheLesen: 1,
        usd: 1n,
        failed: false,
        geschaetzt: false,
        geleitet: false,
      });
    expect(roomFor(state.recent.length)).toBeLessThan(1_100);
    expect(keep(state).streak).toEqual({ length: 5_000, repeatedUsd: 4_998n });
    expect(keep(state).recent.at(-1)?.eingabe).toBe(2 ** 32 - 1);
  });

  test('that is advanced where it stands, by its last steps alone, is that of its events', () => {
    fc.assert(
      fc.property(steps, fc.infiniteStream(fc.nat({ max: 3 })), (list, several) => {
        const ordered = list.toSorted(compareSteps);
        const state = newRun();
        let place = placeFor(0);
        writeRunState(place, state);
        while (ordered.length > 0) {
          const more = ordered.splice(0, several.next().value);
          const earlier = earlierThanNeeded(place);
          const standing = readRunState(place, earlier);
          for (const next of more) {
            advance(state, next);
            advance(standing, next);
          }
          const kept = earlier + standing.recent.length;
          const before = place;
          if (!hasRoomFor(place, kept)) place = placeFor(kept);
          if (place !== before) copyRunState(before, place, earlier);
          writeRunState(place, standing, earlier);
          expect(readRunState(place)).toEqual(keep(state));
          const bytes = new Uint8Array(place.view.buffer);
          expect([...bytes.subarray(0, 10), ...bytes.subarray(10 + place.room)]).toEqual(
            Array(20).fill(0xee),
          );
        }
      }),
    );
  });

  test('a cost beyond 128 bits stays the largest, and does not begin anew', () => {
    const state = { ...newRun(), usd: 2n ** 128n + 5n, streak: { length: 3, repeatedUsd: 2n ** 140n } };
    const kept = keep(state);
    expect([kept.usd, kept.streak.repeatedUsd]).toEqual([2n ** 128n - 1n, 2n ** 128n - 1n]);
  });
});
