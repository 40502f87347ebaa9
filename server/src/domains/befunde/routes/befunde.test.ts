import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RegelVon } from '#domains/regeln/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { defaultsOf } from '#test/detectors/rules.ts';
import { ownerOf } from '#test/jobs.ts';
import { admitting, EDITORS, statusByRole } from '#test/roles.ts';
import { addAgent } from '#test/rollups.ts';
import { keepRules } from '#test/rules.ts';
import { startService, type TestService } from '#test/service.ts';
import { recordFindings } from '../index.ts';

let service: TestService;
let db: ReturnType<typeof ownerOf>;
let ours: Account;
let foreign: Account;
let agentId: string;
const lauf = randomUUID();

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
  foreign = await registerAccount(service);
  agentId = await addAgent(service, ours.mandantId, 'support/triage');
});

const RULE = {
  regel_id: randomUUID(),
  name: 'r',
  geltungsbereich: 'mandant',
  bezug: null,
  schwelle: '5',
  einheit: null,
  zeitfenster: null,
} as const;

/** Two findings: a loop of a run that was stopped, and in shadow mode one of another agent. */
async function find(account = ours): Promise<void> {
  const found = {
    objekt: lauf,
    objektArt: 'lauf',
    agent: 'support/triage',
    lauf,
    fensterBeginn: '2026-11-20T09:58:00Z',
    werte: {
      schritte: [1, 2, 3, 4, 5],
      anzahl: 5,
      modelle: [],
      bis: new Date().toISOString(),
      wiederholungen: 3,
    },
    kostenEur: '0.5',
    verbranntEur: '0.3',
    potentialEur: null,
  } as const;
  const loop = {
    ...RULE,
    parameter: defaultsOf('schleife_exakt'),
    typ: 'schleife_exakt',
    stufe: 'anhalten',
    schattenbetrieb: false,
  } as RegelVon;
  const silence = {
    ...RULE,
    regel_id: randomUUID(),
    parameter: defaultsOf('stille'),
    typ: 'stille',
    stufe: 'warnen',
    schattenbetrieb: true,
  };
  await keepRules(service, account.mandantId, [{ regel: loop }, { regel: silence as RegelVon }]);
  const silent = { objekt: 'b', objektArt: 'agent', agent: 'b', lauf: null } as const;
  await db.transaction((client) =>
    recordFindings(
      client,
      mandantId(account.mandantId),
      [
        { ...found, regel: loop },
        {
          ...found,
          ...silent,
          regel: silence as RegelVon,
          werte: { letzter_aufruf: '2026-11-19T00:00:00Z', tage: 7 },
          kostenEur: null,
          verbranntEur: null,
        },
      ],
      new Date(),
    ),
  );
}

const ask = (url: string, cookie = ours.cookie) => service.app.inject({ url, headers: { cookie } });
const list = async (query = '', account = ours) =>
  (await ask(`/v1/cockpit/befunde${query}`, account.cookie)).json().befunde;
const change = (method: 'PUT' | 'POST', url: string, cookie = ours.cookie) =>
  service.app.inject({ method, url, headers: { cookie } });

describe('GET /v1/cockpit/befunde', () => {
  test('shows the cause in both languages, latest first, and what was done', async () => {
    await find();
    const [silence, loop] = await list();
    expect(silence).toMatchObject({
      typ: 'stille',
      titel: 'Keine Aufrufe: b',
      text: 'Agent b schweigt, nach 7 Tagen mit Aufrufen.',
      text_en: 'Agent b is silent, after 7 days with calls.',
      schatten: true,
      kosten_eur: null,
      alarm_am: null,
    });
    expect(loop).toMatchObject({
      typ: 'schleife_exakt',
      titel: 'Schleife: support/triage – Halt angeordnet',
      lauf_id: lauf,
      verbrannt_eur: '0.3',
      status: 'offen',
      alarm_am: expect.any(String),
    });
    const one = (await ask(`/v1/cockpit/befunde/${loop.befund_id}`)).json();
    expect(one).toMatchObject({
      befund: loop,
      eingriffe: [{ stufe: 'anhalten', objekt: lauf, in_kraft: true, befolgt: null, wirkung: 'unbekannt' }],
    });
  });

  test.each([
    ['typ=stille', 1],
    ['status=erledigt', 0],
    [`lauf_id=${lauf}`, 1],
    [`agent_id=${randomUUID()}`, 0],
  ])('of %s only', async (query, count) => {
    await find();
    expect(await list(`?${query}`)).toHaveLength(count);
  });

  test('of one agent only, and page by page', async () => {
    await find();
    expect(await list(`?agent_id=${agentId}`)).toMatchObject([{ agent: 'support/triage' }]);
    const first = (await ask('/v1/cockpit/befunde?limit=1')).json();
    const second = (await ask(`/v1/cockpit/befunde?limit=1&nach=${first.weiter}`)).json();
    expect([...first.befunde, ...second.befunde].map(({ typ }) => typ)).toEqual(['stille', 'schleife_exakt']);
    expect(second.weiter).toBe(null);
  });

  test('nothing foreign; 401 signed out, 404 for a foreign one, 422 for what is no filter', async () => {
    await find();
    expect(await list('', foreign)).toEqual([]);
    const [{ befund_id }] = await list();
    expect((await ask(`/v1/cockpit/befunde/${befund_id}`, foreign.cookie)).statusCode).toBe(404);
    expect((await ask('/v1/cockpit/befunde', '')).statusCode).toBe(401);
    expect((await ask('/v1/cockpit/befunde?typ=nichts')).statusCode).toBe(422);
    expect((await ask('/v1/cockpit/befunde?status=offenx')).statusCode).toBe(422);
  });
});

describe('PUT /v1/cockpit/befunde/{befund_id}/status', () => {
  const set = async (query = '', cookie?: string) => {
    const [{ befund_id }] = await list();
    return change('PUT', `/v1/cockpit/befunde/${befund_id}/status${query}`, cookie);
  };

  test('is done unless another is said, on record once', async () => {
    await find();
    expect((await set()).json()).toMatchObject({ status: 'erledigt' });
    expect((await set()).json()).toMatchObject({ status: 'erledigt' });
    expect((await set('?status=ignoriert')).json()).toMatchObject({ status: 'ignoriert' });
    const entries = await service.sql(
      `SELECT vorher, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'befund.status_gesetzt' ORDER BY eintrag_id`,
      [ours.mandantId],
    );
    expect(entries).toEqual([
      { vorher: { status: 'offen' }, nachher: { status: 'erledigt' } },
      { vorher: { status: 'erledigt' }, nachher: { status: 'ignoriert' } },
    ]);
  });

  test('editors only; 404 for a foreign one, 422 for what only the service sets', async () => {
    await find();
    expect(await statusByRole(service, ours, ({ cookie }) => set('', cookie))).toEqual(admitting(EDITORS));
    expect((await set('', foreign.cookie)).statusCode).toBe(404);
    expect((await set('?status=hinfaellig')).statusCode).toBe(422);
  });
});

describe('incidents', () => {
  const incidents = async (query = '', account = ours) =>
    (await ask(`/v1/cockpit/vorfaelle${query}`, account.cookie)).json().vorfaelle;
  const close = (id: string, query = '', cookie?: string) =>
    change('POST', `/v1/cockpit/vorfaelle/${id}/schliessen${query}`, cookie);

  test('hold what was found of one object, and are closed with what was done, once', async () => {
    await find();
    const all = await incidents();
    expect(all).toMatchObject([
      {
        objekt: 'b',
        befunde: 1,
        titel: 'Keine Aufrufe: b',
        verbrannt_eur: null,
        schatten: true,
        status: 'offen',
      },
      { objekt: 'support/triage', befunde: 1, verbrannt_eur: '0.3', stufe: 'anhalten', schatten: false },
    ]);
    const id = all[1].vorfall_id;
    const closed = await close(id, '?massnahme=Prompt%20gek%C3%BCrzt');
    expect([closed.statusCode, closed.json()]).toMatchObject([
      200,
      { status: 'geschlossen', massnahme: 'Prompt gekürzt', geschlossen_von: ours.email },
    ]);
    expect(await list('?status=erledigt')).toMatchObject([{ vorfall_id: id }]);
    expect(await incidents('?status=geschlossen')).toHaveLength(1);
    const again = await close(id);
    expect([again.statusCode, again.json().code]).toEqual([409, 'vorfall_geschlossen']);
    expect((await close(all[0].vorfall_id)).json()).toMatchObject({ massnahme: 'geprüft' });
  });

  test('are headed by what was acted on, whatever was only noted since, and never by what does not hold', async () => {
    await find();
    const shadow = {
      ...RULE,
      regel_id: randomUUID(),
      parameter: {},
      typ: 'lauf_deckel',
      stufe: 'sperren',
    } as const;
    const capped = {
      regel: { ...shadow, schattenbetrieb: true } as RegelVon,
      objektArt: 'lauf',
      objekt: lauf,
      agent: 'support/triage',
      lauf,
      fensterBeginn: '2026-11-20T09:59:00Z',
      werte: { aufrufe: 201, fehler: 0, unbepreist: 0, schwelle: '200', einheit: 'aufrufe' },
      kostenEur: '1',
      verbranntEur: null,
      potentialEur: null,
    } as const;
    await keepRules(service, ours.mandantId, [capped]);
    await db.transaction((client) => recordFindings(client, mandantId(ours.mandantId), [capped], new Date()));
    const headline = async () =>
      (await incidents()).find(({ objekt }: { objekt: string }) => objekt === 'support/triage');
    expect(await headline()).toMatchObject({
      befunde: 2,
      titel: 'Schleife: support/triage – Halt angeordnet',
      titel_en: 'Loop: support/triage – stop ordered',
    });
    await service.sql(
      `UPDATE befunde SET status = 'hinfaellig' WHERE mandant_id = $1 AND typ = 'schleife_exakt'`,
      [ours.mandantId],
    );
    expect(await headline()).toMatchObject({ titel: 'Lauf zu groß: support/triage' });
  });

  test('the gravest first: what was acted on before what was noted, then by level and money, page by page', async () => {
    const put = (
      objekt: string,
      stufe: string,
      schatten: boolean,
      verbrannt: string | null,
      status = 'offen',
    ) =>
      service.sql(
        `WITH v AS (INSERT INTO vorfaelle (mandant_id, vorfall_id, objekt_art, objekt, status, befunde, stufe, schatten, beginn, letzter_befund_am)
           VALUES ($1, gen_random_uuid(), 'agent', $2, $6, 2, $3, $4, now(), now()) RETURNING vorfall_id, mandant_id, objekt, stufe, schatten)
         INSERT INTO befunde (mandant_id, befund_id, schluessel, typ, objekt_art, objekt, agent, fenster_beginn, stufe, schatten, werte,
           vorfall_id, erkannt_am, geaendert_am, verbrannt_eur, status)
         SELECT mandant_id, gen_random_uuid(), vorfall_id::text || n, 'stille', 'agent', objekt, objekt, now(), stufe, schatten, $7,
           vorfall_id, now(), now(), CASE n WHEN 3 THEN 1e6 ELSE $5::numeric / 2 END, CASE n WHEN 3 THEN 'hinfaellig' ELSE 'offen' END
         FROM v, generate_series(1, 3) n`,
        [
          ours.mandantId,
          objekt,
          stufe,
          schatten,
          verbrannt,
          status,
          JSON.stringify({ letzter_aufruf: '2026-11-01T00:00:00Z', tage: 7 }),
        ],
      );
    const objectsOf = (listed: { objekt: string }[]) => listed.map(({ objekt }) => objekt);
    await put('schatten-teuer', 'sperren', true, '900');
    await put('warnung', 'warnen', false, '300');
    await put('gestoppt', 'anhalten', false, '9.5');
    await put('gestoppt-teurer', 'anhalten', false, '10.25');
    await put('ohne-geld', 'anhalten', false, null);
    await put('zu', 'sperren', false, '1000', 'geschlossen');
    const inOrder = ['gestoppt-teurer', 'gestoppt', 'ohne-geld', 'warnung', 'schatten-teuer'];
    const order = '?sortierung=schwere&status=offen';
    expect(objectsOf(await incidents(order))).toEqual(inOrder);
    expect(objectsOf(await incidents('?sortierung=schwere'))).toEqual(['zu', ...inOrder]);
    const seen: string[] = [];
    for (let nach = ''; ; ) {
      const { vorfaelle, weiter } = (await ask(`/v1/cockpit/vorfaelle${order}&limit=2${nach}`)).json();
      seen.push(...objectsOf(vorfaelle));
      if (weiter === null) break;
      nach = `&nach=${weiter}`;
    }
    expect(seen).toEqual(inOrder);
    const byTime = (await ask('/v1/cockpit/vorfaelle?limit=1')).json().weiter;
    expect((await ask(`/v1/cockpit/vorfaelle${order}&nach=${byTime}`)).statusCode).toBe(422);
    expect((await ask('/v1/cockpit/vorfaelle?sortierung=laut')).statusCode).toBe(422);
    expect(await incidents(order, foreign)).toEqual([]);
  });

  test('editors close them; foreign ones are not found', async () => {
    await find();
    const statuses = await statusByRole(service, ours, async ({ cookie }) => {
      const [{ vorfall_id }] = await incidents();
      await service.sql(`UPDATE vorfaelle SET status = 'offen' WHERE mandant_id = $1`, [ours.mandantId]);
      return close(vorfall_id, '', cookie);
    });
    expect(statuses).toEqual(admitting(EDITORS));
    const [{ vorfall_id }] = await incidents();
    expect((await close(vorfall_id, '', foreign.cookie)).statusCode).toBe(404);
    expect((await close(vorfall_id, '?massnahme=')).statusCode).toBe(422);
    expect((await close(vorfall_id, '', '')).statusCode).toBe(401);
    expect((await ask('/v1/cockpit/vorfaelle', '')).statusCode).toBe(401);
    expect((await ask('/v1/cockpit/vorfaelle?status=x')).statusCode).toBe(422);
    expect(await incidents('', foreign)).toEqual([]);
  });
});
