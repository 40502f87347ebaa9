import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { checkDomain, putSso, type SsoService, startSsoService } from '#test/company-account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';

let service: SsoService;
let account: Account;
let domain: string;
let count = 0;
beforeAll(async () => {
  service = await startSsoService();
});
beforeEach(async () => {
  count += 1;
  domain = `firma${count}.example`;
  account = await registerAccount(service);
  service.dns.broken = false;
});
afterAll(() => service.stop());

async function claim(who: Account, name = domain): Promise<{ eintrag: string; nachweis: string }> {
  const settings = { issuer: 'https://login.firma.example', client_id: 'z', domains: [name] };
  return (await putSso(service, who, settings)).json().domains[0];
}

const publish = (eintrag: string, ...records: string[][]) => service.dns.records.set(eintrag, records);

const isKnown = async (email: string) =>
  (await service.app.inject({ url: '/v1/sso/anbieter', query: { email } })).json().vorhanden;

describe('POST /v1/cockpit/mandant/sso/domains/{domain}/pruefen', () => {
  it('proves the domain by its record, among others and in pieces', async () => {
    const { eintrag, nachweis } = await claim(account);
    publish(eintrag, ['v=spf1 -all'], [nachweis.slice(0, 20), nachweis.slice(20)]);
    service.clock.set('2026-05-01T10:00:00.000Z');
    const answer = await checkDomain(service, account, domain);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      domain,
      status: 'bewiesen',
      bewiesen_am: '2026-05-01T10:00:00.000Z',
      eintrag: `_zaehlwerk.${domain}`,
      nachweis,
    });
    expect(await isKnown(`irgendwer@${domain}`)).toBe(true);
    const entries = await service.sql(
      `SELECT akteur_name, objekt_id, vorher, nachher FROM pruefprotokoll
       WHERE mandant_id = $1 AND aktion = 'sso.domain_bewiesen'`,
      [account.mandantId],
    );
    expect(entries).toEqual([
      {
        akteur_name: account.email,
        objekt_id: domain,
        vorher: { status: 'offen' },
        nachher: { status: 'bewiesen' },
      },
    ]);
  });

  it('keeps what is proven, with or without the record', async () => {
    const { eintrag, nachweis } = await claim(account);
    publish(eintrag, [nachweis]);
    service.clock.set('2026-05-01T10:00:00.000Z');
    const first = await checkDomain(service, account, domain);
    service.clock.set('2026-05-01T11:00:00.000Z');
    service.dns.records.delete(eintrag);
    expect((await checkDomain(service, account, domain)).body).toBe(first.body);
  });

  it('leaves it open without the record', async () => {
    const { eintrag, nachweis } = await claim(account);
    const open = { status: 'offen', bewiesen_am: null };
    expect((await checkDomain(service, account, domain)).json()).toMatchObject(open);
    publish(eintrag);
    expect((await checkDomain(service, account, domain)).json()).toMatchObject(open);
    publish(eintrag, [`${nachweis}x`], ['zaehlwerk-domain='], [nachweis.split('=')[1] as string]);
    expect((await checkDomain(service, account, domain)).json()).toMatchObject(open);
    // Not below another name, not by anybody else's proof.
    service.dns.records.delete(eintrag);
    service.dns.records.set(domain, [[nachweis]]);
    expect((await checkDomain(service, account, domain)).json()).toMatchObject(open);
    expect(await isKnown(`irgendwer@${domain}`)).toBe(false);
  });

  it('does not take the proof of another Mandant', async () => {
    const { eintrag } = await claim(account);
    const theirs = await claim(await registerAccount(service));
    publish(eintrag, [theirs.nachweis]);
    expect((await checkDomain(service, account, domain)).json().status).toBe('offen');
  });

  it('answers 409 for a domain that another Mandant has proven', async () => {
    const first = await claim(account);
    const other = await registerAccount(service);
    const second = await claim(other);
    publish(first.eintrag, [first.nachweis], [second.nachweis]);
    expect((await checkDomain(service, account, domain)).json().status).toBe('bewiesen');
    const answer = await checkDomain(service, other, domain);
    expect(answer.statusCode).toBe(409);
    expect(answer.json().code).toBe('domain_vergeben');
  });

  it('gives a domain to one of two Mandanten that prove it at the same time', async () => {
    const other = await registerAccount(service);
    const [first, second] = [await claim(account), await claim(other)];
    publish(first.eintrag, [first.nachweis], [second.nachweis]);
    const answers = await Promise.all([account, other].map((who) => checkDomain(service, who, domain)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
  });

  it('takes any spelling of the domain', async () => {
    const { eintrag, nachweis } = await claim(account, `münchen${count}.example`);
    publish(eintrag, [nachweis]);
    const answer = await checkDomain(service, account, `MÜNCHEN${count}.example.`);
    expect(answer.json().status).toBe('bewiesen');
  });

  it('says so when no name server answers', async () => {
    await claim(account);
    service.dns.broken = true;
    const answer = await checkDomain(service, account, domain);
    expect(answer.statusCode).toBe(503);
    expect(answer.json().code).toBe('dns_nicht_erreichbar');
  });

  it('asks no more often than anybody waits for a record', async () => {
    const [other, third] = [await registerAccount(service), await registerAccount(service)];
    for (const who of [account, other, third]) await claim(who);
    await service.sql('DELETE FROM drosselung');
    expect((await checkDomain(service, account, domain)).statusCode).toBe(200);
    await service.sql('UPDATE drosselung SET points = 120');
    const answer = await checkDomain(service, account, domain);
    expect(answer.statusCode).toBe(429);
    expect(answer.json().code).toBe('zu_viele_versuche');
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await checkDomain(service, other, domain)).statusCode).toBe(200);
    await service.sql('UPDATE drosselung SET points = 500');
    expect((await checkDomain(service, third, domain)).statusCode).toBe(429);
    await service.sql('DELETE FROM drosselung');
  });

  it('answers a domain that another Mandant has claimed like one that nobody has', async () => {
    await claim(account);
    const answer = await checkDomain(service, await registerAccount(service), domain);
    const unknown = await checkDomain(service, account, 'unbekannt.example');
    expect(answer.statusCode).toBe(404);
    expect(answer.body).toBe(unknown.body);
    expect((await checkDomain(service, account, '…')).body).toBe(unknown.body);
  });

  it('checks the length of the domain', async () => {
    const answer = await checkDomain(service, account, `${'a'.repeat(250)}.example`);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['path', 'domain']);
  });

  it('is for those who administer', async () => {
    await claim(account);
    const statuses = await statusByRole(service, account, (user) => checkDomain(service, user, domain));
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
    expect((await checkDomain(service, { ...account, cookie: '' }, domain)).statusCode).toBe(401);
  });
});
