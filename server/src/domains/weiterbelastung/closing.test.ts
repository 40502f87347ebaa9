/** Months by chance: whatever comes late, every end customer has paid the exact cost with their markup, rounded once. */
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { BILLED_RATE, type BilledCall, billedCall, billedMarkup, countBilled } from '#test/billed-calls.ts';
import { setBook } from '#test/counted-anew.ts';
import { fuzzRuns } from '#test/fuzz.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

const MONTHS = ['2026-07', '2026-08', '2026-09'] as const;
const CUSTOMERS = ['a', 'b', 'c/ü %'] as const;
const call = billedCall(MONTHS, [...CUSTOMERS, 'merged', '']);

const headers = (account: Account) => ({ cookie: account.cookie });
async function ok(asked: PromiseLike<{ statusCode: number; body: string; json(): Line }>): Promise<Line> {
  const answer = await asked;
  expect(answer.statusCode, answer.body).toBeLessThan(300);
  return answer.json();
}
const get = (account: Account, path: string) =>
  ok(service.app.inject({ url: `/v1/cockpit${path}`, headers: headers(account) }));
const send = (account: Account, method: 'POST' | 'PUT', path: string, payload: object = {}) =>
  ok(service.app.inject({ method, url: `/v1/cockpit${path}`, headers: headers(account), payload }));

const charged = (endkunde: string) => (endkunde === 'merged' ? 'a' : endkunde);
/** By hand: the exact cost with the markup, half-up (away from zero) to the cent. */
function expectedCharge(calls: BilledCall[], percent: string, chargesBurnt: boolean): string {
  const cost = calls
    .filter(({ failed }) => chargesBurnt || !failed)
    .reduce((sum, { usd }) => sum.plus(new Decimal(usd).times(BILLED_RATE)), new Decimal(0));
  return cost
    .times(new Decimal(percent).plus(100))
    .div(100)
    .toDecimalPlaces(2, Decimal.ROUND_HALF_UP)
    .toFixed(2);
}
const sumOf = (texts: (string | null)[]) =>
  texts.reduce((sum, text) => sum.plus(text ?? 0), new Decimal(0)).toFixed(2);

type Line = Record<string, string>;
interface Statement {
  zeile: Line;
  korrekturen: Line[];
  agenten: Line[];
  modelle: Line[];
  tage: Line[];
  netto_eur: string;
}

async function statement(account: Account, referenz: string, monat: string): Promise<Statement> {
  const path = `/endkunden/${encodeURIComponent(referenz)}/abrechnung?monat=${monat}`;
  const answer = (await get(account, path)) as unknown as Statement;
  for (const parts of [answer.agenten, answer.modelle, answer.tage])
    if (parts.length > 0)
      expect(sumOf(parts.map(({ betrag_eur }) => betrag_eur ?? null))).toBe(answer.zeile.betrag_eur);
  expect(answer.netto_eur).toBe(
    sumOf([answer.zeile, ...answer.korrekturen].map(({ betrag_eur }) => betrag_eur ?? null)),
  );
  return answer;
}

async function expectListed(account: Account, monat: string): Promise<void> {
  const list = (await get(account, `/endkunden?monat=${monat}`)) as unknown as {
    zeilen: Line[];
    summe: Line;
  };
  expect(list.summe.betrag_eur).toBe(sumOf(list.zeilen.map(({ betrag_eur }) => betrag_eur ?? null)));
  for (const row of list.zeilen) {
    const { zeile, korrekturen } = await statement(account, row.referenz as string, monat);
    expect(zeile.betrag_eur).toBe(row.betrag_eur);
    expect(sumOf(korrekturen.map(({ betrag_eur }) => betrag_eur ?? null))).toBe(row.korrekturen_eur);
  }
}

it(
  'charges, closed and corrected, the exact cost of each month with its markup, once rounded',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(...[0, 1, 2, 3].map(() => fc.array(call, { maxLength: 12 }))),
        fc.tuple(...CUSTOMERS.map(() => fc.tuple(billedMarkup, billedMarkup))),
        fc.boolean(),
        async (batches, markups, chargesBurnt) => {
          service.clock.set('2026-10-05T08:00:00Z');
          const account = await registerAccount(service);
          const { secret } = await createKey(service, account);
          await setBook(service, account, { gemeldete_kosten: true });
          await send(account, 'PUT', '/mandant/buchhaltung', { verbranntes_berechnen: chargesBurnt });
          const ids = new Map<string, string>();
          for (const [index, referenz] of CUSTOMERS.entries()) {
            const aufschlag_prozent = markups[index]?.[0] as string;
            const made = await send(account, 'POST', '/endkunden', { referenz, aufschlag_prozent });
            ids.set(referenz, (made as unknown as { endkunde_id: string }).endkunde_id);
          }
          const merged = (await send(account, 'POST', '/endkunden', {
            referenz: 'merged',
          })) as unknown as Line;
          await send(account, 'POST', `/endkunden/${merged.endkunde_id}/zusammenfuehren`, {
            ziel_id: ids.get('a'),
          });

          const sent: BilledCall[] = [];
          for (const [index, batch] of batches.entries()) {
            sent.push(...batch);
            await countBilled(service, owner, secret, batch);
            const month = MONTHS[index];
            if (!month) continue;
            await expectListed(account, month);
            const before = await statement(account, 'a', month);
            await send(account, 'POST', '/abrechnung/abschliessen', { monat: month });
            expect(await statement(account, 'a', month)).toMatchObject({
              zeile: before.zeile,
              korrekturen: before.korrekturen,
              agenten: before.agenten,
              modelle: before.modelle,
              tage: before.tage,
            });
            await expectListed(account, month);
            // What is agreed later holds for later months.
            if (index === 0)
              for (const [place, referenz] of CUSTOMERS.entries())
                await send(account, 'PUT', `/endkunden/${ids.get(referenz)}`, {
                  aufschlag_prozent: markups[place]?.[1],
                });
          }
          const closed = await Promise.all(MONTHS.map((month) => get(account, `/endkunden?monat=${month}`)));
          await expectListed(account, '2026-10');
          for (const [place, referenz] of CUSTOMERS.entries())
            for (const [index, month] of MONTHS.entries()) {
              const all = await Promise.all(
                [...MONTHS, '2026-10'].map((each) => statement(account, referenz, each)),
              );
              const billed = all
                .flatMap(({ zeile, korrekturen }) => [zeile, ...korrekturen])
                .filter(({ monat }) => monat === month);
              const own = sent.filter((each) => each.month === month && charged(each.endkunde) === referenz);
              // Who had no line in the first month when it was closed is charged by what is agreed today.
              const hadLine = batches[0]?.some(
                (each) => each.month === month && charged(each.endkunde) === referenz,
              );
              const percent = markups[place]?.[index === 0 && hadLine ? 0 : 1] as string;
              expect(sumOf(billed.map(({ betrag_eur }) => betrag_eur ?? null)), `${referenz} ${month}`).toBe(
                expectedCharge(own, percent, chargesBurnt),
              );
            }
          expect(await Promise.all(MONTHS.map((month) => get(account, `/endkunden?monat=${month}`)))).toEqual(
            closed,
          );
        },
      ),
      { numRuns: fuzzRuns(4) },
    );
  },
  fuzzRuns(120_000),
);
