import { describe, expect, it } from 'vitest';
import { createClockWatch } from './clock-watch.ts';
import { assess, type Findings } from './rules.ts';
import { skewOf } from './store.ts';

const READY = { seconds: 0, uncountable: 0, skew: 0 };
const WELL: Findings = { backlog: READY, trouble: null, sinceRefusal: null, room: null, sinceJump: null };
const GIB = 2 ** 30;

describe('status of the system', () => {
  it.each([
    [READY, null, 'betriebsbereit', 0],
    [{ ...READY, seconds: -0.4 }, null, 'betriebsbereit', 0],
    [{ ...READY, seconds: 60 }, null, 'betriebsbereit', 60],
    [{ ...READY, seconds: 60.5 }, null, 'eingeschränkt', 60],
    [{ ...READY, seconds: 3, uncountable: 1 }, null, 'eingeschränkt', 3],
    [READY, 59, 'eingeschränkt', 0],
    [READY, 60, 'betriebsbereit', 0],
    [null, null, 'gestört', null],
  ])('%j, refused %j seconds ago', (backlog, sinceRefusal, status, seconds) => {
    expect(assess({ ...WELL, backlog, sinceRefusal })).toMatchObject({
      status,
      rueckstand_sekunden: seconds,
    });
  });

  it.each<[string, Partial<Findings>, Record<string, string>]>([
    ['nothing', {}, {}],
    ['a refusal', { sinceRefusal: 1 }, { annahme: 'eingeschränkt' }],
    ['a batch set aside', { backlog: { ...READY, uncountable: 1 } }, { zaehlung: 'eingeschränkt' }],
    [
      'a database that is away',
      { backlog: null },
      { datenbank: 'gestört', annahme: 'gestört', zaehlung: 'gestört' },
    ],
    ['a database that does not write', { trouble: 'unreachable' }, { annahme: 'gestört' }],
    ['a full disk', { trouble: 'disk-full' }, { annahme: 'gestört', speicherplatz: 'gestört' }],
    [
      'little room on a large disk',
      { room: { free: 5 * GIB - 1, size: 500 * GIB } },
      { speicherplatz: 'eingeschränkt' },
    ],
    [
      'little room on a small disk',
      { room: { free: 0.9 * GIB, size: 10 * GIB } },
      { speicherplatz: 'eingeschränkt' },
    ],
    ['enough room on a large disk', { room: { free: 5 * GIB, size: 500 * GIB } }, {}],
    ['enough room on a small disk', { room: { free: GIB, size: 10 * GIB } }, {}],
    ['a database that is ahead', { backlog: { ...READY, skew: 5.1 } }, { uhr: 'eingeschränkt' }],
    ['a database that is behind', { backlog: { ...READY, skew: -5.1 } }, { uhr: 'eingeschränkt' }],
    ['clocks as they are', { backlog: { ...READY, skew: 4.9 } }, {}],
    ['a jump', { sinceJump: 299 }, { uhr: 'eingeschränkt' }],
    ['a jump long ago', { sinceJump: 300 }, {}],
  ])('%s shows in the parts it concerns, and in no other', (_name, found, shown) => {
    const { status, komponenten } = assess({ ...WELL, ...found });
    const parts = Object.fromEntries(komponenten.map((part) => [part.name, part.status]));
    const well = { datenbank: 'ok', annahme: 'ok', zaehlung: 'ok', speicherplatz: 'ok', uhr: 'ok' };
    expect(parts).toEqual({ ...well, ...shown });
    const states = Object.values(shown);
    const worst = ['gestört', 'eingeschränkt'].find((state) => states.includes(state));
    expect(status).toBe(worst ?? 'betriebsbereit');
  });
});

it('the database’s clock is only ahead or behind where the way there and back does not explain it', () => {
  expect([skewOf(5, 4, 6), skewOf(3, 4, 6), skewOf(9, 4, 6)]).toEqual([0, -1, 3]);
});

describe('the wall clock', () => {
  it('that goes as time does has never jumped; one that was set has, for a while', () => {
    let wall = 1_000_000;
    let steady = 0;
    const sinceJump = createClockWatch({ wall: () => wall, steady: () => steady });
    const pass = (ms: number, set = 0) => {
      steady += ms;
      wall += ms + set;
      return sinceJump();
    };
    expect([pass(10), pass(3_600_000), pass(1_000, 4_000)]).toEqual([null, null, null]);
    expect([pass(1_000, -86_400_000), pass(7_000), pass(3_000, 60_000)]).toEqual([0, 7, 0]);
  });
});
