import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
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

const event = (more: Partial<CountedEvent> = {}, sent: Sent = {}): CountedEvent => ({
  id: randomUUID(),
  sent: { anbieter: 'openai', modell: 'm', ...sent },
  zeitpunkt: '2026-10-25T00:30:00.000000Z',
  empfangenAm: '2026-10-25T00:30:00.000000Z',
  agent: 'a',
  projekt: 'p',
  endkunde: null,
  status: 'erfolgreich',
  failed: false,
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
        event(priced, { eingabe_token: 1, ausgabe_token: 2, cache_lese_token: 3 }),
        event({ ...priced, status: 'fehler', failed: true }, { cache_schreib_token: 4, denk_token: 5 }),
        event(priced, { geschaetzt: true, eingabe_token: null }),
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
    const unpriced = only(hourTotals([event(), event({}, { geschaetzt: true })]));
    expect(unpriced).toMatchObject({ usd: null, eur: null, geschaetztEur: null, verbranntEur: 0n });
    expect(only(hourTotals([event(), event({ usd: 0n, eur: 0n })]))).toMatchObject({ usd: 0n, eur: 0n });
  });

  test('stays exact beyond 2^53', () => {
    const huge = Number.MAX_SAFE_INTEGER;
    const total = only(hourTotals([1, 2, 3].map(() => event({}, { eingabe_token: huge, denk_token: huge }))));
    expect(total).toMatchObject({
      eingabe: 27_021_597_764_222_973n,
      denk: 27_021_597_764_222_973n,
      ausgabe: 0,
    });
    expect(only(dayTotals([total, { ...total, stunde: '2026-10-25T01:00:00Z' }])).eingabe).toBe(
      54_043_195_528_445_946n,
    );
  });

  test.each<[string, Partial<CountedEvent>, Sent]>([
    ['hour', { stunde: '2026-10-25T01:00:00Z' }, {}],
    ['agent', { agent: 'b' }, {}],
    ['project', { projekt: 'q' }, {}],
    ['end customer', { endkunde: 'k' }, {}],
    ['provider', {}, { anbieter: 'anthropic' }],
    ['model', {}, { modell: 'n' }],
    ['rate', { kurs: '0.87' }, {}],
  ])('is another one for another %s', (_what, more, sent) => {
    expect(
      hourTotals([event(), event(more, sent), event()])
        .map((total) => total.aufrufe)
        .sort(),
    ).toEqual([1, 2]);
  });

  test('treats what is missing as one name of its own', () => {
    const totals = hourTotals([
      event({}, { anbieter: null, modell: null }),
      event({}, { anbieter: '', modell: '' }),
    ]);
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
  const lauf_id = randomUUID();
  const at = (minute: number, more: Partial<CountedEvent> = {}, sent: Sent = {}) =>
    event(
      { zeitpunkt: `2026-10-25T00:${String(minute).padStart(2, '0')}:00.000000Z`, ...more },
      { lauf_id, ...sent },
    );

  test('lasts from its earliest to its latest call, whatever the order, and ends like the latest', () => {
    const run = only(
      runTotals([
        at(20, { status: 'abgebrochen', failed: true, agent: 'b', endkunde: 'k1' }, { schritt_nr: 3 }),
        at(10, { endkunde: 'k2' }),
        at(15, { status: 'fehler', failed: true }),
        event(),
      ]),
    );
    expect(run).toMatchObject({
      lauf: lauf_id,
      agent: 'b',
      endkunde: 'k1',
      status: 'abgebrochen',
      beginn: '2026-10-25T00:10:00.000000Z',
      ende: '2026-10-25T00:20:00.000000Z',
      letzterSchritt: 3,
      aufrufe: 3,
      fehler: 2,
    });
  });

  test('decides between calls of the same instant by their step', () => {
    const calls = [
      at(10, { status: 'zwei' }, { schritt_nr: 2 }),
      at(10, { status: 'eins' }, { schritt_nr: 1 }),
      at(10),
    ];
    for (const order of [calls, calls.toReversed()]) expect(only(runTotals(order)).status).toBe('zwei');
  });

  test('has the first end customer that any of its calls names', () => {
    expect(only(runTotals([at(10), at(11, { endkunde: 'k' }), at(12, { endkunde: 'l' })])).endkunde).toBe(
      'k',
    );
  });
});
