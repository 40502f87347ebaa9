import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BOOK_RATE_NAMES, PREISBUCH_MAX } from '#contracts';
import { type Account, registerAccount } from '#test/account.ts';
import { isWhole } from '#test/depth.ts';
import { startService, type TestService } from '#test/service.ts';
import type { BookPrice } from '../book/content.ts';
import { readPricesCsv, writePricesCsv } from '../book/csv.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await registerAccount(service);
});

const read = (csv: string, more: object = {}) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/preise/csv',
    headers: { cookie: account.cookie, 'accept-language': 'en' },
    payload: { fassung: 0, csv, ...more },
  });
const book = async () =>
  (await service.app.inject({ url: '/v1/cockpit/preise', headers: { cookie: account.cookie } })).json();

async function faultsOf(csv: string): Promise<Record<string, string>> {
  const answer = await read(csv);
  expect(answer.statusCode, answer.body).toBe(422);
  const faults: { loc: (string | number)[]; msg: string }[] = answer.json().detail;
  return Object.fromEntries(faults.map(({ loc, msg }) => [loc.slice(2).join('.'), msg]));
}

describe('POST /v1/cockpit/preise/csv', () => {
  // `acceptance/work` sends the dearest book there can be.
  it.runIf(isWhole)('reads as many lines as a book holds', async () => {
    const lines = Array.from(
      { length: PREISBUCH_MAX },
      (_, index) => `eigenes-${'x'.repeat(150)}-${index};0,01`,
    );
    const answer = await read(['modell;aufruf', ...lines].join('\r\n'));
    expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200);
    expect(answer.json().preise).toHaveLength(PREISBUCH_MAX);
  });

  it('reads what a German spreadsheet writes', async () => {
    const csv =
      '\uFEFFModell;Anbieter;Eingabe;Ausgabe;gilt_ab;Bemerkung\r\ngpt-4o;openai;2,5;10;01.02.2026;"mit; Strichpunkt"\r\n\r\nllama*;;0;0;;\r\n';
    const answer = await read(csv);
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json()).toMatchObject({
      fassung: 1,
      preise: [
        {
          anbieter: 'openai',
          modell: 'gpt-4o',
          gilt_ab: '2026-02-01',
          saetze: { eingabe: '2.5', ausgabe: '10', aufruf: null },
          bemerkung: 'mit; Strichpunkt',
        },
        { anbieter: null, modell: 'llama*', saetze: { eingabe: '0', ausgabe: '0' } },
      ],
    });
  });

  it('reads commas and points, too', async () => {
    const answer = await read('modell,aufruf\nm1,0.5\nm2,"0,25"\n');
    expect(answer.json().preise).toMatchObject([
      { saetze: { aufruf: '0.5' } },
      { saetze: { aufruf: '0.25' } },
    ]);
  });

  it('replaces own prices only, and with probe nothing', async () => {
    await service.app.inject({
      method: 'PUT',
      url: '/v1/cockpit/preise',
      headers: { cookie: account.cookie },
      payload: { fassung: 0, gemeldete_kosten: true, rabatte: [{ anbieter: 'openai', prozent: 5 }] },
    });
    const tried = await read('modell;aufruf\nm;1\n', { fassung: 1, probe: true });
    expect(tried.json()).toMatchObject({ fassung: 1, preise: [{ modell: 'm' }], gemeldete_kosten: true });
    expect(await book()).toMatchObject({ fassung: 1, preise: [] });
    await read('modell;aufruf\nm;1\n', { fassung: 1 });
    expect(await book()).toMatchObject({
      fassung: 2,
      preise: [{ modell: 'm' }],
      rabatte: [{ prozent: '5' }],
    });
    expect((await read('modell;aufruf\nm;2\n', { fassung: 1 })).statusCode).toBe(409);
  });

  it('names line and column of what it cannot read, and stores nothing', async () => {
    expect(await faultsOf('modell;preis\nm;1\n')).toEqual({ 1: expect.stringContaining('unknown') });
    expect(await faultsOf('anbieter;aufruf\nm;1\n')).toEqual({
      1: expect.stringContaining('“modell” is missing'),
    });
    expect(await faultsOf('modell;aufruf;aufruf\nm;1;2\n')).toEqual({ 1: expect.stringContaining('twice') });
    expect(await faultsOf('modell;bemerkung\nm;"offen\n')).toEqual({ 2: expect.stringContaining('no CSV') });
    expect(
      await faultsOf(
        'modell;eingabe;ausgabe;gilt_ab\nm1;1.234,5;1;\n;1;1;\n\nm3;-1;1;2026-02-30\nm4;2000000;1;\nm5;1;;\n',
      ),
    ).toEqual({
      '2.eingabe': expect.stringContaining('nothing that belongs here'),
      '3.modell': expect.stringContaining('nothing that belongs here'),
      '5.eingabe': expect.stringContaining('nothing that belongs here'),
      '5.gilt_ab': expect.stringContaining('nothing that belongs here'),
      '6.eingabe': expect.stringContaining('nothing that belongs here'),
    });
    expect(await faultsOf('modell;eingabe;ausgabe\nm1;1;1\n\nm2;1;\n')).toEqual({
      '4.ausgabe': expect.stringContaining('belong together'),
    });
    const many = Array.from({ length: 1_001 }, (_, place) => `m${place};1`).join('\n');
    expect(await faultsOf(`modell;aufruf\n${many}\n`)).toEqual({
      '': expect.stringContaining('at most 1000'),
    });
    expect(await book()).toMatchObject({ fassung: 0 });
  });

  it('asks who it is and for the right', async () => {
    const url = '/v1/cockpit/preise/csv';
    const payload = { fassung: 0, csv: 'modell;aufruf\nm;1\n' };
    expect((await service.app.inject({ method: 'POST', url, payload })).statusCode).toBe(401);
  });
});

it('what is exported is read back as it was, formulas and all', async () => {
  const text = fc
    .stringMatching(/^[=+\-@'"; äé€a-z*]{1,12}$/)
    .filter((each) => each === each.trim() && !each.startsWith("'"));
  const amount = fc
    .tuple(fc.nat(999_999), fc.stringMatching(/^\d{0,14}[1-9]$/), fc.boolean())
    .map(([whole, places, some]) => (some ? `${whole}.${places}` : String(whole)));
  const price = fc.record({
    anbieter: fc.option(text),
    modell: text,
    preisstufe: fc.option(fc.stringMatching(/^[a-z]{1,8}$/)),
    gilt_ab: fc.option(fc.constant('2026-02-28')),
    gilt_bis: fc.option(fc.constant('2026-12-31')),
    saetze: fc.record(
      Object.fromEntries(
        BOOK_RATE_NAMES.map((name) => [
          name,
          name === 'eingabe' || name === 'ausgabe' ? amount : fc.option(amount),
        ]),
      ),
    ),
    bemerkung: fc.option(text),
  }) as fc.Arbitrary<BookPrice>;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(price, { selector: ({ modell }) => modell.toLowerCase(), maxLength: 5 }),
      async (prices) => {
        const parts: string[] = [];
        for await (const part of writePricesCsv(prices)) parts.push(part);
        expect(readPricesCsv(parts.join(''))).toEqual(prices);
      },
    ),
  );
});
