import { beforeAll, describe, expect, it } from 'vitest';
import { StapelEingang } from '#contracts';
import { countingRule, createPriceList, toBuckets } from '#domains/preise/index.ts';
import { compileCheck } from '#http/check/index.ts';
import { USD_SCALE } from '#kernel/money.ts';
import { costOf } from '#test/behind-doors.ts';
import { isWhole } from '#test/depth.ts';
import type { DemoEvent } from './call.ts';
import { HOUR, OFFICE, shareOf } from './rhythm.ts';
import { AGENTS, CUSTOMERS } from './scenario.ts';
import { BUSINESS, createShare, PULSE, type Span, type Stream, traffic, type World } from './traffic.ts';

const DAY = 24 * HOUR;
/** A Friday at eleven in Berlin. */
const BEGINN = Date.parse('2026-11-20T10:00:00Z');
const WORLD: World = { seed: 'test', beginn: BEGINN };
const MONTH: Span = { von: BEGINN - 30 * DAY, bis: BEGINN };
/** The night in which the runaway run runs. */
const LOOP_NIGHT: Span = { von: Date.parse('2026-11-14T20:00:00Z'), bis: Date.parse('2026-11-15T08:00:00Z') };

const prices = createPriceList();

/** Cost in USD; null when unknown. A float is near enough for what is asked here. */
function costInUsd(event: DemoEvent): number | null {
  const { anbieter = null, modell = null } = event;
  const rates = prices.model(anbieter, modell)(BEGINN);
  const buckets = toBuckets({
    rule: countingRule(anbieter, modell),
    eingabe: event.eingabe_token ?? null,
    ausgabe: event.ausgabe_token ?? null,
    cacheLese: event.cache_lese_token ?? null,
    cacheSchreib: event.cache_schreib_token ?? null,
    denk: event.denk_token ?? null,
    eingabeUmfasstCache: undefined,
    ausgabeUmfasstDenken: undefined,
  });
  if (!rates) return null;
  return buckets ? Number(costOf(buckets, rates)) / 10 ** USD_SCALE : 0;
}

const listOf = (span: Span, world = WORLD, stream: Stream = BUSINESS) => [...traffic(world, stream, span)];
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);
const inBerlin = (event: DemoEvent) =>
  Temporal.Instant.from(event.zeitpunkt).toZonedDateTimeISO('Europe/Berlin');
/** How many of the events fall into an hour of a local day: `1` is Monday. */
const countOf = (events: DemoEvent[], days: number[], hours: number[]) =>
  // One instant of each hour decides for all of its events.
  sum(
    [...Map.groupBy(events, (event) => event.zeitpunkt.slice(0, 13)).values()]
      .filter(
        ([first]) =>
          first && days.includes(inBerlin(first).dayOfWeek) && hours.includes(inBerlin(first).hour),
      )
      .map((hour) => hour.length),
  );
const WORKDAYS = [1, 2, 3, 4, 5];
const ALL_HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const failed = (event: DemoEvent) => event.status === 'fehler';

describe('a month of business', () => {
  let events: DemoEvent[] = [];
  let runs: DemoEvent[][] = [];

  beforeAll(() => {
    events = listOf(MONTH);
    runs = [...Map.groupBy(events, (event) => event.lauf_id).values()];
  });

  it('has about 200,000 events, each with an id of its own', () => {
    expect(events.length).toBeGreaterThan(185_000);
    expect(events.length).toBeLessThan(220_000);
    expect(new Set(events.map((event) => event.ereignis_id)).size).toBe(events.length);
  });

  it('passes the check of the contract as it stands', () => {
    const check = compileCheck(StapelEingang);
    const looked = events.filter((_, index) => isWhole || index % 20 === 0);
    const faulty = looked.find((event) => {
      const batch = { ereignisse: [event] };
      const result = check(batch, []);
      // A value that had to be read leniently comes back as a copy.
      return !result.ok || result.value !== batch;
    });
    expect(faulty).toBeUndefined();
  });

  it('lies in the span, in the order of time', () => {
    const unordered = events.findIndex(
      (event, index) => event.zeitpunkt < (events[index - 1]?.zeitpunkt ?? ''),
    );
    expect(unordered).toBe(-1);
    expect(Date.parse(events[0]?.zeitpunkt ?? '')).toBeGreaterThanOrEqual(MONTH.von);
    expect(Date.parse(events.at(-1)?.zeitpunkt ?? '')).toBeLessThan(MONTH.bis);
  });

  it('is made by all agents, in four projects, for the customers', () => {
    const agents = new Set(events.map((event) => event.agent));
    expect([...agents].sort()).toEqual(AGENTS.map((agent) => agent.key).sort());
    expect(new Set([...agents].map((agent) => agent?.split('/')[0])).size).toBe(4);
    const customers = new Set(events.flatMap((event) => event.endkunde_ref ?? []));
    expect(customers).toEqual(new Set(CUSTOMERS.map(([, reference]) => reference)));
  });

  it('keeps office hours', () => {
    expect(countOf(events, WORKDAYS, [14])).toBeGreaterThan(30 * countOf(events, WORKDAYS, [2]));
    expect(countOf(events, [2], ALL_HOURS)).toBeGreaterThan(3 * countOf(events, [7], ALL_HOURS));
  });

  it('costs some hundred to a few thousand euros, and knows all prices but that of its own model', () => {
    const total = sum(events.map((event) => costInUsd(event) ?? 0));
    expect(total).toBeGreaterThan(700);
    expect(total).toBeLessThan(4_000);
    const unpriced = events.filter((event) => costInUsd(event) === null);
    expect(new Set(unpriced.map((event) => event.modell))).toEqual(new Set(['nordlicht-support-7b']));
    expect(unpriced.length / events.length).toBeLessThan(0.03);
  });

  it('fails in two of a hundred calls and estimates about as many', () => {
    const share = (wanted: DemoEvent[]) => wanted.length / events.length;
    expect(share(events.filter(failed))).toBeGreaterThan(0.015);
    expect(share(events.filter(failed))).toBeLessThan(0.025);
    expect(share(events.filter((event) => event.geschaetzt))).toBeGreaterThan(0.015);
    expect(share(events.filter((event) => event.geschaetzt))).toBeLessThan(0.03);
  });

  it('has an afternoon on which a provider was down', () => {
    const outage = events.filter(
      ({ zeitpunkt, anbieter }) =>
        anbieter === 'anthropic' && zeitpunkt > '2026-11-10T13:10' && zeitpunkt < '2026-11-10T14:45',
    );
    expect(outage.filter(failed).length).toBeGreaterThan(0.4 * outage.length);
    expect(outage.filter(failed).every((event) => event.fehlercode === 'overloaded_error')).toBe(true);
  });

  it('has runs of one to a few dozen calls, numbered without a gap', () => {
    const steps = runs.map((run) => run.map((event) => event.schritt_nr));
    // Runs that reach over an end of the span are cut there.
    const whole = steps.filter((run) => run[0] === 1);
    expect(whole.length).toBeGreaterThan(0.99 * runs.length);
    expect(whole.filter((run) => run.some((step, index) => step !== index + 1))).toEqual([]);
    // The runs that nobody stopped; the last of them was there four weeks before, too.
    expect(whole.map((run) => run.length).filter((length) => length > 60)).toEqual([160, 1_400, 420, 160]);
    expect(whole.some((run) => run.length >= 20)).toBe(true);
  });

  it('has contexts that grow, are read from caches and are thought about', () => {
    const review = runs.find((run) => run.length > 12 && run[0]?.agent === 'entwicklung/code-review') ?? [];
    const input = review
      .filter((event) => !failed(event))
      .map((event) =>
        sum([event.eingabe_token, event.cache_lese_token, event.cache_schreib_token].map((n) => n ?? 0)),
      );
    expect(input.at(-1)).toBeGreaterThan(2 * (input[0] ?? 0));
    expect(review.some((event) => (event.cache_lese_token ?? 0) > 5_000)).toBe(true);
    expect(events.some((event) => (event.denk_token ?? 0) > 1_000)).toBe(true);
  });

  it('is spread as createShare says', () => {
    const middle = new Date(MONTH.von + 11.3 * DAY);
    const before = events.findIndex((event) => event.zeitpunkt >= middle.toISOString());
    const share = createShare(WORLD, BUSINESS, MONTH);
    expect(Math.abs(share(middle.getTime()) - before / events.length)).toBeLessThan(0.02);
  });

  it('has a night in which an agent ran in circles, at a price', () => {
    const [loop = []] = runs.filter((run) => run.length > 1_000);
    expect(loop).toHaveLength(1_400);
    expect(new Set(loop.map((event) => event.prompt_fingerabdruck)).size).toBe(1);
    expect(new Set(loop.map((event) => event.werkzeug_fingerabdruck)).size).toBe(1);
    expect(inBerlin(loop[0] as DemoEvent).hour).toBe(22);
    expect(Date.parse(loop.at(-1)?.zeitpunkt ?? '')).toBeLessThan(LOOP_NIGHT.bis);
    expect(sum(loop.map((event) => costInUsd(event) ?? 0))).toBeGreaterThan(100);
  });
});

describe('traffic', () => {
  it('is the same every time', () => {
    const span = { von: BEGINN - HOUR, bis: BEGINN };
    expect(listOf(span)).toEqual(listOf(span));
  });

  it('is another one for another seed', () => {
    const span = { von: BEGINN - HOUR, bis: BEGINN };
    const ids = new Set(listOf(span).map((event) => event.ereignis_id));
    expect(listOf(span, { ...WORLD, seed: 'anders' }).some((event) => ids.has(event.ereignis_id))).toBe(
      false,
    );
  });

  it('is the same wherever it is cut, even in the middle of a run of many hours', () => {
    const cut = Date.parse('2026-11-15T01:23:45.678Z');
    const parts = [
      { von: LOOP_NIGHT.von, bis: cut },
      { von: cut, bis: LOOP_NIGHT.bis },
    ];
    expect(parts.flatMap((part) => listOf(part))).toEqual(listOf(LOOP_NIGHT));
    expect(listOf(LOOP_NIGHT).length).toBeGreaterThan(1_400);
  });

  it('has a pulse of a few calls a second that costs next to nothing', () => {
    const pulse = listOf({ von: BEGINN - HOUR, bis: BEGINN }, WORLD, PULSE);
    expect(pulse.length / 3_600).toBeGreaterThan(1.5);
    expect(pulse.length / 3_600).toBeLessThan(4);
    expect(sum(pulse.map((event) => costInUsd(event) ?? 0))).toBeLessThan(2);
    const night = Date.parse('2026-11-20T02:00:00Z');
    expect(listOf({ von: night, bis: night + HOUR }, WORLD, PULSE).length).toBeGreaterThan(600);
  });
});

describe('createShare', () => {
  it('goes from nothing to everything', () => {
    const share = createShare(WORLD, BUSINESS, MONTH);
    expect([share(MONTH.von), share(MONTH.bis), share(MONTH.bis + DAY)]).toEqual([0, 1, 1]);
  });

  it('has nothing left to do in an empty span', () => {
    expect(createShare(WORLD, BUSINESS, { von: BEGINN, bis: BEGINN })(BEGINN)).toBe(1);
  });
});

describe('shareOf', () => {
  it('goes by the local clock, in summer and in winter', () => {
    const tenInTheMorning = ['2026-07-15T08:00:00Z', '2026-01-14T09:00:00Z'].map(Date.parse);
    const shares = tenInTheMorning.map((start) => shareOf(start, OFFICE));
    expect(new Set(shares)).toEqual(new Set([Math.max(...OFFICE.hours)]));
  });
});
