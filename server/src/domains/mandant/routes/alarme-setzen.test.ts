import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';
import { readKanaele } from '../index.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const SECRET = 'T000-B000-streng-geheim';
const CHAT = `https://chat.example.org/hooks/${SECRET}`;
const NONE = {
  email: [],
  chatA_webhook: null,
  chatB_webhook: null,
  push_url: null,
  webhook_url: null,
  empfaenger: [],
};
const ASKED = {
  email: ['a@example.org'],
  empfaenger: [{ email: 'a@example.org', empfang: 'wartet', angefragt_am: expect.any(String) }],
};

const set = (payload: object, headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({ method: 'PUT', url: '/v1/cockpit/mandant/alarme', headers, payload });

const usedBy = (user: Account) =>
  service.context.db.forMandant(mandantId(user.mandantId), (tx) => readKanaele(tx, service.context.secrets));

const entriesOf = (user: Account) =>
  service.sql(
    'SELECT vorher, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = $2 ORDER BY eintrag_id',
    [user.mandantId, 'alarme.geaendert'],
  );

describe('PUT /v1/cockpit/mandant/alarme', () => {
  it('sets what is given, leaves what is not, removes what is null or blank', async () => {
    const fresh = await registerAccount(service);
    const headers = { cookie: fresh.cookie };
    const shown = { ...NONE, ...ASKED, chatA_webhook: 'https://chat.example.org/…' };
    expect((await set({ email: ['a@example.org'], chatA_webhook: CHAT }, headers)).json()).toEqual(shown);
    const push = { push_url: 'https://push.example.org:8443/abc?token=x' };
    expect((await set(push, headers)).json()).toEqual({
      ...shown,
      push_url: 'https://push.example.org:8443/…',
    });
    expect(await usedBy(fresh)).toEqual({
      email: ['a@example.org'],
      adressen: { chatA_webhook: CHAT, ...push },
    });
    expect((await set({ chatA_webhook: null, push_url: '' }, headers)).json()).toEqual({
      ...NONE,
      ...ASKED,
    });
    expect((await set({ email: [] }, headers)).json()).toEqual(NONE);
    expect(await usedBy(fresh)).toEqual({ email: [], adressen: {} });
  });

  it('shows the host only, in the account and in the audit log, and stores the rest sealed', async () => {
    const fresh = await registerAccount(service);
    const headers = { cookie: fresh.cookie };
    const answers = [
      await set({ chatA_webhook: CHAT, email: ['b@example.org'] }, headers),
      await set({ chatA_webhook: `${CHAT}-neu` }, headers),
      await set({ chatA_webhook: `${CHAT}-neu`, email: ['b@example.org'] }, headers),
      await service.app.inject({ url: '/v1/cockpit/konto', headers }),
      await service.app.inject({ url: '/v1/cockpit/pruefprotokoll', headers }),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      expect(answer.body).not.toContain(SECRET);
    }
    const host = 'https://chat.example.org/…';
    expect(await entriesOf(fresh)).toEqual([
      {
        vorher: { email: [], chatA_webhook: null },
        nachher: { email: ['b@example.org'], chatA_webhook: host },
      },
      { vorher: { chatA_webhook: host }, nachher: { chatA_webhook: host } },
    ]);
    const [row] = await service.sql<{ stored: string }>(
      `SELECT encode(adressen, 'escape') AS stored FROM alarmkanaele WHERE mandant_id = $1`,
      [fresh.mandantId],
    );
    expect(row?.stored.length).toBeGreaterThan(CHAT.length);
    expect(row?.stored).not.toContain(SECRET);
  });

  it('loses none of two changes made at once', async () => {
    const fresh = await registerAccount(service);
    const headers = { cookie: fresh.cookie };
    const address = (name: string) => `https://${name}.example.org/x`;
    await Promise.all(
      ['chatA_webhook', 'chatB_webhook', 'push_url', 'webhook_url'].map((kanal, index) =>
        set({ [kanal]: address(`k${index}`) }, headers),
      ),
    );
    expect((await usedBy(fresh)).adressen).toEqual({
      chatA_webhook: address('k0'),
      chatB_webhook: address('k1'),
      push_url: address('k2'),
      webhook_url: address('k3'),
    });
  });

  it('names every address that is wrong, and repeats none', async () => {
    const answer = await set({
      chatA_webhook: `http://10.0.0.1/${SECRET}`,
      chatB_webhook: `ftp://example.org/${SECRET}`,
      push_url: `kein Link ${SECRET}`,
      webhook_url: `https://name:${SECRET}@example.org/`,
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).not.toContain(SECRET);
    const error = (field: string, problem: string) => ({
      type: 'value_error',
      loc: ['body', field],
      msg: `Value error, ${field} ${problem}`,
      ctx: { error: `${field} ${problem}` },
    });
    expect(answer.json().detail).toEqual([
      error('chatA_webhook', 'liegt in einem Netz, das der Dienst nicht erreichen darf'),
      error('chatB_webhook', 'muss mit https:// oder http:// beginnen'),
      error('push_url', 'ist keine Adresse'),
      error('webhook_url', 'darf keine Zugangsdaten enthalten'),
    ]);
    expect(await usedBy(account)).toEqual({ email: [], adressen: {} });
  });

  it.each([
    [{ email: ['keine'] }, ['body', 'email', 0]],
    [{ email: Array(21).fill('a@example.org') }, ['body', 'email']],
    [{ email: null }, ['body', 'email']],
    [{ chatA_webhook: `https://example.org/${SECRET}${'x'.repeat(2_000)}` }, ['body', 'chatA_webhook']],
    [{ push_url: [SECRET] }, ['body', 'push_url']],
  ])('checks its body and repeats no address: case %#', async (payload, loc) => {
    const answer = await set(payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(loc);
    expect(answer.body).not.toContain(SECRET);
  });

  it('changes nobody else', async () => {
    const other = await registerAccount(service);
    await set({ email: ['x@example.org'], mandant_id: other.mandantId });
    expect(await usedBy(other)).toEqual({ email: [], adressen: {} });
  });

  it('is for those who administer', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => set({}, { cookie }));
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
  });

  it('wants a session', async () => {
    expect((await set({}, {})).statusCode).toBe(401);
  });
});
