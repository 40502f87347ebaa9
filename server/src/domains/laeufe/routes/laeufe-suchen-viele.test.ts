/** The search among fifty thousand runs: it finds what reading all of them finds, and reads few. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { isWhole } from '#test/depth.ts';
import { startService, type TestService, withSlow } from '#test/service.ts';

let service: TestService;
let ours: Account;

const RUNS = 50_000;
/** The higher the number of an agent or end customer, the longer ago is its last run; one run in ten has no end customer. */
const FILL = `
  INSERT INTO laeufe (mandant_id, lauf_id, agent, projekt, endkunde_ref, status, beginn, ende, aufrufe, fehler, unbepreist,
    eingabe_token, ausgabe_token, cache_lese_token, kosten_usd, kosten_eur, verbranntes_geld_eur)
  SELECT $1, md5('lauf' || n)::uuid, 'werk/Prüfer-' || n / 50, 'werk', CASE WHEN n % 10 > 0 THEN 'K-' || n / 20 END,
    'erfolgreich', t - interval '1 minute' * (n % 7), t, 1 + n % 5, (n % 100 = 0)::int, 0, 10, 10, 0,
    nullif(n % 13, 0), nullif(n % 13, 0), 0
  FROM (SELECT n, date '2026-11-20' - interval '10 seconds' * (n / 2) AS t FROM generate_series(1, ${RUNS}) AS n) AS roh`;

beforeAll(async () => {
  service = await startService();
  service.clock.set('2026-11-20T12:00:00Z');
  ours = await registerAccount(service);
  const foreign = await registerAccount(service);
  for (const { mandantId } of [foreign, ours]) await service.sql(FILL, [mandantId]);
  // What the planner knows of is how it is found in service.
  await service.sql(
    `INSERT INTO agenten (mandant_id, schluessel, name, projekt) SELECT DISTINCT mandant_id, agent, agent, 'werk' FROM laeufe`,
    [],
  );
  await service.sql(
    `INSERT INTO endkunden (mandant_id, referenz, name) SELECT DISTINCT mandant_id, endkunde_ref, 'Kunde ' || endkunde_ref || ' GmbH'
     FROM laeufe WHERE endkunde_ref IS NOT NULL`,
    [],
  );
  await service.sql('ANALYZE laeufe, agenten, endkunden');
});
afterAll(() => service?.stop());

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
}

/** What a plan has read of runs: how, and how many rows. */
function readsOf(plan: unknown): { how: string; rows: number }[] {
  if (plan === null || typeof plan !== 'object') return [];
  const node = plan as Plan;
  const rows =
    ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 0);
  const own = node['Relation Name']?.startsWith('laeufe') ? [{ how: node['Node Type'], rows }] : [];
  return [...own, ...Object.values(plan).flatMap(readsOf)];
}

type Query = Record<string, string>;
const DAYS = { von: '2026-11-01', bis: '2026-11-21' };

async function search(query: Query): Promise<{ ids: string[]; weiter: string | null }> {
  const url = `/v1/cockpit/laeufe?${new URLSearchParams({ ...DAYS, ...query })}`;
  const answer = await service.app.inject({ url, headers: { cookie: ours.cookie } });
  expect(answer.statusCode, answer.body).toBe(200);
  const { laeufe, weiter } = answer.json<{ laeufe: { lauf_id: string }[]; weiter: string | null }>();
  return { ids: laeufe.map(({ lauf_id }) => lauf_id), weiter };
}

/** How many runs the statements of a search have read. */
async function readBy(query: Query): Promise<{ scans: string[]; rows: number }> {
  service.statements.clear();
  await search(query);
  const asked = [...service.statements.values()].filter(({ text }) => /from "?laeufe"?/i.test(text));
  expect(asked).not.toEqual([]);
  const reads: { how: string; rows: number }[] = [];
  for (const { text, values } of asked) {
    const rows = await service.sql<{ 'QUERY PLAN': unknown }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    reads.push(...readsOf(rows[0]?.['QUERY PLAN']));
  }
  return {
    scans: reads.filter(({ how }) => how === 'Seq Scan').map(({ how }) => how),
    rows: reads.reduce((sum, { rows }) => sum + rows, 0),
  };
}

const idOf = async (n: number) =>
  (await service.sql<{ id: string }>(`SELECT md5('lauf' || $1)::uuid AS id`, [String(n)]))[0]?.id ?? '';

describe('reads few runs and never all of them', () => {
  test.each([
    ['an agent', 'prufer-3'],
    ['an agent that was busy long ago', 'PRÜFER-977'],
    ['every agent', 'werk/'],
    ['an end customer', 'kunde k-17 gmbh'],
    ['end customers by the hundred', 'k-12'],
    ['a digit', 'a'],
  ])('for %s', async (_what, suche) => {
    const { scans, rows } = await readBy({ suche });
    expect(scans).toEqual([]);
    expect(rows).toBeLessThan(RUNS / 3);
  });

  test('for what nobody is called', async () => {
    service.statements.clear();
    expect((await search({ suche: 'zzz' })).ids).toEqual([]);
    expect([...service.statements.keys()].filter((text) => /laeufe/.test(text))).toEqual([]);
  });

  test('for an id and for what it begins with, in any order', async () => {
    const id = await idOf(41_234);
    for (const suche of [id, id.slice(0, 8), id.slice(0, 6).toUpperCase()])
      for (const sortierung of ['ende', 'kosten', 'beginn']) {
        const { scans, rows } = await readBy({ suche, sortierung });
        expect([scans, rows < RUNS / 5]).toEqual([[], true]);
        expect((await search({ suche, sortierung })).ids).toContain(id);
      }
  });

  test('for an agent or end customer in an order that no index has', async () => {
    for (const suche of ['prufer-977', 'kunde k-17 gmbh'])
      expect(await readBy({ suche, sortierung: 'kosten' })).toEqual({ scans: [], rows: expect.any(Number) });
  });
});

/** What reading every run finds. */
async function expected(pattern: string, rest: string, order: string): Promise<string[]> {
  const rows = await service.sql<{ lauf_id: string }>(
    `SELECT lauf_id FROM laeufe WHERE mandant_id = $1 AND ende < '2026-11-20T23:00Z' AND (lower(agent) LIKE $2
       OR lower('Kunde ' || endkunde_ref || ' GmbH') LIKE $2 OR lauf_id::text LIKE ltrim($2, '%')) AND ${rest}
     ORDER BY ${order}, lauf_id LIMIT 120`,
    [ours.mandantId, `%${pattern}%`],
  );
  return rows.map(({ lauf_id }) => lauf_id);
}

const ORDERS = {
  ende: 'ende',
  beginn: 'beginn',
  kosten: 'kosten_eur',
  schritte: 'aufrufe',
} as const;

const SOUGHT = isWhole ? ['fer-97', 'k-12', 'werk/', 'a', '3f', 'k-2499'] : ['k-12', '3f'];

describe.each(Object.entries(ORDERS))('in the order of %s', (sortierung, column) => {
  test.each([
    ['absteigend', 'DESC NULLS LAST'],
    ['aufsteigend', 'ASC NULLS LAST'],
  ])('%s, finds what reading every run finds, page by page, filtered or not', async (richtung, direction) => {
    for (const suche of SOUGHT)
      for (const [filter, rest] of [
        [{}, 'true'],
        [{ nur_fehler: 'true' }, 'fehler > 0'],
        [{ agent: 'werk/Prüfer-19' }, `agent = 'werk/Prüfer-19'`],
      ] as const) {
        const ids: string[] = [];
        let nach: string | null = null;
        do {
          const page = await search({
            suche,
            sortierung,
            richtung,
            limit: '50',
            ...filter,
            ...(nach ? { nach } : {}),
          });
          ids.push(...page.ids);
          nach = page.weiter;
        } while (nach && ids.length < 120);
        expect(ids.slice(0, 120)).toEqual(await expected(suche, rest, `${column} ${direction}`));
      }
  });
});

describe('what takes too long', () => {
  const ask = (query: string) =>
    service.app.inject({ url: `/v1/cockpit/laeufe${query}`, headers: { cookie: ours.cookie } });

  test('is told of the search, and not as a database that is away', async () => {
    for (const table of ['agenten', 'laeufe']) {
      const answer = await withSlow(service, table, () => ask('?suche=prufer'));
      expect([answer.statusCode, answer.json()]).toEqual([
        503,
        { detail: expect.stringContaining('Die Suche dauert zu lange'), code: 'suche_zu_lange' },
      ]);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    }
  });

  test('without a search is told of the answer', async () => {
    const answer = await withSlow(service, 'laeufe', () => ask(''));
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'abfrage_zu_lang']);
  });
});
