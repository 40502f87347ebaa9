/** A user who proves an address outranks one who has only typed it; what becomes of the other's account. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { SYSTEM } from '#domains/protokoll/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import {
  type Account,
  addUser,
  cookieOf,
  createKey,
  logIn,
  PASSWORT,
  registerAccount,
} from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { revokeKuendigung } from '../service.ts';
import { verwaisteKuendigenJob } from './verwaiste-kuendigen.ts';

let service: TestService;
let company: Account;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  await service.sql('DELETE FROM postausgang');
  await service.sql('TRUNCATE drosselung');
  company = await registerAccount(service, 'Muster GmbH');
});

const takeBack = (id: string) =>
  service.context.db.forMandant(mandantId(id), (tx) => revokeKuendigung(service.context, tx, SYSTEM));
const newEmail = () => `${randomUUID()}@example.org`;
const register = (email: string, firma = 'Besetzer') =>
  service.app.inject({
    method: 'POST',
    url: '/v1/registrieren',
    payload: { firma, email, passwort: PASSWORT },
  });

async function squat(email = newEmail()): Promise<Account> {
  const answer = await register(email);
  expect(answer.statusCode, answer.body).toBe(201);
  const { benutzer, mandant } = answer.json();
  return {
    email,
    cookie: cookieOf(answer),
    benutzerId: benutzer.benutzer_id,
    mandantId: mandant.mandant_id,
  };
}

async function invite(email: string, { cookie } = company): Promise<string> {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/benutzer/einladen',
    headers: { cookie },
    payload: { email },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().link.split('token=')[1];
}
const accept = (token: string) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/einladung/annehmen',
    payload: { token, name: 'Anna', passwort: 'das-der-eigentümerin' },
  });
const look = (token: string) => service.app.inject({ url: `/v1/einladung?token=${token}` });

const entries = ({ mandantId }: Account, aktion: string) =>
  service.sql(
    'SELECT akteur_art, objekt_id, vorher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = $2',
    [mandantId, aktion],
  );
const statusOf = async ({ mandantId }: Account) =>
  (
    await service.sql<{ status: string }>('SELECT status FROM mandanten WHERE mandant_id = $1', [mandantId])
  )[0]?.status;
/** What waits to be done for a Mandant that may have nobody left, done. */
async function leave(account: Account) {
  const jobs = await service.sql<{ nutzlast: unknown }>(
    `SELECT nutzlast FROM auftraege WHERE mandant_id = $1 AND job = 'zugang.konto_verwaist'`,
    [account.mandantId],
  );
  const job = verwaisteKuendigenJob(service.context);
  const claim = {
    mandant_id: account.mandantId,
    auftrag_id: randomUUID(),
    fassung: 1,
    versuche: 1,
    fehler: null,
  };
  return Promise.all(jobs.map(({ nutzlast }) => job.run({ ...claim, nutzlast })));
}

it('an invitation is accepted although somebody has registered the address; the squatter has no way in', async () => {
  const squatter = await squat();
  const key = await createKey(service, squatter);
  const token = await invite(squatter.email);
  expect((await look(token)).json()).toMatchObject({ firma: 'Muster GmbH', ersetzt_konto: true });
  const answer = await accept(token);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json()).toMatchObject({
    benutzer: { email: squatter.email, email_bestaetigt: true },
    mandant: { mandant_id: company.mandantId },
  });
  const self = await service.app.inject({ url: '/v1/ich', headers: { cookie: squatter.cookie } });
  expect(self.statusCode).toBe(401);
  expect((await logIn(service, squatter.email)).statusCode).toBe(401);
  const own = await logIn(service, squatter.email, 'das-der-eigentümerin');
  expect(own.json().mandant.mandant_id).toBe(company.mandantId);
  expect(await entries(squatter, 'benutzer.adresse_verloren')).toEqual([
    { akteur_art: 'system', objekt_id: squatter.benutzerId, vorher: { email_bestaetigt: false } },
  ]);
  // Nobody is left, so the Mandant leaves, with everything in it kept for 30 days.
  expect(await leave(squatter)).toEqual([{ gekuendigt: true }]);
  expect(await statusOf(squatter)).toBe('gekündigt');
  const refused = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${key.secret}` },
    payload: {},
  });
  expect(refused.statusCode).toBe(401);
  const told = (await service.mails())
    .filter(({ an }) => an === squatter.email)
    .map(({ betreff }) => betreff);
  expect(told).toContain('Ein unbestätigtes Konto mit Ihrer Adresse endet');
});

it('the Mandant of a squatter stays for the others in it, who get a mail', async () => {
  const squatter = await squat();
  const [colleague, reader] = [
    await addUser(service, squatter, 'verwalter'),
    await addUser(service, squatter, 'betrachter'),
  ];
  expect((await accept(await invite(squatter.email))).statusCode).toBe(200);
  expect(await leave(squatter)).toEqual([]);
  expect(await statusOf(squatter)).toBe('aktiv');
  const mails = (await service.mails()).filter(({ betreff }) => /verloren/.test(betreff));
  expect(mails.map(({ an }) => an)).toEqual([colleague.email]);
  expect((await service.app.inject({ url: '/v1/ich', headers: { cookie: reader.cookie } })).statusCode).toBe(
    200,
  );
  const { benutzer } = (
    await service.app.inject({ url: '/v1/cockpit/benutzer', headers: { cookie: colleague.cookie } })
  ).json();
  const lost = benutzer.find(
    ({ benutzer_id }: { benutzer_id: string }) => benutzer_id === squatter.benutzerId,
  );
  expect(lost).toMatchObject({ email: squatter.email, aktiv: false });
  // Switched on again, it would be a user nobody can be.
  await service.sql(`UPDATE benutzer SET rolle = 'bearbeiter' WHERE benutzer_id = $1`, [squatter.benutzerId]);
  const switchedOn = await service.app.inject({
    method: 'PUT',
    url: `/v1/cockpit/benutzer/${squatter.benutzerId}`,
    headers: { cookie: colleague.cookie },
    payload: { aktiv: true },
  });
  expect([switchedOn.statusCode, switchedOn.json().code]).toEqual([409, 'email_vergeben']);
});

it('a confirmed address is nobody else’s', async () => {
  const other = await registerAccount(service);
  const token = await invite(other.email);
  expect((await look(token)).json().ersetzt_konto).toBe(false);
  const answer = await accept(token);
  expect([answer.statusCode, answer.json().code]).toEqual([409, 'email_vergeben']);
  expect((await logIn(service, other.email)).statusCode).toBe(200);
  expect(await entries(other, 'benutzer.adresse_verloren')).toEqual([]);
});

it('one of several invitations accepted at once gets the address', async () => {
  const squatter = await squat();
  const other = await registerAccount(service);
  const tokens = [await invite(squatter.email), await invite(squatter.email, other)];
  const answers = await Promise.all(tokens.map(accept));
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  expect(
    await service.sql('SELECT 1 FROM benutzer WHERE email = $1 AND email_verloren_am IS NULL', [
      squatter.email,
    ]),
  ).toHaveLength(1);
});

it('a registration takes nothing from an account that is there, confirmed or not, and says the same of both', async () => {
  const squatter = await squat();
  const answers = [await register(squatter.email), await register(company.email)];
  for (const answer of answers) expect(answer.statusCode).toBe(409);
  expect(answers[0]?.body).toBe(answers[1]?.body);
  expect((await logIn(service, squatter.email)).json().mandant.mandant_id).toBe(squatter.mandantId);
});

it.each([true, false])(
  'a cancelled account keeps its address from nobody (confirmed: %s)',
  async (confirmed) => {
    const before = confirmed ? await registerAccount(service) : await squat();
    const cancelled = await service.app.inject({
      method: 'DELETE',
      url: '/v1/cockpit/konto',
      headers: { cookie: before.cookie },
      payload: { passwort: PASSWORT },
    });
    expect(cancelled.statusCode).toBe(200);
    const answer = await register(before.email, 'Neu');
    expect(answer.statusCode, answer.body).toBe(201);
    expect(answer.json().mandant.mandant_id).not.toBe(before.mandantId);
    expect((await logIn(service, before.email)).json().mandant.firma).toBe('Neu');
    // The operator takes the cancellation back: a confirmed address outranks the one typed since, another does not.
    const outcome = await takeBack(before.mandantId);
    expect(outcome.ohne_adresse).toBe(confirmed ? 0 : 1);
    const own = (await logIn(service, before.email)).json().mandant.firma;
    expect(own).toBe(confirmed ? 'Muster GmbH' : 'Neu');
  },
);

it('a Mandant that was cancelled for want of users comes back with its user, once the address is free', async () => {
  const squatter = await squat();
  expect((await accept(await invite(squatter.email))).statusCode).toBe(200);
  await leave(squatter);
  const [user] = await service.sql('SELECT benutzer_id FROM benutzer WHERE email = $1 AND mandant_id = $2', [
    squatter.email,
    company.mandantId,
  ]);
  await service.app.inject({
    method: 'DELETE',
    url: `/v1/cockpit/benutzer/${user?.benutzer_id}`,
    headers: { cookie: company.cookie },
  });
  const outcome = await takeBack(squatter.mandantId);
  expect(outcome.ohne_adresse).toBe(0);
  expect((await logIn(service, squatter.email)).json().mandant.mandant_id).toBe(squatter.mandantId);
});

it('a user who has confirmed no address invites few', async () => {
  const squatter = await squat();
  const send = ({ cookie }: Account) =>
    service.app.inject({
      method: 'POST',
      url: '/v1/cockpit/benutzer/einladen',
      headers: { cookie },
      payload: { email: newEmail() },
    });
  for (let time = 0; time < 20; time += 1) {
    expect((await send(squatter)).statusCode).toBe(200);
    expect((await send(company)).statusCode).toBe(200);
  }
  expect((await send(squatter)).statusCode).toBe(429);
  expect((await send(company)).statusCode).toBe(200);
});
