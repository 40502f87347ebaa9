/** Lists of runs by time, order, value and search: by key and by session alike. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Lauf, Static } from '#contracts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

type Run = Static<typeof Lauf>;

let service: TestService;
let ours: Account;
let bearer: { authorization: string };

const NOW = '2026-11-20T12:00:00Z';
const at = (minute: number) => new Date(Date.parse('2026-11-20T08:00:00Z') + 60_000 * minute).toISOString();
const idOf = (number: number) => `${number.toString(16).padStart(8, '0')}-0000-4000-8000-00000000000a`;

/** A call of a run; the numbers of runs are those of their ids. */
const call = (run: number, minute: number, more: object = {}) => ({
  lauf_id: idOf(run),
  zeitpunkt: at(minute),
  agent: 'support/triage',
  modell: 'gpt-4o',
  anbieter: 'openai',
  eingabe_token: 1_000,
  ausgabe_token: 10,
  ...more,
});

const EVENTS = [
  call(1, 0, { latenz_ms: 2_000, endkunde_ref: 'Müller & Söhne' }),
  call(1, 5, { latenz_ms: 8_250, cache_lese_token: 400, cache_schreib_token: 70, denk_token: 3 }),
  call(2, 10, { status: 'fehler', fehlercode: 'x', ausgabe_token: 5_000 }),
  call(3, 1, { modell: 'gibt-es-nicht', agent: 'Übersetzer', latenz_ms: 600_000 }),
  call(4, 20, { agent: 'Übersetzer', modell: 'gpt-4o-mini', funktion_ref: 'entwurf', benutzer_ref: 'u-1' }),
  call(4, 21, { agent: 'Übersetzer', modell: 'gibt-es-nicht' }),
  call(5, 30, { anbieter: 'anthropic', modell: 'claude-sonnet-4-5', endkunde_ref: 'deadbeef GmbH' }),
  call(0xdeadbeef, 30, { endkunde_ref: 'müller gmbh' }),
  call(7, -1_500),
];

beforeAll(async () => {
  service = await startService();
  service.clock.set(NOW);
  [ours] = await Promise.all([registerAccount(service)]);
  const foreign = await registerAccount(service);
  bearer = { authorization: `Bearer ${(await createKey(service, ours)).secret}` };
  const theirs = { authorization: `Bearer ${(await createKey(service, foreign)).secret}` };
  for (const headers of [bearer, theirs]) {
    const ereignisse = headers === bearer ? EVENTS : [call(1, 3), call(0xdeadbee0, 4)];
    const sent = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers,
      payload: { ereignisse },
    });
    expect(sent.statusCode).toBe(202);
  }
  await countAll(service);
});
afterAll(() => service?.stop());

type Query = Record<string, string | number | boolean>;

/** The same from both doors. */
async function get(query: Query) {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const [byKey, bySession] = await Promise.all([
    service.app.inject({ url: `/v1/laeufe?${search}`, headers: bearer }),
    service.app.inject({ url: `/v1/cockpit/laeufe?${search}`, headers: { cookie: ours.cookie } }),
  ]);
  expect(bySession.json()).toEqual(byKey.json());
  expect(bySession.statusCode).toBe(byKey.statusCode);
  return byKey;
}

async function runsOf(query: Query): Promise<{ laeufe: Run[]; weiter: string | null }> {
  const answer = await get(query);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

/** The numbers of the runs that an answer lists. */
const numbersOf = ({ laeufe }: { laeufe: Run[] }) =>
  laeufe.map(({ lauf_id }) => Number.parseInt(lauf_id.slice(0, 8), 16));
const found = async (query: Query) => numbersOf(await runsOf(query));

test('a run says how long it took, and all its tokens', async () => {
  const { laeufe } = await runsOf({ suche: idOf(1) });
  expect(laeufe).toMatchObject([
    {
      beginn: '2026-11-20T08:00:00Z',
      ende: '2026-11-20T08:05:00Z',
      dauer_ms: 308_250,
      aufrufe: 2,
      eingabe_token: 2_000,
      cache_lese_token: 400,
      cache_schreib_token: 70,
      denk_token: 3,
    },
  ]);
  // The last call to end need not be the last one to begin.
  expect((await runsOf({ suche: idOf(3) })).laeufe).toMatchObject([{ dauer_ms: 600_000 }]);
});

test('tokens of a run that began before they were summed up stay unknown, whatever follows', async () => {
  const headers = bearer;
  const send = async (minute: number) => {
    const payload = { ereignisse: [call(8, minute, { cache_schreib_token: 5, endkunde_ref: 'alt' })] };
    await service.app.inject({ method: 'POST', url: '/v1/ereignisse', headers, payload });
    await countAll(service);
  };
  await send(-3_000);
  await service.sql(
    'UPDATE laeufe SET cache_schreib_token = NULL, denk_token = NULL, fertig_ms = NULL WHERE lauf_id = $1',
    [idOf(8)],
  );
  expect((await runsOf({ endkunde: 'alt' })).laeufe).toMatchObject([
    { cache_schreib_token: null, dauer_ms: 0 },
  ]);
  await send(-2_999);
  expect((await runsOf({ endkunde: 'alt' })).laeufe).toMatchObject([
    { cache_schreib_token: null, denk_token: null, dauer_ms: 60_000, aufrufe: 2 },
  ]);
  await service.sql('DELETE FROM laeufe WHERE lauf_id = $1', [idOf(8)]);
});

describe('the order', () => {
  // Amounts of different length, whose order as texts is another one.
  beforeAll(async () => {
    await service.sql(
      `UPDATE laeufe SET kosten_eur = n.eur, verbranntes_geld_eur = n.eur / 3
       FROM (SELECT lauf_id, (ARRAY[9.5, 142.72, 42.8, 100, 16.31, 0.02])[row_number() OVER (ORDER BY lauf_id)] AS eur
         FROM laeufe WHERE mandant_id = $1 AND kosten_eur IS NOT NULL) n
       WHERE laeufe.lauf_id = n.lauf_id AND mandant_id = $1`,
      [ours.mandantId],
    );
  });

  const values: Record<string, (run: Run) => number | null> = {
    ende: (run) => Date.parse(run.ende),
    beginn: (run) => Date.parse(run.beginn),
    kosten: (run) => (run.kosten_eur === null ? null : Number(run.kosten_eur)),
    dauer: (run) => run.dauer_ms,
    schritte: (run) => run.aufrufe,
    fehler: (run) => run.fehler,
    verbrannt: (run) => Number(run.verbranntes_geld_eur),
  };

  test.each(
    Object.keys(values).flatMap((name) => [
      [name, 'absteigend'],
      [name, 'aufsteigend'],
    ]),
  )('by %s, %s, is that of all runs, whatever the size of pages', async (sortierung, richtung) => {
    const { laeufe } = await runsOf({ sortierung, richtung });
    expect(laeufe).toHaveLength(7);
    const sortedBy = values[sortierung] as (run: Run) => number | null;
    const sign = richtung === 'absteigend' ? -1 : 1;
    const expected = laeufe.toSorted((one, other) => {
      const [a, b] = [sortedBy(one), sortedBy(other)];
      const byValue = a === null || b === null ? Number(a === null) - Number(b === null) : sign * (a - b);
      return byValue || (one.lauf_id < other.lauf_id ? -1 : 1);
    });
    expect(numbersOf({ laeufe })).toEqual(numbersOf({ laeufe: expected }));
    for (const limit of [1, 2, 3]) {
      const pages: Run[] = [];
      let nach: string | null = null;
      do {
        const page = await runsOf({ sortierung, richtung, limit, ...(nach ? { nach } : {}) });
        expect(page.laeufe.length).toBeLessThanOrEqual(limit);
        pages.push(...page.laeufe);
        nach = page.weiter;
      } while (nach);
      expect(numbersOf({ laeufe: pages })).toEqual(numbersOf({ laeufe }));
    }
  });

  test('has the dearest first, those of unknown cost last', async () => {
    const numbers = await found({ sortierung: 'kosten' });
    expect(numbers[0]).toBe(2);
    expect(numbers.at(-1)).toBe(3);
    expect((await found({ sortierung: 'kosten', richtung: 'aufsteigend' })).at(-1)).toBe(3);
  });

  test('belongs to its cursor: that of another one is refused', async () => {
    const { weiter } = await runsOf({ limit: 1 });
    for (const other of [{ sortierung: 'kosten' }, { richtung: 'aufsteigend' }]) {
      const answer = await get({ ...other, nach: weiter ?? '' });
      expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, ['query', 'nach']]);
    }
  });
});

describe('runs of a time', () => {
  test('are those whose latest call was in it, its end excluded', async () => {
    expect(await found({ von: at(10), bis: at(30) })).toEqual([4, 2]);
    expect(await found({ bis: at(1) })).toEqual([7]);
    expect(await found({ von: at(30) })).toEqual([5, 0xdeadbeef]);
  });

  test('may begin whenever time does', async () => {
    expect(await found({ von: '0001-01-01', bis: at(1) })).toEqual([7]);
  });

  test('may be days of the Mandant', async () => {
    expect(await found({ von: '2026-11-19', bis: '2026-11-20' })).toEqual([7]);
    expect(await found({ von: '2026-11-20', limit: 2 })).toEqual([5, 0xdeadbeef]);
  });

  test.each([
    [{ von: '0000-01-01' }, 'von'],
    [{ bis: '9999-12-31' }, 'bis'],
    [{ von: 'gestern' }, 'von'],
    [{ sortierung: 'agent' }, 'sortierung'],
    [{ richtung: 'ab' }, 'richtung'],
    [{ suche: '' }, 'suche'],
    [{ nur_unbepreist: 'vielleicht' }, 'nur_unbepreist'],
  ] as [Query, string][])('422 for %j', async (query, name) => {
    const answer = await get(query);
    expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, ['query', name]]);
  });
});

test.each([
  [{ agent: 'Übersetzer' }, [4, 3]],
  [{ projekt: 'support' }, [5, 0xdeadbeef, 2, 1, 7]],
  [{ endkunde: 'Müller & Söhne' }, [1]],
  [{ endkunde: '' }, [4, 2, 3, 7]],
  [{ anbieter: 'anthropic' }, [5]],
  [{ modell: 'gibt-es-nicht' }, [4, 3]],
  [{ funktion: 'entwurf' }, [4]],
  [{ benutzer: 'u-1' }, [4]],
  [{ benutzer: '', agent: 'Übersetzer' }, [4, 3]],
  [{ modell: 'gpt-4o', projekt: 'support', nur_fehler: true }, [2]],
  [{ nur_unbepreist: true }, [4, 3]],
  [{ status: 'fehler' }, [2]],
  [{ agent: 'niemand' }, []],
] as [Query, number[]][])('filters, alone and together: %j', async (query, numbers) => {
  expect(await found(query)).toEqual(numbers);
});

describe('the search', () => {
  test.each([
    ['deadbeef', [5, 0xdeadbeef]],
    ['DEADBEEF-0000-4', [0xdeadbeef]],
    [idOf(4), [4]],
    ['0000000', [5, 4, 2, 1, 3, 7]],
    ['TRIAGE', [5, 0xdeadbeef, 2, 1, 7]],
    ['üBERSETZ', [4, 3]],
    ['MÜLLER', [0xdeadbeef, 1]],
    ['100%', []],
    [`${idOf(4)}0`, []],
    ["'", []],
  ] as [string, number[]][])('finds runs by id, agent and end customer: %s', async (suche, numbers) => {
    expect(await found({ suche })).toEqual(numbers);
  });
});

test('an agent named twice is one agent or none', async () => {
  const [{ agent_id } = { agent_id: randomUUID() }] = await service.sql<{ agent_id: string }>(
    `SELECT agent_id FROM agenten WHERE mandant_id = $1 AND schluessel = 'Übersetzer'`,
    [ours.mandantId],
  );
  expect(await found({ agent_id, agent: 'Übersetzer' })).toEqual([4, 3]);
  expect(await found({ agent_id, agent: 'support/triage' })).toEqual([]);
  expect(await found({ agent_id: randomUUID(), agent: 'Übersetzer' })).toEqual([]);
});
