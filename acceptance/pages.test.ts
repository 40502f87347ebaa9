/** Every list in pages: within its bounds, complete and in one order, and never with a row of somebody else. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_ROWS, type Node, type Operation } from '#contracts';
import { addUser, createKey, openSession } from '#test/account.ts';
import { isWhole } from '#test/depth.ts';
import { declared } from '#test/operations.ts';
import { putAlarm } from '#test/put-alarm.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll, createTenants, type Tenant } from '#test/tenants.ts';

let service: TestService;
let ours: Tenant;
let theirs: Tenant;

beforeAll(async () => {
  service = await startService();
  ({ ours, theirs } = await createTenants(service));
  for (const tenant of [ours, theirs]) await fill(tenant);
  await send(ours, many());
  await countAll(service);
  // In the catalog, without a call.
  await service.sql(
    `INSERT INTO agenten (mandant_id, schluessel, name, projekt) SELECT m, 'still/' || n, n, 'still'
     FROM unnest($1::uuid[]) m, generate_series(1, 3) n`,
    [[ours, theirs].map(({ account }) => account.mandantId)],
  );
  await service.sql(
    `INSERT INTO projekte (mandant_id, schluessel, name) SELECT m, 'still/' || n, n
     FROM unnest($1::uuid[]) m, generate_series(1, 3) n`,
    [[ours, theirs].map(({ account }) => account.mandantId)],
  );
  await service.sql(
    `UPDATE projekte SET budget_eur = 1 WHERE mandant_id = ANY($1::uuid[]) AND schluessel LIKE 'still/%'`,
    [[ours, theirs].map(({ account }) => account.mandantId)],
  );
  await service.sql('UPDATE agenten SET budget_eur = 2 WHERE mandant_id = ANY($1::uuid[])', [
    [ours, theirs].map(({ account }) => account.mandantId),
  ]);
  // As the database does by itself after a while.
  await service.sql('ANALYZE');
});
afterAll(() => service?.stop());

const MANY = isWhole ? 2_500 : 1_100;
/** More agents, projects and end customers than a page has rows, one call each; costs are equal or unknown. */
const many = () =>
  Array.from({ length: MANY }, (_, index) => ({
    agent: `viele/${index}`,
    endkunde_ref: `viele-${index}`,
    modell: index % 2 === 0 ? 'gpt-4o-mini' : 'unbekannt',
    anbieter: 'openai',
    eingabe_token: 1_000,
    zusatz: { projekt: `viele-${index}` },
    lauf_id: randomUUID(),
  }));

async function send({ key }: Tenant, ereignisse: object[]): Promise<void> {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${key.secret}` },
    payload: { ereignisse },
  });
  expect(answer.statusCode).toBe(202);
}

/** A few of everything that comes in lists. */
async function fill(tenant: Tenant): Promise<void> {
  const { account, run } = tenant;
  for (let index = 0; index < 3; index += 1) {
    await createKey(service, account);
    await openSession(service, account);
    await addUser(service, account, 'betrachter');
    await putAlarm(service.sql, account.mandantId);
    const email = `${randomUUID()}@example.org`;
    const headers = { cookie: account.cookie };
    const payload = { typ: 'lauf_deckel' };
    await service.app.inject({ method: 'POST', url: '/v1/cockpit/regeln', headers, payload });
    await service.app.inject({
      method: 'POST',
      url: '/v1/cockpit/benutzer/einladen',
      headers,
      payload: { email },
    });
  }
  await service.sql(
    `INSERT INTO importe (mandant_id, import_id, status, datei, groesse, schluessel_id, zeitzone, angelegt_am)
     SELECT mandant_id, gen_random_uuid(), 'fertig', datei, groesse, schluessel_id, zeitzone, angelegt_am FROM importe, generate_series(1, 2) n
     WHERE mandant_id = $1`,
    [account.mandantId],
  );
  await service.sql(
    `INSERT INTO neubepreisungen (mandant_id, neubepreisung_id, status, von, bis, zeitzone, fassung, angelegt_am)
     SELECT mandant_id, gen_random_uuid(), 'fertig', von, bis, zeitzone, 1, angelegt_am FROM neubepreisungen, generate_series(1, 2) n
     WHERE mandant_id = $1`,
    [account.mandantId],
  );
  await service.sql(
    `INSERT INTO neubepreisung_zeilen (mandant_id, neubepreisung_id, monat, agent, geaendert, alt_usd, neu_usd, differenz_eur, unbepreist)
     SELECT mandant_id, neubepreisung_id, monat - (n || ' months')::interval, agent, 1, 1, 1, 1, 1
     FROM neubepreisung_zeilen, generate_series(1, 2) n WHERE mandant_id = $1`,
    [account.mandantId],
  );
  await service.sql(
    `INSERT INTO abrechnung_versendungen (mandant_id, versendung_id, monat, referenz, email, status, angefordert_am)
     SELECT mandant_id, gen_random_uuid(), monat, referenz, email, status, angefordert_am
     FROM abrechnung_versendungen, generate_series(1, 2) n WHERE mandant_id = $1`,
    [account.mandantId],
  );
  await service.sql(
    `INSERT INTO preisbuecher (mandant_id, fassung, inhalt, erstellt_am)
     SELECT mandant_id, fassung + n, inhalt, erstellt_am FROM preisbuecher, generate_series(1, 2) n WHERE mandant_id = $1`,
    [account.mandantId],
  );
  await service.sql(
    `INSERT INTO antraege (mandant_id, antrag_id, schluessel_id, art, objekt_art, objekt, bezeichnung, begruendung, status, angelegt_am)
     SELECT $1, gen_random_uuid(), gen_random_uuid(), 'eingriff', '', n::text, 'x', 'x', 'offen', now() FROM generate_series(1, 3) n`,
    [account.mandantId],
  );
  await service.sql(
    `INSERT INTO eingriffe (mandant_id, eingriff_id, stufe, objekt_art, objekt, agent, schatten, grund_de, grund_en, beginn)
     SELECT $1, gen_random_uuid(), 'drosseln', 'agent', 'a', 'a', true, 'g', 'g', now() FROM generate_series(1, 3)`,
    [account.mandantId],
  );
  await service.sql(
    `WITH v AS (
       INSERT INTO vorfaelle (mandant_id, vorfall_id, objekt_art, objekt, befunde, stufe, schatten, beginn, letzter_befund_am)
       SELECT $1, gen_random_uuid(), 'agent', 'a', 1, 'warnen', true, now(), now() FROM generate_series(1, 3)
       RETURNING vorfall_id)
     INSERT INTO befunde (mandant_id, befund_id, schluessel, typ, objekt_art, objekt, agent, fenster_beginn, stufe, schatten, werte,
       vorfall_id, erkannt_am, geaendert_am)
     SELECT $1, gen_random_uuid(), vorfall_id::text, 'stille', 'agent', 'a', 'a', now(), 'warnen', true, $2, vorfall_id, now(), now()
     FROM v`,
    [account.mandantId, JSON.stringify({ letzter_aufruf: '2026-11-01T00:00:00Z', tage: 7 })],
  );
  const steps = [3, null, 1, null, 1].map((schritt_nr) => ({ lauf_id: run, agent: 'a', schritt_nr }));
  const others = ['b', 'c'].map((agent) => ({
    lauf_id: randomUUID(),
    agent,
    endkunde_ref: agent,
    modell: agent,
  }));
  const [hourAgo, monthsAgo] = [1, 24 * 100].map((hours) =>
    new Date(Date.now() - hours * 3_600_000).toISOString(),
  );
  await send(tenant, [
    ...steps,
    ...others,
    { agent: 'b', zeitpunkt: hourAgo },
    { agent: 'b', zeitpunkt: monthsAgo },
  ]);
}

const paged = declared.filter(
  ({ query, access }) =>
    // Lists over all Mandanten have no owner; they are walked beside their routes.
    access.kind !== 'operator' &&
    query &&
    Object.hasOwn(query.properties, 'limit') &&
    Object.hasOwn(query.properties, 'nach'),
);
const names = paged.map((operation) => [operation.id, operation] as const);

interface Answer {
  status: number;
  body: { [field: string]: unknown; weiter: string | null; detail: { loc: string[]; type: string }[] };
  bytes: number;
}

async function read(operation: Operation, tenant: Tenant, query: Record<string, string>): Promise<Answer> {
  const headers: Record<string, string> =
    operation.access.kind === 'session'
      ? { cookie: tenant.account.cookie }
      : { authorization: `Bearer ${tenant.key.secret}` };
  const url = operation.path.replace('{neubepreisung_id}', tenant.repricingId).replace(/\{\w+\}/, tenant.run);
  const answer = await service.app.inject({ method: 'GET', url, query, headers });
  return { status: answer.statusCode, body: answer.json(), bytes: answer.body.length };
}

/** Lists that say more about the rows of a page, and are no rows of it. */
const ABOUT_ROWS: Record<string, string[]> = {
  'laeufe.einer': ['schluessel'],
  'laeufe.cockpit_einer': ['schluessel'],
};

/** The rows of an answer: one list, or several one after the other. */
function rowsOf({ id, response }: Operation, { body }: Answer): unknown[] {
  const fields = Object.entries((response as Node).properties ?? {});
  // Some are null for those who may not read them.
  const listIn = (field: Node) => (field.anyOf?.[0] as Node | undefined) ?? field;
  const lists = fields.filter(
    ([name, field]) => listIn(field as Node).maxItems === MAX_ROWS && !ABOUT_ROWS[id]?.includes(name),
  );
  expect(lists.length).toBeGreaterThan(0);
  return lists.flatMap(([name]) => body[name] as unknown[]);
}

/** All rows, page by page. */
async function walk(operation: Operation, tenant: Tenant, limit: number, first: Record<string, string> = {}) {
  const rows: unknown[] = [];
  let nach: string | null = null;
  do {
    const answer = await read(operation, tenant, { ...first, limit: String(limit), ...(nach && { nach }) });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    const page = rowsOf(operation, answer);
    expect(page.length).toBeGreaterThan(0);
    expect(page.length).toBeLessThanOrEqual(limit);
    rows.push(...page);
    nach = answer.body.weiter;
  } while (nach !== null);
  return rows;
}

test('lists there are', () => {
  expect(paged.map(({ id }) => id).sort()).toEqual([
    'abgleich.liste',
    'alarme.liste',
    'anbindung.seite',
    'antraege.liste',
    'befunde.liste',
    'befunde.vorfaelle',
    'benutzer.liste',
    'budgets.liste',
    'eingriffe.liste',
    'importe.liste',
    'katalog.agenten',
    'katalog.projekte',
    'laeufe.cockpit_einer',
    'laeufe.cockpit_liste',
    'laeufe.einer',
    'laeufe.liste',
    'mandant.konto_lesen',
    'neubepreisung.eine',
    'neubepreisung.liste',
    'preise.fassungen',
    'protokoll.lesen',
    'regeln.liste',
    'verbrauch.agenten',
    'verbrauch.api',
    'verbrauch.cockpit',
    'verbrauch.uebersicht_tag',
    'weiterbelastung.endkunden',
    'weiterbelastung.monate',
    'weiterbelastung.versand',
    'zugang.sitzungen',
  ]);
});

test.each(names)('%s takes a limit from 1 to 1,000', async (_id, operation) => {
  const given: [string, number, string?][] = [
    ['0', 422, 'greater_than_equal'],
    ['1', 200],
    ['1000', 200],
    ['1001', 422, 'less_than_equal'],
  ];
  for (const [limit, status, type] of given) {
    const answer = await read(operation, ours, { limit });
    expect(answer.status, limit).toBe(status);
    if (type) expect(answer.body.detail).toMatchObject([{ loc: ['query', 'limit'], type }]);
    else expect(rowsOf(operation, answer).length).toBeLessThanOrEqual(Number(limit));
  }
});

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test.each(names)('%s refuses a cursor it never wrote', async (_id, operation) => {
  const { weiter } = (await read(operation, theirs, { limit: '1' })).body;
  const key = JSON.parse(Buffer.from(weiter as string, 'base64url').toString()) as string[];
  const wrong = [
    '',
    'x',
    'null',
    encoded(null),
    encoded({}),
    encoded([]),
    encoded(key.slice(0, -1)),
    encoded([...key, 'x']),
    encoded(['andere', ...key.slice(1)]),
    encoded(key.map((part, index) => (index === 0 ? part : null))),
    encoded(key.map((part, index) => (index === 0 ? part : 'a\0'))),
    encoded(key.map((part, index) => (index === 0 ? part : '-271821-04-20T00:00:00Z')).with(-1, '\ud800')),
  ];
  for (const nach of wrong) {
    const { status, body } = await read(operation, theirs, { nach });
    expect(status, nach).toBe(422);
    expect(body.detail).toMatchObject([{ loc: ['query', 'nach'], type: 'value_error' }]);
  }
});

test.each(names)('%s page by page is the whole, each row once', async (_id, operation) => {
  const whole = await read(operation, theirs, { limit: '1000' });
  expect(whole.body.weiter).toBeNull();
  const rows = rowsOf(operation, whole);
  expect(rows.length).toBeGreaterThan(2);
  for (const limit of [1, 2]) expect(await walk(operation, theirs, limit)).toEqual(rows);
  if (operation.query && Object.hasOwn(operation.query.properties, 'gruppe'))
    for (const gruppe of ['tag', 'stunde', 'endkunde', 'modell']) {
      const all = rowsOf(operation, await read(operation, theirs, { gruppe }));
      expect(await walk(operation, theirs, 1, { gruppe }), gruppe).toEqual(all);
    }
});

test.each(names)('%s shows own rows only, with the cursor of anybody', async (_id, operation) => {
  const own = rowsOf(operation, await read(operation, theirs, { limit: '1000' })).map((row) =>
    JSON.stringify(row),
  );
  let nach: string | null = (await read(operation, ours, { limit: '1' })).body.weiter;
  for (let pages = 0; nach !== null && pages < 4; pages += 1) {
    const foreign = await read(operation, theirs, { nach });
    expect(foreign.status).toBe(200);
    for (const row of rowsOf(operation, foreign)) expect(own).toContain(JSON.stringify(row));
    nach = (await read(operation, ours, { limit: '1', nach })).body.weiter;
  }
});

test.each(names)(
  '%s stays within a page, however many agents, runs and end customers there are',
  async (_id, operation) => {
    for (const zeitraum of ['heute', 'vormonat']) {
      const query = operation.id === 'verbrauch.agenten' ? { zeitraum } : {};
      const answer = await read(operation, ours, query);
      expect(rowsOf(operation, answer).length).toBeLessThanOrEqual(MAX_ROWS);
      expect(answer.bytes).toBeLessThan(1_000 * MAX_ROWS);
    }
  },
);

test('agents page by page are all of them: with calls by cost, then the others by key', async () => {
  const operation = paged.find(({ id }) => id === 'verbrauch.agenten') as Operation;
  const rows = (await walk(operation, ours, 700)) as { schluessel: string; verbrauch: { aufrufe: number } }[];
  const keys = rows.map(({ schluessel }) => schluessel);
  expect(new Set(keys).size).toBe(keys.length);
  const [count] = await service.sql<{ n: number }>(
    'SELECT count(*)::int AS n FROM agenten WHERE mandant_id = $1',
    [ours.account.mandantId],
  );
  expect(keys).toHaveLength(count?.n ?? 0);
  expect(keys.slice(-3)).toEqual(['still/1', 'still/2', 'still/3']);
  expect(rows.findIndex(({ verbrauch }) => verbrauch.aufrufe === 0)).toBe(keys.length - 3);
  // In a period without any call it is the catalog.
  expect(await walk(operation, ours, 1_000, { zeitraum: 'vormonat' })).toHaveLength(keys.length);
});

test.each([
  ['verbrauch.api', 'zeilen'],
  ['verbrauch.cockpit', 'zeilen'],
  ['verbrauch.uebersicht_tag', 'zeilen'],
])('%s: rows of a page and the rest make up the sum', async (id, field) => {
  const operation = paged.find((one) => one.id === id) as Operation;
  const { body } = await read(operation, ours, {});
  type Sums = { aufrufe: number; eingabe_token: number; unbepreist: number; gruppen: number };
  const rows = body[field] as Sums[];
  const [rest, summe] = [body.rest as Sums, body.summe as Sums];
  expect(rows).toHaveLength(MAX_ROWS);
  expect(rest.gruppen).toBeGreaterThan(MANY - MAX_ROWS - 1);
  for (const name of ['aufrufe', 'eingabe_token', 'unbepreist'] as const)
    expect(rows.reduce((sum, row) => sum + row[name], 0) + rest[name], name).toBe(summe[name]);
  expect(await walk(operation, ours, MAX_ROWS)).toHaveLength(MAX_ROWS + rest.gruppen);
});

test('what an overview leaves out is in its rests', async () => {
  const overview = declared.find(({ id }) => id === 'verbrauch.uebersicht') as Operation;
  const { body } = await read(overview, ours, { zeitraum: '7tage' });
  const { aufrufe } = body.summe as { aufrufe: number };
  for (const name of ['agenten', 'endkunden', 'modelle']) {
    const rows = body[name] as { aufrufe: number }[];
    const rest = body[`${name}_rest`] as { aufrufe: number; gruppen: number } | null;
    expect(rows.length).toBeLessThanOrEqual(10);
    expect(rows.reduce((sum, row) => sum + row.aufrufe, 0) + (rest?.aufrufe ?? 0), name).toBe(aufrufe);
  }
  expect(body.agenten_rest).toMatchObject({ gruppen: expect.any(Number) });
});
