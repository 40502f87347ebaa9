/** Every command that changes something stands in the operator log; those that only show leave no trace. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { takePackaged } from '#domains/preise/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { addUser, registerAccount } from '#test/account.ts';
import { putSso, type SsoService, startSsoService } from '#test/company-account.ts';
import { createIssuer, type Issuer } from '#test/licences.ts';
import { editionWith, type ListServer, startListServer } from '#test/price-lists.ts';
import { enableSecondFactor } from '#test/second-factor.ts';
import { COMMANDS } from './commands.ts';

const WHO = 'Kommandozeile (test)';
const ONLY_SHOW = [
  ...['mandanten', 'loeschbelege', 'auftraege', 'aufgegebene-auftraege', 'preislisten', 'lizenzen'],
  ...['lizenz-schluessel', 'lizenz-pruefen', 'verteilung'],
];
/** Acts of a cluster only, or on the database as a whole: theirs are in tests of their own. */
const ELSEWHERE = ['verteilen'];

let service: SsoService;
let owner: OwnerDatabase;
let server: ListServer;
let issuer: Issuer;
let licence: string;
beforeAll(async () => {
  issuer = await createIssuer();
  licence = await issuer.licence({ mandanten: 99 });
  service = await startSsoService();
  const options = { connection: service.connection, max: 1, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
  server = await startListServer();
  service.clock.set('2026-10-10T12:00:00Z');
  await takePackaged(owner, service.clock.now());
});
afterAll(async () => {
  await server.stop();
  await owner.close();
  await service.stop();
});

async function run(name: string, ...args: string[]): Promise<void> {
  const config = {
    ...{ ...service.context.config, priceListUrl: server.url, allowedNetworks: ['127.0.0.1'] },
    ...{ licence, licenceKey: issuer.jwk },
  };
  const akteur = { art: 'betreiber' as const, id: null, name: WHO, adresse: null };
  const command = COMMANDS.find((each) => each.name === name);
  if (!command) throw new Error(`no command ${name}`);
  await command.run({ ...service.context, config, owner, akteur, print: () => undefined }, args);
}

/** A file with the text. */
function fileOf(text: string): string {
  const path = join(service.context.config.dataDir, 'datei');
  writeFileSync(path, text);
  return path;
}

/** A licence that was made here; resolves with its id. */
async function makeLicence(): Promise<string> {
  await run('lizenz-erzeugen', 'Muster GmbH', 'team', 'unbegrenzt', '2');
  const [row] = await service.sql<{ lizenz_id: string }>(
    'SELECT lizenz_id FROM lizenzen ORDER BY ausgestellt_am DESC, lizenz_id DESC LIMIT 1',
  );
  return row?.lizenz_id ?? '';
}

async function deadLetter(): Promise<string> {
  const id = randomUUID();
  await service.sql(
    `INSERT INTO auftraege (auftrag_id, mandant_id, job, fassung, nutzlast, erstellt_am, faellig_am, versuche, aufgegeben_am)
     VALUES ($1, '00000000-0000-0000-0000-000000000000', 'x.y', 1, '{}', now(), now(), 1, now())`,
    [id],
  );
  return id;
}

interface Case {
  args: string[];
  entry: Record<string, unknown>;
}

/** What each command needs, and what it leaves. */
const CASES: Record<string, () => Promise<Case>> = {
  async ernennen() {
    const account = await registerAccount(service);
    const objekt = { objekt_art: 'benutzer', objekt_id: account.benutzerId, objekt_name: null };
    const entry = { aktion: 'betreiber.ernannt', mandant: account.mandantId, ...objekt };
    return { args: [account.email], entry: { ...entry, nachher: { betreiber: true } } };
  },
  async entlassen() {
    const account = await registerAccount(service);
    await run('ernennen', account.email);
    const entry = { aktion: 'betreiber.entlassen', mandant: account.mandantId, vorher: { betreiber: true } };
    return { args: [account.email], entry };
  },
  async link() {
    const account = await registerAccount(service);
    const entry = {
      aktion: 'passwort.link_ausgegeben',
      mandant: account.mandantId,
      vorher: null,
      nachher: null,
    };
    return { args: ['passwort', account.email], entry: { ...entry, objekt_id: account.benutzerId } };
  },
  async 'zweiten-faktor-entfernen'() {
    const account = await registerAccount(service);
    const user = await addUser(service, account, 'betrachter');
    await enableSecondFactor(service, user);
    const entry = {
      aktion: 'zweiter_faktor.ausgeschaltet',
      mandant: account.mandantId,
      objekt_id: user.benutzerId,
    };
    return { args: [user.email], entry };
  },
  async 'mandant-aendern'() {
    const { mandantId } = await registerAccount(service);
    const nachher = { paket: 'team', paket_quelle: 'betreiber', paket_bis: '2026-12-31T23:00:00.000Z' };
    const entry = { aktion: 'mandant.vom_betreiber_geaendert', mandant: mandantId, nachher };
    return { args: [mandantId.toUpperCase(), 'paket=team', 'paket_bis=2026-12-31'], entry };
  },
  async 'kuendigung-aufheben'() {
    const { mandantId } = await registerAccount(service);
    await service.sql(`UPDATE mandanten SET status = 'gekündigt', gekuendigt_am = $2 WHERE mandant_id = $1`, [
      mandantId,
      service.clock.now().toISOString(),
    ]);
    const nachher = { status: 'aktiv', entsperrte_schluessel: 0, ohne_adresse: 0 };
    return {
      args: [mandantId],
      entry: { aktion: 'konto.kuendigung_aufgehoben', mandant: mandantId, nachher },
    };
  },
  async 'domain-beweisen'() {
    const account = await registerAccount(service);
    await putSso(service, account, {
      issuer: 'https://login.firma.example',
      client_id: 'z',
      domains: ['firma.example'],
    });
    const entry = { aktion: 'sso.domain_bewiesen', mandant: account.mandantId, objekt_id: 'firma.example' };
    return { args: [account.mandantId, 'firma.example'], entry };
  },
  async 'auftrag-wiederholen'() {
    const id = await deadLetter();
    return {
      args: [id],
      entry: { aktion: 'auftrag.wiederholt', mandant: null, objekt_id: id, nachher: { anzahl: 1 } },
    };
  },
  async 'auftrag-verwerfen'() {
    const id = await deadLetter();
    return { args: [id], entry: { aktion: 'auftrag.verworfen', mandant: null, objekt_id: id } };
  },
  async 'preisliste-holen'() {
    server.serve(await editionWith('neu-1', 3));
    return {
      args: [],
      entry: { aktion: 'preisliste.aufgenommen', nachher: expect.objectContaining({ herkunft: 'netz' }) },
    };
  },
  async 'preisliste-einlesen'() {
    const path = join(service.context.config.dataDir, 'liste.json');
    writeFileSync(path, await editionWith('neu-2', 3));
    const nachher = expect.objectContaining({ herkunft: 'datei', stand: '2026-10-09' });
    return { args: [path, '2026-10-09'], entry: { aktion: 'preisliste.aufgenommen', nachher } };
  },
  async 'preisliste-anheften'() {
    return { args: ['1'], entry: { aktion: 'preisliste.angeheftet', objekt_id: '1' } };
  },
  async 'preisliste-loesen'() {
    await run('preisliste-anheften', '1');
    return { args: [], entry: { aktion: 'preisliste.geloest' } };
  },
  async 'preisliste-zurueck'() {
    server.serve(await editionWith('neu-3', 3));
    await run('preisliste-holen');
    await run('preisliste-anheften', '2');
    return { args: [], entry: { aktion: 'preisliste.zurueckgegangen', objekt_art: 'preisliste' } };
  },
  async 'kurse-einlesen'() {
    const path = join(service.context.config.dataDir, 'kurse.csv');
    writeFileSync(path, 'Date,USD,JPY\n2026-09-30,1.1600,170\n');
    const nachher = { neu: 1, bis: '2026-09-30' };
    return {
      args: [path],
      entry: { aktion: 'kurse.aufgenommen', objekt_art: 'kurse', objekt_id: '2026-09-30', nachher },
    };
  },
  async 'lizenz-erzeugen'() {
    const nachher = expect.objectContaining({ paket: 'team', mandanten: 2, gueltig_bis: null });
    return {
      args: ['Muster GmbH', 'team', 'unbegrenzt', '2'],
      entry: { aktion: 'lizenz.erzeugt', objekt_art: 'lizenz', objekt_name: 'Muster GmbH', nachher },
    };
  },
  async 'lizenz-sperren'() {
    const id = await makeLicence();
    const nachher = expect.objectContaining({ status: 'gesperrt', grund: 'nicht bezahlt', lizenzen: [id] });
    return { args: [id, 'nicht bezahlt'], entry: { aktion: 'lizenz.gesperrt', objekt_id: id, nachher } };
  },
  async 'lizenz-entsperren'() {
    const id = await makeLicence();
    await run('lizenz-sperren', id, 'x');
    return { args: [id], entry: { aktion: 'lizenz.entsperrt', objekt_id: id } };
  },
  async 'lizenz-schluessel-wechseln'() {
    return { args: [], entry: { aktion: 'lizenzschluessel.gewechselt', objekt_art: 'lizenzschluessel' } };
  },
  async 'lizenz-schluessel-zurueckziehen'() {
    await makeLicence();
    const [row] = await service.sql<{ kid: string }>(
      'SELECT kid FROM lizenzen ORDER BY ausgestellt_am DESC, lizenz_id DESC LIMIT 1',
    );
    await run('lizenz-schluessel-wechseln');
    const kid = row?.kid ?? '';
    return { args: [kid], entry: { aktion: 'lizenzschluessel.zurueckgezogen', objekt_id: kid } };
  },
  async 'sperrliste-einlesen'() {
    const list = await issuer.list({
      ausgestellt_am: '2026-10-10T00:00:00Z',
      gueltig_bis: '2026-10-17T00:00:00Z',
    });
    return { args: [fileOf(list)], entry: { aktion: 'sperrliste.aufgenommen', nachher: { nummer: 5 } } };
  },
};

const SHOWN: Record<string, () => string[]> = { 'lizenz-pruefen': () => [fileOf(licence)] };

it('knows every command', () => {
  expect([...Object.keys(CASES), ...ONLY_SHOW, ...ELSEWHERE].sort()).toEqual(
    COMMANDS.map(({ name }) => name).sort(),
  );
});

it.each(Object.keys(CASES))('%s', async (name) => {
  const { args, entry } = await (CASES[name] as () => Promise<Case>)();
  const known = await service.sql('SELECT eintrag_id FROM betreiberprotokoll');
  await run(name, ...args);
  const entries = await service.sql('SELECT * FROM betreiberprotokoll WHERE eintrag_id <> ALL($1)', [
    known.map(({ eintrag_id }) => eintrag_id),
  ]);
  expect(entries).toEqual([
    expect.objectContaining({ ...entry, akteur_art: 'betreiber', akteur_name: WHO, akteur_mandant: null }),
  ]);
});

it.each(ONLY_SHOW)('%s leaves nothing', async (name) => {
  const count = () => service.sql('SELECT count(*)::int FROM betreiberprotokoll');
  const before = await count();
  await run(name, ...(SHOWN[name]?.() ?? []));
  expect(await count()).toEqual(before);
});
