/** FOCUS by local day and provider: what its rows are is added up here out of the events. */
import { parse } from 'csv-parse/sync';
import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { giveEndedEngine } from '#test/ending-engine.ts';
import { checkFocus } from '#test/formats/focus/check.ts';
import { type PlainCall, sendPlainCalls } from '#test/plain-calls.ts';
import { createRandom } from '#test/random.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.set('2026-11-05T10:30:00Z');
  account = await registerAccount(service);
});

const ask = async (method: 'GET' | 'POST' | 'PUT', path: string, payload?: object) => {
  const answer = await service.app.inject({
    method,
    url: `/v1/cockpit${path}`,
    headers: { cookie: account.cookie },
    ...(payload ? { payload } : {}),
  });
  expect(answer.statusCode, answer.body.slice(0, 300)).toBeLessThan(300);
  return answer;
};

async function call(...calls: PlainCall[]) {
  await sendPlainCalls(service, account, calls);
  await countAll(service);
}

type Cells = Record<string, string>;
async function focus(monat = '2026-10') {
  const { body, headers } = await ask('GET', `/export/focus.csv?monat=${monat}`);
  expect(checkFocus(Buffer.from(body))).toEqual([]);
  return { body, rows: parse(body, { columns: true }) as Cells[], leftOut: headers['x-rows-left-out'] };
}

const close = (monat = '2026-10') => ask('POST', '/abrechnung/abschliessen', { monat });

const SEEN = [
  'SubAccountId',
  'ChargePeriodStart',
  'ChargePeriodEnd',
  'ProviderName',
  'SkuId',
  'x_Calls',
  'x_InputTokens',
  'BilledCost',
  'PricingCurrencyEffectiveCost',
] as const;
const seen = (rows: Cells[]) => rows.map((row) => SEEN.map((name) => row[name]));
const exact = (text: string) => new Decimal(text).toFixed();

const NAMES: Record<string, string> = { openai: 'OpenAI', azure: 'Microsoft', '': 'unbekannt' };

/** The same of the events, in the order of the file; `charged` is whom a reference counts for. */
async function ofEvents(charged: (referenz: string) => string) {
  const rows = await service.sql<{ tag: string; bis: string } & Record<string, string>>(
    `SELECT coalesce(endkunde_ref, '') AS referenz, coalesce(anbieter, '') AS anbieter, modell,
       to_char(tag AT TIME ZONE 'Europe/Berlin' AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS von,
       to_char((tag + interval '1 day') AT TIME ZONE 'Europe/Berlin' AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS bis,
       count(*)::text AS aufrufe, sum(eingabe_token)::text AS eingabe, sum(kosten_eur)::text AS eur, sum(kosten_usd)::text AS usd
     FROM (SELECT *, date_trunc('day', zeitpunkt AT TIME ZONE 'Europe/Berlin') AS tag FROM ereignisse WHERE mandant_id = $1) e
     WHERE kosten_eur IS NOT NULL AND tag >= '2026-10-01' AND tag < '2026-11-01' GROUP BY 1, 2, 3, 4, 5`,
    [account.mandantId],
  );
  const groups = new Map<string, (string | Decimal)[]>();
  for (const { referenz = '', anbieter = '', modell = '', von = '', bis, ...sums } of rows) {
    const key = [charged(referenz), von, bis, anbieter, modell];
    const figures = [sums.aufrufe, sums.eingabe, sums.eur, sums.usd].map(
      (text) => new Decimal(text as string),
    );
    const before = groups.get(key.join('\0'))?.slice(5) ?? figures.map(() => new Decimal(0));
    groups.set(key.join('\0'), [...key, ...figures.map((figure, at) => figure.plus(before[at] as Decimal))]);
  }
  return [...groups.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, [referenz, von, bis, anbieter, modell, ...figures]]) => [
      referenz,
      von,
      bis,
      NAMES[anbieter as string],
      modell,
      ...figures.map((figure) => (figure as Decimal).toFixed()),
    ]);
}

/** Around midnights of the zone, and those of the month and of the day with 25 hours. */
const TIMES = [
  '2026-09-30T21:59:59Z',
  '2026-09-30T22:00:00Z',
  '2026-10-10T10:00:00Z',
  '2026-10-24T21:59:59Z',
  '2026-10-24T22:00:00Z',
  '2026-10-25T22:59:59Z',
  '2026-10-25T23:00:00Z',
  '2026-10-31T22:59:59Z',
  '2026-10-31T23:00:00Z',
];

test.each([1, 2, 3])('is what the events add up to, open and closed, by chance %i', async (seed) => {
  const dice = createRandom(seed * 7_919);
  const ids = new Map<string, string>();
  for (const referenz of ['a', 'b', 'merged']) {
    const made = await ask('POST', '/endkunden', { referenz, aufschlag_prozent: '10' });
    ids.set(referenz, made.json().endkunde_id);
  }
  await ask('POST', `/endkunden/${ids.get('merged')}/zusammenfuehren`, { ziel_id: ids.get('a') });
  const some = (): PlainCall => ({
    endkunde_ref: dice.pick(['a', 'b', 'merged', '']),
    anbieter: dice.pick(['openai', 'azure', null]),
    modell: dice.pick(['gpt-4o-mini', 'gpt-4o', 'gibt-es-nicht']),
    zeitpunkt: dice.pick(TIMES),
    agent: dice.pick(['x', 'y']),
    token: dice.pick([1, 3, 7, 1_000_003]),
  });
  await call(...Array.from({ length: 150 }, some));
  const open = await focus();
  const told = seen(open.rows).map((cells) =>
    cells.map((cell, at) => (at > 4 ? exact(cell as string) : cell)),
  );
  expect(told).toEqual(await ofEvents((referenz) => (referenz === 'merged' ? 'a' : referenz)));
  expect(Number(open.leftOut)).toBeGreaterThan(0);
  await close();
  const { zeilen, ohne_endkunde } = (await ask('GET', '/endkunden?monat=2026-10')).json();
  const costs = new Map<string, Decimal>();
  for (const { SubAccountId = '', BilledCost = '' } of open.rows)
    costs.set(SubAccountId, (costs.get(SubAccountId) ?? new Decimal(0)).plus(BilledCost));
  for (const { referenz, kosten_eur } of [...zeilen, { referenz: '', ...ohne_endkunde }])
    expect(costs.get(referenz)?.toFixed(), referenz).toBe(exact(kosten_eur));
  // Whatever comes and is called otherwise later: what is closed is the same to the byte.
  await call(...Array.from({ length: 30 }, some));
  await ask('PUT', `/endkunden/${ids.get('a')}`, { name: 'Anders' });
  const closed = await focus();
  expect(closed.body).toBe(open.body);
  expect(closed.leftOut).toBe(open.leftOut);
});

test('of a month that was closed before days were kept, it has the models of the month', async () => {
  await ask('POST', '/endkunden', { referenz: 'K' });
  await call(
    { endkunde_ref: 'K', zeitpunkt: '2026-10-03T10:00:00Z' },
    { endkunde_ref: 'K', anbieter: 'azure' },
    { endkunde_ref: 'K', modell: 'gpt-4o', token: 4 },
    { endkunde_ref: 'K', modell: 'gibt-es-nicht' },
    { endkunde_ref: 'K', modell: 'gibt-es-nicht', zeitpunkt: '2026-10-04T10:00:00Z' },
  );
  await close();
  expect((await focus()).leftOut).toBe('2');
  await service.sql(
    `UPDATE abrechnungszeilen SET posten = (posten::jsonb - 'focus')::json WHERE mandant_id = $1`,
    [account.mandantId],
  );
  const { rows, leftOut } = await focus();
  expect(leftOut).toBe('1');
  const month = ['2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z'];
  expect(seen(rows)).toEqual([
    ['K', ...month, 'OpenAI', 'gpt-4o', '1', '4', '0.00001', '0.00001'],
    ['K', ...month, 'verschiedene', 'gpt-4o-mini', '2', '20000000', '3', '3'],
  ]);
});

test('nothing is closed, and no file begins, while the engine is gone', async () => {
  await ask('POST', '/endkunden', { referenz: 'K' });
  await call({ endkunde_ref: 'K' });
  const reach = (method: 'GET' | 'POST', path: string, payload?: object) =>
    service.app.inject({
      method,
      url: `/v1/cockpit${path}`,
      headers: { cookie: account.cookie },
      ...(payload ? { payload } : {}),
    });
  const giveBack = await giveEndedEngine(service.context);
  for (const refused of [
    await reach('POST', '/abrechnung/abschliessen', { monat: '2026-10' }),
    await reach('GET', '/export/focus.csv?monat=2026-10'),
    await reach('GET', '/endkunden?monat=2026-10'),
  ]) {
    expect(refused.statusCode).toBe(503);
    expect(refused.headers['retry-after']).toBe('2');
  }
  expect(
    await service.sql('SELECT FROM abrechnungsmonate WHERE mandant_id = $1', [account.mandantId]),
  ).toEqual([]);
  giveBack();
  await close();
  const before = await focus();
  const giveBackAgain = await giveEndedEngine(service.context);
  expect(await focus()).toEqual(before);
  giveBackAgain();
});
