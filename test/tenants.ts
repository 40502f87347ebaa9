/** Two Mandanten side by side, with something of both in every table. */
import { randomInt, randomUUID } from 'node:crypto';
import { DIMENSION_NAMES, FIGURE_NAMES } from '#contracts';
import { createPriceList } from '#domains/preise/index.ts';
import { HISTOGRAMS } from '#domains/verbrauch/index.ts';
import { FIGURES_OF_PAIRS } from '#domains/verbrauch/owner/take-over.ts';
import { createCountingWorker, einzelneAufsummierenJob } from '#domains/zaehlung/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import { hashOf } from '#platform/secret.ts';
import { type Account, addUser, createKey, type Key, openSession, registerAccount } from './account.ts';
import type { TestService } from './service.ts';

export interface Tenant {
  account: Account;
  key: Key;
  run: string;
  agentId: string;
  /** Another user, who may only read. */
  colleagueId: string;
  invitationId: string;
  ruleId: string;
  lookBackId: string;
  projektId: string;
  customerId: string;
  invoiceId: string;
  findingId: string;
  incidentId: string;
  interventionId: string;
  /** A view that the account's user keeps. */
  viewId: string;
  repricingId: string;
  /** The only edition of the account's price book, a number that nobody else has. */
  bookEdition: string;
  /** Another session of the account's user. */
  sessionId: string;
  alarmId: string;
  /** The delivery of that alarm. */
  zustellungId: string;
  /** The newest entry of the audit log. */
  entryId: string;
}

type People = Omit<Tenant, 'key' | 'run' | 'agentId' | 'projektId' | 'customerId' | 'sessionId' | 'entryId'>;

/** Hash of the secret that is for this purpose: `code`, `ruecksetzung`, `einladung`, `vorgang`, `browser`. */
export const hashFor = (purpose: string, name: string) => hashOf(`${purpose}-${name}`);
/** The proven mail domain of a Mandant. */
export const domainOf = (name: string) => `firma-${name}.example.org`;

async function send(service: TestService, key: Key, name: string, run: string): Promise<void> {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${key.secret}`, 'idempotency-key': run },
    payload: {
      ereignisse: [{ agent: name, lauf_id: run, endkunde_ref: `kunde-${name}`, modell: `modell-${name}` }],
    },
  });
  if (answer.statusCode !== 202) throw new Error(answer.body);
}

/** Counts what waits in the inbox of every Mandant. */
export async function countAll(service: TestService): Promise<void> {
  const { log } = service.context;
  const options = { connection: service.connection, max: 4, statementTimeout: 30_000, name: 'test' };
  const db = createOwnerDatabase(createPool(options, log));
  await createCountingWorker({ db, log, prices: createPriceList(), substituteRate: '1' }).drain();
  await db.close();
}

/** Adds up the calls that counting has kept one by one. */
export async function addUpSingles(service: TestService): Promise<void> {
  const { log } = service.context;
  const options = { connection: service.connection, max: 1, statementTimeout: 30_000, name: 'test' };
  const db = createOwnerDatabase(createPool(options, log));
  await einzelneAufsummierenJob({ owner: db, log: service.context.log }).run();
  await db.close();
}

/** First day of a month that the pages of months still show. */
const monthsAgo = (months: number) =>
  Temporal.Now.plainDateISO('UTC').with({ day: 1 }).subtract({ months }).toString();
const hex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`;

/** A rule, and what it has led to. */
function protectionOf(
  { ruleId, lookBackId, findingId, incidentId, interventionId }: People,
  name: string,
  now: string,
) {
  const agent = { objekt_art: 'agent', objekt: name };
  return {
    regeln: {
      regel_id: ruleId,
      name: `Regel ${name}`,
      typ: 'kosten_grenze',
      geltungsbereich: 'mandant',
      schwelle: 50,
      einheit: 'eur',
      stufe: 'warnen',
      zeitfenster: 'tag',
      schattenbetrieb: true,
      aktiv: true,
      parameter: {},
      erstellt_am: now,
      geaendert_am: now,
    },
    rueckblicke: {
      rueckblick_id: lookBackId,
      regel: { regel_id: ruleId, typ: 'kosten_grenze', name: `Regel ${name}` },
      zeitzone: 'Europe/Berlin',
      von: now.slice(0, 10),
      bis: now.slice(0, 10),
      status: 'fehlgeschlagen',
      tage_fertig: 0,
      angelegt_am: now,
      laeuft_ab_am: new Date(Date.parse(now) + 3_600_000).toISOString(),
    },
    befunde: {
      ...agent,
      befund_id: findingId,
      schluessel: `befund ${name}`,
      typ: 'schleife_exakt',
      regel_id: ruleId,
      agent: name,
      fenster_beginn: now,
      stufe: 'sperren',
      schatten: false,
      status: 'offen',
      werte: { schritte: [1, 2, 3, 4, 5], anzahl: 5, modelle: [], bis: now, wiederholungen: 3 },
      vorfall_id: incidentId,
      erkannt_am: now,
      geaendert_am: now,
    },
    vorfaelle: {
      ...agent,
      vorfall_id: incidentId,
      status: 'offen',
      befunde: 1,
      stufe: 'sperren',
      schatten: false,
      beginn: now,
      letzter_befund_am: now,
    },
    eingriffe: {
      ...agent,
      eingriff_id: interventionId,
      stufe: 'sperren',
      agent: name,
      schatten: false,
      grund_de: `Grund ${name}.`,
      grund_en: `Reason ${name}.`,
      beginn: now,
      missachtet: 0,
    },
    wiederholungen_offen: { lauf_id: randomUUID() },
    zwilling_ersparnisse: {
      tag: now.slice(0, 10),
      ursache: 'wiederholungen',
      befund_id: findingId,
      agent: name,
      aufrufe: 1,
      unbekannt: 0,
      gespart_eur: 1,
    },
    zwilling_tage: { tag: now.slice(0, 10), geaendert: 1, gelesen_am: now },
  };
}

/** A row for every table that nothing has been put into yet, by table; a later table may refer to an earlier one. */
function rowsOf(service: TestService, tenant: People, name: string) {
  const now = new Date().toISOString();
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const hash = (purpose: string) => hex(hashFor(purpose, name));
  const sealed = (value: unknown) => hex(service.context.secrets.seal(Buffer.from(JSON.stringify(value))));
  const { colleagueId: benutzer_id, invitationId: einladung_id } = tenant;
  const mail = { an: `post-${name}@example.org`, betreff: 'b', text: 't', html: 'h' };
  return {
    alarmkanaele: {
      email: [`alarm-${name}@example.org`],
      adressen: sealed({ webhook_url: `https://haken-${name}.example.org/geheim` }),
    },
    alarme: {
      alarm_id: tenant.alarmId,
      art: 'alarm',
      ursache: `ursache-${name}`,
      stufe: 'warnen',
      titel_de: `titel-${name}`,
      titel_en: `title-${name}`,
      text_de: 't',
      text_en: 't',
      pfad: '/',
      zeitpunkt: now,
      verteilt_am: now,
    },
    alarm_zustellungen: {
      zustellung_id: tenant.zustellungId,
      alarm_id: tenant.alarmId,
      kanal: 'webhook_url',
      status: 'zugestellt',
      versuche: 1,
      frist: later,
      erstellt_am: now,
    },
    alarm_einstellungen: {
      sprache: 'de',
      ruhe_tage: [1],
      sammeln: 'sofort',
      sammeln_um: '08:00',
      geheimnisse: sealed({ aktuell: `whsec_${name}`, seit: now, frueher: [] }),
    },
    buchungen: { kunde: `kunde_${name}`, abonnement: `abo_${name}` },
    zahlungsereignisse: { ereignis: `meldung_${name}`, art: 'test' },
    verbrauch_paar: {
      merkmal_id: 1,
      nach: 2,
      tag: now.slice(0, 10),
      andere: [2],
      ...Object.fromEntries(FIGURES_OF_PAIRS.map((figure) => [figure, [1]])),
    },
    verbrauch_liste: { tag: now.slice(0, 10), nach: 2, merkmal_id: 1, teil: 0, liste: '\\x0100' },
    verbrauch_rangliste: { dimension: 3, tag: now.slice(0, 10), tage: 1, stand: 1, liste: '\\x0100' },
    verbrauch_einzeln: {
      marke: 100,
      nummer: 1,
      stunde: `${now.slice(0, 13)}:00:00Z`,
      tag: now.slice(0, 10),
      ...Object.fromEntries(DIMENSION_NAMES.map((dimension) => [dimension, 1])),
      ...Object.fromEntries([...FIGURE_NAMES, ...HISTOGRAMS].map((sum) => [sum, 0])),
    },
    ...protectionOf(tenant, name, now),
    betreiber: { benutzer_id },
    ansichten: {
      benutzer_id: tenant.account.benutzerId,
      ansicht_id: tenant.viewId,
      name: `Ansicht ${name}`,
      pfad: '/aufschluesselung',
      suche: `agent=${name}`,
      erstellt_am: now,
      geaendert_am: now,
    },
    bericht_abos: { benutzer_id: tenant.account.benutzerId, eingeschaltet_am: now },
    bericht_versendungen: {
      benutzer_id: tenant.account.benutzerId,
      woche: now.slice(0, 10),
      versendet_am: now,
    },
    preisbuecher: {
      fassung: Number(tenant.bookEdition),
      inhalt: {
        gemeldete_kosten: false,
        preise: [],
        rabatte: [],
        freigaben: [{ modell: `modell-${name}`, ersetzt: [] }],
      },
      erstellt_am: now,
      erstellt_von: `${name}@example.org`,
    },
    neubepreisungen: {
      neubepreisung_id: tenant.repricingId,
      status: 'bereit',
      von: now.slice(0, 10),
      bis: later.slice(0, 10),
      zeitzone: 'Europe/Berlin',
      fassung: Number(tenant.bookEdition),
      ereignisse: 1,
      gelesen: 1,
      angelegt_am: now,
      angelegt_von: `${name}@example.org`,
    },
    neubepreisung_zeilen: {
      neubepreisung_id: tenant.repricingId,
      monat: `${now.slice(0, 7)}-01`,
      agent: name,
      geaendert: 1,
      alt_usd: '1',
      neu_usd: '2',
      differenz_eur: '0.86',
      unbepreist: 0,
    },
    gemeldete_kosten: {
      tag: '2026-01-01',
      anbieter: `anbieter-${name}`,
      aufrufe: 2,
      verglichen: 1,
      gemeldet_eur: '1',
      liste_eur: '2',
    },
    preisbuch_kosten: {
      tag: '2026-01-01',
      anbieter: `anbieter-${name}`,
      aufrufe: 2,
      kosten_eur: '3',
      verglichen: 1,
      preisbuch_eur: '1',
      listenpreis_eur: '2',
    },
    gemeldete_kosten_tage: { tag: '2026-01-01', geaendert: 1 },
    anbieter_rechnungen: {
      rechnung_id: tenant.invoiceId,
      monat: monthsAgo(7),
      anbieter: `anbieter-${name}`,
      betrag: 1,
      waehrung: 'EUR',
      kurs: 1,
      erfasst_am: now,
    },
    buchhaltung_einstellungen: {
      wirtschaftsjahr_beginn: 1,
      sachkontenlaenge: 4,
      festschreibung: false,
      bezeichnung: `Stapel ${name}`,
      verbranntes_berechnen: true,
      aufschlag_ausweisen: false,
    },
    abrechnungsmonate: {
      monat: '2026-01-01',
      zeitzone: 'Europe/Berlin',
      verbranntes_berechnen: true,
      aufschlag_ausweisen: false,
      geschlossen_am: now,
      geschlossen_von: `${name}@example.org`,
      stand: 0,
    },
    abrechnung_versendungen: {
      versendung_id: randomUUID(),
      monat: '2026-01-01',
      referenz: `kunde-${name}`,
      email: `post-${name}@example.org`,
      status: 'versendet',
      angefordert_am: now,
    },
    abrechnungszeilen: {
      monat: '2026-01-01',
      bezug: '2026-01-01',
      referenz: `kunde-${name}`,
      aufschlag_prozent: 0,
      aufrufe: 1,
      unbepreist: 0,
      teilbepreist: 0,
      kosten_eur: 1,
      verbranntes_geld_eur: 0,
      abrechenbar_eur: 1,
      betrag_eur: 1,
    },
    zweite_faktoren: { benutzer_id, geheimnis: sealed(name), erstellt_am: now, bestaetigt_am: now },
    wiederherstellungscodes: { benutzer_id, hash: hash('code') },
    email_bestaetigungen: {
      benutzer_id,
      hash: hash('bestaetigung'),
      erstellt_am: now,
      gueltig_bis: later,
    },
    passwort_ruecksetzungen: {
      benutzer_id,
      hash: hash('ruecksetzung'),
      erstellt_am: now,
      gueltig_bis: later,
    },
    einladungen: {
      einladung_id,
      hash: hash('einladung'),
      email: `neu-${name}@example.org`,
      rolle: 'betrachter',
      erstellt_am: now,
      gueltig_bis: later,
    },
    sso_anbieter: {
      aktiv: true,
      issuer: `https://anbieter-${name}.example.org`,
      client_id: `client-${name}`,
      client_secret: sealed(name),
      rolle_neu: 'betrachter',
      name: `Firmenkonto ${name}`,
      von_inhaber: true,
    },
    sso_domains: { domain: domainOf(name), nachweis: `nachweis-${name}`, bewiesen_am: now },
    sso_identitaeten: { issuer: 'https://anbieter', subject: `wer-${name}`, benutzer_id, erstellt_am: now },
    sso_vorgaenge: {
      hash: hash('vorgang'),
      browser: hash('browser'),
      geheimnis: sealed(name),
      gueltig_bis: later,
    },
    postempfaenger: { art: 'alarm', adresse: `alarm-${name}@example.org`, bestaetigt_am: now },
    postausgang: {
      post_id: randomUUID(),
      inhalt: sealed(mail),
      erstellt_am: now,
      verfaellt_am: later,
    },
    auftraege: {
      auftrag_id: randomUUID(),
      job: 'test.kanarie',
      fassung: 1,
      nutzlast: { wessen: name },
      faellig_am: later,
    },
  };
}

/** Rows where no operation is needed to make them. */
async function fillTables(service: TestService, tenant: People, name: string): Promise<void> {
  for (const [table, row] of Object.entries(rowsOf(service, tenant, name))) {
    const columns = ['mandant_id', ...Object.keys(row)].join(', ');
    await service.sql(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_record(NULL::${table}, $1)`,
      [JSON.stringify({ mandant_id: tenant.account.mandantId, ...row })],
    );
  }
}

/** A Mandant with something counted. */
async function createTenant(service: TestService, name: string): Promise<Tenant> {
  const account = await registerAccount(service, name);
  const key = await createKey(service, account);
  const run = randomUUID();
  await send(service, key, name, run);
  await countAll(service);
  await addUpSingles(service);
  const [agent] = await service.sql<{ agent_id: string }>(
    'SELECT agent_id FROM agenten WHERE mandant_id = $1',
    [account.mandantId],
  );
  const [project] = await service.sql<{ projekt_id: string }>(
    'SELECT projekt_id FROM projekte WHERE mandant_id = $1',
    [account.mandantId],
  );
  const [customer] = await service.sql<{ endkunde_id: string }>(
    'SELECT endkunde_id FROM endkunden WHERE mandant_id = $1',
    [account.mandantId],
  );
  const colleague = await addUser(service, account, 'betrachter');
  const people = {
    account,
    colleagueId: colleague.benutzerId,
    invitationId: randomUUID(),
    ruleId: randomUUID(),
    lookBackId: randomUUID(),
    findingId: randomUUID(),
    incidentId: randomUUID(),
    interventionId: randomUUID(),
    alarmId: randomUUID(),
    zustellungId: randomUUID(),
    viewId: randomUUID(),
    repricingId: randomUUID(),
    invoiceId: randomUUID(),
    bookEdition: String(randomInt(1_000, 2 ** 30)),
  };
  await fillTables(service, people, name);
  await openSession(service, account);
  const [ids] = await service.sql<{ session: string; entry: string }>(
    `SELECT (SELECT sitzung_id FROM sitzungen WHERE benutzer_id = $1 ORDER BY erstellt_am DESC LIMIT 1) AS session,
       (SELECT max(eintrag_id::text) FROM pruefprotokoll WHERE mandant_id = $2) AS entry`,
    [account.benutzerId, account.mandantId],
  );
  return {
    ...people,
    key,
    run,
    agentId: agent?.agent_id ?? '',
    projektId: project?.projekt_id ?? '',
    customerId: customer?.endkunde_id ?? '',
    sessionId: ids?.session ?? '',
    entryId: ids?.entry ?? '',
  };
}

/** One batch stays in the inbox, another is kept as one that cannot be counted. */
async function leaveBatches(service: TestService, { account, key }: Tenant, name: string): Promise<void> {
  await send(service, key, name, randomUUID());
  await service.sql(
    `INSERT INTO eingang_unzaehlbar (mandant_id, eingang_id, empfangen_am, schluessel_id, anzahl, umfang, daten, grund)
     SELECT mandant_id, gen_random_uuid(), now(), schluessel_id, 1, 1, '', 'test' FROM schluessel WHERE mandant_id = $1`,
    [account.mandantId],
  );
}

/** `wir` and `die`: their agents have these names; their end customers, models, addresses and so on hold them. */
export async function createTenants(service: TestService): Promise<{ ours: Tenant; theirs: Tenant }> {
  const ours = await createTenant(service, 'wir');
  const theirs = await createTenant(service, 'die');
  await leaveBatches(service, ours, 'wir');
  await leaveBatches(service, theirs, 'die');
  return { ours, theirs };
}
