/** Commands about operators, Mandanten and domains, in this process; that each answers from its own is shown by `../cli.test.ts`. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, addUser, openSession, registerAccount } from '#test/account.ts';
import { putSso, type SsoService, startSsoService } from '#test/company-account.ts';
import { COMMANDS } from './commands.ts';

const WHO = 'Kommandozeile (test)';

let service: SsoService;
let owner: OwnerDatabase;
let account: Account;
beforeAll(async () => {
  service = await startSsoService();
  const options = { connection: service.connection, max: 1, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});
beforeEach(async () => {
  account = await registerAccount(service);
});

/** Runs the command as it stands in the list; resolves with the lines that it prints. */
async function run(
  [name, ...args]: string[],
  more: Partial<SsoService['context']['config']> = {},
): Promise<string[]> {
  const printed: string[] = [];
  const akteur = { art: 'betreiber' as const, id: null, name: WHO, adresse: null };
  const config = { ...service.context.config, ...more };
  const context = {
    ...service.context,
    config,
    owner,
    akteur,
    print: (line: string) => void printed.push(line),
  };
  const command = COMMANDS.find((each) => each.name === name);
  if (!command) throw new Error(`no command ${name}`);
  await command.run(context, args);
  return printed;
}

const ich = async ({ cookie }: Account) =>
  (await service.app.inject({ url: '/v1/ich', headers: { cookie } })).json();
/** The same user, signed in anew. */
const again = async (user: Account): Promise<Account> => ({
  ...user,
  cookie: await openSession(service, user),
});

const entries = (aktion: string) =>
  service.sql(
    `SELECT akteur_art, akteur_id, akteur_name, objekt_id, vorher, nachher FROM pruefprotokoll
     WHERE mandant_id = $1 AND aktion = $2`,
    [account.mandantId, aktion],
  );
const by = { akteur_art: 'betreiber', akteur_id: null, akteur_name: WHO };

describe('ernennen and entlassen', () => {
  it('make a user an operator and take it back, end the sessions and write it down', async () => {
    const user = await addUser(service, account, 'betrachter');
    expect(await run(['ernennen', user.email.toUpperCase()])).toEqual([
      `${user.email} (Muster GmbH) ist jetzt Betreiber; alle Sitzungen wurden beendet.`,
    ]);
    expect(await ich(user)).toMatchObject({ code: 'nicht_angemeldet' });
    const named = await again(user);
    expect((await ich(named)).benutzer.betreiber).toBe(true);
    expect(await run(['ernennen', user.email])).toEqual([`${user.email} (Muster GmbH) war schon Betreiber.`]);
    expect((await ich(named)).benutzer.betreiber).toBe(true);
    expect(await run(['entlassen', user.email], { operatorEmails: [user.email] })).toEqual([
      `${user.email} (Muster GmbH) ist nicht mehr Betreiber; alle Sitzungen wurden beendet.`,
      'Die Adresse steht noch in BETREIBER_EMAILS: Beim nächsten Start wird der Benutzer wieder Betreiber.',
    ]);
    expect(await ich(named)).toMatchObject({ code: 'nicht_angemeldet' });
    expect((await ich(await again(user))).benutzer.betreiber).toBe(false);
    const about = { ...by, objekt_id: user.benutzerId };
    expect(await entries('betreiber.ernannt')).toEqual([
      { ...about, vorher: { betreiber: false }, nachher: { betreiber: true } },
    ]);
    expect(await entries('betreiber.entlassen')).toEqual([
      { ...about, vorher: { betreiber: true }, nachher: { betreiber: false } },
    ]);
  });

  it('say in production that the second factor is missing', async () => {
    const printed = await run(['ernennen', account.email], { production: true });
    expect(printed.at(-1)).toContain('Der zweite Faktor fehlt noch');
  });

  it('want an active user', async () => {
    const user = await addUser(service, account, 'betrachter');
    await service.sql('UPDATE benutzer SET aktiv = false WHERE benutzer_id = $1', [user.benutzerId]);
    for (const email of [user.email, 'niemand@example.org'])
      await expect(run(['ernennen', email])).rejects.toThrow(
        `Zu „${email}“ gibt es keinen aktiven Benutzer.`,
      );
    await expect(run(['entlassen', 'niemand@example.org'])).rejects.toThrow(
      'Zu „niemand@example.org“ gibt es keinen Benutzer.',
    );
    await expect(run(['ernennen', 'keine-adresse'])).rejects.toThrow(
      '„keine-adresse“ ist keine E-Mail-Adresse.',
    );
  });

  it('takes the rights of a disabled operator', async () => {
    const user = await addUser(service, account, 'betrachter');
    await run(['ernennen', user.email]);
    await service.sql('UPDATE benutzer SET aktiv = false WHERE benutzer_id = $1', [user.benutzerId]);
    expect((await run(['entlassen', user.email]))[0]).toContain('nicht mehr Betreiber');
  });
});

it('loeschbelege shows what was removed', async () => {
  await service.sql(
    `INSERT INTO loeschbelege VALUES (gen_random_uuid(), $1, '2026-01-01T00:00:00Z', '2026-01-31T03:43:00Z',
       '2026-01-31T03:44:00Z', '{"ereignisse": 9007199254740993, "mandanten": 1}')`,
    [account.mandantId],
  );
  const [head, line] = (await run(['loeschbelege'])).flatMap((printed) => printed.split('\n'));
  expect(head).toMatch(/^Mandant +Gekündigt am +Löschung begonnen +Löschung beendet +Zeilen$/);
  expect(line?.split(/ {2,}/)).toEqual([
    account.mandantId,
    '2026-01-01 01:00',
    '2026-01-31 04:43',
    '2026-01-31 04:44',
    '9007199254740994',
  ]);
});

describe('domain-beweisen', () => {
  const settings = (domain: string) => ({
    issuer: 'https://login.firma.example',
    client_id: 'z',
    domains: [domain],
  });

  it('proves a claimed domain without a record', async () => {
    await putSso(service, account, settings('firma.example'));
    expect(await run(['domain-beweisen', account.mandantId.toUpperCase(), 'Firma.Example'])).toEqual([
      '„firma.example“ gehört jetzt zu diesem Mandanten.',
    ]);
    const known = await service.app.inject({ url: '/v1/sso/anbieter', query: { email: 'a@firma.example' } });
    expect(known.json().vorhanden).toBe(true);
    expect(await entries('sso.domain_bewiesen')).toEqual([
      { ...by, objekt_id: 'firma.example', vorher: { status: 'offen' }, nachher: { status: 'bewiesen' } },
    ]);
  });

  it('says what is wrong', async () => {
    await putSso(service, account, settings('strittig.example'));
    await run(['domain-beweisen', account.mandantId, 'strittig.example']);
    const other = await registerAccount(service);
    await putSso(service, other, settings('strittig.example'));
    for (const [mandant = '', domain = '', sentence] of [
      [
        other.mandantId,
        'strittig.example',
        'Diese Domain gehört schon zu einem anderen Konto. Bitte wenden Sie sich an den Betreiber.',
      ],
      [
        other.mandantId,
        'fremd.example',
        'Dieser Mandant hat „fremd.example“ nicht als Domain für Single Sign-on eingetragen.',
      ],
      [
        '8d2b1f0e-0000-4000-8000-000000000000',
        'strittig.example',
        'Dieser Mandant hat „strittig.example“ nicht als Domain für Single Sign-on eingetragen.',
      ],
      ['keine-id', 'strittig.example', '„keine-id“ ist keine Mandanten-Id; „mandanten“ zeigt alle.'],
      [other.mandantId, 'keine domain', '„keine domain“ ist keine Domain.'],
    ])
      await expect(run(['domain-beweisen', mandant, domain])).rejects.toThrow(sentence);
  });
});
