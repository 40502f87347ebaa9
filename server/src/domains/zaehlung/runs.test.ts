import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { instantOf, type Microseconds } from '#kernel/microseconds.ts';
import { type Eur, rateFrom, type Usd } from '#kernel/money.ts';
import { OTHERS } from './herkunft.ts';
import type { CountedEvent } from './normalise.ts';
import { Agents, Runs, Span } from './runs.ts';

type Sent = CountedEvent['sent'];

const event = (more: Partial<CountedEvent> = {}, sent: Partial<Sent> = {}): CountedEvent => ({
  ...instantOf('2026-10-25T00:30:00Z'),
  received: instantOf('2026-10-25T00:30:00Z'),
  anbieter: 'openai',
  modell: 'm',
  agent: 'a',
  schluessel: null,
  herkunft: OTHERS,
  abo: false,
  projekt: 'p',
  endkunde: null,
  funktion: null,
  benutzer: null,
  merkmale: [],
  latenzMs: null,
  ersteZeichenMs: null,
  lauf: null,
  schritt: null,
  status: 'erfolgreich',
  failed: false,
  wiederholung: false,
  gewollt: false,
  eltern: null,
  geschaetzt: false,
  mitFingerabdruck: false,
  sent: { eingabe: null, ausgabe: null, cacheLese: null, cacheSchreib: null, denk: null, ...sent },
  stunde: '2026-10-25T00:00:00Z',
  tag: '2026-10-25',
  kurs: { text: '0.86', scaled: rateFrom('0.86'), ersatz: true, ersatzTag: null },
  buckets: null,
  usd: null,
  eur: null,
  preisQuelle: null,
  teilbepreist: false,
  ...more,
});

const only = <T>(items: T[]): T => {
  expect(items).toHaveLength(1);
  return items[0] as T;
};

const seenBy = <T extends { add(event: CountedEvent): void }>(watcher: T, events: CountedEvent[]): T => {
  for (const each of events) watcher.add(each);
  return watcher;
};
const runTotals = (events: CountedEvent[]) => [...seenBy(new Runs(), events).totals.values()];

describe('a run', () => {
  const lauf = randomUUID();
  const at = (minute: number, more: Partial<CountedEvent> = {}) =>
    event({ ...instantOf(`2026-10-25T00:${minute}:00Z`), lauf, ...more });

  test('lasts from its earliest to its latest call, whatever the order, and ends like the latest', () => {
    const run = only(
      runTotals([
        at(20, { status: 'abgebrochen', failed: false, agent: 'b', endkunde: 'k1', schritt: 3 }),
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
      fehler: 1,
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

describe('the cost of a run', () => {
  const lauf = randomUUID();
  const priced = { lauf, usd: 10n as Usd, eur: 9n as Eur };

  test('is unknown as long as none of its calls has a known one; 0 is known', () => {
    expect(only(runTotals([event({ lauf }), event({ lauf })]))).toMatchObject({
      usd: null,
      eur: null,
      unbepreist: 2,
    });
    const free = { usd: 0n as Usd, eur: 0n as Eur };
    expect(only(runTotals([event({ lauf }), event({ lauf, ...free })]))).toMatchObject({ usd: 0n, eur: 0n });
  });

  test('is that of its priced calls; of failed ones it is burnt', () => {
    const failed = event({ ...priced, failed: true, status: 'fehler' });
    const run = only(runTotals([event(priced), failed, event({ lauf })]));
    expect(run).toMatchObject({ aufrufe: 3, fehler: 1, unbepreist: 1, usd: 20n, eur: 18n, verbranntEur: 9n });
  });

  test('is burnt once where a failed call is a repeat as well', () => {
    const both = event({ ...priced, failed: true, status: 'fehler', wiederholung: true });
    expect(only(runTotals([both, event({ ...priced, wiederholung: true })]))).toMatchObject({
      fehler: 1,
      verbranntEur: 18n,
    });
  });

  test('is what a change adds alone, where the call was taken away before', () => {
    const sent = { eingabe: Number.MAX_SAFE_INTEGER, ausgabe: 3 };
    const before = event({ lauf, failed: true }, sent);
    const runs = new Runs();
    for (const each of [before, before, before]) {
      runs.add(each, -1);
      runs.add({ ...each, ...priced });
    }
    expect(only([...runs.totals.values()])).toMatchObject({
      ...{ aufrufe: 0, fehler: 0, unbepreist: -3, eingabe: 0, ausgabe: 0 },
      ...{ usd: 30n, eur: 27n, verbranntEur: 27n },
    });
  });

  test('and its tokens stay exact beyond 2^53', () => {
    const huge = Number.MAX_SAFE_INTEGER;
    const run = only(runTotals([1, 2, 3].map(() => event({ lauf }, { eingabe: huge, ausgabe: 1 }))));
    expect(run).toMatchObject({ eingabe: 27_021_597_764_222_973n, ausgabe: 3 });
  });

  test('… where they are taken away, too', () => {
    const runs = new Runs();
    for (const eingabe of [1, 2, 3].map(() => Number.MAX_SAFE_INTEGER))
      runs.add(event({ lauf }, { eingabe }), -1);
    expect(only([...runs.totals.values()])).toMatchObject({ aufrufe: -3, eingabe: -27_021_597_764_222_973n });
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
      expect(Object.fromEntries(seenBy(new Agents(), order).calls)).toMatchObject({
        a: { projekt: 'p', letzterAufruf: instantOf('2026-10-24T00:00:00Z') },
        b: { projekt: 'neu', letzterAufruf: instantOf('2026-10-25T00:10:00.000002Z') },
      });
  });
});

describe('the span', () => {
  test('of no events is none', () => {
    expect({ ...new Span() }).toEqual({ ersterAufruf: null, letzterAufruf: null, von: null, bis: null });
  });

  test('goes from the first to the last, by arrival and by their own time', () => {
    const a = instantOf('2026-10-25T00:00:00.1Z');
    const b = instantOf('2026-10-25T00:00:00.2Z');
    const c = instantOf('2026-10-25T00:00:01Z');
    const seen = (own: Microseconds, received: Microseconds) => event({ ...own, received });
    const span = seenBy(new Span(), [seen(b, c), seen(c, a), seen(a, b)]);
    expect(span).toMatchObject({ ersterAufruf: a, letzterAufruf: c, von: a, bis: c });
  });
});
