/** A line that has more behind it than one answer has room for is billed and told like any other. */
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { engineOf } from '#domains/verbrauch/index.ts';
import { unavailable } from '#kernel/errors.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { type PlainCall, sendPlainCalls } from '#test/plain-calls.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(() => service.clock.set('2026-11-05T10:30:00Z'));
afterEach(() => void vi.restoreAllMocks());

const ask = async (account: Account, method: 'GET' | 'POST', path: string, payload?: object) => {
  const answer = await service.app.inject({
    method,
    url: `/v1/cockpit${path}`,
    headers: { cookie: account.cookie },
    ...(payload ? { payload } : {}),
  });
  expect(answer.statusCode, answer.body.slice(0, 300)).toBeLessThan(300);
  return answer;
};

/** One end customer that has two references and much, others that have little. */
const CALLS: PlainCall[] = Array.from({ length: 60 }, (_, n) => ({
  endkunde_ref: n % 6 === 5 ? `klein-${n % 4}` : n % 2 === 0 ? 'viel' : 'viel-2',
  agent: `agent-${n % 20}`,
  anbieter: n % 3 === 0 ? 'azure' : 'openai',
  modell: n % 4 === 0 ? 'gpt-4o' : n % 7 === 0 ? 'unbekannt-9' : 'gpt-4o-mini',
  token: 1_000 + n,
  zeitpunkt: `2026-10-${String(1 + (n % 9)).padStart(2, '0')}T10:00:00Z`,
}));

async function accountWithCalls(): Promise<Account> {
  const account = await registerAccount(service);
  await sendPlainCalls(service, account, CALLS);
  await countAll(service);
  const { zeilen } = (await ask(account, 'GET', '/endkunden?monat=2026-10')).json();
  const idOf = (referenz: string) =>
    zeilen.find((row: { referenz: string }) => row.referenz === referenz).endkunde_id;
  await ask(account, 'POST', `/endkunden/${idOf('viel-2')}/zusammenfuehren`, { ziel_id: idOf('viel') });
  return account;
}

/** From now on an answer by end customer and more has room for this number of groups only. */
function makeRoomFor(groups: number) {
  const engine = engineOf(service.context);
  const whole = engine.ask.bind(engine);
  let refused = 0;
  vi.spyOn(engine, 'ask').mockImplementation(async (tx, questions) => {
    const answers = await whole(tx, questions);
    const isMuch = (by: readonly string[], index: number) =>
      by[0] === 'endkunde' && by.length > 1 && (answers[index]?.groups.length ?? 0) > groups;
    if (!questions.some(({ by }, index) => isMuch(by, index))) return answers;
    refused += 1;
    throw unavailable('abfrage_zu_lang', { de: 'zu viel', en: 'too much' });
  });
  return () => refused;
}

const stored = (account: Account) =>
  service.sql<{ referenz: string; posten: unknown }>(
    'SELECT referenz, posten FROM abrechnungszeilen WHERE mandant_id = $1 ORDER BY referenz',
    [account.mandantId],
  );
const focus = async (account: Account) => (await ask(account, 'GET', '/export/focus.csv?monat=2026-10')).body;
const close = (account: Account) => ask(account, 'POST', '/abrechnung/abschliessen', { monat: '2026-10' });
const withoutAccount = (csv: string) =>
  (parse(csv, { columns: true }) as Record<string, string>[]).map(
    ({ BillingAccountId: _, BillingAccountName: __, ...cells }) => cells,
  );

test('what is behind it is the same, in FOCUS and in what closing keeps', async () => {
  const [ordinary, much] = [await accountWithCalls(), await accountWithCalls()];
  const open = await focus(ordinary);
  await close(ordinary);
  const refused = makeRoomFor(4);
  expect(withoutAccount(await focus(much))).toEqual(withoutAccount(open));
  await close(much);
  expect(refused()).toBeGreaterThan(3);
  expect(await stored(much)).toEqual(await stored(ordinary));
  expect(withoutAccount(await focus(much))).toEqual(withoutAccount(open));
});

test('what was not kept apart is one row: of the statement, and of each day of FOCUS', async () => {
  const account = await accountWithCalls();
  await close(account);
  const path = '/endkunden/viel/abrechnung?monat=2026-10';
  const before = (await ask(account, 'GET', path)).json();
  const rows = withoutAccount(await focus(account));
  await service.sql(
    `UPDATE abrechnungszeilen SET posten = (SELECT json_build_object('agenten', (SELECT json_agg(CASE WHEN n = 1 THEN a ELSE
         (a::jsonb || '{"schluessel": null, "name": null, "gruppen": 3}')::json END) FROM json_array_elements(posten -> 'agenten') WITH ORDINALITY AS x (a, n)),
       'modelle', posten -> 'modelle', 'tage', posten -> 'tage', 'focus', (SELECT json_agg((f::jsonb - 'anbieter' || '{"schluessel": null, "gruppen": 2}')::json)
         FROM json_array_elements(posten -> 'focus') AS y (f))))
     WHERE mandant_id = $1 AND referenz = 'viel'`,
    [account.mandantId],
  );
  const after = (await ask(account, 'GET', path)).json();
  const count = before.agenten.length + (before.agenten_rest?.gruppen ?? 0);
  expect(after.agenten).toHaveLength(1);
  expect(after.agenten_rest.gruppen).toBe(3 * (count - 1));
  const told = withoutAccount(await focus(account));
  expect(told.map(({ BilledCost }) => BilledCost).sort()).toEqual(
    rows.map(({ BilledCost }) => BilledCost).sort(),
  );
  expect(
    new Set(
      told.filter((row) => row.SubAccountId === 'viel').map((row) => `${row.ProviderName} ${row.SkuId}`),
    ),
  ).toEqual(new Set(['verschiedene verschiedene']));
});
