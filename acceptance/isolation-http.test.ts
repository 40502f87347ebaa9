/** Over HTTP a foreign object is answered like one that does not exist, and shows in no list. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Operation } from '#contracts';
import * as contracts from '#contracts';
import { SHA256 } from '#test/imports.ts';
import { declared } from '#test/operations.ts';
import { startService, type TestService } from '#test/service.ts';
import { createTenants, domainOf, type Tenant } from '#test/tenants.ts';
import { unzip } from '#test/unzip.ts';

let service: TestService;
let ours: Tenant;
let theirs: Tenant;

beforeAll(async () => {
  service = await startService();
  ({ ours, theirs } = await createTenants(service));
});
afterAll(() => service?.stop());

const headersOf = (operation: Operation, tenant: Tenant): Record<string, string> =>
  operation.access.kind === 'session'
    ? { cookie: tenant.account.cookie }
    : { authorization: `Bearer ${tenant.key.secret}` };

const call = async (operation: Operation, path: string, tenant: Tenant, payload?: object) => {
  const answer = await service.app.inject({
    method: operation.method,
    url: path,
    headers: headersOf(operation, tenant),
    ...(payload ? { payload } : {}),
  });
  const { date: _date, ...headers } = answer.headers;
  return { status: answer.statusCode, body: answer.body, headers };
};

const registered = () =>
  declared.filter(
    ({ method, path, access }) =>
      // Operators stand above all Mandanten; what they see of one is looked at beside their routes.
      access.kind !== 'operator' && service.app.hasRoute({ method, url: path.replace(/\{(\w+)\}/g, ':$1') }),
  );

/** Every operation that takes an id, with an id of theirs and a body. */
const OBJECTS: Record<string, [id: () => string, payload?: object]> = {
  'abgleich.rechnung_aendern': [
    () => theirs.invoiceId,
    { monat: '2026-01', anbieter: 'gekapert', betrag: 1 },
  ],
  'abgleich.rechnung_entfernen': [() => theirs.invoiceId],
  'ansichten.aendern': [() => theirs.viewId, { name: 'gekapert' }],
  'ansichten.entfernen': [() => theirs.viewId],
  'befunde.einer': [() => theirs.findingId],
  'befunde.status_setzen': [() => theirs.findingId],
  'befunde.vorfall_schliessen': [() => theirs.incidentId],
  'antraege.entscheiden': [() => theirs.requestId, { gewaehrt: true }],
  'eingriffe.aufheben': [() => theirs.interventionId],
  'alarme.zustellung_wiederholen': [() => theirs.zustellungId],
  'laeufe.einer': [() => theirs.run],
  'laeufe.cockpit_einer': [() => theirs.run],
  'verbrauch.agent': [() => theirs.agentId],
  'katalog.agent_aendern': [() => theirs.agentId, { name: 'gekapert', projekt: 'unseres' }],
  'budgets.agent_setzen': [() => theirs.agentId, { betrag_eur: 1 }],
  'budgets.projekt_setzen': [() => theirs.projektId, { betrag_eur: 1 }],
  'katalog.agent_schutz': [() => theirs.agentId, { standard_eingriffsstufe: 'sperren', ruhezeit: '1m' }],
  'regeln.aendern': [() => theirs.ruleId, { aktiv: false, name: 'gekapert' }],
  'detektoren.rueckblick': [() => theirs.lookBackId],
  'detektoren.rueckblick_entfernen': [() => theirs.lookBackId],
  'detektoren.rueckblick_regel': [() => theirs.ruleId, { tage: 1 }],
  'importe.abschliessen': [
    () => imports.abschliessen,
    { dienst: 'LiteLLM', sha256: SHA256, zeilen: 1, ausgelassen: [] },
  ],
  'importe.anwenden': [() => imports.anwenden],
  'importe.einer': [() => theirs.repricingId],
  'importe.teil': [() => imports.teil, { ereignisse: [{}] }],
  'importe.verwerfen': [() => imports.verwerfen],
  'importe.zuruecknehmen': [() => theirs.repricingId],
  'neubepreisung.abbrechen': [() => theirs.repricingId],
  'neubepreisung.anwenden': [() => theirs.repricingId],
  'neubepreisung.eine': [() => theirs.repricingId],
  'preise.fassung': [() => theirs.bookEdition],
  'regeln.entfernen': [() => theirs.ruleId],
  'sso.domain_pruefen': [() => domainOf('die')],
  'benutzer.aendern': [() => theirs.colleagueId, { rolle: 'inhaber', name: 'gekapert' }],
  'benutzer.entfernen': [() => theirs.colleagueId],
  'benutzer.einladung_zurueckziehen': [() => theirs.invitationId],
  'schluessel.aendern': [() => theirs.key.schluesselId, { anfragen_je_minute: 1 }],
  'schluessel.sperren': [() => theirs.key.schluesselId],
  'weiterbelastung.abrechnung': [() => 'kunde-die'],
  'weiterbelastung.abrechnung_pdf': [() => 'kunde-die'],
  'weiterbelastung.endkunde_aendern': [() => theirs.customerId, { name: 'gekapert' }],
  'weiterbelastung.endkunde_entfernen': [() => theirs.customerId],
  'weiterbelastung.endkunde_zusammenfuehren': [() => theirs.customerId, { ziel_id: null }],
  'zugang.sitzung_beenden': [() => theirs.sessionId],
};

/** They ask back before something is lost. */
const CONFIRMED = ['weiterbelastung.endkunde_entfernen'];
/** They need a name server, or an import that is over. */
const NOT_FOR_OWNERS = ['sso.domain_pruefen', 'importe.zuruecknehmen'];

/** The imports of each operation, which leave them at different points; they have one under way at most. */
const imports = {
  teil: randomUUID(),
  abschliessen: randomUUID(),
  anwenden: randomUUID(),
  verwerfen: randomUUID(),
};

/** … as rows of theirs. */
const beginImports = () =>
  service.sql(
    `INSERT INTO importe (mandant_id, import_id, status, datei, groesse, schluessel_id, zeitzone, aufrufe, angelegt_am)
     SELECT $1, id, CASE WHEN id = $3 THEN 'bereit' ELSE 'liest' END, 'a.csv', 1, $1, 'UTC', 1, now() FROM unnest($2::uuid[]) AS id`,
    [theirs.account.mandantId, Object.values(imports), imports.anwenden],
  );

/** The path with an id; a part of something is its first. */
const pathTo = ({ path }: Operation, id: string) => path.replace(/\{\w+\}/, id).replace('{nr}', '1');

/** What they have, row by row. */
async function stateOf({ account }: Tenant): Promise<Record<string, unknown>> {
  const tables = [
    'agenten',
    'anbieter_rechnungen',
    'ansichten',
    'antraege',
    'bericht_abos',
    'bericht_versendungen',
    'befunde',
    'budgets',
    'vorfaelle',
    'alarm_zustellungen',
    'benutzer',
    'eingriffe',
    'einladungen',
    'endkunden',
    'abrechnungszeilen',
    'projekte',
    'importe',
    'import_teile',
    'neubepreisungen',
    'neubepreisung_zeilen',
    'preisbuecher',
    'pruefprotokoll',
    'regeln',
    'rueckblicke',
    'schluessel',
    'sitzungen',
    'sso_domains',
  ];
  const entries = tables.map(async (table) => {
    const rows = await service.sql(
      `SELECT to_jsonb(t) AS row FROM ${table} t WHERE mandant_id = $1 ORDER BY t::text`,
      [account.mandantId],
    );
    expect(rows.length, table).toBeGreaterThan(0);
    return [table, rows] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

test('no tool of an agent mentions what is theirs', async () => {
  const inputs: Record<string, object> = {
    ausgaben: { gruppe: 'modell' },
    spielraum: { agent: 'agent-die', endkunde_ref: 'kunde-die', lauf_id: theirs.run },
    lauf: { lauf_id: theirs.run },
    verschwendung: {},
    eingriffe: {},
    antraege: {},
    antrag_stellen: { eingriff_id: theirs.interventionId, begruendung: 'gekapert' },
  };
  const before = await stateOf(theirs);
  for (const { name } of contracts.MCP_WERKZEUGE) {
    const answer = await service.app.inject({
      method: 'POST',
      url: contracts.mcpNachricht.path,
      headers: headersOf(contracts.mcpNachricht, ours),
      payload: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: inputs[name] },
      },
    });
    expect(answer.statusCode, name).toBe(200);
    for (const canary of [
      theirs.run,
      theirs.interventionId,
      theirs.requestId,
      theirs.ruleId,
      'modell-die',
      'Grund die',
    ])
      expect(answer.body, name).not.toContain(canary);
  }
  expect(await stateOf(theirs)).toEqual(before);
});

test('a foreign id is answered like one that does not exist, and nothing happens to its object', async () => {
  const taking = registered().filter(({ path }) => path.includes('{'));
  expect(taking.map(({ id }) => id).sort()).toEqual(Object.keys(OBJECTS).sort());
  await beginImports();
  const before = await stateOf(theirs);
  for (const operation of taking) {
    const [id, payload] = OBJECTS[operation.id] as (typeof OBJECTS)[string];
    const nobodys = operation.path.includes('{fassung}') ? '1' : randomUUID();
    const unknown = await call(operation, pathTo(operation, nobodys), ours, payload);
    expect(unknown.status, operation.id).toBe(404);
    expect(await call(operation, pathTo(operation, id()), ours, payload), operation.id).toEqual(unknown);
  }
  expect(await stateOf(theirs)).toEqual(before);
  // The same id in the hands of its owner; what takes something away comes last, since others may need it.
  const removes = ({ method }: Operation) => Number(method === 'DELETE');
  for (const operation of taking.toSorted((one, other) => removes(one) - removes(other))) {
    const [id, payload] = OBJECTS[operation.id] as (typeof OBJECTS)[string];
    if (NOT_FOR_OWNERS.includes(operation.id)) continue;
    const query = CONFIRMED.includes(operation.id) ? '?bestaetigt=true' : '';
    const answer = await call(operation, `${pathTo(operation, id())}${query}`, theirs, payload);
    expect(answer.status, operation.id).toBe(200);
  }
});

test('no list and no sum mentions what is theirs', async () => {
  const canaries = [
    theirs.run,
    theirs.alarmId,
    theirs.zustellungId,
    theirs.agentId,
    theirs.key.schluesselId,
    theirs.account.mandantId,
    theirs.account.email,
    theirs.colleagueId,
    theirs.invitationId,
    theirs.ruleId,
    theirs.lookBackId,
    theirs.findingId,
    theirs.incidentId,
    theirs.interventionId,
    theirs.requestId,
    theirs.viewId,
    'Ansicht die',
    theirs.sessionId,
    theirs.entryId,
    theirs.ruleId,
    theirs.projektId,
    domainOf('die'),
    ...[
      'kunde-die',
      'modell-die',
      'kunde_die',
      'anbieter-die',
      'haken-die',
      'alarm-die',
      'titel-die',
      'neu-die',
      'wer-die',
    ],
  ];
  const reading = registered().filter(
    ({ method, path, access }) => method === 'GET' && !path.includes('{') && access.kind !== 'public',
  );
  expect(reading.length).toBeGreaterThan(14);
  const queries = [
    '',
    `?agent_id=${theirs.agentId}`,
    `?mandant_id=${theirs.account.mandantId}`,
    `?nach=${Buffer.from(JSON.stringify(['pruefprotokoll', theirs.entryId])).toString('base64url')}`,
  ];
  for (const operation of reading) {
    for (const query of queries) {
      const text = await textOf(operation, operation.path + query);
      for (const canary of canaries) expect(text, `${operation.id}${query}`).not.toContain(canary);
    }
  }
  const runs = await call(contracts.cockpitLaeufe, `/v1/cockpit/laeufe?agent_id=${theirs.agentId}`, ours);
  expect(JSON.parse(runs.body)).toEqual({ laeufe: [], weiter: null });
});

/** What we read, in whatever form it comes. */
async function textOf(operation: Operation, url: string): Promise<string> {
  const answer = await service.app.inject({ method: 'GET', url, headers: headersOf(operation, ours) });
  if (answer.headers['content-type'] !== 'application/zip') return answer.body;
  return [...(await unzip(answer.rawPayload)).values()].join('\n');
}

test('naming a Mandant in a batch changes nothing', async () => {
  const before = await service.sql('SELECT count(*)::int AS n FROM eingang WHERE mandant_id = $1', [
    theirs.account.mandantId,
  ]);
  const foreign = { mandant_id: theirs.account.mandantId };
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${ours.key.secret}`, 'x-mandant': theirs.account.mandantId },
    payload: { ...foreign, ereignisse: [{ ...foreign, agent: 'wir', zusatz: foreign }] },
  });
  expect(answer.statusCode).toBe(202);
  const after = await service.sql('SELECT count(*)::int AS n FROM eingang WHERE mandant_id = $1', [
    theirs.account.mandantId,
  ]);
  expect(after).toEqual(before);
});
