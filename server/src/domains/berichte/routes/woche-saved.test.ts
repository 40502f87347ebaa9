/** What a week's report tells of findings and of the twin is what their own pages tell. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { MONDAY, putFinding } from '#test/weeks.ts';

let service: TestService;
let account: Account;

beforeAll(async () => {
  service = await startService();
  service.clock.set(MONDAY);
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const get = (query: string) =>
  service.app.inject({ url: `/v1/cockpit/bericht/woche${query}`, headers: { cookie: account.cookie } });
const report = async () => (await get('?format=json')).json();
const look = async (path: string) =>
  (await service.app.inject({ url: path, headers: { cookie: account.cookie } })).json();

/** A stop of the finding's run. */
const stop = (finding: string, columns: object = {}) =>
  service.sql(
    `INSERT INTO eingriffe (mandant_id, eingriff_id, stufe, objekt_art, objekt, agent, schatten, befund_id, grund_de,
       grund_en, beginn, missachtet, aufgehoben_am, abgerufen_am)
     SELECT mandant_id, gen_random_uuid(), 'anhalten', 'lauf', objekt, agent, false, befund_id, 'g', 'r', erkannt_am,
       ($2::jsonb->>'missachtet')::int, ($2::jsonb->>'aufgehoben_am')::timestamptz, erkannt_am
     FROM befunde WHERE befund_id = $1`,
    [finding, JSON.stringify({ missachtet: 0, ...columns })],
  );

test('stops that were obeyed and stayed, as their findings tell it; the most burnt first', async () => {
  const werte = (anzahl: number) => ({
    schritte: [1],
    anzahl,
    modelle: [],
    bis: '2026-11-02T09:00:00Z',
    wiederholungen: 3,
  });
  const before = { erkannt_am: '2026-11-02T09:00:00Z', geaendert_am: '2026-11-02T09:00:00Z' };
  for (const anzahl of [20, 30, 40])
    await putFinding(service, account, {
      ...before,
      fenster_beginn: before.erkannt_am,
      werte: werte(anzahl),
    });
  const first = await putFinding(service, account, { kosten_eur: '10' });
  await putFinding(service, account, { status: 'hinfaellig', verbrannt_eur: '1000' });
  await putFinding(service, account, { status: 'ignoriert', verbrannt_eur: '900' });
  const disobeyed = await putFinding(service, account, { verbrannt_eur: '99' });
  const second = await putFinding(service, account, { kosten_eur: '1.5', verbrannt_eur: null });
  await Promise.all([stop(first), stop(second), stop(disobeyed, { missachtet: 2 })]);

  const { befunde } = await report();
  expect(befunde.anzahl).toBe(3);
  expect(befunde.liste.map(({ befund_id }: { befund_id: string }) => befund_id)).toEqual([
    disobeyed,
    first,
    second,
  ]);
  const alone = await look(`/v1/cockpit/befunde/${first}`);
  const other = await look(`/v1/cockpit/befunde/${second}`);
  expect([alone.vermieden.eur, other.vermieden.eur]).toEqual(['50', '7.5']);
  expect(befunde.vermieden).toEqual({ stopps: 2, geschaetzt: 2, eur: '57.5' });
  const page = (await get('')).body.replaceAll('\u00a0', ' ');
  expect(page).toContain('Durch Eingriffe vermieden (geschätzt)');
  expect(page).toContain('57,50 €');
});

test('what the twin tells of the same days', async () => {
  const finding = await putFinding(service, account);
  await service.sql(
    `INSERT INTO zwilling_ersparnisse (mandant_id, tag, ursache, befund_id, agent, aufrufe, unbekannt, gespart_eur)
     VALUES ($1, '2026-11-09', 'wiederholungen', $2, 'a', 3, 0, 1.25), ($1, '2026-11-15', 'cache', $2, 'a', 1, 0, 0.3),
       ($1, '2026-11-16', 'cache', $2, 'a', 1, 0, 50)`,
    [account.mandantId, finding],
  );
  const { zwilling } = await report();
  const twin = await look('/v1/cockpit/zwilling?zeitraum=2026-11-09..2026-11-15');
  expect(zwilling.gespart_eur).toBe('1.55');
  expect(twin.gespart_eur).toBe('1.55');
  for (const { ursache, gespart_eur } of zwilling.ursachen)
    expect(twin.ursachen).toContainEqual(expect.objectContaining({ ursache, gespart_eur }));
});
