/** Two groupings at once, against the events themselves: by time, by another dimension, filtered, before and after condensing. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIMENSION_NAMES, DIMENSIONS, type DimensionName, type Static, type Verbrauch } from '#contracts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

type Answer = Static<typeof Verbrauch>;
type Teil = NonNullable<Answer['teile']>[number];

let service: TestService;
let ours: Account;
let bearer: { authorization: string };

// The night in which clocks go back lies in it.
const FROM = Date.parse('2026-10-23T22:00:00Z');
const NOW = '2026-10-27T15:30:00Z';
const VON = '2026-10-24';
const BIS = '2026-10-28';

const pick = <T>(items: readonly T[], number: number): T => items[number % items.length] as T;
const eventNumber = (n: number) => ({
  ereignis_id: randomUUID(),
  zeitpunkt: new Date(FROM + 1_000 * ((n * 7_919 * 61) % (3.7 * 86_400))).toISOString(),
  agent: pick(['support/a', 'support/b', 'büro', 'x'], n),
  modell: pick(['gpt-4o', 'gpt-4o-mini', 'gibt-es-nicht'], n >> 1),
  anbieter: 'openai',
  endkunde_ref: pick([null, 'Müller', 'Maier'], n >> 2),
  funktion_ref: pick(['entwurf', null], n >> 3),
  eingabe_token: 1 + n,
  ausgabe_token: n % 13,
  status: n % 11 === 0 ? 'fehler' : 'erfolgreich',
});

beforeAll(async () => {
  service = await startService();
  service.clock.set(NOW);
  ours = await registerAccount(service);
  const foreign = await registerAccount(service);
  for (const account of [foreign, ours]) {
    bearer = { authorization: `Bearer ${(await createKey(service, account)).secret}` };
    const payload = { ereignisse: Array.from({ length: 240 }, (_, n) => eventNumber(n)) };
    const sent = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: bearer,
      payload,
    });
    expect(sent.statusCode).toBe(202);
  }
  await countAll(service);
});
afterAll(() => service?.stop());

/** The same from both doors. */
async function get(query: Record<string, string>) {
  const search = new URLSearchParams({ von: VON, bis: BIS, ...query });
  const [byKey, bySession] = await Promise.all([
    service.app.inject({ url: `/v1/api/verbrauch?${search}`, headers: bearer }),
    service.app.inject({ url: `/v1/cockpit/verbrauch?${search}`, headers: { cookie: ours.cookie } }),
  ]);
  const { gezaehlt_bis: _, ...rest } = bySession.json();
  expect(byKey.json()).toMatchObject(rest);
  return byKey;
}

const EXPRESSIONS: Record<string, string> = {
  tag: `to_char(e.zeitpunkt AT TIME ZONE 'Europe/Berlin', 'YYYY-MM-DD')`,
  stunde: `to_char(date_trunc('hour', e.zeitpunkt) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  ...Object.fromEntries(DIMENSION_NAMES.map((name) => [name, `coalesce(e.${DIMENSIONS[name].column}, '')`])),
};

/** What the events say: figures by group and part, one text each. */
async function fromEvents(gruppe: string, teilung: string, filter: [DimensionName, string] | null) {
  const rows = await service.sql<Record<string, string>>(
    `SELECT ${EXPRESSIONS[gruppe]} AS a, ${EXPRESSIONS[teilung]} AS b, count(*)::int AS n, sum(eingabe_token)::int AS eingabe,
       trim_scale(coalesce(sum(kosten_eur), 0))::text AS eur, (count(*) FILTER (WHERE kosten_usd IS NULL))::int AS unpriced
     FROM ereignisse e WHERE mandant_id = $1 ${filter ? `AND ${EXPRESSIONS[filter[0]]} = $2` : ''} GROUP BY 1, 2`,
    filter ? [ours.mandantId, filter[1]] : [ours.mandantId],
  );
  return new Set(
    rows.map(({ a, b, n, eingabe, eur, unpriced }) => [a, b, n, eingabe, eur, unpriced].join(' | ')),
  );
}

const textOf = (
  { schluessel, teil, aufrufe, eingabe_token, kosten_eur, unbepreist }: Teil,
  byHour: boolean,
) => {
  const part = byHour && teil ? Temporal.Instant.from(teil).toString() : teil;
  return [schluessel, part, aufrufe, eingabe_token, kosten_eur ?? '0', unbepreist].join(' | ');
};

const CASES: [string, string, [DimensionName, string] | null][] = [
  ['agent', 'tag', null],
  ['modell', 'stunde', null],
  ['endkunde', 'tag', null],
  ['projekt', 'tag', ['modell', 'gpt-4o']],
  ['modell', 'tag', ['agent', 'büro']],
  ['modell', 'stunde', ['endkunde', 'Müller']],
  ['endkunde', 'tag', ['endkunde', 'Maier']],
  ['modell', 'tag', ['funktion', 'niemals']],
  ['agent', 'modell', null],
  ['endkunde', 'funktion', null],
];

test.each(CASES)('%s by %s (%j): every part is what its events are', async (gruppe, teilung, filter) => {
  const answer = await get({ gruppe, teilung, ...(filter ? { [filter[0]]: filter[1] } : {}) });
  expect(answer.statusCode, answer.body).toBe(200);
  const { teile, zeilen } = answer.json() as Answer;
  const texts = (teile ?? []).map((teil) => textOf(teil, teilung === 'stunde'));
  expect(new Set(texts)).toEqual(await fromEvents(gruppe, teilung, filter));
  expect(texts).toHaveLength(new Set(texts).size);
  // In the order of groups, or of time.
  if (teilung === 'tag') {
    const days = (teile ?? []).map(({ teil }) => teil);
    expect(days).toEqual(days.toSorted());
  }
  expect(zeilen.length > 0).toBe(texts.length > 0);
});

test('groups beyond the page are parts of the rest', async () => {
  for (const teilung of ['tag', 'modell']) {
    const { zeilen, rest, teile } = (await get({ gruppe: 'agent', teilung, limit: '1' })).json() as Answer;
    expect(zeilen).toHaveLength(1);
    const sum = (of: Teil[]) => of.reduce((total, { aufrufe }) => total + aufrufe, 0);
    const others = (teile ?? []).filter(({ schluessel }) => schluessel === null);
    expect(sum(others)).toBe(rest?.aufrufe);
    expect(sum(teile ?? [])).toBe(240);
  }
});

test('parts are null unless they are asked for, and a divided page has 20 groups at most', async () => {
  expect((await get({ gruppe: 'agent' })).json().teile).toBeNull();
  const ereignisse = Array.from({ length: 25 }, (_, n) => ({ agent: `viele/${n}`, zeitpunkt: NOW }));
  await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: bearer,
    payload: { ereignisse },
  });
  await countAll(service);
  const first = (await get({ gruppe: 'agent', teilung: 'tag' })).json() as Answer;
  expect([first.zeilen.length, first.rest?.gruppen]).toEqual([20, 9]);
  const second = (await get({ gruppe: 'agent', teilung: 'tag', nach: first.weiter ?? '' })).json() as Answer;
  expect([second.zeilen.length, second.weiter]).toEqual([9, null]);
});

test.each([
  [{ gruppe: 'tag', teilung: 'modell' }],
  [{ gruppe: 'agent', teilung: 'agent' }],
  [{ gruppe: 'agent', teilung: 'modell', endkunde: 'Maier' }],
  [{ gruppe: 'agent', teilung: 'stunde', von: '2026-09-20', bis: '2026-10-27' }],
  [{ gruppe: 'agent', teilung: 'tag', von: '2025-01-01', bis: '2026-10-27' }],
  [{ gruppe: 'agent', teilung: 'woche' }],
])('422 for what cannot be divided: %j', async (query) => {
  const answer = await get(query);
  expect([answer.statusCode, answer.json().detail?.[0].loc]).toEqual([422, ['query', 'teilung']]);
});

describe('the overview', () => {
  const overview = async (query: string) => {
    const answer = await service.app.inject({
      url: `/v1/cockpit/uebersicht?${query}`,
      headers: { cookie: ours.cookie },
    });
    return { status: answer.statusCode, body: answer.json() };
  };

  test('is of one value where it is asked for, with the course of the period before', async () => {
    const { body } = await overview('zeitraum=2026-10-26..2026-10-27&agent=b%C3%BCro');
    const [expected] = await service.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM ereignisse WHERE mandant_id = $1 AND agent = 'büro'
         AND zeitpunkt >= '2026-10-25T23:00:00Z'`,
      [ours.mandantId],
    );
    expect(body.summe.aufrufe).toBe(expected?.n);
    expect(body.agenten).toMatchObject([{ schluessel: 'büro', aufrufe: expected?.n }]);
    const before = body.verlauf_vorher as { schluessel: string; aufrufe: number }[];
    // Two days, one of them of 25 hours.
    expect(before).toHaveLength(49);
    expect(before[0]?.schluessel).toBe('2026-10-24T00:00:00+02:00');
    const [ofBefore] = await service.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM ereignisse WHERE mandant_id = $1 AND agent = 'büro'
         AND zeitpunkt >= '2026-10-23T22:00:00Z' AND zeitpunkt < '2026-10-25T23:00:00Z'`,
      [ours.mandantId],
    );
    expect(before.reduce((sum, { aufrufe }) => sum + aufrufe, 0)).toBe(ofBefore?.n);
  });

  test('is of the calls that meet each of several filters', async () => {
    const { status, body } = await overview(
      'zeitraum=2026-10-26..2026-10-27&agent=b%C3%BCro&agent=x&modell=gpt-4o',
    );
    const [expected] = await service.sql<{ n: number }>(
      `SELECT count(*)::int AS n FROM ereignisse WHERE mandant_id = $1 AND agent IN ('büro', 'x') AND modell = 'gpt-4o'
         AND zeitpunkt >= '2026-10-25T23:00:00Z'`,
      [ours.mandantId],
    );
    expect(expected?.n).toBeGreaterThan(0);
    expect([status, body.summe.aufrufe]).toEqual([200, expected?.n]);
  });
});
