import { describe, expect, it } from 'vitest';
import { createClockWatch } from './clock-watch.ts';
import { assess, type Findings, type Part } from './rules.ts';
import { skewOf } from './store.ts';
import { meaningOf } from './words.ts';

const READY = { seconds: 0, uncountable: 0, skew: 0 };
const GIB = 2 ** 30;
const NOW = new Date('2026-05-08T12:00:00Z');
const DAY = 86_400;
const RATE = { tag: '2026-05-07', geholt_am: '2026-05-07T14:20:00.000Z' };
const CHECK = { began: '2026-05-08T11:58:00.000Z', seconds: 120, ended: true };
const FACTS: Findings['facts'] = {
  jobs: [{ job: 'a.b', waiting: 1, seconds: 0, givenUp: 0 }],
  check: CHECK,
  mail: { failing: 0, seconds: 0 },
  rate: RATE,
  listAge: 3 * DAY,
  backup: null,
  archive: null,
};
const WELL: Findings = {
  now: NOW,
  backlog: READY,
  facts: FACTS,
  trouble: null,
  sinceRefusal: null,
  room: { free: 100 * GIB, size: 500 * GIB },
  sinceJump: null,
  mailweg: 'mailserver',
};
const withFacts = (facts: Partial<Findings['facts']>) => ({ facts: { ...FACTS, ...facts } });
const job = (seconds: number, givenUp = 0) => ({ job: 'a.b', waiting: 1, seconds, givenUp });
const archive = {
  age: 50,
  archivedAt: '2026-11-21T09:59:10.000Z',
  waiting: 0,
  fails: false,
  baseAge: 20 * 3_600,
};
const backup = (hours: number) => ({
  age: hours * 3_600,
  madeAt: '2026-05-08T02:00:00.000Z',
  bytes: 1,
  fails: false,
});
/** All that only the database knows. */
const UNKNOWN = {
  zaehlung: 'unbekannt',
  auftraege: 'unbekannt',
  budgetpruefung: 'unbekannt',
  mail: 'unbekannt',
  kurse: 'unbekannt',
  preise: 'unbekannt',
};
const NO_FACTS = withFacts({
  jobs: undefined,
  check: undefined,
  mail: undefined,
  rate: undefined,
  listAge: undefined,
});

const statesOf = (parts: readonly Part[]) =>
  Object.fromEntries(parts.map(({ name, status }) => [name, status]));
const ALL_WELL = {
  datenbank: 'ok',
  annahme: 'ok',
  zaehlung: 'ok',
  auftraege: 'ok',
  budgetpruefung: 'ok',
  mail: 'ok',
  kurse: 'ok',
  preise: 'ok',
  speicherplatz: 'ok',
  uhr: 'ok',
};

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
    expect(assess({ ...WELL, backlog, sinceRefusal })).toMatchObject({ status, backlogSeconds: seconds });
  });

  it.each<[string, Partial<Findings>, Record<string, string>]>([
    ['nothing', {}, {}],
    ['a refusal', { sinceRefusal: 1 }, { annahme: 'eingeschränkt' }],
    ['a batch set aside', { backlog: { ...READY, uncountable: 1 } }, { zaehlung: 'eingeschränkt' }],
    [
      'a database that is away',
      { backlog: null, ...NO_FACTS },
      { datenbank: 'gestört', annahme: 'gestört', ...UNKNOWN },
    ],
    ['a database that does not write', { trouble: 'unreachable' }, { annahme: 'gestört' }],
    ['a part of a cluster that does not write', { trouble: 'partly' }, { annahme: 'eingeschränkt' }],
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
    ['jobs that are late', withFacts({ jobs: [job(0), job(601)] }), { auftraege: 'eingeschränkt' }],
    ['jobs that are very late', withFacts({ jobs: [job(3_601), job(0)] }), { auftraege: 'gestört' }],
    ['jobs as they are', withFacts({ jobs: [job(600)] }), {}],
    ['no jobs', withFacts({ jobs: [] }), {}],
    ['a dead letter', withFacts({ jobs: [job(0, 1)] }), { auftraege: 'eingeschränkt' }],
    [
      'a check that is late',
      withFacts({ check: { ...CHECK, seconds: 901 } }),
      { budgetpruefung: 'eingeschränkt' },
    ],
    [
      'a check that does not end',
      withFacts({ check: { ...CHECK, seconds: 241, ended: false } }),
      { budgetpruefung: 'eingeschränkt' },
    ],
    ['a check under way', withFacts({ check: { ...CHECK, seconds: 240, ended: false } }), {}],
    [
      'no check for an hour',
      withFacts({ check: { ...CHECK, seconds: 3_601 } }),
      { budgetpruefung: 'gestört' },
    ],
    ['no check ever', withFacts({ check: null }), { budgetpruefung: 'unbekannt' }],
    ['a mail that fails', withFacts({ mail: { failing: 1, seconds: 601 } }), { mail: 'eingeschränkt' }],
    ['a mail that is tried again', withFacts({ mail: { failing: 9, seconds: 600 } }), {}],
    ['many mails that fail', withFacts({ mail: { failing: 5, seconds: 601 } }), { mail: 'gestört' }],
    ['no mail server', { mailweg: 'log' }, { mail: 'nicht_eingerichtet' }],
    [
      'no mail server, and nobody asked',
      { mailweg: 'log', ...withFacts({ mail: undefined }) },
      { mail: 'nicht_eingerichtet' },
    ],
    ['a rate of the Thursday before Easter', withFacts({ rate: { ...RATE, tag: '2026-05-03' } }), {}],
    ['an older rate', withFacts({ rate: { ...RATE, tag: '2026-05-02' } }), { kurse: 'eingeschränkt' }],
    ['no rate ever', withFacts({ rate: null }), { kurse: 'eingeschränkt' }],
    ['an old price list', withFacts({ listAge: 30 * DAY + 1 }), { preise: 'eingeschränkt' }],
    ['a price list of thirty days', withFacts({ listAge: 30 * DAY }), {}],
    ['a price list nobody noted', withFacts({ listAge: null }), { preise: 'unbekannt' }],
    ['a backup of today', withFacts({ backup: backup(20) }), { sicherung: 'ok' }],
    ['a backup that is late', withFacts({ backup: backup(36.1) }), { sicherung: 'eingeschränkt' }],
    ['a backup of last week', withFacts({ backup: backup(7 * 24 + 1) }), { sicherung: 'gestört' }],
    ['an archive that has the log', withFacts({ archive }), { sicherung: 'ok' }],
    ['a server that is at rest', withFacts({ archive: { ...archive, age: 9_000 } }), { sicherung: 'ok' }],
    [
      'an archive of a server elsewhere',
      withFacts({ archive: { ...archive, baseAge: undefined } }),
      { sicherung: 'ok' },
    ],
    [
      'an archive that is behind',
      withFacts({ archive: { ...archive, age: 601, waiting: 2 ** 24 } }),
      { sicherung: 'eingeschränkt' },
    ],
    [
      'an archive that refuses',
      withFacts({ archive: { ...archive, fails: true } }),
      { sicherung: 'eingeschränkt' },
    ],
    [
      'an archive without a base',
      withFacts({ archive: { ...archive, baseAge: null } }),
      { sicherung: 'eingeschränkt' },
    ],
    [
      'an archive whose base is of the day before yesterday',
      withFacts({ archive: { ...archive, baseAge: 37 * 3_600 } }),
      { sicherung: 'eingeschränkt' },
    ],
    [
      'a backup that is late beside an archive',
      withFacts({ archive, backup: backup(36.1) }),
      { sicherung: 'eingeschränkt' },
    ],
    [
      'a backup that fails',
      withFacts({ backup: { ...backup(20), fails: true } }),
      { sicherung: 'eingeschränkt' },
    ],
    [
      'a first backup that fails',
      withFacts({ backup: { age: null, madeAt: null, bytes: null, fails: true } }),
      { sicherung: 'eingeschränkt' },
    ],
    ['a disk that does not tell', { room: null }, { speicherplatz: 'unbekannt' }],
    ['a jump', { sinceJump: 299 }, { uhr: 'eingeschränkt' }],
    ['a jump long ago', { sinceJump: 300 }, {}],
  ])('%s shows in the parts it concerns, and in no other', (_name, found, shown) => {
    const { status, parts } = assess({ ...WELL, ...found });
    expect(statesOf(parts)).toEqual({ ...ALL_WELL, ...shown });
    const states = Object.values(shown);
    const worst = ['gestört', 'eingeschränkt'].find((state) => states.includes(state));
    expect(status).toBe(worst ?? 'betriebsbereit');
  });
});

describe('parts that nobody looks at', () => {
  it('are not listed: a disk elsewhere, mail that other processes send', () => {
    const { speicherplatz: _, ...others } = ALL_WELL;
    expect(statesOf(assess({ ...WELL, room: undefined }).parts)).toEqual(others);
    const { mail: __, ...withoutMail } = ALL_WELL;
    expect(statesOf(assess({ ...WELL, mailweg: 'unbekannt' }).parts)).toEqual(withoutMail);
  });

  it('but a disk elsewhere that was found full is', () => {
    const { parts, status } = assess({ ...WELL, room: undefined, trouble: 'disk-full' });
    expect(status).toBe('gestört');
    expect(statesOf(parts)).toMatchObject({ speicherplatz: 'gestört' });
  });
});

it('says when budgets were checked, a rate fetched, the price list confirmed', () => {
  const known = assess(WELL).parts.filter(({ zuletzt }) => zuletzt !== null);
  expect(known).toEqual([
    { name: 'budgetpruefung', status: 'ok', zuletzt: CHECK.began },
    { name: 'kurse', status: 'ok', zuletzt: RATE.geholt_am },
    { name: 'preise', status: 'ok', zuletzt: '2026-05-05T12:00:00.000Z' },
  ]);
});

it('every state that is not well has its sentence in both languages', () => {
  const names = Object.keys(ALL_WELL) as Part['name'][];
  for (const name of names) {
    expect(meaningOf({ name, status: 'ok' })).toBeNull();
    for (const status of ['eingeschränkt', 'gestört', 'unbekannt'] as const) {
      const sentence = meaningOf({ name, status });
      expect(sentence?.de).toMatch(/\.$/);
      expect(sentence?.en).toMatch(/\.$/);
    }
  }
  expect(meaningOf({ name: 'mail', status: 'nicht_eingerichtet' })?.de).toContain('nicht eingerichtet');
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
