/** Every dimension as grouping and as filter, and answers page by page. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIMENSION_NAMES } from '#contracts';
import { createKey, registerAccount } from '#test/account.ts';
import { addConsumption } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let headers: { authorization: string };

/** Saturday, 21 November 2026, 14:30 in Berlin. */
const NOW = '2026-11-21T13:30:00.000Z';

beforeAll(async () => {
  service = await startService();
  service.clock.set(NOW);
  const ours = await registerAccount(service);
  const foreign = await registerAccount(service);
  headers = { authorization: `Bearer ${(await createKey(service, ours, ['Lesen'])).secret}` };
  const night = { stunde: '2026-11-20T22:00:00Z', tag: '2026-11-20' };
  const noon = { stunde: '2026-11-21T11:00:00Z', tag: '2026-11-21' };
  const k1 = { endkunde: 'k1' };
  await addConsumption(service, ours.mandantId, [
    { ...night, ...k1, agent: 'a', funktion: 'f', aufrufe: 3, kosten_eur: '0.100000000001' },
    {
      ...noon,
      agent: 'a',
      aufrufe: 2,
      geschaetzt: 1,
      kosten_eur: '0.2',
      geschaetzt_eur: '0.05',
      eingabe_token: 7,
    },
    { ...noon, ...k1, agent: 'b', modell: '', aufrufe: 4, unbepreist: 4 },
    { ...noon, agent: 'c', kosten_eur: '20' },
    { stunde: '2026-10-25T00:00:00Z', tag: '2026-10-25', agent: 'a', kosten_eur: '3' },
  ]);
  await addConsumption(service, foreign.mandantId, [{ ...noon, ...k1, agent: 'a', kosten_eur: '777' }]);
});
afterAll(() => service?.stop());

const get = (query: string) =>
  service.app.inject({ method: 'GET', url: `/v1/api/verbrauch${query}`, headers });
async function read(query: string) {
  const answer = await get(query);
  expect(answer.statusCode).toBe(200);
  return answer.json();
}
const costs = ({ zeilen }: { zeilen: { schluessel: string; kosten_eur: string | null }[] }) =>
  zeilen.map((zeile) => [zeile.schluessel, zeile.kosten_eur]);

const WINDOW = 'von=2026-11-20&bis=2026-11-22';

describe('other dimensions and filters', () => {
  test('every dimension is a grouping; its sums make up the whole', async () => {
    for (const gruppe of DIMENSION_NAMES) {
      const { zeilen, summe } = await read(`?gruppe=${gruppe}&${WINDOW}`);
      const calls = zeilen.map((zeile: { aufrufe: number }) => zeile.aufrufe);
      expect(calls.reduce((sum: number, count: number) => sum + count, 0)).toBe(summe.aufrufe);
    }
    expect(costs(await read(`?gruppe=projekt&${WINDOW}`))).toEqual([['standard', '20.300000000001']]);
    expect(costs(await read(`?gruppe=funktion&${WINDOW}`))).toEqual([
      ['', '20.2'],
      ['f', '0.100000000001'],
    ]);
  });

  test('only the calls with one value, by another dimension, by its own, by day and by hour', async () => {
    const ofA = await read(`?gruppe=endkunde&agent=a&${WINDOW}`);
    expect(costs(ofA)).toEqual([
      ['', '0.2'],
      ['k1', '0.100000000001'],
    ]);
    expect(ofA.summe).toMatchObject({ kosten_eur: '0.300000000001', aufrufe: 5, eingabe_token: 7 });
    expect(costs(await read(`?gruppe=agent&agent=a&${WINDOW}`))).toEqual([['a', '0.300000000001']]);
    expect(costs(await read(`?gruppe=tag&agent=a&${WINDOW}`))).toEqual([
      ['2026-11-20', '0.100000000001'],
      ['2026-11-21', '0.2'],
    ]);
    expect(costs(await read(`?gruppe=stunde&endkunde=k1&${WINDOW}`))).toEqual([
      ['2026-11-20T23:00:00+01:00', '0.100000000001'],
      ['2026-11-21T12:00:00+01:00', null],
    ]);
  });

  test('an empty value means calls without one; a value nobody called with has none', async () => {
    expect(costs(await read(`?gruppe=agent&endkunde=&${WINDOW}`))).toEqual([
      ['c', '20'],
      ['a', '0.2'],
    ]);
    for (const gruppe of ['agent', 'endkunde', 'tag', 'stunde']) {
      const { zeilen, summe } = await read(`?gruppe=${gruppe}&endkunde=niemand&${WINDOW}`);
      expect(zeilen).toEqual([]);
      expect(summe).toMatchObject({ aufrufe: 0, kosten_eur: null });
    }
  });
});

describe('pages', () => {
  const pages = async (query: string) => {
    const answers = [await read(`?${query}&limit=1`)];
    for (let last = answers[0]; last.weiter; answers.push(last))
      last = await read(`?${query}&limit=1&nach=${last.weiter}`);
    return answers;
  };

  test.each([
    'gruppe=agent',
    'gruppe=tag',
    'gruppe=stunde',
    `gruppe=endkunde&agent=a&${WINDOW}`,
    `gruppe=agent&endkunde=k1&${WINDOW}`,
  ])('of %s hold every row once, in the order of the whole', async (query) => {
    const whole = await read(`?${query}`);
    const answers = await pages(query);
    expect(answers.flatMap(({ zeilen }) => zeilen)).toEqual(whole.zeilen);
    expect(whole.zeilen.length).toBeGreaterThan(1);
    for (const answer of answers) {
      expect(answer.summe).toEqual(whole.summe);
      expect(answer.zeilen).toHaveLength(1);
    }
  });

  test('with what they leave out as one row', async () => {
    const { zeilen, rest, weiter } = await read('?limit=1');
    expect(costs({ zeilen })).toEqual([['c', '20']]);
    expect(rest).toMatchObject({
      gruppen: 2,
      kosten_eur: '3.300000000001',
      gemessen_eur: '3.250000000001',
      geschaetzt_eur: '0.05',
      aufrufe: 10,
      unbepreist: 4,
    });
    expect(weiter).toEqual(expect.any(String));
    expect(await read('')).toMatchObject({ rest: null, weiter: null });
  });

  test('of a window without bounds stay with the window of the first page', async () => {
    const { weiter, von, bis } = await read('?limit=1');
    service.clock.set('2026-11-22T13:30:00.000Z');
    expect(await read(`?limit=1&nach=${weiter}`)).toMatchObject({ von, bis });
    service.clock.set(NOW);
  });
});

const cursorOf = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

describe('refuses', () => {
  test.each([
    ['limit=0', 'limit', 'greater_than_equal'],
    ['limit=1001', 'limit', 'less_than_equal'],
    ['nach=', 'nach', 'value_error'],
    [
      `nach=${cursorOf('verbrauch', '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', null, 'a')}`,
      'nach',
      'value_error',
    ],
    [
      `nach=${cursorOf('verbrauch', '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', '1', 'a\0')}`,
      'nach',
      'value_error',
    ],
    [
      `nach=${cursorOf('verbrauch', '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', '1;', 'a')}`,
      'nach',
      'value_error',
    ],
    [
      `nach=${cursorOf('verbrauch', '2026-11-02T00:00:00Z', '2026-11-01T00:00:00Z', '1', 'a')}`,
      'nach',
      'value_error',
    ],
    [
      `gruppe=tag&nach=${cursorOf('verbrauch_tag', '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', 'a')}`,
      'nach',
      'value_error',
    ],
    // Years the database does not have.
    [
      `gruppe=stunde&nach=${cursorOf('verbrauch_stunde', '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', '-100000-01-01T00:00:00Z')}`,
      'nach',
      'value_error',
    ],
    // A cursor of another grouping.
    [
      `gruppe=tag&nach=${cursorOf('verbrauch', '2026-11-01T00:00:00Z', '2026-11-02T00:00:00Z', '1', 'a')}`,
      'nach',
      'value_error',
    ],
    ['gruppe=', 'gruppe', 'literal_error'],
  ])('422 for %s', async (query, name, type) => {
    const answer = await get(`?${query}`);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toEqual([expect.objectContaining({ loc: ['query', name], type })]);
  });

  test.each([
    ['nach=x', 'nach', 'x', 'der Zeiger gehört zu keiner Antwort dieser Liste'],
    ['bis=9999-01-01', 'bis', '9999-01-01', 'bis liegt außerhalb der Jahre 1 bis 9998'],
    // The bound that is at fault may be one that was left out.
    ['bis=0001-01-05', 'von', null, 'von liegt außerhalb der Jahre 1 bis 9998'],
  ])('%s, with the place, the value and the reason', async (query, name, input, reason) => {
    expect((await get(`?${query}`)).json()).toEqual({
      detail: [
        {
          type: 'value_error',
          loc: ['query', name],
          msg: `Value error, ${reason}`,
          input,
          ctx: { error: reason },
        },
      ],
    });
  });
});
