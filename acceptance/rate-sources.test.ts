/** Whatever answers costs in EUR of a period says what rates they rest on: all of them the same. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Reconciling, startReconciling } from '#test/reconciled.ts';

const SUBSTITUTED = '2026-11-16T10:00:00Z';
const BY_REFERENCE_RATE = '2026-11-19T10:00:00Z';

let at: Reconciling;
beforeAll(async () => {
  at = await startReconciling();
  at.service.clock.set('2026-11-22T12:00:00Z');
  await at.begin();
  // None is known for the days before.
  await at.setRates({ '2026-11-18': '0.9' });
  await at.send({ zeitpunkt: SUBSTITUTED }, { zeitpunkt: BY_REFERENCE_RATE });
  await at.count('1');
});
afterAll(() => at?.stop());

test.each([
  ['the overview', '/uebersicht?zeitraum=30tage'],
  ['consumption', '/verbrauch?gruppe=modell&von=2026-11-01T00:00:00Z&bis=2026-11-22T12:00:00Z'],
  ['agents', '/agenten?zeitraum=30tage'],
  ['budgets', '/budgets'],
  ['end customers', '/endkunden?monat=2026-11'],
  ['the weekly report', '/bericht/woche?woche=2026-W47&format=json'],
])('%s', async (_, path) => {
  const answer = await at.service.app.inject({
    url: `/v1/cockpit${path}`,
    headers: { cookie: at.account().cookie },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json().kursquellen).toEqual([
    {
      quelle: 'ersatz',
      kosten_eur: '1.5',
      anteil: '0.526316',
      ersatzkurse: [expect.objectContaining({ usd_eur: '1' })],
    },
    { quelle: 'ezb', kosten_eur: '1.35', anteil: '0.473684', ersatzkurse: [] },
  ]);
});
