/** What events add up to, against adding them one by one in the simplest way. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DIMENSION_NAMES, DIMENSIONS, FIGURE_NAMES } from '#contracts';
import {
  GRAINS,
  type Grain,
  HISTOGRAMS,
  isKept,
  type KeptValues,
  MINUTE_HOURS,
  STEP_BOUNDS,
  STEPS,
} from '#domains/verbrauch/index.ts';
import type { Usd, UsdEurRate } from '#kernel/money.ts';
import type { CountedEvent } from '../normalise.ts';
import { writeHistogram } from './columns.ts';
import { stepOf } from './figures.ts';
import type { Grid } from './grid.ts';
import { Sums } from './sums.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const HOUR = 3_600;

const count = fc.oneof(
  fc.integer({ min: 0, max: 5_000 }),
  fc.constant(Number.MAX_SAFE_INTEGER),
  fc.constant(null),
);
const oneOf = (...names: string[]) => fc.constantFrom(...names);
const times = fc.oneof(
  fc.integer({ min: NOW / 1_000 - 2 * HOUR, max: NOW / 1_000 + HOUR }),
  fc.integer({ min: NOW / 1_000 - 240 * 24 * HOUR, max: NOW / 1_000 }),
);
const RATES = ['0.86', '0.9'];

const event: fc.Arbitrary<CountedEvent> = fc
  .record({
    seconds: times,
    micros: fc.integer({ min: 0, max: 999_999 }),
    agent: oneOf('a', 'b', 'c'),
    projekt: oneOf('p', 'q'),
    endkunde: fc.option(oneOf('k', 'l', 'm')),
    anbieter: fc.option(oneOf('x', 'y')),
    modell: fc.option(oneOf('m', 'n')),
    funktion: fc.option(oneOf('f', 'g')),
    benutzer: fc.option(oneOf('u', 'v')),
    merkmale: fc.constant([]),
    failed: fc.boolean(),
    wiederholung: fc.boolean(),
    geschaetzt: fc.boolean(),
    teilbepreist: fc.boolean(),
    sent: fc.record({ eingabe: count, ausgabe: count, cacheLese: count, cacheSchreib: count, denk: count }),
    buckets: fc.option(
      fc.record({
        eingabeOhneCache: fc.maxSafeNat(),
        // Two counts may add up to more than a number holds exactly.
        ausgabeGesamt: fc.oneof(fc.maxSafeNat(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 54n })),
      }),
    ),
    usd: fc.option(
      fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 27n }), fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n })),
    ) as fc.Arbitrary<Usd | null>,
    kurs: fc.record({
      text: fc.constantFrom(...RATES),
      ersatz: fc.boolean(),
      ersatzTag: fc.constant('2026-01-02'),
    }),
    latenzMs: fc.option(fc.integer({ min: 0, max: 10_000_000 })),
    ersteZeichenMs: fc.option(fc.integer({ min: 0, max: 100 })),
  })
  .map((made) => {
    const iso = new Date(made.seconds * 1_000).toISOString();
    const scaled = (made.kurs.text === '0.86' ? 8_600_000_000n : 9_000_000_000n) as UsdEurRate;
    return {
      ...made,
      kurs: { ...made.kurs, scaled },
      // In a zone whose days are those of UTC.
      stunde: `${iso.slice(0, 13)}:00:00Z`,
      tag: iso.slice(0, 10),
      eur: (made.usd === null ? null : made.usd * scaled) as CountedEvent['eur'],
    } as unknown as CountedEvent;
  });

const textOf: Record<(typeof DIMENSION_NAMES)[number], (event: CountedEvent) => string> = {
  agent: ({ agent }) => agent,
  projekt: ({ projekt }) => projekt,
  endkunde: ({ endkunde }) => endkunde ?? '',
  anbieter: ({ anbieter }) => anbieter ?? '',
  modell: ({ modell }) => modell ?? '',
  funktion: ({ funktion }) => funktion ?? '',
  benutzer: ({ benutzer }) => benutzer ?? '',
};

const periodOf: Record<Grain, (event: CountedEvent) => string> = {
  minute: ({ seconds }) => new Date(Math.floor(seconds / 60) * 60_000).toISOString(),
  stunde: ({ stunde }) => stunde,
};

const total = (events: CountedEvent[], read: (event: CountedEvent) => number | bigint | null) =>
  events.reduce((sum, each) => sum + BigInt(read(each) ?? 0), 0n);

/** What running sums of a set of events are. */
const figuresOf = (events: CountedEvent[]) => ({
  aufrufe: BigInt(events.length),
  fehler: total(events, ({ failed }) => (failed ? 1 : 0)),
  unbepreist: total(events, ({ usd }) => (usd === null ? 1 : 0)),
  geschaetzt: total(events, ({ geschaetzt }) => (geschaetzt ? 1 : 0)),
  eingabe_token: total(events, ({ sent }) => sent.eingabe),
  ausgabe_token: total(events, ({ sent }) => sent.ausgabe),
  kosten_eur: total(events, ({ eur }) => eur),
  latenz: stepsOf(events.map(({ latenzMs }) => latenzMs)),
  erste_zeichen: stepsOf(events.map(({ ersteZeichenMs }) => ersteZeichenMs)),
});
const RUNNING = [
  ...(['aufrufe', 'fehler', 'unbepreist', 'geschaetzt'] as const),
  ...(['eingabe_token', 'ausgabe_token', 'kosten_eur'] as const),
];
/** Values besides agents that have running sums. */
const KEPT: KeptValues = new Map([
  [DIMENSIONS.projekt.number, new Set(['p'])],
  [DIMENSIONS.modell.number, new Set(['', 'm'])],
]);

function stepsOf(measured: (number | null)[]): number[] {
  const steps = new Array(STEPS).fill(0);
  for (const each of measured)
    if (each !== null) steps[STEP_BOUNDS.filter((bound) => bound <= each).length] += 1;
  return steps;
}

/** What a grid holds, by period, dimension and text. */
function read(sums: Sums, grain: Grain): Record<string, unknown> {
  const cells: Record<string, unknown> = {};
  const grid: Grid = sums.grids()[grain];
  for (let cell = 0; cell < grid.cells; cell += 1) {
    const value = grid.valueOf[cell] as number;
    const key = `${grid.periods[grid.periodOf[cell] as number]} ${sums.values.dimensions[value]} ${sums.values.texts[value]}`;
    cells[key] = Object.fromEntries([
      ...RUNNING.map((figure) => [figure, BigInt(grid.figure(cell, FIGURE_NAMES.indexOf(figure)))]),
      ...HISTOGRAMS.map((figure, which) => [
        figure,
        [...grid.bins.subarray(grid.firstStep(cell, which), grid.firstStep(cell, which + 1))],
      ]),
    ]);
  }
  return cells;
}

function expected(grain: Grain, events: CountedEvent[]): Record<string, unknown> {
  const since = grain === 'minute' ? NOW / 1_000 - MINUTE_HOURS * HOUR : -Infinity;
  const kept = events.filter((each) => each.seconds >= since);
  const dimensions = [
    { number: 0, value: () => '' },
    ...DIMENSION_NAMES.map((each) => ({ number: DIMENSIONS[each].number, value: textOf[each] })),
  ];
  const sets = dimensions.flatMap(({ number, value }) => [
    ...Map.groupBy(
      kept.filter((each) => isKept(KEPT, number, value(each))),
      (each) => `${periodOf[grain](each)} ${number} ${value(each)}`,
    ),
  ]);
  return Object.fromEntries(sets.map(([key, set]) => [key, figuresOf(set)]));
}

describe('the sums of events', () => {
  test.each(Object.keys(GRAINS) as Grain[])(
    'by %s are those of each value of each dimension, and of all',
    (grain) => {
      fc.assert(
        fc.property(fc.array(event, { maxLength: 60 }), (events) => {
          const sums = new Sums(NOW, KEPT);
          for (const each of events) sums.add(each);
          expect(read(sums, grain)).toEqual(expected(grain, events));
        }),
      );
    },
  );

  test('tell how much of an hour was converted at which rate', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const sums = new Sums(NOW, KEPT);
        for (const each of events) sums.add(each);
        const uses = sums.rates().map(({ stunde, kurs, ...use }) => [`${stunde} ${kurs}`, use]);
        const sets = [...Map.groupBy(events, ({ stunde, kurs }) => `${stunde} ${kurs.text}`)];
        expect(Object.fromEntries(uses)).toEqual(
          Object.fromEntries(
            sets.map(([key, set]) => {
              const substituted = set.filter(({ kurs }) => kurs.ersatz).length;
              const usd = total(set, (each) => each.usd);
              return [
                key,
                {
                  aufrufe: set.length,
                  usd,
                  ersatzAufrufe: substituted,
                  ersatzTag: substituted ? '2026-01-02' : null,
                },
              ];
            }),
          ),
        );
      }),
    );
  });

  /** Cells in which anything is left. */
  const leftIn = (cells: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(cells).filter(([, cell]) =>
        Object.values(cell as object)
          .flat()
          .some(Number),
      ),
    );
  const negative = (cells: Record<string, unknown>) =>
    JSON.parse(
      JSON.stringify(cells, (_, each) =>
        typeof each === 'bigint' ? `${-each}` : typeof each === 'number' ? -each : each,
      ),
    );
  const asText = (cells: Record<string, unknown>) =>
    JSON.parse(JSON.stringify(cells, (_, each) => (typeof each === 'bigint' ? `${each}` : each)));

  test.each(Object.keys(GRAINS) as Grain[])(
    'by %s that are taken away are those with their sign',
    (grain) => {
      fc.assert(
        fc.property(fc.array(event, { maxLength: 40 }), (events) => {
          const sums = new Sums(NOW, KEPT);
          for (const each of events) sums.add(each, -1);
          expect(asText(leftIn(read(sums, grain)))).toEqual(negative(leftIn(expected(grain, events))));
        }),
      );
    },
  );

  test('of calls that change are the difference, and nothing where a call stays as it is', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(event, event), { maxLength: 30 }), (pairs) => {
        const changed = pairs.map(([before, { usd, eur, kurs, teilbepreist, wiederholung }]) => ({
          before,
          after: { ...before, usd, eur, kurs, teilbepreist, wiederholung },
        }));
        const sums = new Sums(NOW, KEPT);
        for (const { before, after } of changed) {
          sums.add(before, -1);
          sums.add(after);
          // As it is again.
          sums.add(after, -1);
          sums.add(before);
        }
        expect([leftIn(read(sums, 'stunde')), sums.rates()]).toEqual([{}, []]);
        const once = new Sums(NOW, KEPT);
        for (const { before, after } of changed) {
          once.add(before, -1);
          once.add(after);
        }
        for (const cell of Object.values(read(once, 'stunde')) as ReturnType<typeof figuresOf>[])
          expect(cell).toMatchObject({ aufrufe: 0n, fehler: 0n, eingabe_token: 0n, latenz: stepsOf([]) });
        const all = (read_: (pair: (typeof changed)[number]) => CountedEvent) =>
          total(changed.map(read_), ({ eur }) => eur);
        const totals = Object.entries(read(once, 'stunde')).filter(([key]) => key.includes(' 0 '));
        expect(totals.reduce((sum, [, cell]) => sum + (cell as { kosten_eur: bigint }).kosten_eur, 0n)).toBe(
          all(({ after }) => after) - all(({ before }) => before),
        );
      }),
    );
  });
});

test('a step of the histogram is the number of bounds that are reached', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (milliseconds) => {
      expect(stepOf(milliseconds)).toBe(STEP_BOUNDS.filter((bound) => bound <= milliseconds).length);
    }),
  );
});

test('histograms in one number add up as numbers', () => {
  const steps = fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: STEPS, maxLength: STEPS });
  const numberOf = (list: number[]): bigint => {
    const used = list.flatMap((each, step) => (each > 0 ? [step] : []));
    const low = used[0] ?? 1;
    const digits = new Uint16Array(3 * STEPS);
    const count = writeHistogram(digits, Int16Array.from(list), 0, [low, used.at(-1) ?? 0]);
    const number = [...digits.subarray(0, count)].reduce((sum, digit) => sum * 10_000n + BigInt(digit), 0n);
    return number * 10n ** BigInt(12 * low);
  };
  fc.assert(
    fc.property(steps, steps, (a, b) => {
      const sum = numberOf(a) + numberOf(b);
      const found = a.map((_, step) => Number((sum / 10n ** BigInt(12 * step)) % 10n ** 12n));
      expect(found).toEqual(a.map((each, step) => each + (b[step] as number)));
    }),
  );
});
