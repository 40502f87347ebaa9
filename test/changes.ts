/** A request that succeeds, for every operation that changes something. */
import { randomUUID } from 'node:crypto';
import { stopLinks } from '#domains/postausgang/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { type Account, addUser, createKey, openSession, PASSWORT, registerAccount } from './account.ts';
import { SHA256 } from './imports.ts';
import type { PaymentProvider } from './payment-provider.ts';
import { putAlarm } from './put-alarm.ts';
import { codeFor, enableSecondFactor, secondFactorRequest } from './second-factor.ts';
import type { TestService } from './service.ts';

export interface World {
  service: TestService;
  payment: PaymentProvider;
  /** A Mandant of its own, with its inhaber. */
  account: Account;
}

/** What is sent; the inhaber's cookie goes along unless headers say otherwise. */
export interface Sent {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: object | string;
  headers?: Record<string, string>;
}

const post = async ({ service, account }: World, url: string, payload?: object) => {
  const headers = { cookie: account.cookie };
  const answer = await service.app.inject({ method: 'POST', url, headers, ...(payload ? { payload } : {}) });
  if (answer.statusCode >= 300) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`);
  return answer.json();
};
const receiptToken = ({ service, account }: World) =>
  tokenIn(stopLinks(service.context, mandantId(account.mandantId), 'abrechnung', newEmail()).klick);
const newEmail = () => `${randomUUID()}@example.org`;
const tokenIn = (link: string) => new URL(link).searchParams.get('token') as string;
const invite = (world: World) => post(world, '/v1/cockpit/benutzer/einladen', { email: newEmail() });
const newRule = async (world: World): Promise<string> =>
  (await post(world, '/v1/cockpit/regeln', { typ: 'lauf_deckel' })).regel_id;
const forgetProof = ({ service, account }: World) =>
  service.sql('UPDATE benutzer SET email_bestaetigt_am = NULL WHERE benutzer_id = $1', [account.benutzerId]);
const view = { name: 'Montagsrunde', pfad: '/aufschluesselung', suche: 'zeitraum=30tage' };
const keepView = (world: World) => post(world, '/v1/cockpit/ansichten', view);
const haveAllFunctions = ({ service, account }: World) =>
  service.sql(`UPDATE mandanten SET paket = 'team', paket_quelle = 'buchung' WHERE mandant_id = $1`, [
    account.mandantId,
  ]);
const putSso = async (world: World) => {
  await haveAllFunctions(world);
  const { service, account } = world;
  return service.app.inject({
    method: 'PUT',
    url: '/v1/cockpit/mandant/sso',
    headers: { cookie: account.cookie },
    payload: SSO,
  });
};

const makeOperator = ({ service, account }: World) =>
  service.sql('INSERT INTO betreiber (mandant_id, benutzer_id) VALUES ($1, $2)', [
    account.mandantId,
    account.benutzerId,
  ]);

const prepareRepricing = (world: World) =>
  post(world, '/v1/cockpit/preise/neubepreisungen', { von: '2026-11-01' });

/** An import that is being read; resolves with its id. */
async function beginImport(world: World): Promise<string> {
  const { schluesselId } = await createKey(world.service, world.account);
  const body = { datei: 'a.csv', groesse: 1, schluessel_id: schluesselId };
  return (await post(world, '/v1/cockpit/importe', body)).import_id;
}

/** … that is at another point, with a call. */
async function importAt(world: World, status: string): Promise<string> {
  const id = await beginImport(world);
  await world.service.sql('UPDATE importe SET status = $2, aufrufe = 1 WHERE import_id = $1', [id, status]);
  return id;
}

const invoice = { monat: '2026-01', anbieter: 'openai', betrag: '412.18' };

const newCustomer = async (world: World, referenz: string): Promise<string> =>
  (await post(world, '/v1/cockpit/endkunden', { referenz })).endkunde_id;

const bookEdition = async ({ service, account }: World): Promise<number> => {
  const headers = { cookie: account.cookie };
  return (await service.app.inject({ url: '/v1/cockpit/preise', headers })).json().fassung;
};

/** A new agent of the account; resolves with its id. */
async function addAgent({ service, account }: World): Promise<string> {
  const agent_id = randomUUID();
  await service.sql(
    `INSERT INTO agenten (mandant_id, agent_id, schluessel, name, projekt) VALUES ($1, $2, 'a', 'a', 'standard')`,
    [account.mandantId, agent_id],
  );
  return agent_id;
}

/** A finding of the account, and its incident. */
async function addFinding({ service, account }: World) {
  const ids = { befund_id: randomUUID(), vorfall_id: randomUUID() };
  await service.sql(
    `INSERT INTO vorfaelle (mandant_id, vorfall_id, objekt_art, objekt, befunde, stufe, schatten, beginn, letzter_befund_am)
     VALUES ($1, $2, 'agent', 'a', 1, 'warnen', false, now(), now())`,
    [account.mandantId, ids.vorfall_id],
  );
  await service.sql(
    `INSERT INTO befunde (mandant_id, befund_id, schluessel, typ, objekt_art, objekt, agent, fenster_beginn, stufe, schatten,
       werte, vorfall_id, erkannt_am, geaendert_am)
     VALUES ($1, $2, $2::uuid::text, 'stille', 'agent', 'a', 'a', now(), 'warnen', false, $4, $3, now(), now())`,
    [
      account.mandantId,
      ids.befund_id,
      ids.vorfall_id,
      JSON.stringify({ letzter_aufruf: '2026-11-01T00:00:00Z', tage: 7 }),
    ],
  );
  return ids;
}

const SSO = {
  issuer: 'https://anbieter.example.org',
  client_id: 'client',
  client_secret: 'kanarienvogel-client',
  domains: ['firma.example.org'],
};
const JSON_TYPE = { 'content-type': 'application/json' };

/** What the operation changes is data that was sent, or nothing of the account: no entry. Each with the reason. */
export const WITHOUT_ENTRY: Record<string, string> = {
  'betreiber.kurse_einlesen': 'stands in the operator log: tested beside its route',
  'detektoren.pruefen': 'looks at everybody; what is found says so itself',
  'detektoren.rueckblick_entfernen': 'a question that is over',
  'detektoren.rueckblick_entwurf': 'asks what would have been',
  'detektoren.rueckblick_regel': 'asks what would have been',
  'ereignisse.annehmen': 'what is counted is no change of the account',
  'importe.teil': 'what was read of a file is in the entry of its end',
  'lizenzen.entsperren': 'stands in the operator log: tested beside its route',
  'lizenzen.erzeugen': 'stands in the operator log: tested beside its route',
  'lizenzen.sperren': 'stands in the operator log: tested beside its route',
  'mcp.nachricht': 'its tools read, but for the one that is tested in `antraege`',
  'otlp.langfuse': 'what is counted is no change of the account',
  'otlp.langsmith': 'what is counted is no change of the account',
  'otlp.messwerte': 'what is counted is no change of the account',
  'otlp.messwerte_kurz': 'what is counted is no change of the account',
  'otlp.openai_agents': 'what is counted is no change of the account',
  'otlp.protokolle': 'what is counted is no change of the account',
  'otlp.protokolle_kurz': 'what is counted is no change of the account',
  'otlp.spans': 'what is counted is no change of the account',
  'otlp.spans_kurz': 'what is counted is no change of the account',
  'preise.nachschlagen': 'only looks up',
  'reservierungen.anlegen': 'money that is set aside for a minute',
  'abgleich.nutzung_vergleichen': 'only compares',
  'budgets.pruefen': 'changes nothing of the account',
  'buchung.portal': 'only leads to the payment provider',
  'zugang.abmelden': 'ends nothing but the session that asks',
  'sso.domain_pruefen': 'needs a name server: tested beside its route',
};

export const CHANGES: Record<string, (world: World) => Promise<Sent>> = {
  async 'abgleich.rechnung_aendern'(world) {
    const { rechnung_id } = await post(world, '/v1/cockpit/abgleich/rechnungen', invoice);
    return { params: { rechnung_id }, body: { ...invoice, betrag: '9' } };
  },
  async 'abgleich.rechnung_entfernen'(world) {
    return {
      params: { rechnung_id: (await post(world, '/v1/cockpit/abgleich/rechnungen', invoice)).rechnung_id },
    };
  },
  'abgleich.rechnung_erfassen': async () => ({ body: invoice }),
  'alarme.einstellungen_setzen': async () => ({
    body: { sprache: 'en', ruhestunden: { von: '22:00', bis: '07:00', tage: [1, 2] }, sammeln: 'taeglich' },
  }),
  'alarme.geheimnis_erneuern': async () => ({}),
  async 'alarme.probe'({ service, account }) {
    await service.app.inject({
      method: 'PUT',
      url: '/v1/cockpit/mandant/alarme',
      headers: { cookie: account.cookie },
      payload: { email: [newEmail()] },
    });
    return { body: { kanal: 'email' } };
  },
  async 'alarme.zustellung_wiederholen'({ service, account }) {
    const { zustellungId } = await putAlarm(service.sql, account.mandantId);
    return { params: { zustellung_id: zustellungId } };
  },
  'export.alles': async () => ({}),
  'weiterbelastung.abrechnungen_zip': async () => ({}),
  'weiterbelastung.ausgeben': async () => ({}),
  'weiterbelastung.focus': async () => ({}),
  async 'weiterbelastung.abrechnung_pdf'(world) {
    await newCustomer(world, 'k-7');
    return { params: { endkunde_ref: 'k-7' } };
  },
  'berichte.abo_setzen': async () => ({ body: { wochenbericht: true } }),
  'ansichten.anlegen': async () => ({ body: view }),
  async 'ansichten.aendern'(world) {
    return { params: { ansicht_id: (await keepView(world)).ansicht_id }, body: { name: 'Dienstagsrunde' } };
  },
  async 'ansichten.entfernen'(world) {
    return { params: { ansicht_id: (await keepView(world)).ansicht_id } };
  },
  async 'betreiber.mandant_aendern'(world) {
    await makeOperator(world);
    return { params: { mandant_id: world.account.mandantId }, body: { paket: 'team', betreiber_notiz: 'x' } };
  },
  'buchung.buchen': async () => ({ body: { paket: 'team' } }),
  async 'buchung.zahlung_empfangen'(world) {
    await post(world, '/v1/cockpit/konto/buchen', { paket: 'team' });
    const [row] = await world.service.sql<{ kunde: string }>(
      'SELECT kunde FROM buchungen WHERE mandant_id = $1',
      [world.account.mandantId],
    );
    const subscription = world.payment.put({ customer: row?.kunde as string });
    const { payload, headers } = world.payment.callback('customer.subscription.created', subscription);
    return { body: payload, headers };
  },
  'budgets.agent_setzen': async (world) => ({
    params: { agent_id: await addAgent(world) },
    body: { betrag_eur: '250' },
  }),
  async 'budgets.projekt_setzen'({ service, account }) {
    const [project] = await service.sql<{ projekt_id: string }>(
      `INSERT INTO projekte (mandant_id, schluessel, name) VALUES ($1, 'p', 'p') RETURNING projekt_id`,
      [account.mandantId],
    );
    return { params: { projekt_id: project?.projekt_id as string }, body: { betrag_eur: 1000 } };
  },
  // Each amount is a change of a rule besides: tested beside its route.
  'regeln.geldgrenzen_setzen': async () => ({ body: {} }),
  'budgets.setzen': async () => ({
    body: { objekt_art: 'funktion', objekt: 'angebot', betrag_eur: '50', bei_erreichen: 'sperren' },
  }),
  'katalog.agent_aendern': async (world) => ({
    params: { agent_id: await addAgent(world) },
    body: { name: 'anders', projekt: 'anderes' },
  }),
  async 'befunde.status_setzen'(world) {
    const { befund_id } = await addFinding(world);
    return { params: { befund_id } };
  },
  async 'befunde.vorfall_schliessen'(world) {
    const { vorfall_id } = await addFinding(world);
    return { params: { vorfall_id } };
  },
  'katalog.agent_schutz': async (world) => ({
    params: { agent_id: await addAgent(world) },
    body: { standard_eingriffsstufe: 'warnen' },
  }),
  'eingriffe.anlegen': async (world) => ({ body: { agent_id: await addAgent(world), stufe: 'sperren' } }),
  async 'eingriffe.aufheben'(world) {
    const agent_id = await addAgent(world);
    const { eingriff_id } = await post(world, '/v1/cockpit/eingriffe', { agent_id, stufe: 'sperren' });
    return { params: { eingriff_id } };
  },
  async 'antraege.entscheiden'(world) {
    const antrag_id = randomUUID();
    await world.service.sql(
      `INSERT INTO antraege (mandant_id, antrag_id, schluessel_id, art, objekt_art, objekt, bezeichnung, begruendung, status, angelegt_am)
       VALUES ($1, $2, gen_random_uuid(), 'regel', '', gen_random_uuid()::text, 'Tag', 'x', 'offen', now())`,
      [world.account.mandantId, antrag_id],
    );
    return { params: { antrag_id }, body: { gewaehrt: false } };
  },
  'regeln.anlegen': async () => ({ body: { typ: 'kosten_grenze', schwelle: 50 } }),
  async 'regeln.aendern'(world) {
    return { params: { regel_id: await newRule(world) }, body: { schwelle: '75' } };
  },
  async 'regeln.entfernen'(world) {
    return { params: { regel_id: await newRule(world) } };
  },
  'kuendigung.kuendigen': async () => ({ body: { passwort: PASSWORT, bestaetigung: 'ja' } }),
  async 'kuendigung.zuruecknehmen'(world) {
    const { service, account } = world;
    const gone = await registerAccount(service);
    await makeOperator(world);
    await service.sql(
      `UPDATE mandanten SET status = 'gekündigt', gekuendigt_am = now() WHERE mandant_id = $1`,
      [gone.mandantId],
    );
    // What is looked at afterwards is the one that was cancelled.
    world.account = { ...gone, cookie: account.cookie };
    return { params: { mandant_id: gone.mandantId } };
  },
  async 'importe.anlegen'(world) {
    const { schluesselId } = await createKey(world.service, world.account);
    return { body: { datei: 'a.csv', groesse: 1, schluessel_id: schluesselId } };
  },
  async 'importe.abschliessen'(world) {
    const body = { dienst: 'LiteLLM', sha256: SHA256, zeilen: 1, ausgelassen: [] };
    return { params: { import_id: await beginImport(world) }, body };
  },
  async 'importe.anwenden'(world) {
    return { params: { import_id: await importAt(world, 'bereit') } };
  },
  async 'importe.verwerfen'(world) {
    return { params: { import_id: await beginImport(world) } };
  },
  async 'importe.zuruecknehmen'(world) {
    const import_id = await importAt(world, 'fertig');
    await world.service.sql(
      'INSERT INTO import_aufrufe (mandant_id, ereignis_id, import_id, zeitpunkt) VALUES ($1, $2, $2, now())',
      [world.account.mandantId, import_id],
    );
    return { params: { import_id } };
  },
  'neubepreisung.anlegen': async () => ({ body: { von: '2026-11-01' } }),
  async 'neubepreisung.anwenden'(world) {
    const { neubepreisung_id } = await prepareRepricing(world);
    await world.service.sql("UPDATE neubepreisungen SET status = 'bereit' WHERE neubepreisung_id = $1", [
      neubepreisung_id,
    ]);
    return { params: { neubepreisung_id } };
  },
  async 'neubepreisung.abbrechen'(world) {
    const { neubepreisung_id } = await prepareRepricing(world);
    return { params: { neubepreisung_id } };
  },
  'weiterbelastung.buchhaltung_setzen': async () => ({ body: { beraternummer: 29098 } }),
  async 'weiterbelastung.endkunde_aendern'(world) {
    return { params: { endkunde_id: await newCustomer(world, 'k-1') }, body: { aufschlag_prozent: '15' } };
  },
  'weiterbelastung.endkunde_anlegen': async () => ({ body: { referenz: 'k-2', aufschlag_prozent: 12.5 } }),
  async 'weiterbelastung.endkunde_entfernen'(world) {
    return { params: { endkunde_id: await newCustomer(world, 'k-3') } };
  },
  async 'weiterbelastung.endkunde_zusammenfuehren'(world) {
    const [endkunde_id, ziel_id] = [await newCustomer(world, 'k-4'), await newCustomer(world, 'k-5')];
    return { params: { endkunde_id }, body: { ziel_id } };
  },
  'weiterbelastung.endkunden_einlesen': async () => ({ body: { csv: 'Referenz;Name\r\nk-6;Sechs\r\n' } }),
  async 'weiterbelastung.abrechnungen_versenden'(world) {
    await post(world, '/v1/cockpit/abrechnung/abschliessen', { monat: '2026-01' });
    return { body: { monat: '2026-01' } };
  },
  'weiterbelastung.monat_abschliessen': async () => ({ body: { monat: '2026-01' } }),
  async 'weiterbelastung.buchung_berichtigen'(world) {
    const monat = '2026-01';
    await post(world, '/v1/cockpit/abrechnung/abschliessen', { monat });
    // As a former release leaves it.
    await world.service.sql('UPDATE abrechnungsmonate SET buchhaltung = NULL WHERE mandant_id = $1', [
      world.account.mandantId,
    ]);
    return { body: { monat, einstellungen: true } };
  },
  'preise.einlesen': async (world) => ({
    body: { fassung: await bookEdition(world), csv: 'modell;aufruf\r\neigenes;0,01\r\n' },
  }),
  'preise.setzen': async (world) => ({
    body: {
      fassung: await bookEdition(world),
      preise: [{ modell: 'eigenes', saetze: { eingabe: 1, ausgabe: '2.5' } }],
      rabatte: [{ anbieter: 'openai', prozent: 10 }],
    },
  }),
  'mandant.zuordnung_setzen': async () => ({
    body: {
      endkunde_namen: ['kundennummer'],
      funktion_namen: [],
      projekt_namen: [],
      merkmale: ['team'],
      abo_weiterbelasten: true,
    },
  }),
  'mandant.kurse_setzen': async () => ({ body: { ersatzkurs_ersetzen: true } }),
  'mandant.alarme_setzen': async () => ({
    body: { email: ['alarm@example.org'], webhook_url: 'https://haken.example.org/kanarienvogel-haken' },
  }),
  async 'mandant.alarmempfaenger_fragen'(world) {
    const headers = { cookie: world.account.cookie };
    const payload = { email: ['alarm@example.org'] };
    await world.service.app.inject({ method: 'PUT', url: '/v1/cockpit/mandant/alarme', headers, payload });
    return { body: { email: 'alarm@example.org' } };
  },
  'postausgang.abmelden': async (world) => ({ query: { token: receiptToken(world) }, headers: {} }),
  'postausgang.empfang_setzen': async (world) => ({
    body: { token: receiptToken(world), empfangen: false },
    headers: {},
  }),
  'mandant.avv_akzeptieren': async () => ({}),
  async 'mandant.branding_setzen'(world) {
    await haveAllFunctions(world);
    return { body: { name: 'Muster', farbe: '#112233' } };
  },
  async 'sso.entfernen'(world) {
    await putSso(world);
    return {};
  },
  async 'sso.setzen'(world) {
    await haveAllFunctions(world);
    return { body: SSO };
  },
  async 'zugang.andere_sitzungen_beenden'({ service, account }) {
    await openSession(service, account);
    return {};
  },
  'zugang.anmelden': async ({ account }) => ({
    body: { email: account.email, passwort: PASSWORT },
    headers: {},
  }),
  async 'benutzer.aendern'({ service, account }) {
    const { benutzerId } = await addUser(service, account, 'betrachter');
    return { params: { benutzer_id: benutzerId }, body: { rolle: 'bearbeiter', name: 'Anna' } };
  },
  'benutzer.einladen': async () => ({ body: { email: newEmail(), rolle: 'verwalter' } }),
  async 'benutzer.entfernen'({ service, account }) {
    return { params: { benutzer_id: (await addUser(service, account, 'betrachter')).benutzerId } };
  },
  async 'benutzer.einladung_annehmen'(world) {
    const { link } = await invite(world);
    return { body: { token: tokenIn(link), name: 'Anna', passwort: PASSWORT }, headers: {} };
  },
  async 'benutzer.einladung_zurueckziehen'(world) {
    return { params: { einladung_id: (await invite(world)).einladung_id } };
  },
  async 'zugang.email_bestaetigen'(world) {
    await forgetProof(world);
    const { link } = await post(world, '/v1/email/bestaetigung');
    return { body: { token: tokenIn(link) } };
  },
  async 'zugang.email_bestaetigung_senden'(world) {
    await forgetProof(world);
    return {};
  },
  'zugang.profil_aendern': async () => ({ body: { name: 'Anna', sprache: 'en', zeitzone: 'Europe/Vienna' } }),
  'zugang.passwort_aendern': async () => ({ body: { alt: PASSWORT, neu: 'kanarienvogel-neu' } }),
  async 'zugang.passwort_neu'(world) {
    const { link } = await post(world, '/v1/passwort/vergessen', { email: world.account.email });
    return { body: { token: tokenIn(link), passwort: 'kanarienvogel-neu' }, headers: {} };
  },
  'zugang.passwort_vergessen': async ({ account }) => ({ body: { email: account.email }, headers: {} }),
  'zugang.registrieren': async () => ({
    body: { firma: 'Neu GmbH', email: newEmail(), passwort: PASSWORT },
    headers: {},
  }),
  async 'schluessel.aendern'({ service, account }) {
    const { schluesselId } = await createKey(service, account);
    return { params: { schluessel_id: schluesselId }, body: { anfragen_je_minute: 60 } };
  },
  'schluessel.anlegen': async () => ({ body: { name: 'neu' } }),
  async 'schluessel.sperren'({ service, account }) {
    return { params: { schluessel_id: (await createKey(service, account)).schluesselId } };
  },
  async 'zugang.sitzung_beenden'({ service, account }) {
    await openSession(service, account);
    const { cookie } = account;
    const { sitzungen } = (
      await service.app.inject({ url: '/v1/cockpit/sitzungen', headers: { cookie } })
    ).json();
    const other = sitzungen.find(({ diese }: { diese: boolean }) => !diese);
    return { params: { sitzung_id: other.sitzung_id } };
  },
  async 'zugang.zweiter_faktor_bestaetigen'({ service, account }) {
    const answer = await secondFactorRequest(service, account.cookie, '/einrichten');
    return { body: { code: codeFor(answer.json().geheimnis, service.clock.now()) } };
  },
  'zugang.zweiter_faktor_einrichten': async () => ({}),
  async 'zugang.zweiter_faktor_entfernen'({ service, account }) {
    const { codes } = await enableSecondFactor(service, account);
    return { body: { passwort: PASSWORT, code: codes[0] } };
  },
};

/** Makes the request. */
export function perform(
  { service, account }: World,
  operation: { method: 'GET' | 'POST' | 'PUT' | 'DELETE'; path: string },
  { params = {}, query = {}, body, headers = { cookie: account.cookie } }: Sent,
) {
  return service.app.inject({
    method: operation.method,
    url: operation.path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? `{${name}}`),
    query,
    headers: { ...(body === undefined ? {} : JSON_TYPE), ...headers },
    ...(body === undefined ? {} : { payload: body }),
  });
}
