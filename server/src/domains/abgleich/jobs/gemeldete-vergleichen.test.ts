/** What calls reported as their cost beside what they cost by the list, at the door. */
import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { countAnew, type SentCall, setBook } from '#test/counted-anew.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { compareOpenDays } from './gemeldete-vergleichen.ts';

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});

const list = createPriceList();
const RATE = '0.86';
const TAKES_REPORTED = {
  gemeldete_kosten: true,
  preise: [{ modell: 'eigen', saetze: { eingabe: '2', ausgabe: '0' } }],
};

/** Compares the days that have rested. */
async function compare(): Promise<number> {
  await service.sql("UPDATE verbrauch_tagesstand SET geaendert_am = now() - interval '1 hour'");
  return compareOpenDays({ owner, log: service.context.log }, list);
}

async function reported(account: Account, monat: string) {
  const answer = await service.app.inject({
    url: `/v1/cockpit/abgleich?monat=${monat}`,
    headers: { cookie: account.cookie },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  const { zeilen } = answer.json() as { zeilen: { anbieter: string | null; gemeldet: object | null }[] };
  return Object.fromEntries(zeilen.map(({ anbieter, gemeldet }) => [anbieter ?? '', gemeldet]));
}

const call = fc.record({
  ereignis_id: fc.uuid({ version: 4 }),
  zeitpunkt: fc.constantFrom(
    '2026-06-29T22:30:00Z',
    '2026-06-30T21:59:59Z',
    '2026-06-30T22:00:00Z',
    '2026-07-04T08:00:00Z',
  ),
  anbieter: fc.constantFrom('openai', 'gateway', null),
  modell: fc.constantFrom('eigen', 'unbekannt-1'),
  eingabe_token: fc.integer({ min: 0, max: 5_000_000 }),
  zusatz: fc.option(
    fc
      .integer({ min: 0, max: 10 ** 7 })
      .map((micro) => ({ gemeldete_kosten_usd: new Decimal(micro).div(10 ** 6).toFixed() })),
  ),
}) as fc.Arbitrary<
  SentCall & { zeitpunkt: string; anbieter: string | null; modell: string; eingabe_token: number }
>;

type Call = typeof call extends fc.Arbitrary<infer C> ? C : never;
const saidBy = ({ zusatz }: Call) =>
  (zusatz as { gemeldete_kosten_usd: string } | null)?.gemeldete_kosten_usd ?? null;

/** By hand. */
function expected(calls: Call[], monat: string) {
  const month = calls.filter(
    ({ zeitpunkt }) => (zeitpunkt < '2026-06-30T22:00:00Z' ? '2026-06' : '2026-07') === monat,
  );
  return Object.fromEntries(
    [...Map.groupBy(month, ({ anbieter }) => anbieter ?? '')].map(([anbieter, own]) => {
      const told = own.filter((each) => saidBy(each) !== null);
      const known = told.filter(({ modell }) => modell === 'eigen');
      const eur = (amounts: Decimal[]) =>
        amounts.reduce((sum, usd) => sum.plus(usd.times(RATE)), new Decimal(0));
      const gemeldet = eur(known.map((each) => new Decimal(saidBy(each) as string)));
      const liste = eur(known.map(({ eingabe_token }) => new Decimal(eingabe_token).times(2).div(10 ** 6)));
      return [
        anbieter,
        told.length === 0
          ? null
          : {
              aufrufe: told.length,
              verglichen: known.length,
              gemeldet_eur: gemeldet.toFixed(),
              liste_eur: liste.toFixed(),
              differenz_eur: gemeldet.minus(liste).toFixed(),
            },
      ];
    }),
  );
}

it(
  'is, by provider and month, exactly what both come to',
  async () => {
    service.clock.set('2026-07-05T08:00:00Z');
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(call, { minLength: 1, maxLength: 40, selector: ({ ereignis_id }) => ereignis_id }),
        async (calls) => {
          const account = await countAnew(service, owner, calls, {
            book: TAKES_REPORTED,
            substituteRate: RATE,
          });
          await compare();
          for (const monat of ['2026-06', '2026-07'])
            expect(await reported(account, monat)).toEqual(expected(calls, monat));
        },
      ),
      { numRuns: fuzzRuns(8) },
    );
  },
  fuzzTime(),
);

it('is looked at anew after late calls, once each, and only where reported costs were ever taken', async () => {
  service.clock.set('2026-07-05T08:00:00Z');
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  const send = async (usd: string) => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: {
        ereignisse: [
          {
            ereignis_id: randomUUID(),
            zeitpunkt: '2026-07-01T10:00:00Z',
            anbieter: 'gateway',
            modell: 'eigen',
            eingabe_token: 1_000_000,
            zusatz: { gemeldete_kosten_usd: usd },
          },
        ],
      },
    });
    expect(answer.statusCode, answer.body).toBe(202);
    await countAll(service);
  };
  await compare();
  await send('3');
  expect(await compare()).toBe(0);
  await setBook(service, account, TAKES_REPORTED);
  await send('4');
  expect(await compare()).toBe(1);
  expect(await reported(account, '2026-07')).toMatchObject({ gateway: { aufrufe: 1, verglichen: 1 } });
  expect(await compare()).toBe(0);
  await send('5');
  expect(await compare()).toBe(1);
  expect(await reported(account, '2026-07')).toMatchObject({ gateway: { aufrufe: 2, verglichen: 2 } });
});
