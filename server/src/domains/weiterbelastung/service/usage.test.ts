/** What all references used is read page by page; wherever a page ends, nobody is left out and nobody is there twice. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withSnapshot } from '#domains/verbrauch/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { eurText } from '#kernel/money.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { type PlainCall, sendPlainCalls } from '#test/plain-calls.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { windowOf } from '../month.ts';
import { momentOf } from './moment.ts';
import { usageByReference } from './usage.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-11-05T10:30:00Z');
  account = await registerAccount(service);
  // Many cost the same, some nothing that is known, some calls name nobody.
  const calls: PlainCall[] = Array.from({ length: 60 }, (_, n) => ({
    ...(n % 13 === 0 ? {} : { endkunde_ref: `kunde-${n % 25}` }),
    modell: n % 25 > 20 ? 'unbekannt-9' : 'gpt-4o-mini',
    token: 1_000_000 * (1 + (n % 3)),
    zeitpunkt: `2026-10-${String(1 + (n % 28)).padStart(2, '0')}T10:00:00Z`,
  }));
  await sendPlainCalls(service, account, calls);
  await countAll(service);
});
afterAll(() => service.stop());

const usage = (limit: number | undefined, referenzen?: string[]) =>
  withSnapshot(service.context, account.mandantId as MandantId, async (snapshot) => {
    const window = windowOf('2026-10', snapshot.zone);
    return usageByReference(momentOf(service.context, snapshot), window, referenzen, limit);
  });

test.each([1, 2, 3, 7, 24, 25, 26, 27])('with %i on a page', async (limit) => {
  const whole = await usage(undefined);
  expect(whole.size).toBe(26);
  expect(new Map([...(await usage(limit))].sort())).toEqual(new Map([...whole].sort()));
});

test('it is what the calls add up to', async () => {
  const rows = await service.sql<{ referenz: string; aufrufe: number; eur: string | null }>(
    `SELECT coalesce(endkunde_ref, '') AS referenz, count(*)::int AS aufrufe, trim_scale(sum(kosten_eur))::text AS eur
     FROM ereignisse WHERE mandant_id = $1 GROUP BY 1`,
    [account.mandantId],
  );
  const read = await usage(2);
  expect(
    rows.map(({ referenz }) => {
      const { aufrufe = 0, kosten = null } = read.get(referenz) ?? {};
      return { referenz, aufrufe, eur: kosten === null ? null : eurText(kosten) };
    }),
  ).toEqual(rows);
});

test('of some of them alone, too', async () => {
  const [whole, some] = [await usage(undefined), await usage(1, ['kunde-3', 'kunde-22', ''])];
  expect([...some.keys()].sort()).toEqual(['', 'kunde-22', 'kunde-3']);
  for (const [referenz, used] of some) expect(used).toEqual(whole.get(referenz));
});
