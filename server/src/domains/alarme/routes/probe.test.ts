/** Against a receiver of its own; what it gets is checked by the reference library of Standard Webhooks. */
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { dropping, type Receiver, startReceiver, status } from '#test/receiver.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';
import { PROBES } from '../limits.ts';

const SMTP_URL = 'smtp://127.0.0.1:1';

let service: TestService;
let receiver: Receiver;
let account: Account;
beforeAll(async () => {
  service = await startService({
    ERLAUBTE_NETZE: '127.0.0.0/8',
    BASE_URL: 'https://zw.example.org',
    SMTP_URL,
  });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver?.stop();
  await service?.stop();
});
beforeEach(async () => {
  account = await registerAccount(service);
  receiver.received.length = 0;
  receiver.answers.splice(0, receiver.answers.length, status(200));
});

const send = (
  method: 'POST' | 'PUT',
  url: string,
  payload?: object,
  headers: Record<string, string> = { cookie: account.cookie },
) => service.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
const setUp = (kanaele: object) => send('PUT', '/v1/cockpit/mandant/alarme', kanaele);
const probe = (kanal: string, headers?: Record<string, string>) =>
  send('POST', '/v1/cockpit/mandant/alarme/probe', { kanal }, headers);

const SECRET_PATH = '/hooks/streng-geheim';

describe('POST /v1/cockpit/mandant/alarme/probe', () => {
  it('tells at once that a channel works, and leaves an entry without the address', async () => {
    await setUp({ chatA_webhook: receiver.url(SECRET_PATH) });
    const answer = await probe('chatA_webhook');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      kanal: 'chatA_webhook',
      zugestellt: true,
      antwort_status: 200,
      fehler: null,
      dauer_ms: expect.any(Number),
    });
    expect(receiver.received.map(({ path }) => path)).toEqual([SECRET_PATH]);
    const [entry] = await service.sql(
      `SELECT objekt_art, objekt_id, p::text FROM pruefprotokoll p WHERE mandant_id = $1 AND aktion = 'alarme.probe'`,
      [account.mandantId],
    );
    expect(entry).toMatchObject({ objekt_art: 'alarmkanal', objekt_id: 'chatA_webhook' });
    expect(entry?.p).not.toContain('geheim');
  });

  it.each([
    [status(404), 404, 'Der Empfänger hat mit 404 geantwortet.'],
    [
      status(301, { location: '/anderswo' }),
      301,
      'Der Empfänger verweist auf eine andere Adresse; dorthin wird nicht zugestellt.',
    ],
    [dropping, null, 'Der Empfänger ist nicht zu erreichen.'],
  ])('tells why it does not: case %#', async (reply, antwort_status, de) => {
    receiver.answers.splice(0, 1, reply);
    await setUp({ push_url: receiver.url(SECRET_PATH) });
    const answer = await probe('push_url');
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ zugestellt: false, antwort_status, fehler: { de } });
    expect(answer.body).not.toContain('geheim');
  });

  it('gets the six fields to the webhook, signed as the reference library wants it', async () => {
    await setUp({ webhook_url: receiver.url(SECRET_PATH) });
    await probe('webhook_url');
    expect(receiver.received[0]?.headers['webhook-signature']).toBeUndefined();
    const renew = async () =>
      (await send('POST', '/v1/cockpit/mandant/alarme/geheimnis')).json().geheimnis as string;
    const [former, current] = [await renew(), await renew()];
    await probe('webhook_url');
    const { body, headers } = receiver.received[1] as (typeof receiver.received)[number];
    for (const geheimnis of [former, current]) {
      const checked = new Webhook(geheimnis).verify(body, headers as Record<string, string>);
      expect(checked).toEqual({
        quelle: 'Zählwerk',
        typ: 'probe',
        titel: 'Dieser Kanal ist erreichbar',
        text: expect.any(String),
        cockpit_url: 'https://zw.example.org/einstellungen/alarme',
        zeitpunkt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/),
      });
    }
    expect(() => new Webhook(`whsec_${btoa('falsch'.repeat(6))}`).verify(body, headers as never)).toThrow();
  });

  it('puts mails to all who have agreed into the outbox, and says so where nobody has', async () => {
    await setUp({ email: ['a@example.org', 'b@example.org', 'c@example.org'] });
    await service.sql('DELETE FROM postausgang');
    expect((await probe('email')).json()).toMatchObject({
      zugestellt: false,
      fehler: { de: 'An keiner der Adressen hat jemand zugestimmt, Alarme zu bekommen.' },
    });
    expect(await service.mails()).toEqual([]);
    await service.sql(`UPDATE postempfaenger SET bestaetigt_am = now() WHERE adresse < 'c'`);
    const answer = await probe('email');
    expect(answer.json()).toMatchObject({ zugestellt: true, antwort_status: null, fehler: null });
    const mails = await service.mails();
    expect(mails.map(({ an }) => an)).toEqual(['a@example.org', 'b@example.org']);
    expect(mails[0]).toMatchObject({ betreff: 'Probe: Dieser Kanal ist erreichbar' });
  });

  it('fails for mail without a mail server, and says why', async () => {
    await setUp({ email: ['a@example.org'] });
    service.context.config.smtpUrl = null;
    const answer = await probe('email');
    service.context.config.smtpUrl = SMTP_URL;
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      zugestellt: false,
      fehler: {
        de: expect.stringContaining('kein Mailserver'),
        en: expect.stringContaining('No mail server'),
      },
    });
  });

  it('answers 409 where nothing is set up, and leaves no entry', async () => {
    for (const kanal of ['email', 'webhook_url']) {
      const answer = await probe(kanal);
      expect(answer.statusCode).toBe(409);
      expect(answer.json().code).toBe('kanal_nicht_eingerichtet');
    }
    const entries = await service.sql(
      `SELECT FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'alarme.probe'`,
      [account.mandantId],
    );
    expect(entries).toEqual([]);
  });

  it('tries no channel of anybody else', async () => {
    await setUp({ webhook_url: receiver.url(SECRET_PATH) });
    const other = await registerAccount(service);
    expect((await probe('webhook_url', { cookie: other.cookie })).statusCode).toBe(409);
    expect(receiver.received).toEqual([]);
  });

  it('is not done without end', async () => {
    await setUp({ webhook_url: receiver.url() });
    for (let nth = 0; nth < PROBES.perMandant; nth += 1)
      expect((await probe('webhook_url')).statusCode).toBe(200);
    const refused = await probe('webhook_url');
    expect(refused.statusCode).toBe(429);
    expect(receiver.received).toHaveLength(PROBES.perMandant);
  });

  it('checks its body', async () => {
    const answer = await probe('fax');
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['body', 'kanal']);
  });

  it('is for those who administer', async () => {
    await setUp({ email: ['a@example.org'] });
    const statuses = await statusByRole(service, account, ({ cookie }) => probe('email', { cookie }));
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
  });

  it('wants a session', async () => {
    expect((await probe('email', {})).statusCode).toBe(401);
  });
});
