/** A month is closed as of one moment, and with few questions however many are charged. */
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { engineOf } from '#domains/verbrauch/index.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { type PlainCall, sendPlainCalls } from '#test/plain-calls.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { unzipBytes } from '#test/unzip.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  vi.restoreAllMocks();
  service.clock.set('2026-11-05T10:30:00Z');
  account = await registerAccount(service);
});

async function ask(method: 'GET' | 'POST', path: string, payload?: object) {
  const answer = await service.app.inject({
    method,
    url: `/v1/cockpit${path}`,
    headers: { cookie: account.cookie },
    ...(payload ? { payload } : {}),
  });
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200);
  return answer;
}

async function call(...calls: PlainCall[]) {
  await sendPlainCalls(service, account, calls);
  await countAll(service);
}

const close = () => ask('POST', '/abrechnung/abschliessen', { monat: '2026-10' });

/** What is asked of the engine from now on, and what is done before each question. */
function watch(before: (question: number) => Promise<void> = async () => undefined) {
  const engine = engineOf(service.context);
  const whole = engine.ask.bind(engine);
  let asked = 0;
  vi.spyOn(engine, 'ask').mockImplementation(async (...question) => {
    asked += 1;
    await before(asked);
    return whole(...question);
  });
  return () => asked;
}

/** Calls and cost of the lines, and of each kind of what is behind them. */
const SUMS = `SELECT art, sum(aufrufe)::text AS aufrufe, trim_scale(sum(kosten))::text AS kosten FROM (
    SELECT 'zeilen' AS art, aufrufe, kosten_eur AS kosten FROM abrechnungszeilen WHERE mandant_id = $1
    UNION ALL SELECT kind.key, (p ->> 'aufrufe')::bigint, (p ->> 'kosten_eur')::numeric
      FROM abrechnungszeilen CROSS JOIN json_each(posten) AS kind CROSS JOIN json_array_elements(kind.value) AS p
      WHERE mandant_id = $1) s
  GROUP BY art ORDER BY art`;

test('what is counted meanwhile is in no line and behind none, but a correction', async () => {
  await call({ endkunde_ref: 'K', token: 1_000_000 }, { endkunde_ref: 'L', token: 3 }, { endkunde_ref: '' });
  const asked = watch((question) =>
    question === 2
      ? call({ endkunde_ref: 'K', token: 7 }, { endkunde_ref: 'L', agent: 'neu' })
      : Promise.resolve(),
  );
  await close();
  expect(asked()).toBe(3);
  const sums = { aufrufe: '3', kosten: '1.65000045' };
  expect(await service.sql(SUMS, [account.mandantId])).toEqual(
    ['agenten', 'focus', 'modelle', 'tage', 'zeilen'].map((art) => ({ art, ...sums })),
  );
  const { zeilen } = (await ask('GET', '/endkunden?monat=2026-11')).json();
  expect(
    zeilen.map(({ referenz, korrekturen_eur }: Record<string, string>) => [referenz, korrekturen_eur]),
  ).toEqual(expect.arrayContaining([['L', '1.50']]));
});

test('of many end customers some are asked about at once', async () => {
  const references = Array.from({ length: 250 }, (_, n) => `K-${n}`);
  await call(...references.map((endkunde_ref, n) => ({ endkunde_ref, agent: `a-${n % 7}`, token: n + 1 })));
  const asked = watch();
  await ask('GET', '/export/focus.csv?monat=2026-10');
  expect(asked()).toBe(1 + 2);
  await close();
  // The bill; by agent, and by day, provider and model, of 100 and 151 lines, one of them of calls without an end customer.
  expect(asked()).toBe(3 + 1 + 2 * 2);
  await ask('GET', '/export/focus.csv?monat=2026-10');
  await ask('GET', '/export/weiterbelastung?monat=2026-10');
  expect(asked()).toBe(8);
});

test('so are the statements of an open month', async () => {
  await call(...Array.from({ length: 5 }, (_, n) => ({ endkunde_ref: `K-${n}` })));
  const asked = watch();
  const { rawPayload } = await ask('GET', '/export/abrechnungen.zip?monat=2026-10');
  expect((await unzipBytes(rawPayload)).size).toBe(6);
  expect(asked()).toBe(1 + 3);
});
