import { describe, expect, it } from 'vitest';
import {
  type Abonnement,
  type Buchungsstand,
  bookingProblem,
  decisive,
  paketOf,
  standAfter,
  surplusBeside,
} from './rules.ts';

const ENDE = Date.parse('2026-12-01T00:00:00Z') / 1_000;
const abo = (fields: Partial<Abonnement>): Abonnement => ({
  id: 'sub_1',
  status: 'active',
  paket: 'team',
  laeuft_bis: ENDE,
  endet_am: null,
  begonnen_am: 0,
  ...fields,
});
const stand = (fields: Partial<Buchungsstand> = {}): Buchungsstand => ({
  paket: 'frei',
  paket_bis: null,
  paket_quelle: 'frei',
  abrechnungsstatus: 'keine',
  ...fields,
});
const BOOKED = stand({
  paket: 'team',
  paket_bis: '2026-12-01T00:00:00.000Z',
  paket_quelle: 'buchung',
  abrechnungsstatus: 'aktiv',
});

describe('the package of a price', () => {
  it.each([
    ['zaehlwerk_team', 'team'],
    ['zaehlwerk_enterprise', 'enterprise'],
    ['zaehlwerk_frei', null],
    ['zaehlwerk_', null],
    ['team', null],
    [null, null],
  ])('%s: %s', (lookupKey, paket) => {
    expect(paketOf(lookupKey)).toBe(paket);
  });
});

describe('the subscription that counts', () => {
  it('gives most', () => {
    const all = ['canceled', 'incomplete', 'unpaid', 'past_due', 'trialing', 'active'];
    const abonnements = all.map((status) => abo({ id: status, status }));
    const order = all.map(() => {
      const best = decisive(abonnements, null);
      abonnements.splice(
        abonnements.findIndex(({ id }) => id === best?.id),
        best ? 1 : 0,
      );
      return best?.id;
    });
    expect(order).toEqual(['active', 'trialing', 'past_due', 'unpaid', 'canceled', undefined]);
  });

  it('is of equal ones the one that counts already, else the oldest, and never one for something else', () => {
    const [old, recent] = [abo({ id: 'old', begonnen_am: 1 }), abo({ id: 'recent', begonnen_am: 2 })];
    const other = abo({ id: 'other', begonnen_am: 0, paket: null });
    expect(decisive([recent, old, other], null)).toBe(old);
    expect(decisive([old, recent, other], 'recent')).toBe(recent);
    expect(decisive([old, recent, other], 'other')).toBe(old);
    expect(decisive([], 'old')).toBeNull();
  });

  it('is renewed rather than about to end', () => {
    const [ending, renewed] = [abo({ id: 'ending', endet_am: ENDE }), abo({ id: 'renewed', begonnen_am: 5 })];
    expect(decisive([ending, renewed], 'ending')).toBe(renewed);
  });
});

describe('surplus subscriptions', () => {
  it('are all others that go on costing', () => {
    const counted = abo({ id: 'counted' });
    const costing = ['active', 'trialing', 'past_due', 'unpaid', 'paused'].map((status) =>
      abo({ id: status, status }),
    );
    const harmless = [
      abo({ id: 'ending', endet_am: ENDE }),
      abo({ id: 'none of ours', paket: null }),
      ...['canceled', 'incomplete', 'incomplete_expired'].map((status) => abo({ id: status, status })),
    ];
    const all = [...harmless, ...costing, counted];
    expect(surplusBeside(counted, all)).toEqual(costing);
    expect(surplusBeside(null, all)).toEqual([]);
  });
});

describe('what a Mandant has', () => {
  it.each([
    ['active', null, BOOKED],
    ['active', ENDE, { ...BOOKED, abrechnungsstatus: 'gekündigt' }],
    ['trialing', null, { ...BOOKED, abrechnungsstatus: 'probe' }],
    ['past_due', null, { ...BOOKED, abrechnungsstatus: 'zahlung_offen' }],
    ['unpaid', null, stand({ abrechnungsstatus: 'zahlung_offen' })],
    ['paused', null, stand({ abrechnungsstatus: 'zahlung_offen' })],
    ['canceled', null, stand({ abrechnungsstatus: 'gekündigt' })],
  ])('after a subscription that is %s, ending at %s', (status, endet_am, after) => {
    for (const before of [stand(), BOOKED])
      expect(standAfter(before, abo({ status, endet_am }))).toEqual(after);
  });

  it('without any subscription: what it had but for what was booked', () => {
    expect(standAfter(BOOKED, null)).toEqual(stand());
    const licensed = stand({ paket: 'enterprise', paket_quelle: 'lizenz' });
    expect(standAfter(licensed, null)).toEqual(licensed);
  });

  it('keeps what the operator gave', () => {
    const given = stand({ paket: 'enterprise', paket_quelle: 'betreiber' });
    expect(standAfter(given, abo({}))).toEqual({ ...given, abrechnungsstatus: 'aktiv' });
    expect(standAfter(given, null)).toEqual(given);
  });
});

describe('who can book', () => {
  it.each([
    [stand(), null],
    [stand({ abrechnungsstatus: 'gekündigt' }), null],
    [BOOKED, 'schon_gebucht'],
    [stand({ abrechnungsstatus: 'zahlung_offen' }), 'schon_gebucht'],
    [stand({ paket_quelle: 'betreiber' }), 'paket_vom_betreiber'],
  ])('%j: %s', (before, code) => {
    expect(bookingProblem(before)?.code ?? null).toBe(code);
  });
});
