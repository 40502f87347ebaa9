import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { admitting, EDITORS, statusByRole } from '#test/roles.ts';
import { addAgent } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;

beforeAll(async () => {
  service = await startService();
  foreign = await registerAccount(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  ours = await registerAccount(service);
});

const post = (payload: object, cookie: string | null = ours.cookie) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/regeln',
    headers: cookie ? { cookie } : {},
    payload,
  });
const stored = () =>
  service.sql('SELECT name, typ, bezug, schwelle::text FROM regeln WHERE mandant_id = $1 ORDER BY regel_id', [
    ours.mandantId,
  ]);

describe('a new rule', () => {
  test('has the defaults of its type, and is in shadow mode', async () => {
    const answer = await post({ typ: 'fehlerbrand' });
    expect(answer.statusCode, answer.body).toBe(201);
    expect(answer.json()).toEqual({
      regel_id: expect.any(String),
      name: 'Viele Fehler',
      typ: 'fehlerbrand',
      geltungsbereich: 'mandant',
      bezug_id: null,
      bezug: null,
      schwelle: '20',
      einheit: 'prozent',
      stufe: 'warnen',
      zeitfenster: '15m',
      schattenbetrieb: true,
      aktiv: true,
      parameter: { mindest_aufrufe: 10, mindest_kosten_eur: '1', mindest_fehler: 20 },
      erstellt_am: expect.any(String),
      geaendert_am: expect.any(String),
    });
    expect(await stored()).toEqual([
      { name: 'Viele Fehler', typ: 'fehlerbrand', bezug: null, schwelle: '20' },
    ]);
    const [entry] = await service.sql(
      `SELECT akteur_name, objekt_name, nachher->>'typ' AS typ FROM pruefprotokoll
       WHERE mandant_id = $1 AND aktion = 'regel.angelegt'`,
      [ours.mandantId],
    );
    expect(entry).toEqual({ akteur_name: ours.email, objekt_name: 'Viele Fehler', typ: 'fehlerbrand' });
  });

  test('takes numbers as text or as numbers, exactly', async () => {
    for (const schwelle of ['0.10', 0.1])
      expect((await post({ typ: 'kosten_grenze', schwelle })).json()).toMatchObject({ schwelle: '0.1' });
    expect(
      (await post({ typ: 'kosten_spitze', parameter: { mindest_eur: 2.5 } })).json().parameter,
    ).toMatchObject({ mindest_eur: '2.5', wochen: 4 });
  });

  test('holds for an agent, project or end customer by id or key, for a function or model by name', async () => {
    const agentId = await addAgent(service, ours.mandantId, 'büro/bote');
    const [{ projekt_id }] = (await service.sql(
      `INSERT INTO projekte (mandant_id, schluessel, name) VALUES ($1, 'büro', 'Büro') RETURNING projekt_id`,
      [ours.mandantId],
    )) as [{ projekt_id: string }];
    await service.sql(`INSERT INTO endkunden (mandant_id, referenz) VALUES ($1, 'k-1')`, [ours.mandantId]);
    for (const [geltungsbereich, bezug_id, bezug] of [
      ['agent', agentId, 'büro/bote'],
      ['agent', 'büro/bote', 'büro/bote'],
      ['projekt', projekt_id, 'büro'],
      ['projekt', 'büro', 'büro'],
      ['endkunde', 'k-1', 'k-1'],
      ['funktion', 'noch nie', 'noch nie'],
      ['modell', 'gpt-9', 'gpt-9'],
    ]) {
      const answer = await post({ typ: 'kosten_grenze', schwelle: 5, geltungsbereich, bezug_id });
      expect(answer.statusCode, answer.body).toBe(201);
      expect(answer.json()).toMatchObject({
        geltungsbereich,
        bezug_id,
        bezug,
        name: `Kostengrenze überschritten (${bezug})`,
      });
    }
  });
});

describe('refuses', () => {
  test('401 without a session', async () => {
    expect((await post({ typ: 'lauf_deckel' }, null)).statusCode).toBe(401);
  });

  test('403 for those who do not edit', async () => {
    const statuses = await statusByRole(service, ours, ({ cookie }) => post({ typ: 'lauf_deckel' }, cookie));
    expect(statuses).toEqual(admitting(EDITORS, 201));
    expect(await stored()).toHaveLength(EDITORS.length);
  });

  test('what is foreign like what does not exist', async () => {
    const foreignId = await addAgent(service, foreign.mandantId, `a-${randomUUID()}`);
    for (const bezug_id of [foreignId, randomUUID(), 'nie gesehen']) {
      const answer = await post({ typ: 'lauf_deckel', geltungsbereich: 'agent', bezug_id });
      expect(answer.statusCode).toBe(422);
      expect(answer.json().detail).toEqual([
        expect.objectContaining({ loc: ['body', 'bezug_id'], type: 'value_error', input: bezug_id }),
      ]);
    }
    expect(await stored()).toEqual([]);
  });

  test.each([
    [{}, ['typ'], 'missing'],
    [{ typ: 'x' }, ['typ'], 'literal_error'],
    [{ typ: 'lauf_deckel', geltungsbereich: 'x' }, ['geltungsbereich'], 'literal_error'],
    [{ typ: 'lauf_deckel', stufe: 'x' }, ['stufe'], 'literal_error'],
    [{ typ: 'duplikat', stufe: 'sperren' }, ['stufe'], 'literal_error'],
    [
      { typ: 'modell_verboten', geltungsbereich: 'modell', bezug_id: 'x', parameter: { erlaubt: [] } },
      ['geltungsbereich'],
      'literal_error',
    ],
    [{ typ: 'lauf_deckel', schwelle: 'viele' }, ['schwelle'], 'decimal_parsing'],
    [{ typ: 'schleife_exakt', schwelle: 1 }, ['schwelle'], 'greater_than_equal'],
    [{ typ: 'kosten_grenze' }, ['schwelle'], 'missing'],
    [{ typ: 'lauf_deckel', einheit: 'usd' }, ['einheit'], 'literal_error'],
    [{ typ: 'latenz', zeitfenster: 'tag' }, ['zeitfenster'], 'value_error'],
    [{ typ: 'lauf_deckel', name: '' }, ['name'], 'string_too_short'],
    [{ typ: 'lauf_deckel', name: 'a\nb' }, ['name'], 'value_error'],
    [{ typ: 'lauf_deckel', parameter: [] }, ['parameter'], 'dict_type'],
    [{ typ: 'latenz', parameter: { tage: 'x' } }, ['parameter', 'tage'], 'int_parsing'],
    [{ typ: 'latenz', parameter: { tage: 0 } }, ['parameter', 'tage'], 'greater_than_equal'],
    [{ typ: 'latenz', parameter: { faktor: 1 } }, ['parameter', 'faktor'], 'extra_forbidden'],
  ])('422 for %j', async (payload, place, type) => {
    const answer = await post(payload);
    expect(answer.statusCode, answer.body).toBe(422);
    expect(answer.json().detail).toEqual([expect.objectContaining({ loc: ['body', ...place], type })]);
    expect(await stored()).toEqual([]);
  });

  test('409 for one more than there may be, however many are asked for at once', async () => {
    await service.sql(
      `INSERT INTO regeln (mandant_id, name, typ, geltungsbereich, stufe, schattenbetrieb, aktiv, parameter)
       SELECT $1, 'x', 'preis_fehlt', 'mandant', 'warnen', true, true, '{}' FROM generate_series(1, 198)`,
      [ours.mandantId],
    );
    const answers = await Promise.all(Array.from({ length: 6 }, () => post({ typ: 'lauf_deckel' })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    expect(answers.find(({ statusCode }) => statusCode === 409)?.json().code).toBe('zu_viele_regeln');
    expect(await stored()).toHaveLength(200);
  });
});
