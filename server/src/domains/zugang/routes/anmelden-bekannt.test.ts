import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Account, addUser, logIn, PASSWORT, registerAccount } from '#test/account.ts';
import { codeFor, enableSecondFactor, timeOfDistinctCodes, wrongCodeFor } from '#test/second-factor.ts';
import { startService, type TestService } from '#test/service.ts';

const NOW = '2026-05-01T10:00:00.000Z';

let service: TestService;
let user: Account;
beforeAll(async () => {
  service = await startService();
});
beforeEach(async () => {
  service.clock.set(NOW);
  await service.sql('DELETE FROM drosselung');
  user = await registerAccount(service);
});
afterAll(() => service.stop());

const deviceCookie = (answer: LightMyRequestResponse) =>
  answer.cookies.find(({ name }) => name.endsWith('zw_geraet'));
const sessionCookie = (answer: LightMyRequestResponse) =>
  answer.cookies.find(({ name }) => name.endsWith('zw_sitzung'));
/** As the browser sends it back. */
const passOf = (answer: LightMyRequestResponse): string => {
  const cookie = deviceCookie(answer);
  if (!cookie) throw new Error(`no pass in the answer: ${answer.statusCode} ${answer.body}`);
  return `${cookie.name}=${cookie.value}`;
};

interface Attempt {
  email?: string;
  passwort?: string;
  code?: string;
  cookie?: string;
  from?: string;
}

const attempt = ({ email = user.email, cookie, from = '192.0.2.1', ...secrets }: Attempt = {}) =>
  service.app.inject({
    method: 'POST',
    url: '/v1/anmelden',
    remoteAddress: from,
    headers: cookie === undefined ? {} : { cookie },
    payload: { email, passwort: PASSWORT, ...secrets },
  });

/** From a network from which nothing else comes. */
const signIn = (at: Attempt = {}) => attempt({ from: '203.0.113.77', ...at });

/** Wrong passwords, each from an address of its own. */
async function guess(times: number, at: Omit<Attempt, 'passwort'> = {}): Promise<number[]> {
  const statuses = [];
  for (let index = 0; index < times; index += 1) {
    const from = `198.51.100.${index}`;
    statuses.push((await attempt({ from, ...at, passwort: `geraten-${index}` })).statusCode);
  }
  return statuses;
}

describe('while strangers guess at an account', () => {
  it('its user gets in from a known device, and from no other one elsewhere', async () => {
    const cookie = passOf(await signIn());
    expect(await guess(11)).toEqual([...Array(10).fill(401), 429]);
    const stranger = await attempt({ from: '203.0.113.9' });
    expect(stranger.statusCode).toBe(429);
    expect(stranger.json().code).toBe('zu_viele_versuche');
    const owner = await attempt({ cookie });
    expect(owner.statusCode).toBe(200);
    expect(sessionCookie(owner)?.value).toMatch(/^[A-Za-z0-9_-]{43}$/);
    // That the user came in gives the guessers no new tries.
    expect(await guess(2)).toEqual([429, 429]);
  });

  it('its user gets in from the guessers’ own network', async () => {
    const cookie = passOf(await signIn());
    const others = await Promise.all(Array.from({ length: 5 }, () => addUser(service, user, 'betrachter')));
    for (const { email } of others) await guess(10, { email, from: '192.0.2.1' });
    expect((await attempt()).statusCode).toBe(429);
    expect((await attempt({ cookie })).statusCode).toBe(200);
  });

  it('its user gets in from the browser that has just set a new password', async () => {
    const url = '/v1/passwort/vergessen';
    const asked = await service.app.inject({ method: 'POST', url, payload: { email: user.email } });
    const token = new URL(asked.json().link).searchParams.get('token');
    const passwort = 'ein-neues-passwort';
    const renewed = await service.app.inject({
      method: 'POST',
      url: '/v1/passwort/neu',
      payload: { token, passwort },
    });
    expect(sessionCookie(renewed)).toBeUndefined();
    expect(await guess(11)).toEqual([...Array(10).fill(401), 429]);
    expect((await attempt({ passwort })).statusCode).toBe(429);
    expect((await attempt({ passwort, cookie: passOf(renewed) })).statusCode).toBe(200);
  });
});

describe('a known device', () => {
  it('has ten tries of its own, and then waits like everybody', async () => {
    const cookie = passOf(await signIn());
    const other = passOf(await signIn());
    expect(await guess(11, { cookie })).toEqual([...Array(10).fill(401), 429]);
    const refused = await attempt({ cookie });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('60');
    for (const right of [{ cookie: other }, {}]) expect((await attempt(right)).statusCode).toBe(200);
  });

  it('is a stranger at another account, and after half a year', async () => {
    const cookie = passOf(await signIn());
    const foreign = passOf(await signIn({ email: (await registerAccount(service)).email }));
    await guess(10);
    expect((await attempt({ cookie: foreign })).statusCode).toBe(429);
    expect((await signIn({ cookie })).statusCode).toBe(200);
    service.clock.set('2026-10-28T10:00:00.001Z');
    expect((await attempt({ cookie })).statusCode).toBe(429);
  });

  it('is a stranger once the password was changed, but for the browser that changed it', async () => {
    const [laptop, phone] = [await signIn(), await signIn()];
    const neu = 'ein-neues-passwort';
    const changed = await service.app.inject({
      method: 'PUT',
      url: '/v1/cockpit/passwort',
      headers: { cookie: `zw_sitzung=${sessionCookie(laptop)?.value}` },
      payload: { alt: PASSWORT, neu },
    });
    expect(changed.json()).toEqual({ geaendert: true, beendete_sitzungen: 2 });
    await guess(10);
    for (const cookie of [passOf(laptop), passOf(phone)])
      expect((await attempt({ passwort: neu, cookie })).statusCode).toBe(429);
    expect((await attempt({ passwort: neu, cookie: passOf(changed) })).statusCode).toBe(200);
  });

  it.each(['zw_geraet=', 'zw_geraet=abc', `zw_geraet=${'A'.repeat(400)}`, 'zw_geraet=%E0%A4%A'])(
    'is nobody who sends %s',
    async (cookie) => {
      await guess(10);
      expect((await attempt({ cookie })).statusCode).toBe(429);
    },
  );

  it('tells nobody which addresses have an account', async () => {
    const foreign = passOf(await signIn({ email: (await registerAccount(service)).email }));
    for (const passwort of [PASSWORT, 'geraten-geraten']) {
      const answers = [];
      for (const email of [user.email, 'niemand@example.org']) {
        await guess(9, { email, cookie: foreign });
        answers.push(await attempt({ email, passwort: 'geraten-geraten', cookie: foreign }));
        answers.push(await attempt({ email, passwort, cookie: foreign }));
        await service.sql('DELETE FROM drosselung');
      }
      const [known, blocked, unknown, unknownBlocked] = answers;
      expect([known?.statusCode, blocked?.statusCode]).toEqual([401, 429]);
      expect([unknown?.body, unknownBlocked?.body]).toEqual([known?.body, blocked?.body]);
      expect(unknownBlocked?.headers['retry-after']).toBe(blocked?.headers['retry-after']);
      for (const answer of answers) expect(answer.cookies).toEqual([]);
    }
  });
});

describe('a known network', () => {
  const HOME = '203.0.113.77';

  it('lets its user in on any device while others guess from elsewhere', async () => {
    await signIn();
    expect(await guess(11)).toEqual([...Array(10).fill(401), 429]);
    expect((await attempt()).statusCode).toBe(429);
    expect((await attempt({ from: HOME })).statusCode).toBe(200);
    // Guessers get no new tries by that.
    expect(await guess(2)).toEqual([429, 429]);
  });

  it('is all that one subscriber of IPv6 holds', async () => {
    await signIn({ from: '2001:db8:7:7::1' });
    await guess(10);
    expect((await attempt({ from: '2001:db8:7:8::1' })).statusCode).toBe(429);
    expect((await attempt({ from: '2001:db8:7:7:ffff::9' })).statusCode).toBe(200);
  });

  it('has ten tries of its own, which keep nobody out elsewhere, nor a known device', async () => {
    const cookie = passOf(await signIn());
    expect(await guess(11, { from: HOME })).toEqual([...Array(10).fill(401), 429]);
    expect((await attempt({ from: HOME })).statusCode).toBe(429);
    expect((await attempt({ from: HOME, cookie })).statusCode).toBe(200);
    expect((await attempt()).statusCode).toBe(200);
  });

  it('is a stranger’s at another account, after a wrong password or code, and after a month', async () => {
    const other = await addUser(service, user, 'betrachter');
    await signIn();
    await guess(10, { email: other.email });
    expect((await attempt({ email: other.email, from: HOME })).statusCode).toBe(429);

    await service.sql('DELETE FROM drosselung');
    await guess(10, { from: HOME });
    expect((await attempt({ from: HOME })).statusCode).toBe(429);

    await service.sql('DELETE FROM drosselung');
    await signIn();
    const [kept] = await service.sql('SELECT max(expire)::float8 AS until FROM drosselung');
    const days = (Number(kept?.until) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(29);
    expect(days).toBeLessThan(31);
  });

  it('has no more tries in all than any network', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => addUser(service, user, 'betrachter')));
    for (const { email } of [...others, user]) expect((await signIn({ email })).statusCode).toBe(200);
    for (const { email } of others)
      expect(await guess(10, { email, from: HOME })).toEqual(Array(10).fill(401));
    expect((await attempt({ from: HOME })).statusCode).toBe(429);
  });

  it('is kept as a hash, and for nobody whose network is unknown', async () => {
    await signIn();
    const text = JSON.stringify(await service.sql('SELECT * FROM drosselung'));
    expect(text).not.toContain(HOME);
    expect(text).not.toContain(user.email);
    await service.sql('DELETE FROM drosselung');
    await signIn({ from: 'unbekannt' });
    await guess(10);
    expect((await attempt({ from: 'unbekannt' })).statusCode).toBe(429);
  });
});

describe('the pass of a known device', () => {
  it('is a cookie that scripts cannot read, another one for each login', async () => {
    const [first, second] = [await signIn(), await signIn()];
    expect(deviceCookie(first)).toMatchObject({
      name: 'zw_geraet',
      httpOnly: true,
      sameSite: 'Lax',
      path: '/',
      maxAge: 180 * 86_400,
    });
    expect(passOf(first)).not.toBe(passOf(second));
  });

  it('stays when somebody signs out', async () => {
    const signedIn = await signIn();
    const cookie = `zw_sitzung=${sessionCookie(signedIn)?.value}`;
    const left = await service.app.inject({ method: 'POST', url: '/v1/abmelden', headers: { cookie } });
    expect(deviceCookie(left)).toBeUndefined();
    await guess(10);
    expect((await attempt({ cookie: passOf(signedIn) })).statusCode).toBe(200);
  });

  it('comes with the registration, too', async () => {
    const email = 'neu@example.org';
    const payload = { firma: 'Muster GmbH', email, passwort: PASSWORT };
    const cookie = passOf(await service.app.inject({ method: 'POST', url: '/v1/registrieren', payload }));
    await guess(10, { email });
    expect((await attempt({ email, cookie })).statusCode).toBe(200);
  });

  it('is bound to https and to this host in production', async () => {
    const production = await startService({ NODE_ENV: 'production' });
    try {
      const answer = await logIn(production, (await registerAccount(production)).email);
      expect(deviceCookie(answer)).toMatchObject({ name: '__Host-zw_geraet', secure: true, path: '/' });
      expect(deviceCookie(answer)).not.toHaveProperty('domain');
    } finally {
      await production.stop();
    }
  });
});

describe('while somebody who has the password guesses codes', () => {
  it('its user gets in from a known device, and can be sure of it only with the right code', async () => {
    const { seed } = await enableSecondFactor(service, user);
    const at = timeOfDistinctCodes(seed, new Date('2026-05-01T11:00:00Z'));
    service.clock.set(at.toISOString());
    const halfPassed = await attempt();
    expect(halfPassed.json().code).toBe('code_noetig');
    expect(halfPassed.cookies).toEqual([]);
    const cookie = passOf(await signIn({ code: codeFor(seed, at, -1) }));
    const wrong = wrongCodeFor(seed, at);
    for (let index = 0; index < 5; index += 1)
      expect((await attempt({ code: wrong })).json().code).toBe('code_falsch');
    expect((await attempt({ code: codeFor(seed, at) })).statusCode).toBe(429);
    expect((await attempt({ code: codeFor(seed, at), cookie })).statusCode).toBe(200);
    // The device's own tries are as few.
    for (let index = 0; index < 5; index += 1)
      expect((await attempt({ code: wrong, cookie })).json().code).toBe('code_falsch');
    expect((await attempt({ code: codeFor(seed, at, 1), cookie })).statusCode).toBe(429);
  });
});
