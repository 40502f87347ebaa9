import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockOf, LICENCE, LIST } from '#test/licences.ts';
import {
  effectiveNow,
  freshFor,
  type Gemerkt,
  graceEnd,
  names,
  objectionTo,
  statusOf,
  unreachedSince,
} from './rules.ts';

const at = (text: string) => new Date(text);
const DAY = 86_400_000;
const gemerkt = (fields: Partial<Gemerkt> = {}): Gemerkt => ({
  seit: '2026-01-05T00:00:00.000Z',
  zuletzt_am: '2026-10-01T00:00:00.000Z',
  erreicht_am: '2026-10-01T00:00:00.000Z',
  versucht_am: '2026-10-01T00:00:00.000Z',
  hindernis: null,
  ...fields,
});

describe('a licence', () => {
  it.each([
    ['2026-10-02T00:00:00Z', false, 'gültig'],
    ['2026-10-14T23:59:59.999Z', false, 'gültig'],
    ['2026-10-15T00:00:00Z', false, 'ungeprüft'],
    ['2026-10-15T00:00:00Z', true, 'gesperrt'],
    ['2027-01-01T00:00:00Z', false, 'abgelaufen'],
  ] as const)('at %s, blocked: %s, is %s', (now, gesperrt, status) => {
    expect(statusOf(LICENCE, gesperrt, gemerkt(), at(now))).toBe(status);
  });

  it('without an end does not end', () => {
    const reached = gemerkt({ erreicht_am: '2126-01-01T00:00:00Z' });
    expect(statusOf({ gueltig_bis: null }, false, reached, at('2126-01-02T00:00:00Z'))).toBe('gültig');
  });

  it('has 14 days from its first use until the list is reached for the first time', () => {
    const fresh = gemerkt({ erreicht_am: null });
    expect(graceEnd(fresh)).toEqual(at('2026-01-19T00:00:00Z'));
    expect(
      unreachedSince(
        gemerkt({ erreicht_am: null, hindernis: 'nicht_erreichbar' }),
        at('2026-01-05T01:00:00Z'),
      ),
    ).toBe('2026-01-05T00:00:00.000Z');
  });

  it('gains nothing by turning the clock back', () => {
    const instants = fc.date({ min: at('2026-01-01'), max: at('2028-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(instants, instants, fc.boolean(), (seen, clock, gesperrt) => {
        const back = new Date(Math.min(clock.getTime(), seen.getTime()));
        const before = statusOf(LICENCE, gesperrt, gemerkt({ zuletzt_am: seen.toISOString() }), seen);
        const after = statusOf(LICENCE, gesperrt, gemerkt({ zuletzt_am: seen.toISOString() }), back);
        expect(after).toBe(before);
        expect(effectiveNow(back, seen.toISOString())).toEqual(seen);
      }),
    );
  });
});

describe('the list is not reached', () => {
  it('since it was reached for the last time, once an attempt has failed or none was made for a day', () => {
    const soon = at('2026-10-01T12:00:00Z');
    expect(unreachedSince(gemerkt(), soon)).toBeNull();
    expect(unreachedSince(gemerkt({ hindernis: 'aelter' }), soon)).toBe('2026-10-01T00:00:00.000Z');
    expect(unreachedSince(gemerkt(), at('2026-10-02T00:00:00.001Z'))).toBe('2026-10-01T00:00:00.000Z');
  });
});

describe('the next list', () => {
  const now = at('2026-10-02T00:00:00Z');
  const entries = fc.uniqueArray(fc.uuid(), { maxLength: 4 }).map((ids) => ids.map((id) => blockOf(id, id)));

  it('has a number that is never smaller, and other contents only under another one', () => {
    fc.assert(
      fc.property(fc.nat(3), entries, fc.nat(3), entries, (number, sperren, nextNumber, nextSperren) => {
        const objection = objectionTo(
          { ...LIST, nummer: nextNumber, sperren: nextSperren },
          { nummer: number, sperren },
          now,
        );
        const same = JSON.stringify(sperren) === JSON.stringify(nextSperren);
        const expected =
          nextNumber < number ? 'aelter' : nextNumber === number && !same ? 'widerspruch' : null;
        expect(objection).toBe(expected);
      }),
    );
  });

  it.each([
    ['2026-10-08T00:00:00Z', 'abgelaufen'],
    ['2026-10-07T23:59:59Z', null],
    ['2026-09-30T00:00:00Z', null],
    ['2026-09-29T23:59:59Z', 'zukunft'],
  ])('at %s: %s', (clock, objection) => {
    expect(objectionTo(LIST, null, at(clock))).toBe(objection);
  });

  it('names a licence by its id or its fingerprint', () => {
    const licence = { lizenz_id: LICENCE.lizenz_id, fingerabdruck: 'ab' };
    const other = '0193f3c4-0000-7000-8000-000000000002';
    expect(names([{ ...blockOf('x'), fingerabdruck: '' }], licence)).toBe(true);
    expect(names([{ ...blockOf('x', other), fingerabdruck: 'ab' }], licence)).toBe(true);
    expect(names([blockOf('x', other)], licence)).toBe(false);
  });

  it.each([
    ['public, max-age=3600', 3_600_000],
    ['max-age=99999999', DAY],
    ['s-maxage=60', 0],
    ['no-store', 0],
    [null, 0],
  ])('may be asked for again after what the server says: %s', (header, milliseconds) => {
    expect(freshFor(header)).toBe(milliseconds);
  });
});
