/** The month as FOCUS, at the door. */
import { createHash } from 'node:crypto';
import { parse } from 'csv-parse/sync';
import { Decimal } from 'decimal.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { checkFocus } from '#test/formats/focus/check.ts';
import { type PlainCall, sendPlainCalls } from '#test/plain-calls.ts';
import { ACCOUNTANTS, admitting, statusByRole } from '#test/roles.ts';
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

const ask = (
  method: 'GET' | 'POST' | 'PUT',
  path: string,
  payload?: object,
  user: Account | null = account,
) =>
  service.app.inject({
    method,
    url: `/v1/cockpit${path}`,
    headers: { 'accept-language': 'de', ...(user ? { cookie: user.cookie } : {}) },
    ...(payload ? { payload } : {}),
  });
const add = (body: object) => ask('POST', '/endkunden', body);
const close = (monat: string, user: Account | null = account) =>
  ask('POST', '/abrechnung/abschliessen', { monat }, user);

const file = (query: string, user: Account | null = account) =>
  ask('GET', `/export/weiterbelastung${query}`, undefined, user);

/** At 1 EUR for a USD. */
async function call(...calls: PlainCall[]) {
  await sendPlainCalls(service, account, calls);
  await countAll(service);
}

const checkFocusRows = (csv: string): Record<string, string>[] => parse(csv, { columns: true });

describe('the month as FOCUS', () => {
  const focus = (query: string, user: Account | null = account) =>
    ask('GET', `/export/focus.csv${query}`, undefined, user);
  const costs = (csv: string) =>
    checkFocusRows(csv).reduce((sum, { BilledCost }) => sum.plus(BilledCost as string), new Decimal(0));

  it('says what the calls cost, closed and corrected as the lines do', async () => {
    await add({ referenz: 'K', name: 'Müller, Söhne', aufschlag_prozent: '10' });
    await call(
      { endkunde_ref: 'K' },
      { endkunde_ref: '', token: 2_000_000 },
      { endkunde_ref: 'L', token: 3 },
    );
    const open = (await focus('?monat=2026-10')).body;
    expect(checkFocus(Buffer.from(open))).toEqual([]);
    expect(costs(open).toFixed()).toBe('1.80000045');
    await close('2026-10');
    await call({ endkunde_ref: 'K', token: 4_000_000 });
    expect((await focus('?monat=2026-10')).body).toBe(open);
    const later = (await focus('?monat=2026-11')).body;
    expect(checkFocus(Buffer.from(later))).toEqual([]);
    expect(checkFocusRows(later)).toMatchObject([
      {
        ChargeClass: 'Correction',
        BilledCost: '0.6',
        SubAccountId: 'K',
        // Of the month of its calls, in the one that is billed.
        ChargePeriodStart: '2026-09-30T22:00:00Z',
        ChargePeriodEnd: '2026-10-31T23:00:00Z',
        BillingPeriodStart: '2026-10-31T23:00:00Z',
      },
    ]);
  });

  it('says how many rows are not in it, since nobody knows their cost', async () => {
    await call({ endkunde_ref: 'K' }, { endkunde_ref: 'K', modell: 'gibt-es-nicht' });
    const { headers, body } = await focus('?monat=2026-10');
    expect(headers['x-rows-left-out']).toBe('1');
    expect(checkFocusRows(body)).toHaveLength(1);
  });

  it('is the same of more end customers than are read at a time, open and closed, and in the log as it was read', async () => {
    const references = Array.from({ length: 1_300 }, (_, n) => `K-${String(n).padStart(4, '0')}`);
    await call(...references.map((endkunde_ref, n) => ({ endkunde_ref, token: 1_000 + n })), {
      endkunde_ref: '',
    });
    await call(...references.slice(0, 40).map((endkunde_ref) => ({ endkunde_ref, modell: 'gibt-es-nicht' })));
    const [one, other] = references;
    const { zeilen } = (await ask('GET', `/endkunden?monat=2026-10&suche=K-000`)).json();
    const idOf = (referenz?: string) =>
      zeilen.find((row: Record<string, string>) => row.referenz === referenz).endkunde_id;
    await ask('POST', `/endkunden/${idOf(one)}/zusammenfuehren`, { ziel_id: idOf(other) });
    const open = await focus('?monat=2026-10');
    expect(open.headers['x-rows-left-out']).toBe('39');
    const rows = checkFocusRows(open.body);
    // One of them counts for the other; calls without an end customer have a row, too.
    expect(rows).toHaveLength(1_300);
    expect(new Set(rows.map(({ SubAccountId }) => SubAccountId)).size).toBe(1_300);
    expect(rows.find(({ SubAccountId }) => SubAccountId === other)?.x_Calls).toBe('2');
    await close('2026-10');
    const closed = await focus('?monat=2026-10');
    expect(closed.headers['x-rows-left-out']).toBe('39');
    expect(closed.body).toBe(open.body);
    const table = await file('?monat=2026-10');
    expect(table.body.trimEnd().split('\r\n')).toHaveLength(1 + 1_299 + 1);
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
    const logged = await service.sql<{ sha256: string }>(
      `SELECT nachher ->> 'sha256' AS sha256 FROM pruefprotokoll WHERE mandant_id = $1
         AND aktion = 'weiterbelastung.ausgegeben' ORDER BY eintrag_id`,
      [account.mandantId],
    );
    expect(logged.map((entry) => entry.sha256)).toEqual([open.body, closed.body, table.body].map(sha256));
  });

  it('is for those who keep the books or administer', async () => {
    expect(await statusByRole(service, account, (user) => focus('', user))).toEqual(
      admitting(ACCOUNTANTS, 200),
    );
    expect((await focus('', null)).statusCode).toBe(401);
    expect((await focus('?monat=2026-12')).statusCode).toBe(422);
  });
});
