/** A rule about each agent by itself, just after a thousand agents have come: the planner knows nothing of them yet. */
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { withholdStatistics, workOf } from '#test/plans.ts';
import { addConsumption } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import type { Look } from '../detector.ts';
import { rulesPerAgent } from './per-agent.ts';

const AGENTS = 1_000;
const STUNDE = '2026-11-21T11:00:00Z';

let service: TestService;
let account: Account;

beforeAll(async () => {
  service = await startService();
  await withholdStatistics(service);
  account = await registerAccount(service);
  const agents = Array.from({ length: AGENTS }, (_, index) => ({
    stunde: STUNDE,
    tag: '2026-11-21',
    agent: `agent-${String(index).padStart(4, '0')}`,
    kosten_eur: `${1 + (index % 500)}`,
  }));
  await addConsumption(service, account.mandantId, agents);
});
afterAll(() => service?.stop());

/** What is asked, beside what comes of it. */
async function agentsOf(measure: 'sum' | 'max', agenten?: string[]) {
  const asked: pg.QueryConfig[] = [];
  const query = async (config: pg.QueryConfig) => {
    asked.push(config);
    return { rows: await service.sql(config.text, config.values) };
  };
  const von = Temporal.Instant.from(STUNDE);
  const look = {
    client: { query: query as unknown as pg.ClientBase['query'] },
    mandant: account.mandantId,
    zone: 'Europe/Berlin',
    von,
    bis: von.add({ hours: 1 }),
    ...(agenten ? { agenten } : {}),
  } satisfies Look;
  const regel = { parameter: { je: 'agent' }, geltungsbereich: 'mandant' } as Parameters<
    typeof rulesPerAgent
  >[1];
  const rules = await rulesPerAgent(look, regel, { von, measure, least: '300' });
  return { asked, agents: rules.map(({ bezug }) => bezug) };
}

test('is about those that cost most, the dearest first, 200 at most', async () => {
  const { agents } = await agentsOf('sum');
  expect(agents).toHaveLength(200);
  expect(agents.slice(0, 3)).toEqual(['agent-0499', 'agent-0999', 'agent-0498']);
  expect(await agentsOf('max', ['agent-0007', 'agent-0310'])).toMatchObject({ agents: ['agent-0310'] });
});

test('reads the sums of each agent some times, not once for each of the others', async () => {
  for (const measure of ['sum', 'max'] as const) {
    const { asked } = await agentsOf(measure);
    for (const { text, values = [] } of asked)
      expect(await workOf(service, text, values), text).toBeLessThan(100 * AGENTS);
  }
});
