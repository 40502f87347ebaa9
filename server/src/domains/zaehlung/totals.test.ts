import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { instantOf, type Microseconds } from '#kernel/microseconds.ts';
import type { CountedEvent } from './normalise.ts';
import { createTotals, dayTotals } from './totals.ts';

const totalsOf = (events: CountedEvent[]) => {
  const totals = createTotals();
  for (const event of events) totals.add(event);
  return totals;
};
const hourTotals = (events: CountedEvent[]) => totalsOf(events).hours();
const runTotals = (events: CountedEvent[]) => totalsOf(events).runs();

type Sent = CountedEvent['sent'];

const event = (more: Partial<CountedEvent> = {}, sent: Partial<Sent> = {}): CountedEvent => ({
  ...instantOf('2026-10-25T00:30:00Z'),
  received: instantOf('2026-10-25T00:30:00Z'),
  anbieter: 'openai',
  modell: 'm',
  agent: 'a',
  projekt: 'p',
  endkunde: null,
  funktion: null,
  benutzer: null,
  latenzMs: null,
  lauf: null,
  schritt: null,
  status: 'erfolgreich',
  failed: false,
  geschaetzt: false,
  sent: { eingabe: null, ausgabe: null, cacheLese: null, cacheSchreib: null, denk: null, ...sent },
  stunde: '2026-10-25T00:00:00Z',
  tag: '2026-10-25',
  kurs: '0.86',
  kursScaled: 8_600_000_000n,
  buckets: null,
  usd: null,
  eur: null,
  preisQuelle: null,
  ...more,
});

const only = <T>(items: T[]): T => {
  expect(items).toHaveLength(1);
  return items[0] as T;
};

describe('a row of the rollup', () => {
  test('adds up its events', () => {
    const priced = { usd: 10n, eur: 9n };
    const total = only(
      hourTotals([
        event(priced, { eingabe: 1, ausgabe: 2, cacheLese: 3 }),
        event({ ...priced, status: 'fehler', failed: true }, { cacheSchreib: 4, denk: 5 }),
        event({ ...priced, geschaetzt: true }),
        event(),
      ]),
    );
    expect(total).toMatchObject({
      aufrufe: 4,
      fehler: 1,
      unbepreist: 1,
      geschaetzt: 1,
      eingabe: 1,
      ausgabe: 2,
      cacheLese: 3,
      cacheSchreib: 4,
      denk: 5,
      usd: 30n,
      eur: 27n,
      geschaetztEur: 9n,
      verbranntEur: 9n,
    });
  });

  test('has an unknown cost as long as none of its events has a known one; 0 is known', () => {
    const unpriced = only(hourTotals([event(), event({ geschaetzt: true })]));
    expect(unpriced).toMatchObject({ usd: null, eur: null, geschaetztEur: null, verbranntEur: 0n });
    expect(only(hourTotals([event(), event({ usd: 0n, eur: 0n })]))).toMatchObject({ usd: 0n, eur: 0n });
  });

  test('stays exact beyond 2^53', () => {
    const huge = Number.MAX_SAFE_INTEGER;
    const total = only(hourTotals([1, 2, 3].map(() => event({}, { eingabe: huge, denk: huge }))));
    expect(total).toMatchObject({
      eingabe: 27_021_597_764_222_973n,
      denk: 27_021_597_764_222_973n,
      ausgabe: 0,
    });
    expect(only(dayTotals([total, { ...total, stunde: '2026-10-25T01:00:00Z' }])).eingabe).toBe(
      54_043_195_528_445_946n,
    );
  });

  test.each<[string, Partial<CountedEvent>]>([
    ['hour', { stunde: '2026-10-25T01:00:00Z' }],
    ['agent', { agent: 'b' }],
    ['project', { projekt: 'q' }],
    ['end customer', { endkunde: 'k' }],
    ['provider', { anbieter: 'anthropic' }],
    ['model', { modell: 'n' }],
    ['rate', { kurs: '0.87' }],
  ])('is another one for another %s', (_what, more) => {
    expect(
      hourTotals([event(), event(more), event()])
        .map((total) => total.aufrufe)
        .sort(),
    ).toEqual([1, 2]);
  });

  test('treats what is missing as one name of its own', () => {
    const totals = hourTotals([event({ anbieter: null, modell: null }), event({ anbieter: '', modell: '' })]);
    expect(only(totals)).toMatchObject({ anbieter: '', modell: '', endkunde: '', aufrufe: 2 });
  });
});

test('a day adds up its hours, whatever their rates', () => {
  const hours = hourTotals([
    event({ eur: 1n, usd: 1n }),
    event({ eur: 2n, usd: 2n, kurs: '0.87' }),
    event({ stunde: '2026-10-25T01:00:00Z' }),
    event({ stunde: '2026-10-26T01:00:00Z', tag: '2026-10-26' }),
  ]);
  const days = dayTotals(hours);
  expect(hours).toHaveLength(4);
  expect(days.map(({ tag, aufrufe, eur, unbepreist }) => [tag, aufrufe, eur, unbepreist])).toEqual([
    ['2026-10-25', 3, 3n, 1],
    ['2026-10-26', 1, null, 1],
  ]);
});

describe('a run', () => {
  const lauf = randomUUID();
  const at = (minute: number, more: Partial<CountedEvent> = {}) =>
    event({ ...instantOf(`2026-10-25T00:${minute}:00Z`), lauf, ...more });

  test('lasts from its earliest to its latest call, whatever the order, and ends like the latest', () => {
    const run = only(
      runTotals([
        at(20, { status: 'abgebrochen', failed: true, agent: 'b', endkunde: 'k1', schritt: 3 }),
        at(10, { endkunde: 'k2' }),
        at(15, { status: 'fehler', failed: true }),
        event(),
      ]),
    );
    expect(run).toMatchObject({
      lauf,
      agent: 'b',
      endkunde: 'k1',
      status: 'abgebrochen',
      beginn: instantOf('2026-10-25T00:10:00Z'),
      ende: instantOf('2026-10-25T00:20:00Z'),
      letzterSchritt: 3,
      aufrufe: 3,
      fehler: 2,
    });
  });

  test('decides between calls of the same instant by their step', () => {
    const calls = [at(10, { status: 'zwei', schritt: 2 }), at(10, { status: 'eins', schritt: 1 }), at(10)];
    for (const order of [calls, calls.toReversed()]) expect(only(runTotals(order)).status).toBe('zwei');
  });

  test('has the first end customer that any of its calls names', () => {
    expect(only(runTotals([at(10), at(11, { endkunde: 'k' }), at(12, { endkunde: 'l' })])).endkunde).toBe(
      'k',
    );
  });
});

test('runs are told apart to the microsecond', () => {
  const lauf = randomUUID();
  const at = (iso: string, status: string) => event({ ...instantOf(iso), lauf, status });
  const calls = [
    at('2026-10-25T00:10:00.000002Z', 'zwei'),
    at('2026-10-25T00:10:00.000001Z', 'eins'),
    at('2026-10-25T00:09:59.999999Z', 'null'),
  ];
  for (const order of [calls, calls.toReversed()])
    expect(only(runTotals(order))).toMatchObject({
      beginn: instantOf('2026-10-25T00:09:59.999999Z'),
      ende: instantOf('2026-10-25T00:10:00.000002Z'),
      status: 'zwei',
    });
});

describe('the agents', () => {
  const call = (agent: string, iso: string, projekt = 'p') => event({ ...instantOf(iso), agent, projekt });

  test('are those of the events by key, each with its latest call, with a run or without', () => {
    const calls = [
      call('b', '2026-10-25T00:10:00.000001Z', 'alt'),
      call('b', '2026-10-25T00:10:00.000002Z', 'neu'),
      event({ ...call('b', '2026-10-25T00:09:59.999999Z', 'vorher'), lauf: randomUUID() }),
      call('a', '2026-10-24T00:00:00Z'),
    ];
    for (const order of [calls, calls.toReversed()])
      expect(totalsOf(order).agents()).toMatchObject([
        { agent: 'a', projekt: 'p', letzterAufruf: instantOf('2026-10-24T00:00:00Z') },
        { agent: 'b', projekt: 'neu', letzterAufruf: instantOf('2026-10-25T00:10:00.000002Z') },
      ]);
  });
});

describe('the span', () => {
  test('of no events is none', () => {
    expect(totalsOf([]).span()).toBeNull();
    expect(totalsOf([]).count()).toBe(0);
  });

  test('goes from the first to the last, by arrival and by their own time', () => {
    const a = instantOf('2026-10-25T00:00:00.1Z');
    const b = instantOf('2026-10-25T00:00:00.2Z');
    const c = instantOf('2026-10-25T00:00:01Z');
    const seen = (own: Microseconds, received: Microseconds) => event({ ...own, received });
    const totals = totalsOf([seen(b, c), seen(c, a), seen(a, b)]);
    expect(totals.count()).toBe(3);
    expect(totals.span()).toMatchObject({ ersterAufruf: a, letzterAufruf: c, von: a, bis: c });
  });
});
