/** A statement of an end customer that used more agents and models than have rows: the others stand in it as one. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type abrechnung, MAX_POSTEN, type ResponseOf } from '#contracts';
import { type Account, registerAccount } from '#test/account.ts';
import { type PlainCall, sendPlainCalls } from '#test/plain-calls.ts';
import { pagesOf } from '#test/read-pdf.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

type Abrechnung = ResponseOf<typeof abrechnung>;

let service: TestService;
let account: Account;

const MORE = 7;
/** Each costs a little more than the one before it. */
const call = (index: number): PlainCall & { agent: string } => ({
  agent: `agent-${index}`,
  endkunde_ref: 'gross',
  token: 1_000_000 + index * 7_919,
});

beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-11-05T10:30:00Z');
  account = await registerAccount(service);
  await sendPlainCalls(service, account, [
    ...Array.from({ length: MAX_POSTEN + MORE }, (_, index) => call(index)),
    { endkunde_ref: 'klein', token: 5_000_000 },
  ]);
  await countAll(service);
});
afterAll(() => service?.stop());

const ask = (method: 'GET' | 'POST', path: string, payload?: object) =>
  service.app.inject({
    method,
    url: `/v1/cockpit${path}`,
    headers: { cookie: account.cookie, 'accept-language': 'de' },
    ...(payload ? { payload } : {}),
  });
const read = async (referenz: string) => {
  const answer = await ask('GET', `/endkunden/${referenz}/abrechnung?monat=2026-10`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Abrechnung>();
};
const textOf = async (referenz: string) => {
  const answer = await ask('GET', `/endkunden/${referenz}/abrechnung.pdf?monat=2026-10`);
  expect(answer.statusCode, answer.body.slice(0, 200)).toBe(200);
  const pages = await pagesOf(new Uint8Array(answer.rawPayload));
  return pages
    .flat()
    .map(({ text }) => text)
    .join(' ');
};

const idOf = async (referenz: string) => {
  const sought = 'SELECT endkunde_id AS id FROM endkunden WHERE mandant_id = $1 AND referenz = $2';
  const [row] = await service.sql<{ id: string }>(sought, [account.mandantId, referenz]);
  return row?.id;
};

const cents = (amount: string | null) => BigInt((amount ?? '0').replace('.', ''));

function expectWhole(of: Abrechnung, gruppen: number): void {
  const { agenten, agenten_rest, modelle, modelle_rest, zeile } = of;
  expect(agenten).toHaveLength(MAX_POSTEN);
  expect(agenten_rest?.gruppen).toBe(gruppen);
  expect(agenten.reduce((sum, { aufrufe }) => sum + aufrufe, agenten_rest?.aufrufe ?? 0)).toBe(zeile.aufrufe);
  const parts = agenten.reduce((sum, { betrag_eur }) => sum + cents(betrag_eur), 0n);
  expect(parts + cents(agenten_rest?.betrag_eur ?? null)).toBe(cents(zeile.betrag_eur));
  expect([modelle.length, modelle_rest]).toEqual([1, null]);
  expect(cents(agenten[0]?.betrag_eur ?? null)).toBeGreaterThan(cents(agenten.at(-1)?.betrag_eur ?? null));
}

test('while the month is open, once others are merged into it, and when it is closed', async () => {
  const open = await read('gross');
  expectWhole(open, MORE);
  expect((await read('klein')).agenten_rest).toBeNull();

  const merged = await ask('POST', `/endkunden/${await idOf('klein')}/zusammenfuehren`, {
    ziel_id: await idOf('gross'),
  });
  expect(merged.statusCode, merged.body).toBe(200);
  const together = await read('gross');
  expectWhole(together, MORE + 1);
  expect(together.zeile.aufrufe).toBe(open.zeile.aufrufe + 1);

  const closed = await ask('POST', '/abrechnung/abschliessen', { monat: '2026-10' });
  expect(closed.statusCode, closed.body).toBe(200);
  const billed = await read('gross');
  expectWhole(billed, MORE + 1);
  expect({ ...billed, status: null, geschlossen_am: null }).toEqual({
    ...together,
    status: null,
    geschlossen_am: null,
  });
  expect(await textOf('gross')).toContain(`Übrige (${MORE + 1})`);
});
