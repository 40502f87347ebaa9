/** Months by chance: whatever comes late, every end customer has paid the exact cost with their markup, rounded once. */
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { BILLED_RATE, type BilledCall, billedCall, billedMarkup, countBilled } from '#test/billed-calls.ts';
import { setBook } from '#test/counted-anew.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
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

/** End customers with a markup each, and one that is merged with the first of them; the ids of the former by their references. */
async function addCustomers(account: Account, markups: string[]): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const [index, referenz] of CUSTOMERS.entries()) {
    const made = await send(account, 'POST', '/endkunden', { referenz, aufschlag_prozent: markups[index] });
    ids.set(referenz, made.endkunde_id as string);
  }
  const merged = await send(account, 'POST', '/endkunden', { referenz: 'merged' });
  await send(account, 'POST', `/endkunden/${merged.endkunde_id}/zusammenfuehren`, { ziel_id: ids.get('a') });
  return ids;
}

/** Closes a month, whose statements stay what they were just before. */
async function close(account: Account, monat: string): Promise<void> {
  await expectListed(account, monat);
  const { zeile, korrekturen, agenten, modelle, tage } = await statement(account, 'a', monat);
  await send(account, 'POST', '/abrechnung/abschliessen', { monat });
  expect(await statement(account, 'a', monat)).toMatchObject({ zeile, korrekturen, agenten, modelle, tage });
  await expectListed(account, monat);
}

/** What an end customer is charged for a month in all, by its own statement and by those of the months after. */
async function chargedFor(account: Account, referenz: string, month: string): Promise<string> {
  const all = await Promise.all([...MONTHS, '2026-10'].map((each) => statement(account, referenz, each)));
  const lines = all.flatMap(({ zeile, korrekturen }) => [zeile, ...korrekturen]);
  return sumOf(lines.filter(({ monat }) => monat === month).map(({ betrag_eur }) => betrag_eur ?? null));
}

/** What is agreed from now on. */
async function agree(account: Account, ids: Map<string, string>, markups: string[]): Promise<void> {
  for (const [index, referenz] of CUSTOMERS.entries())
    await send(account, 'PUT', `/endkunden/${ids.get(referenz)}`, { aufschlag_prozent: markups[index] });
}

interface Billed {
  batches: BilledCall[][];
  /** Markups by the order of the end customers: when the first month was closed, and since. */
  before: string[];
  later: string[];
  chargesBurnt: boolean;
}

/** Every month is charged with the markup that held for it. */
async function expectCharges(
  account: Account,
  { batches, before, later, chargesBurnt }: Billed,
): Promise<void> {
  for (const [place, referenz] of CUSTOMERS.entries())
    for (const [index, month] of MONTHS.entries()) {
      const isOwn = (each: BilledCall) => each.month === month && charged(each.endkunde) === referenz;
      // Who had no line in the first month when it was closed is charged by what is agreed today.
      const hadLine = index === 0 && batches[0]?.some(isOwn);
      const percent = (hadLine ? before : later)[place] as string;
      expect(await chargedFor(account, referenz, month), `${referenz} ${month}`).toBe(
        expectedCharge(batches.flat().filter(isOwn), percent, chargesBurnt),
      );
    }
}

/** Whether what subscriptions pay for is passed on from now on. */
const passOn = (account: Account, abo_weiterbelasten: boolean) =>
  send(account, 'PUT', '/mandant/zuordnung', {
    endkunde_namen: [],
    funktion_namen: [],
    projekt_namen: [],
    merkmale: [],
    abo_weiterbelasten,
  });

/** Calls by when they come, markups before and since the first month, and what is charged. */
type Month = [BilledCall[][], [string, string][], boolean, boolean[]];

const listsOf = (account: Account) =>
  Promise.all(MONTHS.map((month) => get(account, `/endkunden?monat=${month}`)));

const priced = (usd: string): BilledCall => ({
  month: '2026-07',
  endkunde: 'a',
  agent: 'x',
  day: 1,
  usd,
  failed: false,
  abo: false,
});
/** Who has nothing but a correction in a month in which another markup holds than in the one that is corrected. */
const ONLY_CORRECTED = [
  [[priced('0')], [priced('0.000001')], [], []],
  [
    ['0', '0.01'],
    ['0', '0'],
    ['0', '0'],
  ],
  false,
  [false, false, false, false],
] satisfies Month;

it(
  'charges, closed and corrected, the exact cost of each month with its markup, once rounded',
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(...[0, 1, 2, 3].map(() => fc.array(call, { maxLength: 12 }))),
        fc.tuple(...CUSTOMERS.map(() => fc.tuple(billedMarkup, billedMarkup))),
        fc.boolean(),
        fc.tuple(...[0, 1, 2, 3].map(() => fc.boolean())),
        async (batches, markups, chargesBurnt, withAbo) => {
          service.clock.set('2026-10-05T08:00:00Z');
          const account = await registerAccount(service);
          const { secret } = await createKey(service, account);
          await setBook(service, account, { gemeldete_kosten: true });
          await send(account, 'PUT', '/mandant/buchhaltung', { verbranntes_berechnen: chargesBurnt });
          const before = markups.map(([first]) => first);
          const later = markups.map(([, second]) => second);
          const ids = await addCustomers(account, before);
          for (const [index, batch] of batches.entries()) {
            await passOn(account, withAbo[index] as boolean);
            await countBilled(service, owner, secret, batch);
            const month = MONTHS[index];
            if (month) await close(account, month);
            // What is agreed later holds for later months.
            if (index === 0) await agree(account, ids, later);
          }
          const closed = await listsOf(account);
          await expectListed(account, '2026-10');
          // What a subscription pays for is on no bill, unless that was said when it was counted.
          const billed = batches.map((batch, index) => batch.filter(({ abo }) => !abo || withAbo[index]));
          await expectCharges(account, { batches: billed, before, later, chargesBurnt });
          expect(await listsOf(account)).toEqual(closed);
        },
      ),
      { numRuns: fuzzRuns(4), examples: [[...ONLY_CORRECTED]] },
    );
  },
  fuzzTime(),
);
