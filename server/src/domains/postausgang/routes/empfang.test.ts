/** Recipients of a Mandant's mail decide about it by the links in that mail. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { stopLinks } from '../empfaenger.ts';
import { openReceipt, sealReceipt } from '../receipt-token.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  account = await registerAccount(service, 'Ihre Sparkasse - Konto gesperrt! www');
});

const cockpit = (method: 'GET' | 'PUT' | 'POST', url: string, payload?: object, user = account) =>
  service.app.inject({
    method,
    url: `/v1/cockpit${url}`,
    headers: { cookie: user.cookie },
    ...(payload ? { payload } : {}),
  });
const enter = (...email: string[]) => cockpit('PUT', '/mandant/alarme', { email });
const recipients = async () => (await cockpit('GET', '/konto')).json().alarme.empfaenger;
const mailsTo = async (address: string) => (await service.mails()).filter(({ an }) => an === address);
const tokenOf = (text = '') => /\/post\?token=([\w-]+)/.exec(text)?.[1] ?? '';
const read = (token: string) =>
  service.app.inject({ method: 'GET', url: '/v1/post/empfang', query: { token } });
const set = (token: string, empfangen: boolean) =>
  service.app.inject({ method: 'POST', url: '/v1/post/empfang', payload: { token, empfangen } });
const newAddress = (name: string) => `${name}-${account.benutzerId}@example.org`;

describe('a recipient of alarms', () => {
  it('is asked once, in our words, and gets alarms when somebody there agrees', async () => {
    const address = newAddress('bereitschaft');
    const entered = await enter(address, account.email);
    expect(entered.json().empfaenger).toMatchObject([
      { email: address, empfang: 'wartet', angefragt_am: expect.any(String) },
      // A user who has proven the address need not be asked.
      { email: account.email, empfang: 'bestaetigt', angefragt_am: null },
    ]);
    await enter(address);
    const [mail, ...others] = await mailsTo(address);
    expect(others).toEqual([]);
    expect(mail?.betreff).toBe('Sollen Alarme an diese Adresse gehen?');
    expect(mail?.text).toContain('im Konto „Ihre Sparkasse - Konto gesperrt! www“ bei Zählwerk');
    const token = tokenOf(mail?.text);
    expect((await read(token)).json()).toMatchObject({ art: 'alarm', adresse: address, empfang: 'wartet' });
    // A program that follows links changes nothing.
    expect(await recipients()).toMatchObject([{ empfang: 'wartet' }]);
    expect((await set(token, true)).json()).toMatchObject({ empfang: 'bestaetigt' });
    expect(await recipients()).toMatchObject([{ empfang: 'bestaetigt' }]);
    expect((await cockpit('POST', '/mandant/alarme/empfaenger', { email: address })).json().code).toBe(
      'empfang_entschieden',
    );
    expect((await set(token, false)).json()).toMatchObject({ empfang: 'abgemeldet' });
    expect(await recipients()).toMatchObject([{ empfang: 'abgemeldet' }]);
  });

  it('who has declined stays out of it, also when entered anew; the own answer brings the alarms back', async () => {
    const address = newAddress('nein');
    await enter(address);
    const token = tokenOf((await mailsTo(address))[0]?.text);
    await set(token, false);
    await enter();
    await enter(address);
    expect(await recipients()).toMatchObject([{ empfang: 'abgemeldet' }]);
    expect(await mailsTo(address)).toHaveLength(1);
    expect((await set(token, true)).json()).toMatchObject({ empfang: 'bestaetigt' });
  });

  it('is forgotten with the entry, and asked again after it', async () => {
    const address = newAddress('wieder');
    await enter(address);
    await set(tokenOf((await mailsTo(address))[0]?.text), true);
    await enter();
    expect((await enter(address)).json().empfaenger).toMatchObject([{ empfang: 'wartet' }]);
    expect(await mailsTo(address)).toHaveLength(2);
  });

  it('can be asked again, three times a day at most; in English where alarms are', async () => {
    const address = newAddress('again');
    await cockpit('PUT', '/mandant/alarme/einstellungen', { sprache: 'en' });
    await enter(address);
    const ask = () => cockpit('POST', '/mandant/alarme/empfaenger', { email: address });
    expect((await ask()).json()).toMatchObject({ empfang: 'wartet', mail_gehalten: false });
    await ask();
    const refused = await ask();
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'post_ausgeschoepft']);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    const mails = await mailsTo(address);
    expect(mails).toHaveLength(3);
    expect(mails[0]?.betreff).toBe('May alerts go to this address?');
    expect(mails[0]?.text).toContain('None will come before you agree');
    expect((await cockpit('POST', '/mandant/alarme/empfaenger', { email: 'x@example.org' })).statusCode).toBe(
      404,
    );
    expect((await cockpit('POST', '/mandant/alarme/empfaenger', {})).statusCode).toBe(422);
    const reader = await addUser(service, account, 'betrachter');
    expect((await cockpit('POST', '/mandant/alarme/empfaenger', { email: address }, reader)).statusCode).toBe(
      403,
    );
    const nobody = { ...account, cookie: '' };
    expect((await cockpit('POST', '/mandant/alarme/empfaenger', { email: address }, nobody)).statusCode).toBe(
      401,
    );
    const other = await registerAccount(service);
    expect((await cockpit('POST', '/mandant/alarme/empfaenger', { email: address }, other)).statusCode).toBe(
      404,
    );
  });

  it('is asked only once an inhaber has confirmed the own address', async () => {
    await service.sql('UPDATE benutzer SET email_bestaetigt_am = NULL WHERE benutzer_id = $1', [
      account.benutzerId,
    ]);
    const address = newAddress('spaeter');
    await enter(address);
    const held = () =>
      service.sql('SELECT gehalten FROM postausgang WHERE mandant_id = $1', [account.mandantId]);
    expect(await held()).toEqual([{ gehalten: true }]);
    const again = await cockpit('POST', '/mandant/alarme/empfaenger', { email: address });
    expect(again.json()).toMatchObject({ mail_gehalten: true });
  });
});

describe('a link to stop mail', () => {
  const links = () =>
    stopLinks(service.context, mandantId(account.mandantId), 'abrechnung', 'Kunde@example.org');
  const tokenIn = (url: string) => new URL(url).searchParams.get('token') ?? '';

  it.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
  ])('works with one click of a mail program, as %s', async (type, payload) => {
    const { klick } = links();
    const { pathname, search } = new URL(klick);
    const answer = await service.app.inject({
      method: 'POST',
      url: `${pathname}${search}`,
      headers: { 'content-type': type },
      payload,
    });
    expect(answer.json()).toMatchObject({
      art: 'abrechnung',
      adresse: 'kunde@example.org',
      empfang: 'abgemeldet',
    });
    expect((await read(tokenIn(klick))).json()).toMatchObject({ empfang: 'abgemeldet' });
    const [entry] = await service.sql(
      `SELECT aktion, akteur_art, objekt_name FROM pruefprotokoll WHERE mandant_id = $1 AND aktion LIKE 'post.%'`,
      [account.mandantId],
    );
    expect(entry).toEqual({
      aktion: 'post.abgemeldet',
      akteur_art: 'system',
      objekt_name: 'kunde@example.org',
    });
  });

  it('of another key, changed, ended, or of a Mandant that is leaving is none', async () => {
    const token = tokenIn(links().klick);
    const bytes = Buffer.from(token, 'base64url');
    bytes[bytes.length - 1] = (bytes.at(-1) as number) ^ 1;
    const mandant = mandantId(account.mandantId);
    const ended = sealReceipt(service.context.secrets, {
      mandant,
      art: 'alarm',
      adresse: 'a@example.org',
      bis: 1,
    });
    const sealedElse = service.context.secrets.seal(Buffer.from('etwas anderes')).toString('base64url');
    for (const wrong of [bytes.toString('base64url'), ended, sealedElse, 'x', `${token}x`.slice(5)]) {
      expect([wrong, (await read(wrong)).statusCode]).toEqual([wrong, 404]);
      expect((await set(wrong, false)).json().code).toBe('link_ungueltig');
    }
    expect((await set(token, 'ja' as unknown as boolean)).statusCode).toBe(422);
    await service.sql(`UPDATE mandanten SET status = 'gekündigt' WHERE mandant_id = $1`, [mandant]);
    expect((await read(token)).statusCode).toBe(404);
  });

  it('says what it was made of', () => {
    const mandant = mandantId(account.mandantId);
    const token = { mandant, art: 'alarm', adresse: 'ä@example.org', bis: 4_000_000_000 } as const;
    expect(
      openReceipt(service.context.secrets, sealReceipt(service.context.secrets, token), new Date()),
    ).toEqual(token);
  });
});
