import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { RegelVon } from '#domains/regeln/index.ts';
import type { Candidate } from '../candidate.ts';
import type { Look } from '../detector.ts';
import { foldByDay } from './fold.ts';

const ZONE = 'Europe/Berlin';
const look = (von: string, part?: Look['part']): Look =>
  ({ zone: ZONE, von: Temporal.Instant.from(von), ...(part && { part }) }) as Look;
const LOOK = look('2026-11-18T22:30:00Z');

const rule = (typ: string) => ({ regel_id: randomUUID(), typ }) as RegelVon;
const part = (regel: RegelVon, hour: string, change: Partial<Candidate>): Candidate => ({
  regel,
  objektArt: 'agent',
  objekt: 'a',
  agent: 'a',
  lauf: null,
  fensterBeginn: `2026-11-${hour}:00:00Z`,
  werte: {},
  kostenEur: null,
  verbranntEur: null,
  potentialEur: null,
  ...change,
});

test('what is found hour by hour is one finding of each object and local day, with all its calls and money', () => {
  const estimated = rule('schaetzanteil');
  const of = (hour: string, geschaetzt: number, kostenEur: string | null, change: Partial<Candidate> = {}) =>
    part(estimated, hour, {
      werte: { aufrufe: 10, geschaetzt, bis: `2026-11-${hour}:40:00Z` },
      kostenEur,
      ...change,
    });
  // Half past eleven at night in UTC is the next day in Berlin.
  const found = foldByDay(LOOK, [
    of('19T09', 3, '0.1'),
    of('19T10', 4, '0.25'),
    of('19T22', 5, null),
    of('19T23', 6, '1'),
    of('19T10', 7, '2', { objekt: 'b', agent: 'b' }),
  ]);
  expect(found).toMatchObject([
    {
      objekt: 'a',
      fensterBeginn: '2026-11-18T23:00:00Z',
      werte: { aufrufe: 30, geschaetzt: 12, bis: '2026-11-19T22:40:00Z' },
      kostenEur: '0.35',
      verbranntEur: null,
    },
    { objekt: 'a', fensterBeginn: '2026-11-19T23:00:00Z', werte: { geschaetzt: 6 }, kostenEur: '1' },
    { objekt: 'b', fensterBeginn: '2026-11-18T23:00:00Z', werte: { geschaetzt: 7 } },
  ]);
});

test('storms and failures, which the stream finds by the hour, are left as they are', () => {
  const found = ['wiederholsturm', 'fehlerbrand'].map((typ) => part(rule(typ), '19T09', {}));
  expect(foldByDay(LOOK, found)).toEqual(found);
});

test('of a day that is not looked at as a whole nothing is said', () => {
  const found = part(rule('schaetzanteil'), '18T20', { werte: { aufrufe: 10, geschaetzt: 9 } });
  expect(foldByDay(LOOK, [found])).toEqual([]);
});

test('the worst hour says how far it went', () => {
  const spike = rule('kosten_spitze');
  const of = (hour: string, wert_eur: string) =>
    part(spike, hour, { werte: { wert_eur, z: wert_eur }, kostenEur: wert_eur });
  expect(foldByDay(LOOK, [of('19T09', '9'), of('19T10', '31'), of('19T11', '12')])).toMatchObject([
    { werte: { wert_eur: '31', z: '31' }, kostenEur: '52' },
  ]);
});

test('runs that miss the cache are one finding of their agent; of parts of the runs each has its own', () => {
  const lost = rule('cache_verlust');
  const of = (lauf: string, verlorene_token: number) =>
    part(lost, '19T09', {
      objektArt: 'lauf',
      objekt: lauf,
      lauf,
      werte: { schritte: [2], anzahl: 1, modelle: ['m'], verlorene_token, bis: '2026-11-19T09:10:00Z' },
      potentialEur: '0.5',
    });
  const parts = [of('x', 10), of('y', 5)];
  expect(foldByDay(LOOK, parts)).toMatchObject([
    {
      objektArt: 'agent',
      objekt: 'a',
      lauf: null,
      werte: { schritte: [], anzahl: 2, verlorene_token: 15 },
      potentialEur: '1',
    },
  ]);
  expect(foldByDay(look('2026-11-18T22:30:00Z', { nr: 1, of: 4 }), parts)).toMatchObject([{ teil: '2/4' }]);
});

test('all else is left as it is', () => {
  const loop = part(rule('schleife_exakt'), '18T20', { objektArt: 'lauf' });
  expect(foldByDay(LOOK, [loop, { ...loop, regel: null }])).toEqual([loop, { ...loop, regel: null }]);
});
