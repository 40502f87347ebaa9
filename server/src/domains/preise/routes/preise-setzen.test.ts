import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { ACCOUNTANTS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await registerAccount(service);
});

const EMPTY = { gemeldete_kosten: false, preise: [], rabatte: [], freigaben: [] };

const request = (method: 'GET' | 'PUT', path = '', payload?: object, user: Account | null = account) =>
  service.app.inject({
    method,
    url: `/v1/cockpit/preise${path}`,
    headers: { 'accept-language': 'en', ...(user ? { cookie: user.cookie } : {}) },
    ...(payload ? { payload } : {}),
  });
const set = (fassung: number, book: object, user: Account | null = account) =>
  request('PUT', '', { fassung, ...book }, user);
/** The book; how old what stands behind it is has a test of its own. */
const read = async (path = '', user = account) => {
  const { stand: _stand, ...book } = (await request('GET', path, undefined, user)).json();
  return book;
};

const PRICE = {
  anbieter: 'anthropic',
  modell: 'claude-sonnet-4-5',
  preisstufe: 'Batch',
  gilt_ab: '2026-01-01',
  gilt_bis: '2027-01-01',
  saetze: { eingabe: '1.50', ausgabe: 7.5, websuche: '0.01' },
  bemerkung: 'Rahmenvertrag',
};

/** What is wrong with a book, by place. */
async function faultsOf(book: object): Promise<Record<string, string>> {
  const answer = await set(0, book);
  expect(answer.statusCode, answer.body).toBe(422);
  const faults: { loc: (string | number)[]; msg: string }[] = answer.json().detail;
  return Object.fromEntries(faults.map(({ loc, msg }) => [loc.slice(1).join('.'), msg]));
}

it('says how old list, supplement and exchange rates are', async () => {
  const { stand } = (await request('GET', '')).json();
  expect(stand).toEqual({
    liste: null,
    ergaenzung: { tag: expect.stringMatching(/^20\d\d-\d\d-\d\d$/), alter_tage: expect.any(Number) },
    kurse: null,
  });
});

describe('PUT /v1/cockpit/preise', () => {
  it('makes an edition, which is read back exactly, and says in the audit log what changed', async () => {
    expect(await read()).toEqual({ fassung: 0, erstellt_am: null, erstellt_von: null, ...EMPTY });
    service.clock.set('2026-05-01T10:00:00.000Z');
    const answer = await set(0, {
      gemeldete_kosten: true,
      preise: [PRICE],
      rabatte: [{ anbieter: 'openai', prozent: 12.5 }],
      freigaben: [{ modell: 'gpt-4o-mini', ersetzt: ['gpt-4o*'] }],
    });
    expect(answer.statusCode).toBe(200);
    const book = answer.json();
    expect(book).toMatchObject({
      fassung: 1,
      erstellt_am: '2026-05-01T10:00:00.000Z',
      erstellt_von: account.email,
      gemeldete_kosten: true,
      preise: [
        {
          ...PRICE,
          preisstufe: 'batch',
          saetze: { eingabe: '1.5', ausgabe: '7.5', websuche: '0.01', denken: null },
        },
      ],
      rabatte: [{ anbieter: 'openai', prozent: '12.5', gilt_ab: null, gilt_bis: null, bemerkung: null }],
      freigaben: [{ modell: 'gpt-4o-mini', ersetzt: ['gpt-4o*'] }],
    });
    expect(await read()).toEqual(book);
    const entries = await service.sql(
      `SELECT aktion, akteur_name, objekt_name, vorher, nachher FROM pruefprotokoll
       WHERE mandant_id = $1 AND aktion = 'preisbuch.geaendert'`,
      [account.mandantId],
    );
    expect(entries).toEqual([
      {
        aktion: 'preisbuch.geaendert',
        akteur_name: account.email,
        objekt_name: '1',
        vorher: { fassung: 0, gemeldete_kosten: false },
        nachher: {
          fassung: 1,
          gemeldete_kosten: true,
          preise: [
            { ...PRICE, preisstufe: 'batch', saetze: { eingabe: '1.5', ausgabe: '7.5', websuche: '0.01' } },
          ],
          rabatte: [{ anbieter: 'openai', prozent: '12.5' }],
          freigaben: [{ modell: 'gpt-4o-mini', ersetzt: ['gpt-4o*'] }],
        },
      },
    ]);
  });

  it('keeps every edition, and makes none that says the same', async () => {
    await set(0, { rabatte: [{ anbieter: 'openai', prozent: 1 }] });
    await set(1, {});
    expect((await set(2, {})).json().fassung).toBe(2);
    await set(2, { rabatte: [{ anbieter: 'openai', prozent: 3 }] });
    const all = await read('/fassungen');
    expect(all.fassungen.map((each: { fassung: number }) => each.fassung)).toEqual([3, 2, 1]);
    expect(all.fassungen[0]).toMatchObject({
      preise: 0,
      rabatte: 1,
      freigaben: 0,
      erstellt_von: account.email,
    });
    expect(all.weiter).toBeNull();
    const first = await read('/fassungen?limit=2');
    expect(first.fassungen).toHaveLength(2);
    const next = await read(`/fassungen?limit=2&nach=${first.weiter}`);
    expect(next.fassungen.map((each: { fassung: number }) => each.fassung)).toEqual([1]);
    expect((await read('/fassungen/1')).rabatte).toMatchObject([{ prozent: '1' }]);
    expect((await request('GET', '/fassungen/4')).statusCode).toBe(404);
    expect((await request('GET', '/fassungen/eins')).statusCode).toBe(422);
  });

  it('lets nobody overwrite what they have not read', async () => {
    await set(0, { rabatte: [{ anbieter: 'openai', prozent: 1 }] });
    const late = await set(0, { rabatte: [{ anbieter: 'openai', prozent: 2 }] });
    expect([late.statusCode, late.json().code]).toEqual([409, 'preisbuch_veraltet']);
    const both = await Promise.all(
      [1, 2].map((prozent) => set(1, { rabatte: [{ anbieter: 'x', prozent }] })),
    );
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    expect((await read()).fassung).toBe(2);
  });

  it('refuses what contradicts itself, and stores nothing of it', async () => {
    const price = (saetze: object, more = {}) => ({ modell: 'm', saetze, ...more });
    expect(
      await faultsOf({
        preise: [
          price({}),
          price({ eingabe: '1' }),
          price({ eingabe: '1', ausgabe: `0.${'1'.repeat(16)}` }),
          price({ aufruf: '1' }, { modell: ' m2' }),
          price({ aufruf: '1' }, { modell: 'm3', gilt_ab: '2026-02-01', gilt_bis: '2026-02-01' }),
        ],
        rabatte: [{ anbieter: 'a ', prozent: '1' }],
      }),
    ).toEqual({
      'preise.0.saetze': expect.stringContaining('at least one rate'),
      'preise.1.saetze.ausgabe': expect.stringContaining('belong together'),
      'preise.2.saetze.ausgabe': expect.stringContaining('at most 15 decimals'),
      'preise.3.modell': expect.stringContaining('without blanks'),
      'preise.4.gilt_bis': expect.stringContaining('must come after the beginning'),
      'preise.1': expect.stringContaining('an entry further up'),
      'preise.2': expect.stringContaining('an entry further up'),
      'rabatte.0.anbieter': expect.stringContaining('without blanks'),
    });
    expect(
      await faultsOf({ preise: [price({ aufruf: -1 })], rabatte: [{ anbieter: 'a', prozent: 101 }] }),
    ).toEqual({
      'preise.0.saetze.aufruf': 'Input should be greater than or equal to 0',
      'rabatte.0.prozent': 'Input should be less than or equal to 100',
    });
    expect(await read()).toMatchObject({ fassung: 0 });
  });

  it('takes entries of the same model one after the other, not two at a time', async () => {
    const price = (gilt_ab: string | null, gilt_bis: string | null, modell = 'm') => ({
      modell,
      gilt_ab,
      gilt_bis,
      saetze: { aufruf: '1' },
    });
    const apart = [price(null, '2026-01-01'), price('2026-01-01', '2026-06-01'), price('2026-06-01', null)];
    expect((await set(0, { preise: apart })).statusCode).toBe(200);
    expect(await faultsOf({ preise: [...apart, price('2026-05-31', '2026-06-01', 'M')] })).toEqual({
      'preise.3': expect.stringContaining('an entry further up'),
    });
  });

  it('is for those who keep the books or administer, reading for everybody; nobody sees those of others', async () => {
    expect(await statusByRole(service, account, (user) => set(0, {}, user))).toEqual(admitting(ACCOUNTANTS));
    expect((await set(0, {}, null)).statusCode).toBe(401);
    expect((await request('GET', '', undefined, null)).statusCode).toBe(401);
    const reader = await addUser(service, account, 'betrachter');
    expect((await request('GET', '', undefined, reader)).statusCode).toBe(200);
    await set(0, { rabatte: [{ anbieter: 'openai', prozent: 1 }] });
    const other = await registerAccount(service);
    expect(await read('', other)).toMatchObject({ fassung: 0, rabatte: [] });
    expect((await request('GET', '/fassungen/1', undefined, other)).statusCode).toBe(404);
  });
});
