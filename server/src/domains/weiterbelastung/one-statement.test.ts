/** A statement is worked out of what concerns its end customer alone, and says the same as the month's whole bill. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withSnapshot } from '#domains/verbrauch/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { setBook } from '#test/counted-anew.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { type Bill, billOf } from './service/bill.ts';
import { type Moment, momentOf } from './service/moment.ts';
import { postenBehindSeveral } from './service/posten-behind.ts';
import { ownerOf, readStatement, statementOf } from './service/statement.ts';

let service: TestService;
let account: Account;
let secret: string;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

async function ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) {
  const answer = await service.app.inject({
    method,
    url: `/v1/cockpit${path}`,
    headers: { cookie: account.cookie },
    ...(payload ? { payload } : {}),
  });
  return answer;
}

const REFERENCES = ['A', 'B', 'C', 'D', 'E', 'F', 'neu-1', 'neu-2'];
const MONTHS = ['2026-07', '2026-08', '2026-09', '2026-10'];

/** The same for the same seed. */
function chance(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    of: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T,
    is: (share: number) => next() < share,
    cents: () => `${Math.floor(next() * 5_000)}.${String(Math.floor(next() * 1_000)).padStart(3, '0')}`,
  };
}
type Chance = ReturnType<typeof chance>;

const callsOf = ({ of, cents }: Chance, months: readonly string[], count: number, references = REFERENCES) =>
  Array.from({ length: count }, () => ({
    agent: of(['x', 'y']),
    anbieter: 'openai',
    modell: of(['gpt-4o', 'gpt-4o-mini']),
    zeitpunkt: `${of(months)}-10T10:00:00Z`,
    endkunde_ref: of(references),
    zusatz: { gemeldete_kosten_usd: cents() },
  }));

async function send(ereignisse: object[]) {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: { ereignisse },
  });
  expect(answer.statusCode, answer.body).toBe(202);
  await countAll(service);
}

/** Merges, separates, deletes, names and marks up; what is refused is no matter. */
async function rearrange({ of, is }: Chance) {
  const { zeilen } = (await ask('GET', '/endkunden?monat=2026-10&limit=200')).json();
  const ids = new Map<string, string>(
    zeilen.map((row: Record<string, string>) => [row.referenz, row.endkunde_id]),
  );
  for (let change = 0; change < 4; change += 1) {
    const [one, other] = [of(REFERENCES), of(REFERENCES)];
    const ziel_id = is(0.3) ? null : ids.get(other);
    await ask('POST', `/endkunden/${ids.get(one)}/zusammenfuehren`, { ziel_id });
    await ask('PUT', `/endkunden/${ids.get(other)}`, {
      aufschlag_prozent: of(['0', '10', '33.3']),
      name: one,
    });
  }
  if (is(0.2)) await ask('DELETE', `/endkunden/${ids.get(of(REFERENCES))}?bestaetigt=true`);
}

/** Forgets what a former release has not kept of a month. */
async function closedByFormer(monat: string) {
  for (const change of [
    'abrechnungsmonate SET zuordnung = NULL, anteile_bekannt = false',
    'abrechnungszeilen SET anteile = NULL',
  ])
    await service.sql(`UPDATE ${change} WHERE mandant_id = $1 AND monat = $2::date`, [
      account.mandantId,
      `${monat}-01`,
    ]);
}

/** What stands behind each line, asked together for all who are charged; null where the month is closed. */
async function behindAll(moment: Moment, bill: Bill) {
  if (bill.closed) return null;
  const rows = bill.customers.all.filter(({ gehoert_zu }) => gehoert_zu === null);
  return postenBehindSeveral(moment, bill, rows);
}

/** Holds what is said of each end customer by itself against what the bill of the month says; resolves with their corrections. */
const compareStatements = (monat: string, references = REFERENCES) =>
  withSnapshot(service.context, account.mandantId as MandantId, async (snapshot) => {
    const moment = momentOf(service.context, snapshot);
    const bill = await billOf(moment, monat);
    const behind = await behindAll(moment, bill);
    let corrections = 0;
    for (const referenz of references) {
      const one = await readStatement(moment, monat, referenz);
      const owner = ownerOf(bill, referenz);
      const whole = await statementOf(moment, bill, owner);
      expect(one, `${monat} ${referenz}`).toEqual(whole);
      if (behind) {
        const together = await statementOf(moment, bill, owner, behind.get(owner.row.referenz));
        expect(together, `${monat} ${referenz}`).toEqual(whole);
      }
      corrections += one.korrekturen.length;
    }
    return corrections;
  });

test.each([1, 2, 3, 4, 5, 6])('by chance %i', async (seed) => {
  service.clock.set('2026-11-05T10:30:00Z');
  account = await registerAccount(service);
  ({ secret } = await createKey(service, account));
  await setBook(service, account, { gemeldete_kosten: true });
  const dice = chance(seed);
  for (const referenz of REFERENCES.slice(0, 6))
    await ask('POST', '/endkunden', { referenz, aufschlag_prozent: dice.of(['0', '12.5', '100']) });
  await send(callsOf(dice, MONTHS.slice(0, 3), 30));
  let corrected = 0;
  for (const monat of MONTHS.slice(0, 3)) {
    await rearrange(dice);
    await send(callsOf(dice, MONTHS, 12));
    const closed = await ask('POST', '/abrechnung/abschliessen', { monat });
    expect(closed.statusCode, closed.body).toBe(200);
    // As a former release has closed it.
    if (dice.is(0.3)) await closedByFormer(monat);
  }
  await rearrange(dice);
  await send(callsOf(dice, MONTHS, 12));
  for (const monat of MONTHS) corrected += await compareStatements(monat);
  expect(corrected).toBeGreaterThan(0);
});

test('three that were charged together share what rounding leaves, when each of them is charged alone again', async () => {
  service.clock.set('2026-11-05T10:30:00Z');
  account = await registerAccount(service);
  ({ secret } = await createKey(service, account));
  await setBook(service, account, { gemeldete_kosten: true });
  const references = ['A', 'B', 'C'];
  const ids: string[] = [];
  for (const referenz of references)
    ids.push((await ask('POST', '/endkunden', { referenz })).json().endkunde_id);
  const [first, ...others] = ids;
  const charge = async (ziel_id: string | null | undefined) => {
    for (const id of others)
      expect((await ask('POST', `/endkunden/${id}/zusammenfuehren`, { ziel_id })).statusCode).toBe(200);
  };
  const each = (month: string) =>
    references.flatMap((referenz, seed) => callsOf(chance(seed), [month], 1, [referenz]));
  await charge(first);
  for (const month of MONTHS.slice(0, 3)) await send(each(month));
  for (const monat of MONTHS.slice(0, 3))
    expect((await ask('POST', '/abrechnung/abschliessen', { monat })).statusCode).toBe(200);
  await charge(null);
  for (const month of MONTHS.slice(0, 3)) await send(each(month));
  expect(await compareStatements('2026-10', references)).toBe(9);
});
