/** Which runs may be another one begun anew, by what was seen of them. */
import { describe, expect, test } from 'vitest';
import { type RememberedRun, RunMemory } from '#domains/laeufe/index.ts';
import { Beginnings, type Changed } from './beginnings.ts';

const STEPS = 3;
const PAUSE = 30;
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const START = Date.UTC(2026, 10, 2);

interface Kind {
  prompt?: bigint | null;
  /** By step; null where it calls no tool. */
  tools?: (bigint | null)[];
  calls?: number;
  failed?: (step: number) => boolean;
}

/** A run that begins at a time and calls once a second. */
function runOf(lauf: string, begin: number, kind: Kind = {}): Changed {
  const { prompt = 7n, tools = [1n, 2n, 3n], calls = STEPS, failed = () => false } = kind;
  const memory = new RunMemory(2 ** 20);
  const steps = Array.from({ length: calls }, (_, step) => ({
    schritt: step,
    zeit: (begin + step * SECOND) * 1_000,
    ereignisId: BigInt(step),
    prompt: step === 0 ? prompt : BigInt(1_000 + step),
    werkzeug: step < tools.length ? (tools[step] as bigint | null) : BigInt(step),
    modell: 1,
    eingabe: 100,
    ohneCacheLesen: 100,
    usd: 1n,
    failed: failed(step),
    geschaetzt: false,
    geleitet: false,
  }));
  const facts = { agent: 'a/b', projekt: 'a', endkunde: null, eur: null };
  memory.advance('m', { lauf, ...facts, steps, aufrufe: calls, fassung: 0 });
  return { lauf, run: memory.read('m', lauf) as RememberedRun };
}

/** Marks of one Mandant in turn, an hour after the first of them was seen. */
function createMarks() {
  const beginnings = new Beginnings();
  let nummer = 0;
  let now = START;
  const see = (runs: Changed[], { complete = true, missing = 0 } = {}) => {
    nummer += 1 + missing;
    beginnings.note('m', STEPS, { nummern: [nummer], runs, complete }, now);
  };
  see([]);
  now += HOUR;
  return {
    see,
    get now() {
      return now;
    },
    wait: (milliseconds: number) => {
      now += milliseconds;
    },
    mayBeAnew: (changed: Changed) => beginnings.mayBeAnew('m', STEPS, changed, { pause: PAUSE, now }),
  };
}

test('a run is looked at that begins as another did, and no other', () => {
  const marks = createMarks();
  const [first, other, again] = [
    runOf('1', marks.now),
    runOf('2', marks.now, { prompt: 8n }),
    runOf('3', marks.now + 10 * SECOND),
  ];
  marks.see([first, other]);
  expect([first, other].map(marks.mayBeAnew)).toEqual([false, false]);
  marks.see([again]);
  expect([again, other].map(marks.mayBeAnew)).toEqual([true, false]);
});

test('both in one look, and one that goes on', () => {
  const marks = createMarks();
  const runs = [runOf('1', marks.now), runOf('2', marks.now + 10 * SECOND, { calls: 5 })];
  marks.see(runs);
  expect(runs.map(marks.mayBeAnew)).toEqual([true, true]);
  marks.see([runOf('1', marks.now, { calls: 6 })]);
  expect(marks.mayBeAnew(runs[1] as Changed)).toBe(true);
});

test('calls that failed are none of the steps, and how a long run began stays known', () => {
  const marks = createMarks();
  const failing = runOf('1', marks.now, {
    tools: [null, 1n, 2n, 3n],
    calls: 4,
    failed: (step) => step === 0,
  });
  marks.see([failing]);
  marks.see([runOf('1', marks.now, { calls: 40 })]);
  const again = runOf('2', marks.now + 41 * SECOND, { prompt: 1_001n });
  marks.see([again]);
  expect(marks.mayBeAnew(again)).toBe(true);
  const another = runOf('3', marks.now + 41 * SECOND);
  marks.see([another]);
  expect(marks.mayBeAnew(another)).toBe(false);
});

test('a call that came late changes how a run begins', () => {
  const marks = createMarks();
  marks.see([runOf('1', marks.now), runOf('2', marks.now, { prompt: 8n })]);
  const read = runOf('2', marks.now);
  marks.see([{ ...read, run: { ...read.run, anew: read.run.anew + 1 } }]);
  const again = runOf('3', marks.now + 10 * SECOND, { prompt: 8n });
  marks.see([again]);
  expect(marks.mayBeAnew(runOf('1', marks.now))).toBe(true);
});

describe('any may be one, as long as not all is known:', () => {
  const begun = (marks: ReturnType<typeof createMarks>) => runOf('9', marks.now, { prompt: 99n });

  test.each<[string, (marks: ReturnType<typeof createMarks>) => void]>([
    ['others took marks meanwhile', (marks) => marks.see([], { missing: 1 })],
    ['a run is not remembered', (marks) => marks.see([], { complete: false })],
    [
      'nobody knows how one began',
      (marks) => marks.see([runOf('1', marks.now - 40 * SECOND, { calls: 40 })]),
    ],
  ])('%s', (_, happen) => {
    const marks = createMarks();
    marks.see([begun(marks)]);
    expect(marks.mayBeAnew(begun(marks))).toBe(false);
    happen(marks);
    marks.see([begun(marks)]);
    expect(marks.mayBeAnew(begun(marks))).toBe(true);
    marks.wait(HOUR);
    marks.see([]);
    expect(marks.mayBeAnew(runOf('10', marks.now, { prompt: 98n }))).toBe(false);
  });

  test('calls of before, whenever they come', () => {
    const marks = createMarks();
    const past = runOf('9', START - HOUR);
    marks.see([past]);
    expect(marks.mayBeAnew(past)).toBe(true);
  });

  test('those that were let go, and none that came after', () => {
    const marks = createMarks();
    const first = runOf('0', marks.now);
    marks.see([first]);
    for (let run = 1; run < 60_000; run += 1) {
      marks.wait(10);
      if (run % 100 === 0)
        marks.see(
          Array.from({ length: 100 }, (_, at) => {
            const { run: known } = first;
            const [one, ...rest] = known.state.recent;
            const recent = [
              { ...(one as (typeof known.state.recent)[0]), prompt: BigInt(run + at) },
              ...rest,
            ];
            return { lauf: `l${run + at}`, run: { ...known, state: { ...known.state, recent } } };
          }),
        );
    }
    const again = runOf('again', START + HOUR + 10 * SECOND);
    marks.see([again]);
    expect(marks.mayBeAnew(again)).toBe(true);
    const another = runOf('another', marks.now, { prompt: -5n });
    marks.see([another]);
    expect(marks.mayBeAnew(another)).toBe(false);
  });
});
