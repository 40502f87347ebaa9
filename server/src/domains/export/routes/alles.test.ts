import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AVV_FASSUNG } from '#contracts';
import { type Account, addUser, createKey, registerAccount } from '#test/account.ts';
import { ACCOUNTANTS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';
import { createTenants, hashFor, type Tenant } from '#test/tenants.ts';
import { unzip } from '#test/unzip.ts';
import { BODIES, RECEIVED as RECEIVED_BEFORE } from '#test/waiting/bodies.ts';

type Json = Record<string, unknown>;

let service: TestService;
let ours: Tenant;
let theirs: Tenant;

beforeAll(async () => {
  service = await startService();
  ({ ours, theirs } = await createTenants(service));
});
afterAll(() => service?.stop());

const get = (cookie: string, query = '') =>
  service.app.inject({ method: 'GET', url: `/v1/cockpit/export.zip${query}`, headers: { cookie } });
const filesOf = async (cookie: string, query = '') => {
  const answer = await get(cookie, query);
  expect(answer.statusCode).toBe(200);
  return unzip(answer.rawPayload);
};
const listIn = (files: Map<string, string>, name: string): Json[] =>
  JSON.parse(files.get(`json/${name}.json`) as string);
const exportsOf = ({ mandantId }: Account) =>
  service.sql<{ nachher: Json; akteur: string }>(
    `SELECT nachher, akteur_name AS akteur FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'daten.ausgegeben'`,
    [mandantId],
  );

/** Every table of a Mandant, with the file that holds it; null for those left out on purpose. */
const FILE_OF: Record<string, string | null> = {
  agenten: 'agenten',
  abrechnungsmonate: 'abrechnungsmonate',
  abrechnung_versendungen: 'abrechnung_versendungen',
  abrechnung_dokumente: 'abrechnung_dokumente',
  abrechnungszeilen: 'abrechnungszeilen',
  alarmkanaele: 'mandant',
  alarm_einstellungen: 'mandant',
  alarme: 'alarme',
  alarm_zustellungen: 'alarm_zustellungen',
  ansichten: 'ansichten',
  bericht_abos: 'bericht_abos',
  // What was sent lately.
  bericht_versendungen: null,
  benutzer: 'benutzer',
  // Who runs the installation is not the Mandant's.
  betreiber: null,
  anbieter_rechnungen: 'anbieter_rechnungen',
  gemeldete_kosten: 'gemeldete_kosten',
  preisbuch_kosten: 'preisbuch_kosten',
  // Which days were looked at.
  gemeldete_kosten_tage: null,
  buchhaltung_einstellungen: 'buchhaltung_einstellungen',
  buchungen: 'mandant',
  budgets: 'budgets',
  eingang: 'ungezaehlt',
  eingang_unzaehlbar: 'ungezaehlt',
  einladungen: 'einladungen',
  endkunden: 'endkunden',
  ereignisse: 'ereignisse',
  // Ids of the events once more, and what makes repeats recognisable for a while.
  ereignis_kennungen: null,
  idempotenz: null,
  laeufe: 'laeufe',
  befunde: 'befunde',
  vorfaelle: 'vorfaelle',
  eingriffe: 'eingriffe',
  antraege: 'antraege',
  // Made of findings and events.
  zwilling_ersparnisse: null,
  zwilling_tage: null,
  // What is still to be read.
  wiederholungen_offen: null,
  // Gone after an hour.
  rueckblicke: null,
  reservierungen: null,
  // In the events within seconds; gone after a day.
  otlp_spuren: null,
  otlp_faellig: null,
  otlp_aufrufe: null,
  // What counting leaves for those who act on it.
  zaehlmarken: null,
  mandanten: 'mandant',
  // Secrets and what is made of them.
  email_bestaetigungen: null,
  passwort_ruecksetzungen: null,
  postausgang: null,
  postempfaenger: 'postempfaenger',
  auftraege: null,
  sitzungen: null,
  sso_vorgaenge: null,
  wiederherstellungscodes: null,
  zweite_faktoren: null,
  importe: 'importe',
  // What waits to be confirmed, and which events are of an import alone.
  import_teile: null,
  import_aufrufe: null,
  neubepreisungen: 'neubepreisungen',
  neubepreisung_zeilen: 'neubepreisung_zeilen',
  preisbuecher: 'preisbuecher',
  projekte: 'projekte',
  pruefprotokoll: 'pruefprotokoll',
  regeln: 'regeln',
  schluessel: 'schluessel',
  sso_anbieter: 'mandant',
  sso_domains: 'sso_domains',
  sso_identitaeten: 'sso_identitaeten',
  // The texts stand with the sums.
  merkmale: 'verbrauch_tag',
  verbrauch_kurs: 'verbrauch_kurs',
  verbrauch_schluessel: 'verbrauch_schluessel',
  verbrauch_quellen: 'verbrauch_quellen',
  verbrauch_laufend_minute: null,
  verbrauch_laufend_stunde: null,
  verbrauch_gefuehrt: null,
  // What sums are added up of, and how often a day changed.
  verbrauch_stuecke: 'verbrauch_stunde',
  verbrauch_tagesstand: null,
  zaehlstaende: 'mandant',
  zahlungsereignisse: 'zahlungsereignisse',
};

describe('what is in it', () => {
  test('every table of the Mandant, as valid JSON, and nothing else', async () => {
    const tables = await service.sql<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'mandant_id'
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
    );
    expect(tables.map(({ name }) => name).sort()).toEqual(Object.keys(FILE_OF).sort());

    const files = await filesOf(ours.account.cookie);
    const wanted = new Set(Object.values(FILE_OF).filter((name) => name !== null));
    expect([...files.keys()].sort()).toEqual(
      [
        'LIESMICH.txt',
        ...[...wanted].map((name) => `json/${name}.json`),
        'csv/ereignisse.csv',
        'csv/laeufe.csv',
        'csv/verbrauch_tag.csv',
      ].sort(),
    );
    for (const name of wanted) if (name !== 'mandant') expect(listIn(files, name), name).not.toEqual([]);
  });

  test('the account with its settings, channels by their host only', async () => {
    const { cookie } = ours.account;
    await service.app.inject({ method: 'POST', url: '/v1/cockpit/konto/avv', headers: { cookie } });
    const files = await filesOf(ours.account.cookie);
    expect(JSON.parse(files.get('json/mandant.json') as string)).toMatchObject({
      mandant_id: ours.account.mandantId,
      firma: 'wir',
      zeitzone: 'Europe/Berlin',
      abrechnungsstatus: 'keine',
      avv_akzeptiert_am: expect.any(String),
      avv_akzeptiert_von: ours.account.email,
      avv_fassung: AVV_FASSUNG,
      branding: { name: null },
      alarme: { email: ['alarm-wir@example.org'], webhook_url: 'https://haken-wir.example.org/…' },
      alarm_einstellungen: { sprache: 'de', sammeln: 'sofort', unterschrift_seit: expect.any(String) },
      sso: { issuer: 'https://anbieter-wir.example.org', client_secret_gesetzt: true },
      buchung: { kunde: 'kunde_wir' },
      zaehlstand: { ereignisse_gesamt: 1 },
    });
    expect(listIn(files, 'benutzer')).toContainEqual(
      expect.objectContaining({
        benutzer_id: ours.colleagueId,
        rolle: 'betrachter',
        zweiter_faktor: true,
        passwort_gesetzt: true,
      }),
    );
  });

  test('batches that are not counted, with the reason', async () => {
    const files = await filesOf(ours.account.cookie);
    expect(listIn(files, 'ungezaehlt')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          grund: null,
          anzahl: 1,
          ereignisse: [expect.objectContaining({ agent: 'wir' })],
        }),
        expect.objectContaining({ grund: 'test', daten_base64: '' }),
      ]),
    );
  });

  test('every event of a batch that waits, whichever version packed it', async () => {
    const account = await registerAccount(service);
    const { secret } = await createKey(service, account);
    const sent = {
      ereignis_id: '0123abcd-4567-89ef-0123-456789abcdef',
      zeitpunkt: '2026-11-20T10:00:00.000001Z',
      agent: 'ü/🦊',
      eingabe_token: Number.MAX_SAFE_INTEGER,
      denk_token: 7,
      geschaetzt: true,
      prompt_fingerabdruck: '0123456789abcdef',
      zusatz: { tief: [{ projekt: 'p' }] },
    };
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: { ereignisse: [sent, { modell: 'm', denk_token: null }] },
    });
    expect(answer.statusCode).toBe(202);
    await service.sql(
      `INSERT INTO eingang (mandant_id, eingang_id, empfangen_am, schluessel_id, anzahl, umfang, daten)
       SELECT mandant_id, gen_random_uuid(), $2, schluessel_id, 1, 500, $3 FROM eingang WHERE mandant_id = $1`,
      [
        account.mandantId,
        RECEIVED_BEFORE,
        readFileSync(new URL('../../../../../test/waiting/full.bin', import.meta.url)),
      ],
    );
    const none = { cache_lese_token: 0, cache_schreib_token: 0, werkzeugaufrufe: 0 };
    const full = BODIES[0]?.ereignisse[0] as { prompt_fingerabdruck: string };
    const batches = listIn(await filesOf(account.cookie), 'ungezaehlt');
    expect(batches).toHaveLength(2);
    expect(batches).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          grund: null,
          anzahl: 2,
          ereignisse: [
            { ...none, ...sent },
            {
              ...none,
              ereignis_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
              zeitpunkt: expect.stringMatching(/Z$/),
              modell: 'm',
              geschaetzt: false,
            },
          ],
        }),
        expect.objectContaining({
          grund: null,
          anzahl: 1,
          ereignisse: [{ ...full, prompt_fingerabdruck: full.prompt_fingerabdruck.toLowerCase() }],
        }),
      ]),
    );
    expect(batches[0]).not.toHaveProperty('daten');
  });

  test('no secrets, and no hashes of them', async () => {
    const files = await filesOf(ours.account.cookie);
    const rows = await service.sql<{ secret: string }>(
      `SELECT passwort_hash AS secret FROM benutzer UNION SELECT encode(hash, 'hex') FROM sitzungen
       UNION SELECT encode(hash, 'hex') FROM schluessel UNION SELECT encode(geheimnis, 'hex') FROM zweite_faktoren
       UNION SELECT encode(client_secret, 'hex') FROM sso_anbieter UNION SELECT encode(adressen, 'hex') FROM alarmkanaele`,
    );
    const secrets = [
      ...rows.map(({ secret }) => secret),
      ...['code', 'ruecksetzung', 'einladung', 'vorgang'].map((name) => hashFor(name, 'wir').toString('hex')),
      ours.key.secret,
      ours.account.cookie.split('=')[1] as string,
      'geheim',
    ];
    expect(secrets.length).toBeGreaterThan(12);
    for (const [name, text] of files)
      for (const secret of secrets) {
        if (name === 'LIESMICH.txt' && secret === 'geheim') continue;
        expect(text, name).not.toContain(secret);
        expect(text, name).not.toContain(Buffer.from(secret).toString('base64'));
      }
  });

  test('nothing of anybody else', async () => {
    const files = await filesOf(ours.account.cookie);
    const canaries = [
      theirs.account.mandantId,
      theirs.account.benutzerId,
      theirs.colleagueId,
      theirs.account.email,
      theirs.run,
      theirs.agentId,
      theirs.key.schluesselId,
      theirs.invitationId,
      ...[
        'kunde-die',
        'modell-die',
        'kunde_die',
        'anbieter-die',
        'haken-die',
        'neu-die',
        'wer-die',
        'meldung_die',
      ],
    ];
    for (const [name, text] of files) for (const canary of canaries) expect(text, name).not.toContain(canary);
  });
});

test('is a download of its own name, says how many events it holds, and is in the audit log', async () => {
  const account = await registerAccount(service, 'Käse & Söhne');
  await service.sql('INSERT INTO zaehlstaende (mandant_id, ereignisse_gesamt) VALUES ($1, 4711)', [
    account.mandantId,
  ]);
  const { headers, statusCode } = await get(account.cookie, '?tage=7');
  expect(statusCode).toBe(200);
  expect(headers['content-type']).toBe('application/zip');
  expect(headers['content-disposition']).toMatch(
    /^attachment; filename="zaehlwerk-export-kaese-soehne-\d{4}-\d{2}-\d{2}\.zip"$/,
  );
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['x-zaehlwerk-ereignisse']).toBe('4711');
  expect(await exportsOf(account)).toEqual([{ nachher: { tage: 7 }, akteur: account.email }]);
});

test('holds the views of the user who asks, and nowhere those of others, whatever the role', async () => {
  const account = await registerAccount(service);
  const colleague = await addUser(service, account, 'buchhaltung');
  const keep = async ({ cookie }: { cookie: string }, name: string) => {
    const url = '/v1/cockpit/ansichten';
    const payload = { name, pfad: `/seite-${name}`, suche: `q=suche-${name}` };
    const kept = await service.app.inject({ method: 'POST', url, headers: { cookie }, payload });
    expect(kept.statusCode).toBe(201);
    const one = `${url}/${kept.json().ansicht_id}`;
    for (const [method, change] of [
      ['PUT', { suche: `q=neu-${name}` }],
      ['DELETE', undefined],
    ] as const)
      await service.app.inject({ method, url: one, headers: { cookie }, ...(change && { payload: change }) });
    await service.app.inject({ method: 'POST', url, headers: { cookie }, payload });
  };
  await keep(account, 'quappe');
  await keep(colleague, 'zander');
  for (const [user, own, foreign] of [
    [account, 'quappe', 'zander'],
    [colleague, 'zander', 'quappe'],
  ] as const) {
    const files = await filesOf(user.cookie);
    expect(JSON.parse(files.get('json/ansichten.json') as string)).toMatchObject([
      { name: own, pfad: `/seite-${own}`, suche: `q=suche-${own}`, benutzer_id: user.benutzerId },
    ]);
    expect([...files.values()].join('\n')).not.toContain(foreign);
  }
  const log = await service.app.inject({
    url: '/v1/cockpit/pruefprotokoll',
    headers: { cookie: account.cookie },
  });
  expect(
    log.json().eintraege.filter((entry: { aktion: string }) => entry.aktion.startsWith('ansicht.')),
  ).toHaveLength(8);
  for (const name of ['quappe', 'zander']) expect(log.body).not.toContain(name);
});

test('describes itself in German', async () => {
  const text = (await filesOf(ours.account.cookie)).get('LIESMICH.txt') as string;
  for (const part of [
    'alle Daten von wir',
    'Europe/Berlin',
    'ereignisse.json',
    'kosten_eur',
    'UTC',
    'Semikolon',
  ])
    expect(text).toContain(part);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100);
});

/** Who gets which file, written down by hand: a file that is not here fails. */
const ADMINISTERED = [
  'benutzer',
  'einladungen',
  'bericht_abos',
  'schluessel',
  'sso_domains',
  'sso_identitaeten',
  'pruefprotokoll',
  'postempfaenger',
];
const FOR_THE_BOOKS = [
  'ansichten',
  'antraege',
  'mandant',
  'zahlungsereignisse',
  'alarme',
  'alarm_zustellungen',
  'agenten',
  'projekte',
  'regeln',
  'budgets',
  'endkunden',
  'buchhaltung_einstellungen',
  'anbieter_rechnungen',
  'gemeldete_kosten',
  'preisbuch_kosten',
  'abrechnungsmonate',
  'abrechnungszeilen',
  'abrechnung_versendungen',
  'abrechnung_dokumente',
  'befunde',
  'vorfaelle',
  'eingriffe',
  'importe',
  'neubepreisungen',
  'neubepreisung_zeilen',
  'preisbuecher',
  'verbrauch_tag',
  'verbrauch_stunde',
  'verbrauch_kurs',
  'verbrauch_schluessel',
  'verbrauch_quellen',
  'laeufe',
  'ereignisse',
  'ungezaehlt',
];
const CSV = ['csv/ereignisse.csv', 'csv/laeufe.csv', 'csv/verbrauch_tag.csv'];
const FILES_FOR: Record<string, string[]> = {
  buchhaltung: FOR_THE_BOOKS,
  verwalter: [...FOR_THE_BOOKS, ...ADMINISTERED],
  inhaber: [...FOR_THE_BOOKS, ...ADMINISTERED],
};

test('every role gets the files it may read elsewhere, and hears what was left out', async () => {
  await statusByRole(service, ours.account, async (user, rolle) => {
    const answer = await get(user.cookie);
    if (answer.statusCode !== 200) return answer;
    const files = await unzip(answer.rawPayload);
    const wanted = (FILES_FOR[rolle] as string[]).map((name) => `json/${name}.json`);
    expect([...files.keys()].sort(), rolle).toEqual(['LIESMICH.txt', ...CSV, ...wanted].sort());
    const text = files.get('LIESMICH.txt') as string;
    const about = JSON.parse(files.get('json/mandant.json') as string);
    const isAdministrator = rolle !== 'buchhaltung';
    for (const name of ADMINISTERED) {
      expect(text.includes(`  ${name}.json`), `${rolle}: ${name}`).toBe(isAdministrator);
      expect(text, `${rolle}: ${name}`).toContain(`${name}.json`);
    }
    expect(text.includes('WEGEN DER ROLLE WEGGELASSEN')).toBe(!isAdministrator);
    for (const field of ['alarme', 'sso', 'avv_akzeptiert_von'])
      expect(about[field] === null, `${rolle}: ${field}`).toBe(!isAdministrator);
    // Who works here and from where, whom they invite, who gets alarms.
    const whole = [...files.values()].join('\n');
    for (const canary of [ours.account.email, 'neu-wir@example.org', 'alarm-wir@example.org', 'wer-wir'])
      expect(whole.includes(canary), `${rolle}: ${canary}`).toBe(isAdministrator);
    return answer;
  });
});

describe('refuses', () => {
  test('those who neither administer nor keep the books; their attempts are no exports', async () => {
    const account = await registerAccount(service);
    const statuses = await statusByRole(service, account, ({ cookie }) => get(cookie));
    expect(statuses).toEqual(admitting(ACCOUNTANTS));
    expect(await exportsOf(account)).toHaveLength(ACCOUNTANTS.length);
  });

  test('401 without a session, also with a key', async () => {
    expect((await get('')).statusCode).toBe(401);
    const { secret } = await createKey(service, ours.account);
    const headers = { authorization: `Bearer ${secret}` };
    const answer = await service.app.inject({ method: 'GET', url: '/v1/cockpit/export.zip', headers });
    expect(answer.statusCode).toBe(401);
  });

  test.each(['0', '-1', '3661', 'viele'])('422 for tage=%s', async (tage) => {
    const answer = await get(ours.account.cookie, `?tage=${tage}`);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0]).toMatchObject({ loc: ['query', 'tage'] });
  });
});
