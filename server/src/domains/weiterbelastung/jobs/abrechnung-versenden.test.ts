/** Statements by mail: each once, to whom they belong, whatever is asked at the same time. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { postausgangJobs } from '#domains/postausgang/index.ts';
import { createRunner } from '#jobs/runner.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { MAX_ATTACHED } from '#test/behind-doors.ts';
import { ownerOf } from '#test/jobs.ts';
import { ACCOUNTANTS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { noteStatementEnd } from '../owner/mail-end.ts';
import { abrechnungVersendenJob } from './abrechnung-versenden.ts';

const SMTP_URL = 'smtp://127.0.0.1:1';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
let account: Account;
beforeAll(async () => {
  service = await startService({ SMTP_URL });
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

const ask = (method: 'GET' | 'POST', path: string, payload?: object, user: Account | null = account) =>
  service.app.inject({
    method,
    url: `/v1/cockpit${path}`,
    headers: user ? { cookie: user.cookie } : {},
    ...(payload ? { payload } : {}),
  });
const send = (body: object = {}, user: Account | null = account) =>
  ask('POST', '/abrechnung/versenden', { monat: '2026-10', ...body }, user);
const close = () => ask('POST', '/abrechnung/abschliessen', { monat: '2026-10' });
const log = async () => (await ask('GET', '/abrechnung/versand')).json().versendungen;

/** Nobody has unsubscribed, and all mails may leave. */
const NOBODY_ELSE = { abgemeldet: 0, zurueckgestellt: 0 };

async function work(): Promise<void> {
  const { context } = service;
  const make = () =>
    createRunner({
      jobs: [abrechnungVersendenJob(context)],
      db: owner,
      log: context.log,
      observe: () => undefined,
    });
  // Two processes side by side.
  const runners = [make(), make()];
  await Promise.all(runners.map((runner) => runner.runDue()));
  await Promise.all(runners.map((runner) => runner.stop()));
}

beforeEach(async () => {
  // What the test before has left to do.
  await service.sql('DELETE FROM auftraege');
  service.clock.set('2026-11-05T10:30:00Z');
  account = await registerAccount(service);
  for (const [referenz, email] of [
    ['K-1', 'buchhaltung@eins.example'],
    ['K-2', 'post@zwei.example'],
    ['K-3', null],
    ['ohne Aufrufe', 'nie@drei.example'],
  ])
    await ask('POST', '/endkunden', { referenz, email });
  const { secret } = await createKey(service, account);
  await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: {
      ereignisse: ['K-1', 'K-2', 'K-3'].map((endkunde_ref) => ({
        endkunde_ref,
        agent: 'a',
        anbieter: 'openai',
        modell: 'gpt-4o-mini',
        zeitpunkt: '2026-10-10T10:00:00Z',
        eingabe_token: 10_000_000,
      })),
    },
  });
  await countAll(service);
});

describe('statements by mail', () => {
  it('go once to those that have an address, and stand in the log', async () => {
    expect((await send()).json().code).toBe('monat_offen');
    await close();
    const before = (await service.mails()).length;
    const [first, second] = await Promise.all([send(), send()]);
    expect([first.json(), second.json()].sort((a, b) => b.versendet - a.versendet)).toEqual([
      { versendet: 2, ohne_adresse: 1, schon_versendet: 0, ...NOBODY_ELSE },
      { versendet: 0, ohne_adresse: 1, schon_versendet: 2, ...NOBODY_ELSE },
    ]);
    await work();
    const mails = (await service.mails()).slice(before);
    expect(mails.map(({ an }) => an).sort()).toEqual(['buchhaltung@eins.example', 'post@zwei.example']);
    for (const { betreff, text, anhaenge } of mails) {
      expect(betreff).toBe('Abrechnung Oktober 2026');
      expect(text).toContain('Oktober 2026');
      expect(anhaenge?.map(({ dateiname, typ }) => [dateiname, typ])).toEqual([
        ['Abrechnung-2026-10.pdf', 'application/pdf'],
      ]);
      expect(
        Buffer.from(anhaenge?.[0]?.inhalt ?? '', 'base64')
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');
    }
    expect(await log()).toMatchObject([
      {
        monat: '2026-10',
        status: 'in_warteschlange',
        angefordert_von: account.email,
        erledigt_am: null,
      },
      { monat: '2026-10', status: 'in_warteschlange' },
    ]);
    const sums = mails.map(({ anhaenge }) =>
      createHash('sha256')
        .update(Buffer.from(anhaenge?.[0]?.inhalt ?? '', 'base64'))
        .digest('hex'),
    );
    expect((await log()).map(({ sha256 }: { sha256: string }) => sha256).sort()).toEqual(sums.sort());
    const audited = await service.sql<{ sha256: string }>(
      `SELECT nachher->>'sha256' AS sha256 FROM pruefprotokoll
       WHERE mandant_id = $1 AND aktion = 'weiterbelastung.ausgegeben' ORDER BY 1`,
      [account.mandantId],
    );
    expect(audited.map(({ sha256 }) => sha256)).toEqual(sums.sort());
    await work();
    expect((await service.mails()).length).toBe(before + 2);
  });

  it('go again only where somebody asks for it, also to one alone', async () => {
    await close();
    await send();
    await work();
    const before = (await service.mails()).length;
    expect((await send({ referenz: 'K-2' })).json()).toMatchObject({ versendet: 0, schon_versendet: 1 });
    expect((await send({ referenz: 'K-2', erneut: true })).json()).toMatchObject({ versendet: 1 });
    expect((await send({ referenz: 'niemand' })).json()).toEqual({
      versendet: 0,
      ohne_adresse: 0,
      schon_versendet: 0,
      ...NOBODY_ELSE,
    });
    await work();
    expect((await service.mails()).slice(before).map(({ an }) => an)).toEqual(['post@zwei.example']);
    expect(await log()).toHaveLength(3);
  });

  it('that do not add up are noted as failed, the others go; they may be asked for again', async () => {
    await close();
    const spoil = (posten: string, referenz: string) =>
      service.sql(
        `UPDATE abrechnungszeilen SET posten = jsonb_set(posten::jsonb, '{agenten}', $2::jsonb)
         WHERE mandant_id = $1 AND referenz = $3`,
        [account.mandantId, posten, referenz],
      );
    const [{ agenten }] = (await service.sql<{ agenten: object }>(
      `SELECT posten -> 'agenten' AS agenten FROM abrechnungszeilen WHERE mandant_id = $1 AND referenz = 'K-1'`,
      [account.mandantId],
    )) as [{ agenten: object }];
    await spoil('[]', 'K-1');
    await send();
    const before = (await service.mails()).length;
    await work();
    const states = async () =>
      (await log())
        .map(({ referenz, status, fehlgrund }: Record<string, string>) => [referenz, status, fehlgrund])
        .sort();
    expect(await states()).toEqual([
      ['K-1', 'fehlgeschlagen', 'unstimmig'],
      ['K-2', 'in_warteschlange', null],
    ]);
    await spoil(JSON.stringify(agenten), 'K-1');
    expect((await send()).json()).toMatchObject({ versendet: 1, schon_versendet: 1 });
    await work();
    expect(
      (await service.mails())
        .slice(before)
        .map(({ an }) => an)
        .sort(),
    ).toEqual(['buchhaltung@eins.example', 'post@zwei.example']);
  });

  it('that are given up are noted as failed', async () => {
    await close();
    await send({ referenz: 'K-1' });
    const { documents } = service.context;
    const make = documents.make;
    documents.make = () => Promise.reject(new Error('keine Threads'));
    try {
      for (let attempts = 0; attempts < 4; attempts += 1) {
        expect(await log()).toMatchObject([{ status: 'wartet', erledigt_am: null, fehlgrund: null }]);
        await service.sql('UPDATE auftraege SET faellig_am = now() WHERE mandant_id = $1', [
          account.mandantId,
        ]);
        await work();
      }
    } finally {
      documents.make = make;
    }
    expect(await log()).toMatchObject([
      { status: 'fehlgeschlagen', erledigt_am: expect.any(String), fehlgrund: 'aufgegeben' },
    ]);
    expect(await send({ referenz: 'K-1' }).then((answer) => answer.json())).toMatchObject({ versendet: 1 });
  });

  it('that are larger than a mail carries are noted as that', async () => {
    await close();
    await send({ referenz: 'K-1' });
    const { documents } = service.context;
    const make = documents.make;
    documents.make = () => Promise.resolve(Buffer.alloc(MAX_ATTACHED + 1));
    const before = (await service.mails()).length;
    try {
      await work();
    } finally {
      documents.make = make;
    }
    expect(await log()).toMatchObject([{ status: 'fehlgeschlagen', fehlgrund: 'zu_gross' }]);
    expect(await service.mails()).toHaveLength(before);
  });

  /** Lets the mail that waits go, to a server that takes it, to none, or too late. */
  async function mailThem(send: () => Promise<boolean>): Promise<void> {
    const mailer = { send, close: () => undefined };
    const jobs = postausgangJobs({ ...service.context, owner, mailer }, [noteStatementEnd]);
    const runner = createRunner({ jobs, db: owner, log: service.context.log, observe: () => undefined });
    await service.sql('UPDATE auftraege SET faellig_am = now() WHERE mandant_id = $1', [account.mandantId]);
    await runner.runDue();
    await runner.stop();
  }
  /** What the threads make is not what these are about. */
  async function workWithoutPaper(): Promise<void> {
    const { documents } = service.context;
    const make = documents.make;
    documents.make = () => Promise.resolve(Buffer.from('%PDF-'));
    await work().finally(() => {
      documents.make = make;
    });
  }
  const refusing = () => Promise.reject(new Error('421 try again'));
  const overdue = () =>
    service.sql('UPDATE postausgang SET verfaellt_am = now() WHERE mandant_id = $1', [account.mandantId]);

  it('are sent once the mail server has taken them, and failed once it would be too late', async () => {
    await close();
    await send({ referenz: 'K-1' });
    await workWithoutPaper();
    await mailThem(refusing);
    expect(await log()).toMatchObject([{ status: 'in_warteschlange', erledigt_am: null, fehlgrund: null }]);
    await mailThem(async () => true);
    expect(await log()).toMatchObject([{ status: 'versendet', erledigt_am: expect.any(String) }]);
    await send({ referenz: 'K-2' });
    await workWithoutPaper();
    await overdue();
    await mailThem(async () => true);
    expect(await log()).toMatchObject([
      { referenz: 'K-2', status: 'fehlgeschlagen', fehlgrund: 'nicht_angenommen' },
      { referenz: 'K-1', status: 'versendet' },
    ]);
    expect((await send()).json()).toMatchObject({ versendet: 1, schon_versendet: 1 });
  });

  it('go nowhere without a mail server, and nobody says that they did', async () => {
    await close();
    await send({ referenz: 'K-1' });
    await workWithoutPaper();
    await mailThem(async () => false);
    expect(await log()).toMatchObject([{ status: 'fehlgeschlagen', fehlgrund: 'kein_mailserver' }]);
    await send({ referenz: 'K-2' });
    const { config } = service.context;
    config.smtpUrl = null;
    try {
      // What was asked for while there was one, or of a process that did not know.
      await workWithoutPaper();
      expect((await log())[0]).toMatchObject({ referenz: 'K-2', fehlgrund: 'kein_mailserver' });
      const refused = await send();
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'kein_mailserver']);
      expect((await send({ probe: true })).json()).toMatchObject({ versendet: 2 });
      expect(await log()).toHaveLength(2);
      config.role = 'api';
      expect((await send({ referenz: 'K-1' })).statusCode).toBe(200);
    } finally {
      Object.assign(config, { smtpUrl: SMTP_URL, role: 'all' });
    }
  });

  it('are only counted with `probe`, nothing is sent', async () => {
    const tried = async (body: object = {}) => (await send({ probe: true, ...body })).json();
    expect((await tried()).code).toBe('monat_offen');
    await close();
    const before = (await service.mails()).length;
    expect(await tried()).toEqual({ versendet: 2, ohne_adresse: 1, schon_versendet: 0, ...NOBODY_ELSE });
    expect(await tried({ referenz: 'K-2' })).toEqual({
      versendet: 1,
      ohne_adresse: 0,
      schon_versendet: 0,
      ...NOBODY_ELSE,
    });
    await work();
    const mails = (await service.mails()).slice(before).filter(({ anhaenge }) => anhaenge?.length);
    expect([await log(), mails]).toEqual([[], []]);
    expect(
      await service.sql(
        `SELECT FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'abrechnung.versandt'`,
        [account.mandantId],
      ),
    ).toEqual([]);
    await send({ referenz: 'K-1' });
    expect(await tried()).toEqual({ versendet: 1, ohne_adresse: 1, schon_versendet: 1, ...NOBODY_ELSE });
    expect((await send({ probe: 'ja' })).statusCode).toBe(422);
  });

  it('leave for nobody before an inhaber has confirmed the own address', async () => {
    await close();
    await service.sql('UPDATE benutzer SET email_bestaetigt_am = NULL WHERE mandant_id = $1', [
      account.mandantId,
    ]);
    const before = (await service.mails()).length;
    for (const body of [{}, { erneut: true }, { probe: true }, { referenz: 'K-1' }]) {
      const refused = await send(body);
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'post_unbestaetigt']);
    }
    await work();
    expect([await log(), (await service.mails()).length]).toEqual([[], before]);
  });

  it('are not repeated without end: twice a day to one address, then they wait', async () => {
    await close();
    const answers = [];
    for (let nth = 0; nth < 5; nth += 1) answers.push(await send({ erneut: true }));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 429, 429]);
    expect(answers[3]?.json().code).toBe('post_ausgeschoepft');
    expect(Number(answers[3]?.headers['retry-after'])).toBeGreaterThan(3_600);
    expect((await send({ erneut: true, probe: true })).statusCode).toBe(429);
    expect(await log()).toHaveLength(6);
  });

  it('of many end customers with one mailbox go to it as often as is meant; the others are told', async () => {
    await service.sql(
      `INSERT INTO endkunden (mandant_id, referenz, email) SELECT $1, 'M-' || n, 'eine@adresse.example' FROM generate_series(1, 40) n
       ON CONFLICT (mandant_id, referenz) DO UPDATE SET email = excluded.email`,
      [account.mandantId],
    );
    const { secret } = await createKey(service, account);
    await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: {
        ereignisse: Array.from({ length: 40 }, (_, nth) => ({
          endkunde_ref: `M-${nth + 1}`,
          agent: 'a',
          anbieter: 'openai',
          modell: 'gpt-4o-mini',
          zeitpunkt: '2026-10-10T10:00:00Z',
          eingabe_token: 10_000_000,
        })),
      },
    });
    await countAll(service);
    await close();
    expect((await send({ probe: true })).json()).toMatchObject({ versendet: 32, zurueckgestellt: 10 });
    expect((await send()).json()).toMatchObject({ versendet: 32, zurueckgestellt: 10 });
    const again = await send();
    expect([again.statusCode, again.json().code]).toEqual([429, 'post_ausgeschoepft']);
  });

  it('say in our words from whom they come, where answers go and how to stop them; who has is left out', async () => {
    await service.sql(`UPDATE mandanten SET branding_name = $2 WHERE mandant_id = $1`, [
      account.mandantId,
      'Ihre Sparkasse - Konto gesperrt, jetzt boese.example aufrufen',
    ]);
    await close();
    await send({ referenz: 'K-1' });
    const before = (await service.mails()).length;
    await work();
    const [mail] = (await service.mails()).slice(before);
    expect(mail?.betreff).toBe('Abrechnung Oktober 2026');
    expect(mail?.antwortAn).toBe(account.email);
    for (const text of [mail?.text, mail?.html]) {
      expect(text).not.toContain('boese.example');
      expect(text).toContain('„Ihre Sparkasse - Konto gesperrt, jetzt');
      expect(text).toContain('Zählwerk verschickt diese Mail im Auftrag.');
      expect(text).toContain('Keine Abrechnungen mehr per Mail bekommen');
    }
    const { pathname, search } = new URL(mail?.abbestellen ?? '');
    expect([mail?.einKlick, pathname]).toEqual([true, '/v1/post/abmelden']);
    expect((await service.app.inject({ method: 'POST', url: `${pathname}${search}` })).statusCode).toBe(200);
    expect((await send({ erneut: true })).json()).toMatchObject({ versendet: 1, abgemeldet: 1 });
    expect(
      (await log()).map(({ referenz, abgemeldet }: Record<string, unknown>) => [referenz, abgemeldet]),
    ).toEqual([
      ['K-2', false],
      ['K-1', true],
    ]);
  });

  it('are not sent to recipients who have stopped them meanwhile', async () => {
    await close();
    await send({ referenz: 'K-1' });
    await service.sql(
      `INSERT INTO postempfaenger (mandant_id, art, adresse, abgemeldet_am) VALUES ($1, 'abrechnung', 'buchhaltung@eins.example', now())`,
      [account.mandantId],
    );
    const before = (await service.mails()).length;
    await work();
    expect((await service.mails()).length).toBe(before);
    expect(await log()).toMatchObject([
      { status: 'fehlgeschlagen', fehlgrund: 'abgemeldet', abgemeldet: true },
    ]);
  });

  it('are for those who keep the books or administer', async () => {
    const wrong = (user: Account | null) => send({ monat: '2026-13' }, user);
    expect(await statusByRole(service, account, wrong)).toEqual(admitting(ACCOUNTANTS, 422));
    expect((await wrong(null)).statusCode).toBe(401);
    const read = (user: Account | null) => ask('GET', '/abrechnung/versand', undefined, user);
    expect(await statusByRole(service, account, read)).toEqual(admitting(ACCOUNTANTS, 200));
    expect((await read(null)).statusCode).toBe(401);
  });
});
