import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { proveDomain, putSso, type SsoService, startSsoService } from '#test/company-account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';

const ISSUER = 'https://login.firma.example';
const SECRET = 'ein-sehr-geheimes-geheimnis';

let service: SsoService;
let account: Account;
beforeAll(async () => {
  service = await startSsoService();
});
beforeEach(async () => {
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const put = (payload: Record<string, unknown>, who = account) =>
  putSso(service, who, { issuer: ISSUER, client_id: 'zaehlwerk', ...payload });

const claims = async (domains: string[]) => (await put({ domains })).json().domains;

const entries = () =>
  service.sql<{ vorher: object; nachher: object }>(
    `SELECT aktion, akteur_name, vorher, nachher FROM pruefprotokoll
     WHERE mandant_id = $1 AND objekt_art = 'sso' ORDER BY eintrag_id`,
    [account.mandantId],
  );

async function storedSecret(): Promise<string | null> {
  const [row] = await service.sql<{ client_secret: Buffer | null }>(
    'SELECT client_secret FROM sso_anbieter WHERE mandant_id = $1',
    [account.mandantId],
  );
  return row?.client_secret ? service.context.secrets.open(row.client_secret).toString() : null;
}

describe('PUT /v1/cockpit/mandant/sso', () => {
  it('needs a package that has it, where packages bind; what is set up can be changed', async () => {
    const give = (paket: string) =>
      service.sql(`UPDATE mandanten SET paket = $2, paket_quelle = 'betreiber' WHERE mandant_id = $1`, [
        account.mandantId,
        paket,
      ]);
    await give('starter');
    const refused = await put({ client_secret: SECRET });
    expect(refused.statusCode).toBe(409);
    expect(refused.json().code).toBe('funktion_nicht_im_tarif');
    expect(await entries()).toEqual([]);
    await give('team');
    expect((await put({ client_secret: SECRET })).statusCode).toBe(200);
    await give('frei');
    expect((await put({ client_secret: 'ein-neues-geheimnis' })).statusCode).toBe(200);
    expect(await storedSecret()).toBe('ein-neues-geheimnis');
  });

  it('sets up the provider and says what to enter there and in DNS', async () => {
    const answer = await put({ client_secret: SECRET, domains: ['firma.example'], rolle_neu: 'bearbeiter' });
    expect(answer.statusCode).toBe(200);
    const nachweis = expect.stringMatching(/^zaehlwerk-domain=[\w-]{43}$/);
    expect(answer.json()).toEqual({
      eingerichtet: true,
      aktiv: true,
      issuer: ISSUER,
      client_id: 'zaehlwerk',
      client_secret_gesetzt: true,
      domains: [
        {
          domain: 'firma.example',
          status: 'offen',
          bewiesen_am: null,
          eintrag: '_zaehlwerk.firma.example',
          nachweis,
        },
      ],
      rolle_neu: 'bearbeiter',
      name: 'Firmenkonto',
      redirect_uri: 'http://localhost:8080/v1/sso/callback',
    });
    expect(answer.body).not.toContain(SECRET);
  });

  it('stores the secret sealed and shows it nowhere', async () => {
    await put({ client_secret: SECRET });
    expect(await storedSecret()).toBe(SECRET);
    const rows = await service.sql('SELECT * FROM sso_anbieter');
    expect(rows.map((row) => row.client_secret.toString('latin1')).join()).not.toContain(SECRET);
    expect(JSON.stringify(await service.sql('SELECT * FROM pruefprotokoll'))).not.toContain(SECRET);
    const refused = await put({ client_secret: SECRET, issuer: 'kurz' });
    expect(refused.statusCode).toBe(422);
    expect(refused.body).not.toContain(SECRET);
  });

  it.each([
    ['keeps the secret that is left out', {}, SECRET],
    ['keeps the secret that is null', { client_secret: null }, SECRET],
    ['takes another one', { client_secret: 'neu' }, 'neu'],
    ['removes one that is empty', { client_secret: '' }, null],
    ['drops it for another issuer', { issuer: 'https://anderer.example' }, null],
    ['drops it for an issuer with another path', { issuer: `${ISSUER}/andere` }, null],
    ['takes a new one with a new issuer', { issuer: 'https://x.example', client_secret: 'neu' }, 'neu'],
  ])('%s', async (_name, changes, expected) => {
    await put({ client_secret: SECRET });
    const answer = await put(changes);
    expect(answer.json().client_secret_gesetzt).toBe(expected !== null);
    expect(await storedSecret()).toBe(expected);
  });

  it('writes what changed into the audit log, and nothing when nothing did', async () => {
    await put({ client_secret: SECRET, domains: ['firma.example'] });
    await put({ client_secret: null, domains: ['firma.example'] });
    await put({ aktiv: false, name: 'Konto der Firma' });
    await put({ aktiv: false, name: 'Konto der Firma', client_secret: 'neu' });
    const von = { aktion: 'sso.gesetzt', akteur_name: account.email };
    expect(await entries()).toMatchObject([
      { ...von, nachher: { issuer: ISSUER, client_secret_gesetzt: true, domains: ['firma.example'] } },
      {
        ...von,
        vorher: { aktiv: true, name: 'Firmenkonto' },
        nachher: { aktiv: false, name: 'Konto der Firma' },
      },
      { ...von, vorher: {}, nachher: { client_secret: 'ersetzt' } },
    ]);
    expect(JSON.stringify(await entries())).not.toContain(SECRET);
  });

  it('notes whether an inhaber chose issuer and client: another of either is the verwalter’s choice', async () => {
    const verwalter = await addUser(service, account, 'verwalter');
    const isInhabers = async () => {
      const rows = await service.sql('SELECT von_inhaber FROM sso_anbieter WHERE mandant_id = $1', [
        account.mandantId,
      ]);
      return rows[0]?.von_inhaber;
    };
    for (const theirs of [{ client_id: 'eigener' }, { issuer: 'https://eigener.example' }]) {
      await put({});
      await put({ name: 'Anderer Name' }, verwalter);
      expect(await isInhabers()).toBe(true);
      await put(theirs, verwalter);
      // Putting it back does not make it the inhaber's again: nobody has looked at it.
      await put({}, verwalter);
      expect(await isInhabers()).toBe(false);
    }
  });

  it('takes the address of the description for its issuer', async () => {
    const answer = await put({ issuer: ` ${ISSUER}/realms/a/.well-known/openid-configuration ` });
    expect(answer.json().issuer).toBe(`${ISSUER}/realms/a`);
  });

  it.each([
    ['keine-adresse', 'ist keine Adresse'],
    ['ftp://login.firma.example', 'muss mit https:// oder http:// beginnen'],
    ['javascript:alert(1)', 'muss mit https:// oder http:// beginnen'],
    ['https://du:geheim@login.firma.example', 'darf keine Zugangsdaten enthalten'],
    ['https://login.firma.example?a=1', 'darf weder „?“ noch „#“ enthalten'],
    ['http://10.0.0.1', 'liegt in einem Netz, das der Dienst nicht erreichen darf'],
    ['http://0xa000001/', 'liegt in einem Netz, das der Dienst nicht erreichen darf'],
    ['http://169.254.169.254/latest', 'liegt in einem Netz, das der Dienst nicht erreichen darf'],
    ['https://[::ffff:192.168.0.1]', 'liegt in einem Netz, das der Dienst nicht erreichen darf'],
  ])('refuses the issuer %s', async (issuer, problem) => {
    const answer = await put({ issuer });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toEqual([
      {
        type: 'value_error',
        loc: ['body', 'issuer'],
        msg: `Value error, Die Adresse ${problem}.`,
        input: issuer,
        ctx: { error: `Die Adresse ${problem}.` },
      },
    ]);
  });

  it.each([
    [{ issuer: 'https://' }, 'issuer', 'value_error'],
    [{ issuer: 'http://' }, 'issuer', 'string_too_short'],
    [{ issuer: undefined }, 'issuer', 'missing'],
    [{ client_id: '' }, 'client_id', 'string_too_short'],
    [{ rolle_neu: 'inhaber' }, 'rolle_neu', 'literal_error'],
    [{ aktiv: 'vielleicht' }, 'aktiv', 'bool_parsing'],
    [{ domains: 'firma.example' }, 'domains', 'list_type'],
    [{ domains: Array(21).fill('firma.example') }, 'domains', 'too_long'],
    [{ client_secret: 'x'.repeat(2_001) }, 'client_secret', 'string_too_long'],
  ])('checks the settings: %j', async (changes, field, type) => {
    const answer = await put(changes);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0]).toMatchObject({ type, loc: ['body', field] });
  });

  it('is for those who administer', async () => {
    const statuses = await statusByRole(service, account, (user) => put({}, user));
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
    expect((await put({}, { ...account, cookie: '' })).statusCode).toBe(401);
  });

  it('leaves other Mandanten alone', async () => {
    const foreign = await registerAccount(service);
    await put({ name: 'Unseres' });
    await put({ name: 'Ihres' }, foreign);
    const answer = await service.app.inject({
      url: '/v1/cockpit/mandant/sso',
      headers: { cookie: account.cookie },
    });
    expect(answer.json().name).toBe('Unseres');
  });
});

describe('PUT /v1/cockpit/mandant/sso with domains', () => {
  it('stores each once, in one spelling', async () => {
    const domains = ['Firma.Example', '@firma.example', ' firma.example. ', 'MÜNCHEN.example', 'a_b.example'];
    expect((await claims(domains)).map(({ domain }: { domain: string }) => domain)).toEqual([
      'a_b.example',
      'firma.example',
      'xn--mnchen-3ya.example',
    ]);
  });

  it('keeps the proof of those that stay, and forgets that of those that go', async () => {
    const first = await claims(['bleibt.example', 'geht.example']);
    await proveDomain(service, account, 'bleibt.example');
    await proveDomain(service, account, 'geht.example');
    const [stays, comes] = await claims(['bleibt.example', 'kommt.example']);
    expect(stays).toMatchObject({ status: 'bewiesen', nachweis: first[0].nachweis });
    expect(comes.status).toBe('offen');
    const [, back] = await claims(['bleibt.example', 'geht.example']);
    expect(back).toMatchObject({ domain: 'geht.example', status: 'offen' });
    expect(back.nachweis).not.toBe(first[1].nachweis);
  });

  it('leaves them when they are left out, and removes them when there are none', async () => {
    await claims(['firma.example']);
    expect((await put({})).json().domains).toHaveLength(1);
    expect(await claims([])).toEqual([]);
  });

  it('lets two Mandanten claim one, each with a proof of its own', async () => {
    const foreign = await registerAccount(service);
    const [ours] = await claims(['strittig.example']);
    const [theirs] = (await put({ domains: ['strittig.example'] }, foreign)).json().domains;
    expect(ours.nachweis).not.toBe(theirs.nachweis);
  });

  it('names each that cannot be claimed', async () => {
    const domains = ['gmail.com', 'firma.example', 'T-Online.de', 'localhost', '10.0.0.1', 'a..b', '[::1]'];
    const answer = await put({ domains });
    expect(answer.statusCode).toBe(422);
    const nobodys = 'Bei diesem Anbieter hat jeder eine Adresse; er gehört keinem Unternehmen allein.';
    const none = 'Das ist keine Domain wie „example.org“.';
    expect(answer.json().detail).toEqual(
      [nobodys, null, nobodys, none, none, none, none].flatMap((error, index) =>
        error === null
          ? []
          : {
              type: 'value_error',
              loc: ['body', 'domains', index],
              msg: `Value error, ${error}`,
              input: domains[index],
              ctx: { error },
            },
      ),
    );
  });
});

describe('PUT /v1/cockpit/mandant/sso in production', () => {
  let production: SsoService;
  beforeAll(async () => {
    production = await startSsoService({
      NODE_ENV: 'production',
      ERLAUBTE_NETZE: '10.1.0.0/16',
      BASE_URL: 'https://zaehlwerk.example',
    });
  });
  afterAll(() => production.stop());

  it.each([
    ['http://login.firma.example', 422],
    ['http://93.184.215.14', 422],
    ['http://10.1.2.3:8080/realms/firma', 200],
    ['http://10.2.2.3', 422],
    ['https://login.firma.example', 200],
  ])('%s answers %i', async (issuer, status) => {
    const owner = await registerAccount(production);
    const answer = await putSso(production, owner, { issuer, client_id: 'zaehlwerk' });
    expect(answer.statusCode).toBe(status);
  });
});
