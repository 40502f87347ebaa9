import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createRunner } from '#jobs/runner.ts';
import { ownerOf } from '#test/jobs.ts';
import { createProtected, equalCalls, type Protected } from '#test/protection.ts';
import { admitting, EDITORS, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';
import { rueckblickJob } from '../jobs/rueckblick.ts';
import { LOOKS_BACK, MAX_OPEN } from '../limits.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
let we: Protected;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});
beforeEach(async () => {
  we = await createProtected(service, owner);
});

const draft = '/v1/cockpit/regeln/rueckblick';
const of = (id: string) => `/v1/cockpit/regeln/${id}/rueckblick`;

interface Answer {
  status: number;
  body: ReturnType<typeof JSON.parse>;
}

async function ask(
  url: string,
  payload: object,
  headers: object = { cookie: we.account.cookie },
): Promise<Answer> {
  const answer = await service.app.inject({ method: 'POST', url, payload, headers: { ...headers } });
  return { status: answer.statusCode, body: answer.json() };
}

const at = async (method: 'GET' | 'DELETE', id: string, cookie: string = we.account.cookie) => {
  const answer = await service.app.inject({ method, url: `${draft}/${id}`, headers: { cookie } });
  return { status: answer.statusCode, body: answer.json() };
};

/** Does what was asked for while somebody waits, to its end: a slow machine may take longer than the answer waits. */
async function working(work: Promise<Answer>): Promise<Answer> {
  const { log, clock } = service.context;
  const jobs = [rueckblickJob({ owner, log, clock }, createPriceList())];
  const runner = createRunner({ jobs, db: owner, log, observe: () => undefined });
  let isOpen = true;
  const asked = work.finally(() => {
    isOpen = false;
  });
  while (isOpen) {
    await runner.runDue();
    await delay(20);
  }
  const answer = await asked;
  await runner.runDue();
  await runner.stop();
  return answer.status === 200 ? at('GET', answer.body.rueckblick_id) : answer;
}

/** Eight equal calls an hour ago, at 0.075 EUR each, and another run that is as it should be. */
async function sendLoop(agent?: string) {
  const begin = Date.now() - 3_600_000;
  const loop = equalCalls(8, { begin, ...(agent ? { agent } : {}) });
  const fine = equalCalls(3, { begin: begin + 10_000 }, (place) => ({
    prompt_fingerabdruck: `000000000000000${place + 1}`,
  }));
  await we.send([...loop.calls, ...fine.calls]);
  await we.settle();
  return { loop: loop.lauf, fine: fine.lauf, begin };
}

test('tells what a rule would have stopped, with the threshold it has and with another, and saves nothing', async () => {
  const { loop, begin } = await sendLoop();
  const id = await we.addRule('schleife_exakt', { schwelle: '5', stufe: 'anhalten' });
  const before = await we.rows('regeln', 'regel_id, schwelle, geaendert_am');
  const first = await working(ask(of(id), { tage: 3 }));
  expect(first.status).toBe(200);
  expect(first.body).toMatchObject({ status: 'fertig', tage: 3, tage_fertig: 3 });
  expect(first.body.ergebnis).toMatchObject({
    befunde: 1,
    verbrannt_eur: '0.375',
    stoppt: true,
    laeufe_gestoppt: 1,
    // It ended successfully: what the rule itself calls burnt says nothing of the rule.
    laeufe_gut: 1,
    aufrufe_gespart: 3,
    gespart_eur: '0.225',
    laeufe: [
      {
        lauf_id: loop,
        agent: 'support/triage',
        gestoppt_am: Temporal.Instant.fromEpochMilliseconds(begin + 4_000).toString(),
        aufrufe_danach: 3,
        kosten_danach_eur: '0.225',
        gut: true,
      },
    ],
  });
  expect(first.body.ergebnis.tage.map(({ befunde }: { befunde: number }) => befunde).sort()).toEqual([
    0, 0, 1,
  ]);
  expect((await at('GET', first.body.rueckblick_id)).body).toEqual(first.body);
  const higher = await working(ask(of(id), { tage: 3, schwelle: '9' }));
  expect(higher.body.ergebnis).toMatchObject({ befunde: 0, gespart_eur: '0', laeufe: [] });
  expect(await we.rows('regeln', 'regel_id, schwelle, geaendert_am')).toEqual(before);
  expect(await we.rows('befunde', 'befund_id, typ')).toHaveLength(0);
});

test('a blocked agent is blocked until its rest period is over, and hits good runs, too; no further than the agent lets it', async () => {
  const { loop, fine } = await sendLoop();
  const rule = { typ: 'schleife_exakt', schwelle: '5', stufe: 'sperren', tage: 2 };
  const blocked = (await working(ask(draft, rule))).body.ergebnis;
  expect(blocked).toMatchObject({
    befunde: 1,
    laeufe_gestoppt: 2,
    laeufe_gut: 2,
    aufrufe_gespart: 6,
    gespart_eur: '0.45',
  });
  const runs = blocked.laeufe.map(({ lauf_id, gut }: { lauf_id: string; gut: boolean }) => [lauf_id, gut]);
  expect(runs).toEqual(
    expect.arrayContaining([
      [loop, true],
      [fine, true],
    ]),
  );
  await service.sql("UPDATE agenten SET ruhezeit = '1m', eingriffsstufe = 'anhalten' WHERE mandant_id = $1", [
    we.mandant,
  ]);
  expect((await working(ask(draft, rule))).body.ergebnis).toMatchObject({
    laeufe_gestoppt: 1,
    gespart_eur: '0.225',
  });
  await service.sql("UPDATE agenten SET eingriffsstufe = 'warnen' WHERE mandant_id = $1", [we.mandant]);
  expect((await working(ask(draft, rule))).body.ergebnis).toMatchObject({ befunde: 1, laeufe_gestoppt: 0 });
});

test('a rule that only warns stops nothing', async () => {
  await sendLoop();
  const { body } = await working(ask(draft, { typ: 'schleife_exakt', schwelle: '5', tage: 1 }));
  expect(body.ergebnis).toMatchObject({ stoppt: false, laeufe_gestoppt: 0, gespart_eur: '0' });
});

test('input is checked as the form of the rule does, and budgets are refused', async () => {
  const id = await we.addRule('schleife_exakt', {});
  const refused = await ask(of(id), { schwelle: '1' });
  expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'schwelle']]);
  expect((await ask(of(id), { zeitfenster: '1h' })).status).toBe(422);
  expect((await ask(of(id), { tage: 91 })).status).toBe(422);
  expect((await ask(draft, { typ: 'kosten_grenze' })).status).toBe(422);
  expect((await ask(draft, { typ: 'stille', geltungsbereich: 'agent', bezug_id: 'unbekannt' })).status).toBe(
    422,
  );
  const budget = await ask(draft, { typ: 'budget_schwelle' });
  expect([budget.status, budget.body.detail[0].loc]).toEqual([422, ['body', 'typ']]);
  expect(budget.body.detail[0].msg).toContain('Budgets');
  expect(await service.sql('SELECT FROM rueckblicke WHERE mandant_id = $1', [we.mandant])).toEqual([]);
});

test('without a worker it waits; only a few at a time, and removing one makes room and ends its job', async () => {
  const rule = { typ: 'lauf_deckel', tage: 5 };
  const asked = await Promise.all(Array.from({ length: MAX_OPEN + 1 }, () => ask(draft, rule)));
  expect(asked.map(({ status }) => status).sort()).toEqual([...Array(MAX_OPEN).fill(200), 409]);
  const [first] = asked.filter(({ status }) => status === 200);
  expect(first?.body).toMatchObject({ status: 'wartet', tage: 5, tage_fertig: 0, ergebnis: null });
  const id = first?.body.rueckblick_id;
  expect((await at('DELETE', id)).status).toBe(200);
  expect((await at('GET', id)).status).toBe(404);
  expect((await at('DELETE', id)).status).toBe(404);
  const last = await working(ask(draft, rule));
  expect(last.body.status).toBe('fertig');
  const rows = await service.sql('SELECT status FROM rueckblicke WHERE mandant_id = $1', [we.mandant]);
  expect(rows).toEqual(Array(MAX_OPEN).fill({ status: 'fertig' }));
  expect(await service.sql("SELECT FROM auftraege WHERE job = 'detektoren.rueckblick'")).toEqual([]);
});

test('after an hour it is gone', async () => {
  const { body } = await working(ask(draft, { typ: 'lauf_deckel', tage: 1 }));
  await service.sql(
    "UPDATE rueckblicke SET laeuft_ab_am = now() - interval '1 second' WHERE mandant_id = $1",
    [we.mandant],
  );
  expect((await at('GET', body.rueckblick_id)).status).toBe(404);
});

test('another Mandant sees neither the rule nor what came of it', async () => {
  const id = await we.addRule('lauf_deckel', {});
  const { body } = await working(ask(of(id), { tage: 1 }));
  const other = await createProtected(service, owner);
  const { cookie } = other.account;
  expect((await ask(of(id), {}, { cookie })).status).toBe(404);
  expect((await ask(of(randomUUID()), {}, { cookie })).status).toBe(404);
  expect((await at('GET', body.rueckblick_id, cookie)).status).toBe(404);
  expect((await at('DELETE', body.rueckblick_id, cookie)).status).toBe(404);
  expect((await at('GET', body.rueckblick_id)).status).toBe(200);
});

test('editors may, nobody else, and not without end', async () => {
  const id = await we.addRule('lauf_deckel', {});
  // Refused for its threshold: nothing is begun.
  const status = async (headers: object) => (await ask(of(id), { schwelle: '-1' }, headers)).status;
  const statuses = await statusByRole(service, we.account, async ({ cookie }) => ({
    statusCode: (await status({ cookie })) === 422 ? 200 : await status({ cookie }),
  }));
  expect(statuses).toEqual(admitting(EDITORS));
  expect(await status({})).toBe(401);
  const { throttle } = service.context;
  // A few at a time: more than there are connections for would be refused for that.
  const countAll = async () => {
    for (;;) await throttle.countSubject(LOOKS_BACK, we.mandant as never);
  };
  const refused = { code: 'zu_viele_versuche' };
  await Promise.all(Array.from({ length: 4 }, () => expect(countAll()).rejects.toMatchObject(refused)));
  expect((await ask(of(id), {})).status).toBe(429);
});
