/** An order lasts as long as its cause, is lifted with it, and what goes on raises another alarm at twice as much. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RegelVon } from '#domains/regeln/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { defaultsOf } from '#test/detectors/rules.ts';
import { ownerOf } from '#test/jobs.ts';
import { addAgent } from '#test/rollups.ts';
import { keepRules } from '#test/rules.ts';
import { startService, type TestService } from '#test/service.ts';
import { type Candidate, recordFindings } from '../index.ts';

let service: TestService;
let db: ReturnType<typeof ownerOf>;
let ours: Account;
let agentId: string;

const NOW = Date.parse('2026-11-20T10:00:00Z');
const at = (minutes: number) => new Date(NOW + minutes * 60_000);

beforeAll(async () => {
  service = await startService();
  db = ownerOf(service);
});
afterAll(async () => {
  await db.close();
  await service.stop();
});
beforeEach(async () => {
  ours = await registerAccount(service);
  agentId = await addAgent(service, ours.mandantId, 'a');
});

const rule = (change: Partial<RegelVon> = {}): RegelVon =>
  ({
    regel_id: randomUUID(),
    name: 'Regel',
    typ: 'schleife_exakt',
    geltungsbereich: 'mandant',
    bezug: null,
    schwelle: '5',
    einheit: 'schritte',
    stufe: 'anhalten',
    zeitfenster: null,
    schattenbetrieb: false,
    parameter: defaultsOf(change.typ ?? 'schleife_exakt'),
    ...change,
  }) as RegelVon;

/** A loop of a run, of this many calls at 0.1 EUR, the last of them then. */
const loop = (regel: RegelVon, calls: number, minutes: number, lauf: string): Candidate => ({
  regel,
  objektArt: 'lauf',
  objekt: lauf,
  agent: 'a',
  lauf,
  fensterBeginn: at(-10).toISOString(),
  werte: { schritte: [1], anzahl: calls, modelle: [], wiederholungen: calls, bis: at(minutes).toISOString() },
  kostenEur: String(calls / 10),
  verbranntEur: null,
  potentialEur: null,
});

/** A limit of cost for the agent, crossed within a window that ends then. */
const limit = (regel: RegelVon, wert: string, ends: number): Candidate => ({
  regel,
  objektArt: 'agent',
  objekt: 'a',
  agent: 'a',
  lauf: null,
  fensterBeginn: at(-600).toISOString(),
  werte: { wert, schwelle: regel.schwelle, einheit: 'eur', aufrufe: 3, unbepreist: 0 },
  kostenEur: wert,
  verbranntEur: null,
  potentialEur: null,
  bis: at(ends).toISOString(),
});
const limitRule = (change: Partial<RegelVon> = {}) =>
  rule({
    typ: 'kosten_grenze',
    schwelle: '1',
    einheit: 'eur',
    zeitfenster: 'tag',
    stufe: 'sperren',
    ...change,
  } as Partial<RegelVon>);

const found = (candidate: Candidate, minutes: number) =>
  db.transaction((client) => recordFindings(client, mandantId(ours.mandantId), [candidate], at(minutes)));
async function record(candidate: Candidate, minutes: number) {
  await keepRules(service, ours.mandantId, [candidate]);
  service.clock.set(at(minutes).toISOString());
  return found(candidate, minutes);
}
/** What is in force for programs that call models. */
async function inForce(minutes: number): Promise<string[]> {
  service.clock.set(at(minutes).toISOString());
  const answer = await call('GET', '/v1/cockpit/eingriffe?in_kraft=true');
  return answer.json().eingriffe.map(({ objekt }: { objekt: string }) => objekt);
}
const call = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, payload?: object) =>
  service.app.inject({ method, url, headers: { cookie: ours.cookie }, ...(payload ? { payload } : {}) });
const only = async (url: string, list: string) => (await call('GET', url)).json()[list][0];
const eingriff = () => only('/v1/cockpit/eingriffe?tage=366', 'eingriffe');
const lift = async () =>
  (await call('DELETE', `/v1/cockpit/eingriffe/${(await eingriff()).eingriff_id}`)).json();
const alarms = () =>
  service.sql<{ titel_de: string; text_de: string }>(
    `SELECT titel_de, text_de FROM alarme WHERE mandant_id = $1 AND art = 'alarm' ORDER BY alarm_id`,
    [ours.mandantId],
  );

/** The run as counting keeps it. */
const run = (lauf: string, calls: number) =>
  service.sql(
    `INSERT INTO laeufe (mandant_id, lauf_id, agent, projekt, status, beginn, ende, aufrufe, fehler, unbepreist, eingabe_token,
       ausgabe_token, cache_lese_token, verbranntes_geld_eur, kosten_eur)
     VALUES ($1, $2, 'a', 'p', 'laufend', $3, $3, $4::bigint, 0, 0, 0, 0, 0, 0, $4::bigint / 10.0)
     ON CONFLICT (mandant_id, lauf_id) DO UPDATE SET aufrufe = excluded.aufrufe, kosten_eur = excluded.kosten_eur`,
    [ours.mandantId, lauf, at(0), calls],
  );

describe('an order', () => {
  test('about a run holds until the run has ended, and is given anew where it goes on', async () => {
    const lauf = randomUUID();
    const regel = rule();
    await record(loop(regel, 5, 0, lauf), 0);
    expect(await inForce(23 * 60)).toEqual([lauf]);
    expect(await inForce(24 * 60)).toEqual([]);
    // Only looked at again it has not gone on.
    await record(loop(regel, 5, 0, lauf), 24 * 60);
    expect(await inForce(24 * 60)).toEqual([]);
    await record(loop(regel, 6, 25 * 60, lauf), 25 * 60);
    expect(await inForce(25 * 60)).toEqual([lauf]);
  });

  test('about an agent holds for its rest period, longer while the cause goes on', async () => {
    await service.sql(`UPDATE agenten SET ruhezeit = '10m' WHERE mandant_id = $1`, [ours.mandantId]);
    const lauf = randomUUID();
    const regel = rule({ stufe: 'sperren' });
    for (let minute = 0; minute < 30; minute += 1) {
      await record(loop(regel, 5 + minute, minute, lauf), minute);
      expect(await inForce(minute)).toEqual(['a']);
    }
    // One that was renewed, not thirty.
    expect((await call('GET', '/v1/cockpit/eingriffe?tage=366')).json().eingriffe).toHaveLength(1);
    expect(await inForce(40)).toEqual([]);
    await record(loop(regel, 36, 50, lauf), 50);
    expect(await inForce(50)).toEqual(['a']);
  });

  test('because of a limit holds to the end of its window, and not a moment longer', async () => {
    await record(limit(limitRule(), '1.2', 600), 0);
    expect(await inForce(599)).toEqual(['a']);
    expect(await inForce(600)).toEqual([]);
  });

  test('about a window that is over is not given any more', async () => {
    expect(await record(limit(limitRule(), '1.2', -5), 0)).toMatchObject({ neu: 1, eingriffe: 0 });
    expect((await only('/v1/cockpit/befunde', 'befunde')).stufe).toBe('warnen');
  });

  test('of a rule that was changed since it found something is not given', async () => {
    const candidate = limit(limitRule(), '1.2', 600);
    await keepRules(service, ours.mandantId, [{ regel: limitRule({ ...candidate.regel, schwelle: '3' }) }]);
    expect(await found(candidate, 0)).toEqual({ neu: 0, geaendert: 0, eingriffe: 0, alarme: 0 });
    await service.sql('DELETE FROM regeln WHERE mandant_id = $1', [ours.mandantId]);
    expect(await found(candidate, 0)).toMatchObject({ neu: 0, eingriffe: 0 });
  });
});

describe('lifted by hand', () => {
  test('an agent is let alone for its rest period; then a cause that holds acts again, and says so', async () => {
    const candidate = limit(limitRule(), '1.2', 600);
    await record(candidate, 0);
    expect(await lift()).toMatchObject({
      aufgehoben_grund: 'hand',
      aufgehoben_von: ours.email,
      gnade_bis: '2026-11-20T11:00:00Z',
    });
    await record({ ...candidate, kostenEur: '1.3' }, 59);
    expect(await inForce(59)).toEqual([]);
    await record(candidate, 60);
    expect(await inForce(60)).toEqual(['a']);
    expect((await alarms()).map(({ titel_de }) => titel_de)).toEqual([
      'Kostengrenze überschritten: a – Sperre angeordnet',
      'Kostengrenze überschritten: a – Sperre angeordnet (dauert an)',
    ]);
  });

  test('a run is let alone until its calls have doubled, however soon that is', async () => {
    const lauf = randomUUID();
    const regel = rule();
    await run(lauf, 8);
    await record(loop(regel, 5, 0, lauf), 0);
    await lift();
    for (const calls of [9, 12, 15]) {
      await run(lauf, calls);
      await record(loop(regel, calls - 3, 1, lauf), 1);
      expect(await inForce(1)).toEqual([]);
    }
    await run(lauf, 16);
    await record(loop(regel, 13, 2, lauf), 2);
    expect(await inForce(2)).toEqual([lauf]);
  });

  test('an intervention of a person has no grace: no rule gives it again', async () => {
    service.clock.set(at(0).toISOString());
    await call('POST', '/v1/cockpit/eingriffe', { agent_id: agentId, stufe: 'sperren' });
    expect(await lift()).toMatchObject({ aufgehoben_grund: 'hand', gnade_bis: null });
  });
});

describe('lifted with its cause', () => {
  const entries = () =>
    service.sql(
      `SELECT nachher->>'grund' AS grund, objekt_name FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'eingriff.aufgehoben'`,
      [ours.mandantId],
    );

  test.each([
    ['its limit is raised', { schwelle: '3' }, 'regel_geaendert'],
    ['it only warns', { stufe: 'warnen' }, 'regel_geaendert'],
    ['it is switched off', { aktiv: false }, 'regel_aus'],
    ['it is put in shadow mode', { schattenbetrieb: true }, 'regel_aus'],
    ['it looks at months', { zeitfenster: 'monat' }, 'regel_geaendert'],
  ])('of a rule, at once, as %s', async (_, change, grund) => {
    const regel = limitRule();
    await record(limit(regel, '1.2', 600), 0);
    expect((await call('PUT', `/v1/cockpit/regeln/${regel.regel_id}`, change)).statusCode).toBe(200);
    expect(await inForce(1)).toEqual([]);
    expect(await eingriff()).toMatchObject({
      aufgehoben_grund: grund,
      aufgehoben_von: ours.email,
      gnade_bis: null,
    });
    expect(await entries()).toEqual([{ grund, objekt_name: 'a' }]);
  });

  test('of a rule that is removed', async () => {
    const regel = limitRule();
    await record(limit(regel, '1.2', 600), 0);
    await call('DELETE', `/v1/cockpit/regeln/${regel.regel_id}`);
    expect(await inForce(1)).toEqual([]);
    expect(await eingriff()).toMatchObject({ aufgehoben_grund: 'regel_entfernt' });
  });

  test.each([[{ name: 'Anders' }], [{ schwelle: '0.5' }]])('but not with %j', async (change) => {
    const regel = limitRule();
    await record(limit(regel, '1.2', 600), 0);
    expect((await call('PUT', `/v1/cockpit/regeln/${regel.regel_id}`, change)).statusCode).toBe(200);
    expect(await inForce(1)).toEqual(['a']);
  });

  test('a raised limit that is crossed again is another finding, which acts and tells again', async () => {
    const regel = limitRule();
    await record(limit(regel, '1.2', 600), 0);
    await call('PUT', `/v1/cockpit/regeln/${regel.regel_id}`, { schwelle: '3' });
    expect(await record(limit({ ...regel, schwelle: '3' } as RegelVon, '3.1', 600), 90)).toEqual({
      neu: 1,
      geaendert: 0,
      eingriffe: 1,
      alarme: 1,
    });
    expect(await inForce(90)).toEqual(['a']);
  });

  test('many stops of one rule are one entry of the audit log', async () => {
    const regel = rule();
    await keepRules(service, ours.mandantId, [{ regel }]);
    for (let made = 0; made < 21; made += 1) await found(loop(regel, 5, 0, randomUUID()), 0);
    service.clock.set(at(1).toISOString());
    await call('DELETE', `/v1/cockpit/regeln/${regel.regel_id}`);
    expect(await inForce(1)).toEqual([]);
    expect(await entries()).toEqual([{ grund: 'regel_entfernt', objekt_name: 'Regel' }]);
  });

  const budget = (betrag_eur: string | null) =>
    call('PUT', `/v1/cockpit/agenten/${agentId}/budget`, { betrag_eur });
  const spent = (regel: RegelVon, budget_eur: string): Candidate => ({
    ...limit(regel, '11', 600),
    teil: '100',
    werte: { budget_eur, schwelle_prozent: 100, verbraucht_eur: '11', anteil_prozent: '110' },
  });
  test.each([
    ['raised', '1000'],
    ['removed', null],
  ])('of a budget that is %s', async (_, next) => {
    service.clock.set(at(0).toISOString());
    expect((await budget('10')).statusCode).toBe(200);
    const regel = rule({ typ: 'budget_schwelle', schwelle: null, einheit: null, stufe: 'sperren' });
    await record(spent(regel, '10'), 0);
    expect(await inForce(1)).toEqual(['a']);
    await budget(next);
    expect(await inForce(2)).toEqual([]);
    expect(await eingriff()).toMatchObject({ aufgehoben_grund: 'budget' });
    expect(await entries()).toEqual([{ grund: 'budget', objekt_name: 'a' }]);
    // Lower again it is over once more.
    await budget('10');
    await record(spent(regel, '10'), 3);
    expect(await inForce(3)).toEqual(['a']);
    await budget('5');
    expect(await inForce(4)).toEqual(['a']);
  });

  test('of a finding that is ignored, and for good', async () => {
    const candidate = limit(limitRule(), '1.2', 600);
    await record(candidate, 0);
    const { befund_id } = await only('/v1/cockpit/befunde', 'befunde');
    await call('PUT', `/v1/cockpit/befunde/${befund_id}/status?status=ignoriert`);
    expect(await inForce(1)).toEqual([]);
    expect(await eingriff()).toMatchObject({ aufgehoben_grund: 'befund_ignoriert' });
    await record({ ...candidate, kostenEur: '9' }, 120);
    expect([await inForce(120), (await alarms()).length]).toEqual([[], 1]);
  });
});

describe('what goes on', () => {
  test('raises another alarm at twice what the last one said, never with each call', async () => {
    const lauf = randomUUID();
    const regel = rule({ stufe: 'warnen' });
    for (let calls = 5; calls <= 200; calls += 1)
      await record(loop(regel, calls, calls / 60, lauf), calls / 60);
    const told = (await alarms()).map(({ text_de }) => /(\d+)-mal/.exec(text_de)?.[1]);
    expect(told).toEqual(['5', '10', '20', '40', '80', '160']);
  });

  test('raises it by its count where no money is known', async () => {
    const lauf = randomUUID();
    const regel = rule({ stufe: 'warnen' });
    for (let calls = 5; calls <= 20; calls += 1)
      await record({ ...loop(regel, calls, 0, lauf), kostenEur: null }, 0);
    expect(await alarms()).toHaveLength(3);
  });

  test('closed all the same says so, and is open again in a new incident at twice as much', async () => {
    const lauf = randomUUID();
    const regel = rule();
    await record(loop(regel, 8, 0, lauf), 0);
    const incident = await only('/v1/cockpit/vorfaelle', 'vorfaelle');
    expect(incident).toMatchObject({ dauert_an: true, eingriffe_in_kraft: 1 });
    const closed = await call('POST', `/v1/cockpit/vorfaelle/${incident.vorfall_id}/schliessen`);
    expect(closed.json()).toMatchObject({ status: 'geschlossen', dauert_an: true, eingriffe_in_kraft: 1 });
    await record(loop(regel, 15, 1, lauf), 1);
    expect(await only('/v1/cockpit/befunde', 'befunde')).toMatchObject({ status: 'erledigt' });
    await record(loop(regel, 16, 2, lauf), 2);
    const again = await only('/v1/cockpit/befunde', 'befunde');
    expect(again).toMatchObject({
      status: 'offen',
      vorfall_id: expect.not.stringMatching(incident.vorfall_id),
    });
    expect(await only('/v1/cockpit/vorfaelle?status=offen', 'vorfaelle')).toMatchObject({
      vorfall_id: again.vorfall_id,
      befunde: 1,
    });
  });

  test('an incident that is over does not go on', async () => {
    await record(loop(rule({ stufe: 'warnen' }), 8, 0, randomUUID()), 0);
    service.clock.set(at(10).toISOString());
    expect(await only('/v1/cockpit/vorfaelle', 'vorfaelle')).toMatchObject({
      dauert_an: false,
      eingriffe_in_kraft: 0,
    });
  });

  test('further runs of an incident that are stopped raise it at twice as many', async () => {
    const regel = rule();
    for (let made = 0; made < 9; made += 1) await record(loop(regel, 5, made, randomUUID()), made);
    const told = (await alarms()).map(({ text_de }) => /Das ist der (\d+)\. Lauf/.exec(text_de)?.[1] ?? '1');
    expect(told).toEqual(['1', '2', '4', '8']);
  });
});
