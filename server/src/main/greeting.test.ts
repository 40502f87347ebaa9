import { afterAll, beforeAll, expect, it } from 'vitest';
import { registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { greetingFor, hasNoMandant, mailHint, terminalLanguage } from './greeting.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

it('leads to the registration until somebody has registered, then to the cockpit', async () => {
  const address = 'http://localhost:8080';
  const greet = async (language: 'de' | 'en') =>
    greetingFor(address, await hasNoMandant(service.connection, service.context.log), language);
  expect(await greet('de')).toContain(`${address}/registrieren`);
  expect(await greet('en')).toContain(`${address}/registrieren`);
  await registerAccount(service);
  expect(await greet('de')).toBe(`Zählwerk läuft. Das Cockpit: ${address}`);
  expect(await greet('en')).toBe(`Zählwerk is running. The cockpit: ${address}`);
});

it.each([
  [{}, 'de'],
  [{ LANG: 'C.UTF-8' }, 'de'],
  [{ LANG: 'de_AT.UTF-8' }, 'de'],
  [{ LANG: 'en_US.UTF-8' }, 'en'],
  [{ LANG: 'de_DE.UTF-8', LC_ALL: 'en_GB' }, 'en'],
])('%j speaks %s', (env, language) => expect(terminalLanguage(env)).toBe(language));

it('says where links of mails are, while no mail server sends them', () => {
  for (const language of ['de', 'en'] as const) {
    expect(mailHint('log', language)).toContain('npm run betreiber -- link');
    for (const way of ['mailserver', 'unbekannt'] as const) expect(mailHint(way, language)).toBeNull();
  }
});
