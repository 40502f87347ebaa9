/** What the answer about one finding says that a stop kept from being spent. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Regeltyp } from '#contracts';
import type { RegelVon } from '#domains/regeln/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { defaultsOf } from '#test/detectors/rules.ts';
import { ownerOf } from '#test/jobs.ts';
import { keepRules } from '#test/rules.ts';
import { startService, type TestService } from '#test/service.ts';
import { type Candidate, recordFindings } from '../index.ts';

let service: TestService;
let db: ReturnType<typeof ownerOf>;
let ours: Account;

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
});

const HOUR = 3_600_000;
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString();

interface Case {
  /** Calls it came to. */
  calls?: number;
  /** When its last call was, in hours before now. */
  ago?: number;
  typ?: 'schleife_exakt' | 'ausgabe_explosion';
  schatten?: boolean;
  /** Found now, whenever it was. */
  late?: boolean;
  kostenEur?: string | null;
  account?: Account;
}

/** A finding about a run of its own; resolves with its id and its run. */
async function find({ calls = 6, ago = 0, typ = 'schleife_exakt', schatten = false, ...rest }: Case = {}) {
  const { kostenEur = '0.6', account = ours, late = false } = rest;
  const lauf = randomUUID();
  const regel = {
    regel_id: randomUUID(),
    name: 'r',
    typ,
    geltungsbereich: 'mandant',
    bezug: null,
    schwelle: '5',
    einheit: 'schritte',
    stufe: 'anhalten',
    zeitfenster: null,
    schattenbetrieb: schatten,
    parameter: defaultsOf(typ as Regeltyp),
  } as unknown as RegelVon;
  const candidate: Candidate = {
    regel,
    objektArt: 'lauf',
    objekt: lauf,
    agent: 'support/triage',
    lauf,
    fensterBeginn: hoursAgo(ago + 0.5),
    werte: { schritte: [1, 2], anzahl: calls, modelle: [], bis: hoursAgo(ago), wiederholungen: calls - 2 },
    kostenEur,
    verbranntEur: null,
    potentialEur: null,
  };
  const now = new Date(late ? Date.now() : hoursAgo(ago));
  await keepRules(service, account.mandantId, [candidate]);
  await db.transaction((client) => recordFindings(client, mandantId(account.mandantId), [candidate], now));
  // Who makes the calls was handed the order.
  await service.sql('UPDATE eingriffe SET abgerufen_am = beginn WHERE mandant_id = $1 AND objekt = $2', [
    account.mandantId,
    lauf,
  ]);
  const [row] = await service.sql<{ befund_id: string }>(
    'SELECT befund_id FROM befunde WHERE mandant_id = $1 AND lauf_id = $2',
    [account.mandantId, lauf],
  );
  return { id: row?.befund_id as string, lauf };
}

/** Cases that went on until they ended by themselves, the rule in shadow mode. */
const unstopped = async (...calls: number[]) => {
  for (const each of calls) await find({ calls: each, ago: 30, schatten: true });
};

const avoided = async (id: string) =>
  (await service.app.inject({ url: `/v1/cockpit/befunde/${id}`, headers: { cookie: ours.cookie } })).json()
    .vermieden;

test('as many calls as the case in the middle still made, at what these cost', async () => {
  await unstopped(1_400, 160, 420);
  const { id } = await find();
  expect(await avoided(id)).toEqual({ eur: '41.4', weitere: 414, faelle: 3 });
});

test('what is found long afterwards was not stopped either', async () => {
  for (const calls of [160, 420, 1_400]) await find({ calls, ago: 30, late: true });
  expect(await avoided((await find()).id)).toMatchObject({ weitere: 414, faelle: 3 });
});

test('unknown, never nothing: with fewer than three cases, without a price', async () => {
  await unstopped(160, 420);
  expect(await avoided((await find()).id)).toEqual({ eur: null, weitere: null, faelle: 2 });
  await unstopped(1_400);
  expect(await avoided((await find({ kostenEur: null })).id)).toEqual({ eur: null, weitere: 414, faelle: 3 });
});

test('only cases that nobody stopped, that hold, that are over, of this Mandant and type', async () => {
  await unstopped(160, 420);
  await find({ calls: 1_400, ago: 30 });
  await find({ calls: 1_400, ago: 0.2, schatten: true });
  await find({ calls: 1_400, ago: 30, schatten: true, typ: 'ausgabe_explosion' });
  await find({ calls: 1_400, ago: 30, schatten: true, account: await registerAccount(service) });
  const ignored = await find({ calls: 1_400, ago: 30, schatten: true });
  await service.sql(`UPDATE befunde SET status = 'ignoriert' WHERE mandant_id = $1 AND befund_id = $2`, [
    ours.mandantId,
    ignored.id,
  ]);
  const byHand = await find({ calls: 1_400, ago: 30, schatten: true });
  await service.sql(
    `INSERT INTO eingriffe (mandant_id, eingriff_id, stufe, objekt_art, objekt, agent, schatten, grund_de, grund_en, beginn)
     VALUES ($1, gen_random_uuid(), 'anhalten', 'lauf', $2, 'support/triage', false, '', '', $3)`,
    [ours.mandantId, byHand.lauf, hoursAgo(30.1)],
  );
  expect(await avoided((await find()).id)).toMatchObject({ eur: null, faelle: 2 });
  // A block of its agent, before the run began, is not what ended it; one while it went on may be.
  await find({ calls: 1_400, ago: 50, schatten: true });
  const blockAt = (hours: number) =>
    service.sql(
      `INSERT INTO eingriffe (mandant_id, eingriff_id, stufe, objekt_art, objekt, agent, schatten, grund_de, grund_en, beginn)
       VALUES ($1, gen_random_uuid(), 'sperren', 'agent', 'support/triage', 'support/triage', false, '', '', $2)`,
      [ours.mandantId, hoursAgo(hours)],
    );
  await blockAt(53);
  expect(await avoided((await find()).id)).toMatchObject({ faelle: 3 });
  await blockAt(50.2);
  expect(await avoided((await find()).id)).toMatchObject({ faelle: 2 });
});

test.each([
  ['nobody was handed', 'UPDATE eingriffe SET abgerufen_am = NULL WHERE mandant_id = $1 AND befund_id = $2'],
  ['was lifted', 'UPDATE eingriffe SET aufgehoben_am = now() WHERE mandant_id = $1 AND befund_id = $2'],
  ['was not obeyed', 'UPDATE eingriffe SET missachtet = 3 WHERE mandant_id = $1 AND befund_id = $2'],
  ['was a mistake', `UPDATE befunde SET status = 'ignoriert' WHERE mandant_id = $1 AND befund_id = $2`],
  ['was not for real', 'UPDATE eingriffe SET schatten = true WHERE mandant_id = $1 AND befund_id = $2'],
  ['only slowed down', `UPDATE eingriffe SET stufe = 'drosseln' WHERE mandant_id = $1 AND befund_id = $2`],
])('nothing is claimed of a stop that %s', async (_, statement) => {
  await unstopped(160, 420, 1_400);
  const { id } = await find();
  await service.sql(statement, [ours.mandantId, id]);
  expect(await avoided(id)).toBeNull();
});
