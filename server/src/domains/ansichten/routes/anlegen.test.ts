import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const view = { name: 'Montagsrunde', pfad: '/aufschluesselung', suche: 'zeitraum=30tage&nach=modell' };

const keep = (payload: object, user: Account | null = account) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/ansichten',
    headers: user ? { cookie: user.cookie } : {},
    payload,
  });
const viewsOf = async ({ cookie }: Account) =>
  (await service.app.inject({ url: '/v1/cockpit/ansichten', headers: { cookie } })).json().ansichten;

describe('POST /v1/cockpit/ansichten', () => {
  it('keeps a view for the user alone, and says so in the audit log', async () => {
    const [user, colleague] = [
      await addUser(service, account, 'betrachter'),
      await addUser(service, account, 'inhaber'),
    ];
    service.clock.set('2026-05-01T10:00:00.000Z');
    const answer = await keep({ ...view, name: '  Montagsrunde ' }, user);
    expect(answer.statusCode).toBe(201);
    expect(answer.json()).toEqual({
      ansicht_id: expect.any(String),
      ...view,
      erstellt_am: '2026-05-01T10:00:00.000Z',
      geaendert_am: '2026-05-01T10:00:00.000Z',
    });
    expect(await viewsOf(user)).toEqual([answer.json()]);
    expect(await viewsOf(colleague)).toEqual([]);
    const entries = await service.sql(
      `SELECT aktion, akteur_id, objekt_name, vorher, nachher FROM pruefprotokoll WHERE objekt_id = $1`,
      [answer.json().ansicht_id],
    );
    expect(entries).toEqual([
      {
        aktion: 'ansicht.angelegt',
        akteur_id: user.benutzerId,
        // Others read it.
        objekt_name: null,
        vorher: null,
        nachher: null,
      },
    ]);
  });

  it('takes a name once for each user', async () => {
    const [user, colleague] = [
      await addUser(service, account, 'betrachter'),
      await addUser(service, account, 'betrachter'),
    ];
    expect((await keep(view, user)).statusCode).toBe(201);
    const again = await keep({ ...view, suche: '', name: 'Montagsrunde ' }, user);
    expect([again.statusCode, again.json().code]).toEqual([409, 'ansicht_name_vergeben']);
    expect((await keep({ ...view, name: 'montagsrunde' }, user)).statusCode).toBe(201);
    expect((await keep(view, colleague)).statusCode).toBe(201);
    expect(await viewsOf(user)).toHaveLength(2);
  });

  it('keeps fifty and no more, also when they come at once', async () => {
    const user = await addUser(service, account, 'betrachter');
    const answers = await Promise.all(
      Array.from({ length: 53 }, (_, index) => keep({ ...view, name: `Ansicht ${index}` }, user)),
    );
    const refused = answers.filter(({ statusCode }) => statusCode !== 201);
    expect(refused.map((answer) => [answer.statusCode, answer.json().code])).toEqual(
      Array(3).fill([409, 'ansichten_zu_viele']),
    );
    expect(await viewsOf(user)).toHaveLength(50);
  });

  it('takes a name once, also when it is wanted twice at once', async () => {
    const user = await addUser(service, account, 'betrachter');
    const answers = await Promise.all([keep(view, user), keep(view, user), keep(view, user)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
  });

  it.each(['/', '/laeufe', '/agenten/018f3c0e-7b1a-7c3e-9f43-0e1f2a3b4c5d', '/einstellungen/schluessel'])(
    'takes the page %s',
    async (pfad) => {
      expect((await keep({ ...view, name: pfad.replaceAll('/', ' Seite '), pfad })).statusCode).toBe(201);
    },
  );

  it.each([
    '',
    'laeufe',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/laeufe//',
    '/laeufe/',
    '/../v1/ich',
    '/a/../b',
    '/./b',
    '/v1/cockpit/export',
    '/V1/ich',
    '/laeufe?zeitraum=heute',
    '/laeufe#oben',
    '/lae ufe',
    '/lae%2fufe',
    '/lae\nufe',
    '/\tlaeufe',
    '/läufe',
    '/@evil.example',
  ])('does not take %j for a page', async (pfad) => {
    const answer = await keep({ ...view, pfad });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toEqual([
      expect.objectContaining({ type: 'value_error', loc: ['body', 'pfad'] }),
    ]);
  });

  it.each([
    [{ name: '' }, 'name', 'string_too_short'],
    [{ name: '   ' }, 'name', 'value_error'],
    [{ name: 'x'.repeat(81) }, 'name', 'string_too_long'],
    [{ name: 'Gewinn https://evil.example' }, 'name', 'value_error'],
    [{ name: 'a\u202eb' }, 'name', 'value_error'],
    [{ pfad: `/${'a'.repeat(200)}` }, 'pfad', 'string_too_long'],
    [{ suche: 'x'.repeat(2001) }, 'suche', 'string_too_long'],
    [{ suche: '?zeitraum=heute' }, 'suche', 'value_error'],
    [{ suche: 'a=1#b' }, 'suche', 'value_error'],
    [{ suche: 'a=1\nb' }, 'suche', 'value_error'],
    [{ suche: undefined }, 'suche', 'missing'],
  ])('refuses %j', async (part, field, type) => {
    const answer = await keep({ ...view, ...part });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0]).toMatchObject({ type, loc: ['body', field] });
  });

  it('takes text of any writing for what is filtered by', async () => {
    const suche = 'endkunde=Bäckerei%20Müller&q=東京 %2F';
    const answer = await keep({ name: 'Bäckerei 東京', pfad: '/', suche });
    expect(answer.json()).toMatchObject({ name: 'Bäckerei 東京', suche });
  });

  it('goes with the user', async () => {
    const user = await addUser(service, account, 'betrachter');
    const { ansicht_id } = (await keep(view, user)).json();
    const removed = await service.app.inject({
      method: 'DELETE',
      url: `/v1/cockpit/benutzer/${user.benutzerId}`,
      headers: { cookie: account.cookie },
    });
    expect(removed.statusCode).toBe(200);
    expect(await service.sql('SELECT FROM ansichten WHERE ansicht_id = $1', [ansicht_id])).toEqual([]);
  });

  it('is for everybody who is signed in', async () => {
    const statuses = await statusByRole(service, account, (user) => keep(view, user));
    expect(statuses).toEqual(admitting(EVERYBODY, 201));
    expect((await keep(view, null)).statusCode).toBe(401);
  });

  it.each([{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://boese.example' }])(
    'refuses a foreign page: %j',
    async (headers) => {
      const answer = await service.app.inject({
        method: 'POST',
        url: '/v1/cockpit/ansichten',
        headers: { cookie: account.cookie, ...(headers as Record<string, string>) },
        payload: view,
      });
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'fremde_herkunft']);
    },
  );
});
