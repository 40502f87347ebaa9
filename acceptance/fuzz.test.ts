/** Whatever is sent, every operation answers as `/openapi.json` describes it, and never with a 5xx; all read from there. */
import { METHODS } from 'node:http';
import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, addUser, createKey, openSession, PASSWORT, registerAccount } from '#test/account.ts';
import { type ArbitraryRequest, arbitraryRequest, type Pool } from '#test/arbitrary-requests.ts';
import { isWhole } from '#test/depth.ts';
import { type DescribedOperation, type Description, readDescription } from '#test/described.ts';
import { fuzzRuns } from '#test/fuzz.ts';
import { declared } from '#test/operations.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

const SEED = 20_261_122;
const RUNS = 100;
/** Requests for each operation, by the seed they begin with; the next ones are for those that chance has not brought past the door by then. */
const TRIES: readonly [seed: number, runs: number][] = isWhole
  ? [[SEED, fuzzRuns(RUNS)]]
  : [
      [SEED, fuzzRuns(RUNS)],
      [SEED + 1, 3 * fuzzRuns(RUNS)],
      [SEED, RUNS],
    ];

/** A Mandant of its own for each operation that changes something: what one does to it is nobody else's matter. */
interface Actor {
  account: Account;
  secret: string;
  pool: Pool;
}

let service: TestService;
let description: Description;
const actors = new Map<string, Actor>();
beforeAll(async () => {
  service = await startService();
  description = readDescription((await service.app.inject('/openapi.json')).json());
  const reader = await createActor();
  for (const { operationId, method } of description.operations)
    actors.set(operationId, method === 'GET' ? { ...reader } : await createActor());
  await countAll(service);
  const [first] = actors.values();
  await findSources(first as Actor);
  for (const operation of description.operations)
    await learn(actors.get(operation.operationId) as Actor, operation);
});
afterAll(() => service?.stop());

const ask = (options: InjectOptions) => service.app.inject(options);
const sessionOf = ({ account }: Actor) => ({ cookie: account.cookie });
const keyOf = ({ secret }: Actor) => ({ authorization: `Bearer ${secret}` });

const proofOf = (operation: DescribedOperation, actor: Actor): Record<string, string> => {
  if (operation.security.length === 0) return {};
  return operation.security.includes('Sitzung') ? sessionOf(actor) : keyOf(actor);
};

/** Collects the values that stand under names of parameters, wherever in an answer. */
function collect(value: unknown, names: ReadonlySet<string>, found: Map<string, string[]>): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (names.has(name) && typeof inner === 'string') found.set(name, [...(found.get(name) ?? []), inner]);
    collect(inner, names, found);
  }
}

/** Lists that can be asked without knowing anything. */
const listsOf = () =>
  description.operations.filter(
    ({ method, path, parameters, security }) =>
      method === 'GET' &&
      security.length > 0 &&
      !path.endsWith('.zip') &&
      !parameters.some(({ required }) => required),
  );

/** The lists in which values of the names stand, by name: all actors have the same things. */
const sources = new Map<string, DescribedOperation[]>();

async function findSources(actor: Actor): Promise<void> {
  const names = new Set(description.operations.flatMap(namesOf));
  for (const operation of listsOf())
    for (const name of (await valuesIn(operation, actor, names)).keys())
      sources.set(name, [...(sources.get(name) ?? []), operation]);
}

const namesOf = ({ parameters }: DescribedOperation) =>
  parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);

async function valuesIn(operation: DescribedOperation, actor: Actor, names: ReadonlySet<string>) {
  const found = new Map<string, string[]>();
  const answer = await ask({ url: operation.path, headers: proofOf(operation, actor) });
  if (String(answer.headers['content-type']).startsWith('application/json'))
    collect(answer.json(), names, found);
  return found;
}

/** Real ids of what the operation names, from the lists they stand in. */
async function poolOf(operation: DescribedOperation, actor: Actor): Promise<Pool> {
  const names = new Set(namesOf(operation));
  const lists = new Set([...names].flatMap((name) => sources.get(name) ?? []));
  const found = new Map<string, string[]>();
  for (const list of lists)
    for (const [name, values] of await valuesIn(list, actor, names))
      found.set(name, [...(found.get(name) ?? []), ...values]);
  return found;
}

/** A finding about an agent, its incident and what was done about it. */
async function find({ mandantId }: Account): Promise<void> {
  await service.sql(
    `WITH agent AS (
       INSERT INTO agenten (mandant_id, schluessel, name, projekt) VALUES ($1, 'a', 'a', 'p') ON CONFLICT DO NOTHING),
     vorfall AS (
       INSERT INTO vorfaelle (mandant_id, vorfall_id, objekt_art, objekt, befunde, stufe, schatten, beginn, letzter_befund_am)
       VALUES ($1, gen_random_uuid(), 'agent', 'a', 1, 'sperren', false, now(), now()) RETURNING vorfall_id),
     befund AS (
       INSERT INTO befunde (mandant_id, befund_id, schluessel, typ, objekt_art, objekt, agent, fenster_beginn, stufe, schatten, werte,
         vorfall_id, erkannt_am, geaendert_am)
       SELECT $1, gen_random_uuid(), 'a', 'stille', 'agent', 'a', 'a', now(), 'sperren', false, $2, vorfall_id, now(), now()
       FROM vorfall RETURNING befund_id)
     INSERT INTO eingriffe (mandant_id, eingriff_id, stufe, objekt_art, objekt, agent, schatten, befund_id, grund_de, grund_en, beginn)
     SELECT $1, gen_random_uuid(), 'sperren', 'agent', 'a', 'a', false, befund_id, 'Stille.', 'Silence.', now() FROM befund`,
    [mandantId, JSON.stringify({ letzter_aufruf: '2026-11-01T00:00:00Z', tage: 7 })],
  );
  // More than are decided.
  await service.sql(
    `INSERT INTO antraege (mandant_id, antrag_id, schluessel_id, art, objekt_art, objekt, bezeichnung, begruendung, status, angelegt_am)
     SELECT $1, gen_random_uuid(), schluessel_id, 'eingriff', '', gen_random_uuid()::text, 'a', 'x', 'offen', now()
     FROM schluessel CROSS JOIN generate_series(1, 40) WHERE mandant_id = $1`,
    [mandantId],
  );
}

/** A Mandant with a colleague, an invitation, a saved view, another session, a key, a rule, a finding, an intervention and a call. */
async function createActor(): Promise<Actor> {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  await addUser(service, account, 'betrachter');
  await service.sql('INSERT INTO betreiber (mandant_id, benutzer_id) VALUES ($1, $2)', [
    account.mandantId,
    account.benutzerId,
  ]);
  await openSession(service, account);
  await ask({
    method: 'POST',
    url: '/v1/cockpit/benutzer/einladen',
    headers: { cookie: account.cookie },
    payload: { email: `neu-${account.mandantId}@example.org`, rolle: 'betrachter' },
    remoteAddress: nextAddress(),
  });
  await ask({
    method: 'POST',
    url: '/v1/cockpit/regeln',
    headers: { cookie: account.cookie },
    payload: { typ: 'lauf_deckel' },
  });
  await ask({
    method: 'POST',
    url: '/v1/cockpit/abgleich/rechnungen',
    headers: { cookie: account.cookie },
    payload: { monat: new Date().toISOString().slice(0, 7), anbieter: 'openai', betrag: 1 },
  });
  await ask({
    method: 'POST',
    url: '/v1/cockpit/endkunden',
    headers: { cookie: account.cookie },
    payload: { referenz: 'kunde-4711' },
  });
  await ask({
    method: 'POST',
    url: '/v1/cockpit/ansichten',
    headers: { cookie: account.cookie },
    payload: { name: 'Montagsrunde', pfad: '/laeufe', suche: 'status=fehler' },
  });
  await ask({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: { ereignisse: [{ agent: 'a', lauf_id: account.mandantId, modell: 'gpt-4o', eingabe_token: 9 }] },
  });
  await find(account);
  return { account, secret, pool: new Map() };
}

/** What its user knows, and where the operation asks for an id, what there is. */
async function learn(actor: Actor, operation: DescribedOperation): Promise<void> {
  const known = { email: actor.account.email, passwort: PASSWORT, alt: PASSWORT };
  const own = await poolOf(operation, actor);
  actor.pool = new Map([...own, ...Object.entries(known).map(([name, value]) => [name, [value]] as const)]);
}

/** Proof that holds again: what an operation has ended (session, key, account) is begun anew. */
async function renew(actor: Actor): Promise<Actor> {
  const cookie = await openSession(service, actor.account);
  const session = await ask({ url: '/v1/ich', headers: { cookie } });
  if (session.statusCode !== 200) return { ...(await createActor()), pool: actor.pool };
  const account = { ...actor.account, cookie };
  return { ...actor, account, secret: (await createKey(service, account)).secret };
}

let sender = 0;
/** Each from another network: limits of one network are not what is looked at here. */
const nextAddress = () => {
  sender += 1;
  return `10.${(sender >> 16) & 255}.${(sender >> 8) & 255}.${sender & 255}`;
};

const send = (operation: DescribedOperation, actor: Actor, request: ArbitraryRequest) =>
  ask({
    method: operation.method as 'GET',
    url: request.url,
    headers: { ...(request.known ? proofOf(operation, actor) : {}), ...request.headers },
    remoteAddress: nextAddress(),
    ...(request.body === null ? {} : { payload: request.body }),
  });

/** Answers of the kit, given before an operation is found: nothing is there, or the address is broken. */
const isOfNoOperation = (status: number, body: string) =>
  [404, 405].includes(status) && /"code":"(pfad_unbekannt|methode_unbekannt)"/.test(body);

/** Sends what chance makes, and fails at the first answer that is not as described; the statuses there were. */
async function fuzz(operation: DescribedOperation): Promise<Map<number, number>> {
  let actor = actors.get(operation.operationId) as Actor;
  const statuses = new Map<number, number>();
  const property = fc.asyncProperty(arbitraryRequest(operation, description, actor.pool), async (request) => {
    const answer = await send(operation, actor, request);
    const { statusCode: status, headers, body } = answer;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    expect(status, body).toBeLessThan(500);
    const there = isOfNoOperation(status, body) ? null : operation;
    expect(
      description.faultOf(there, { status, headers, body }),
      `${status} ${body.slice(0, 300)}`,
    ).toBeNull();
    expect(headers['x-content-type-options']).toBe('nosniff');
    const isKept = operation.responses[304] !== undefined && [200, 304].includes(status);
    // What everybody may have without asking who it is, everybody may keep.
    const kept = operation.security.length === 0 ? 'public, max-age=3600' : 'private, no-cache';
    expect(headers['cache-control']).toBe(isKept ? kept : 'no-store');
    if (request.known && operation.security.length > 0 && status === 401) actor = await renew(actor);
  });
  for (const [seed, numRuns] of TRIES) {
    if (isPastDoor(operation.operationId, statuses)) break;
    await fc.assert(property, { seed, numRuns });
  }
  return statuses;
}

/** They succeed with what comes by mail, from an app or from another service only. */
const NEEDS_MORE = new Set([
  // A CSV is a text with a head.
  'abgleich.nutzung_vergleichen',
  'alarme.probe',
  'alarme.zustellung_wiederholen',
  'benutzer.einladung',
  'benutzer.einladung_annehmen',
  'buchung.buchen',
  'buchung.portal',
  'buchung.zahlung_empfangen',
  // A file of the bank, in Base64.
  'betreiber.kurse_einlesen',
  // Nobody has cancelled.
  'kuendigung.zuruecknehmen',
  // No list tells their ids.
  'detektoren.rueckblick',
  'detektoren.rueckblick_entfernen',
  // A month that is closed.
  'weiterbelastung.buchung_berichtigen',
  // One of two ids, not both.
  'eingriffe.anlegen',
  // Nobody waits to be asked, and without a mail server nobody can be.
  'mandant.alarmempfaenger_fragen',
  'mandant.branding_logo',
  // A key that is not blocked: whatever can be, was.
  'importe.anlegen',
  // One at a time is read, and goes with the next; one that is counted is made by a job.
  'importe.abschliessen',
  'importe.anwenden',
  'importe.einer',
  'importe.teil',
  'importe.verwerfen',
  'importe.zuruecknehmen',
  // Editions are told apart by number, and each is made once.
  'neubepreisung.abbrechen',
  'neubepreisung.anwenden',
  'neubepreisung.eine',
  // Their code comes with a mail.
  'postausgang.abmelden',
  'postausgang.empfang_lesen',
  'postausgang.empfang_setzen',
  'preise.fassung',
  'preise.setzen',
  'sso.domain_pruefen',
  'sso.start',
  'zugang.email_bestaetigen',
  'zugang.email_bestaetigung_senden',
  'zugang.passwort_neu',
  // Lists tell references under another name.
  'weiterbelastung.abrechnung',
  'weiterbelastung.abrechnung_pdf',
  // No month is closed.
  'weiterbelastung.abrechnungen_versenden',
  // A CSV is a text with a head.
  'weiterbelastung.endkunden_einlesen',
  'zugang.zweiter_faktor_bestaetigen',
  'zugang.zweiter_faktor_entfernen',
]);

/** Whether there were answers of several kinds, a success among them where chance can have one. */
const isPastDoor = (id: string, statuses: Map<number, number>) =>
  statuses.size > 1 && (NEEDS_MORE.has(id) || [...statuses.keys()].some((status) => status < 300));

describe('every operation answers as described', () => {
  // The names alone are taken from the contract: tests are told apart before the service has started.
  test.concurrent.each(declared.map(({ id }) => id))('%s', async (id) => {
    const operation = description.operations.find(({ operationId }) => operationId === id);
    const statuses = await fuzz(operation as DescribedOperation);
    expect(isPastDoor(id, statuses), `only ${[...statuses.keys()]}`).toBe(true);
  });
});

const USUAL_METHODS = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT', 'QUERY'];

test('every other method is refused in the form of the description', async () => {
  for (const { path } of description.operations) {
    const url = path.replace(/\{\w+\}/g, 'x');
    // A path that is written out is itself, though another one has a parameter in its place.
    const allowed = description.operations.filter((other) => other.path === path).map(({ method }) => method);
    for (const method of isWhole ? METHODS : USUAL_METHODS) {
      // CONNECT asks for a tunnel; HEAD is what GET is.
      if (['CONNECT', 'HEAD', ...allowed].includes(method)) continue;
      const { statusCode: status, headers, body } = await ask({ method: method as 'GET', url });
      expect(status, `${method} ${path}`).toBe(405);
      expect(headers.allow).toBe(allowed.join(', '));
      expect(description.faultOf(null, { status, headers, body })).toBeNull();
    }
  }
});
