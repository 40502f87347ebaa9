import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigError, parseConfig } from './config.ts';
import { type Network, networksOf } from './outbound.ts';

/** The sentence that stops the start. */
function refusal(env: Record<string, string>): string {
  try {
    parseConfig(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error(`accepted: ${JSON.stringify(env)}`);
}

describe('mail', () => {
  test('goes to the log unless a server is named', () => {
    expect(parseConfig({})).toMatchObject({ smtpUrl: null, mailFrom: 'Zählwerk <zaehlwerk@localhost>' });
    const env = { SMTP_URL: 'smtps://u:p%40ss@mail.example.org:465', MAIL_FROM: 'Zähler <z@example.org>' };
    expect(parseConfig(env)).toMatchObject({ smtpUrl: env.SMTP_URL, mailFrom: env.MAIL_FROM });
    expect(parseConfig({ SMTP_URL: ' ' }).smtpUrl).toBeNull();
  });

  test.each(['mail.example.org', 'http://mail.example.org', 'mail.example.org:25'])('SMTP_URL=%s', (text) => {
    expect(refusal({ SMTP_URL: text })).toBe(
      'SMTP_URL: Das ist keine Adresse der Form smtp://… oder smtps://….',
    );
  });

  test.each(['Zählwerk', 'a@example.org\nBcc: b@example.org', 'a@example.org\r\nX: y'])(
    'MAIL_FROM=%j',
    (text) => {
      expect(refusal({ MAIL_FROM: text })).toMatch(/^MAIL_FROM: Erwartet wird ein Absender/);
    },
  );

  test('a wrong address is not repeated: it may hold a password', () => {
    expect(refusal({ SMTP_URL: 'smpt://u:kanarienvogel@mail.example.org' })).not.toContain('kanarienvogel');
  });
});

describe('metrics', () => {
  test('are offered apart when a port is named, to this machine unless said otherwise', () => {
    expect(parseConfig({}).metrics).toBeNull();
    expect(parseConfig({ METRICS_PORT: '9464' }).metrics).toEqual({ port: 9464, host: '127.0.0.1' });
    expect(parseConfig({ METRICS_PORT: '0', METRICS_HOST: '::' }).metrics).toEqual({ port: 0, host: '::' });
    expect(refusal({ METRICS_PORT: '70000' })).toBe(
      'METRICS_PORT: „70000“ ist keine Portnummer von 0 bis 65535.',
    );
    expect(refusal({ METRICS_HOST: '0.0.0.0' })).toBe('METRICS_HOST: Gilt nur zusammen mit METRICS_PORT.');
  });
});

describe('the login of requests', () => {
  const DATABASE_URL = 'postgres://zaehlwerk@db.example/zaehlwerk';

  test('takes a folder for the log of the embedded database alone, and none in the database itself', () => {
    expect(parseConfig({}).walArchive).toBeNull();
    expect(parseConfig({ WAL_ARCHIV: '/mnt/archiv' }).walArchive).toBe('/mnt/archiv');
    expect(refusal({ WAL_ARCHIV: '/mnt/archiv', DATABASE_URL: 'postgres://db.example/zaehlwerk' })).toMatch(
      /^WAL_ARCHIV: Gilt nur für die eingebettete Datenbank/,
    );
    for (const WAL_ARCHIV of ['/d/postgres', '/d/postgres/wal'])
      expect(refusal({ DATA_DIR: '/d', WAL_ARCHIV })).toContain('liegt in der Datenbank selbst');
  });

  test('belongs to a server of one’s own', () => {
    const DATABASE_URL_ANFRAGEN = 'postgres://zaehlwerk_anfrage@db.example/zaehlwerk';
    expect(parseConfig({ DATABASE_URL, DATABASE_URL_ANFRAGEN }).requestDatabaseUrl).toBe(
      DATABASE_URL_ANFRAGEN,
    );
    expect(parseConfig({ DATABASE_URL }).requestDatabaseUrl).toBeNull();
    expect(refusal({ DATABASE_URL_ANFRAGEN })).toBe(
      'DATABASE_URL_ANFRAGEN: Gilt nur zusammen mit DATABASE_URL.',
    );
    expect(refusal({ DATABASE_URL, DATABASE_URL_ANFRAGEN: 'db.example' })).toMatch(
      /^DATABASE_URL_ANFRAGEN: /,
    );
  });
});

describe('the substitute rate', () => {
  test.each([
    [{}, '0.86', '2026-11-20'],
    [{ USD_EUR_RATE: '0.86' }, '0.86', '2026-11-20'],
    [{ USD_EUR_RATE: '0.9' }, '0.9', null],
    [{ USD_EUR_RATE: '0.9', USD_EUR_RATE_DATUM: '2028-02-29' }, '0.9', '2028-02-29'],
  ])('of %j has its own day', (env, rate, day) => {
    expect(parseConfig(env)).toMatchObject({ usdEurRate: rate, usdEurRateDay: day });
  });

  test.each(['2026-02-30', '20.11.2026', 'gestern', '2026-13-01'])('has no day %s', (day) => {
    expect(refusal({ USD_EUR_RATE_DATUM: day })).toBe(
      `USD_EUR_RATE_DATUM: „${day}“ ist kein Tag wie 2026-11-20.`,
    );
  });
});

describe('time zone', () => {
  test.each(['Europe/Berlin', 'America/New_York', 'UTC'])('ZEITZONE=%s', (zone) => {
    expect(parseConfig({ ZEITZONE: zone }).timeZone).toBe(zone);
  });

  test.each(['+02:00', '-0930', 'Berlin', 'Europe/Atlantis'])('ZEITZONE=%s is none', (zone) => {
    expect(refusal({ ZEITZONE: zone })).toBe(`ZEITZONE: „${zone}“ ist keine Zeitzone wie Europe/Berlin.`);
  });
});

describe('payment provider', () => {
  const both = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' };

  test('is there with both secrets, at its own address unless another is given', () => {
    expect(parseConfig({}).stripe).toBeNull();
    expect(parseConfig(both).stripe).toEqual({
      secretKey: 'sk_test_1',
      webhookSecret: 'whsec_1',
      apiBase: null,
    });
    expect(parseConfig({ ...both, STRIPE_API_BASE: 'http://127.0.0.1:9' }).stripe?.apiBase).toBe(
      'http://127.0.0.1:9',
    );
  });

  test('one secret without the other', () => {
    expect(refusal({ STRIPE_SECRET_KEY: 'sk_test_1' })).toMatch(/^STRIPE_WEBHOOK_SECRET: Fehlt/);
    expect(refusal({ STRIPE_WEBHOOK_SECRET: 'whsec_1' })).toMatch(/^STRIPE_SECRET_KEY: Fehlt/);
    expect(refusal({ ...both, STRIPE_API_BASE: 'api.example.org' })).toMatch(/^STRIPE_API_BASE: /);
  });

  test('secrets may lie in files', () => {
    const directory = mkdtempSync(join(tmpdir(), 'zw-config-'));
    const file = join(directory, 'geheim');
    writeFileSync(file, 'sk_test_aus_datei\n');
    const env = { STRIPE_SECRET_KEY_FILE: file, STRIPE_WEBHOOK_SECRET: 'whsec_1' };
    expect(parseConfig(env).stripe?.secretKey).toBe('sk_test_aus_datei');
    rmSync(directory, { recursive: true });
    expect(refusal(env)).toMatch(/^STRIPE_SECRET_KEY_FILE: Die Datei „.*“ lässt sich nicht lesen\.$/);
  });
});

describe('links that sign in', () => {
  const shown = (env: Record<string, string>) => parseConfig(env).linksInAnswers;
  const places = [
    {},
    { HOST: 'localhost', BASE_URL: 'http://localhost:8080' },
    { HOST: '127.0.0.1', BASE_URL: 'http://127.0.0.1' },
    { HOST: '::1', BASE_URL: 'http://[::1]:80/' },
    { HOST: '0.0.0.0', BASE_URL: 'https://zaehlwerk.example.org' },
  ];

  test.each(places)('are in answers only where NODE_ENV says so, whatever the place: %j', (env) => {
    for (const NODE_ENV of ['development', 'test']) expect(shown({ ...env, NODE_ENV })).toBe(true);
    expect(shown({ ...env, NODE_ENV: 'production' })).toBe(false);
    expect(shown(env)).toBe(false);
    expect(shown({ ...env, NODE_ENV: ' ' })).toBe(false);
  });
});

test('the whole of it is understood in another thread, which gets a copy', () => {
  const config = parseConfig({ ERLAUBTE_NETZE: '10.0.0.0/8', SMTP_URL: 'smtp://mail.example.org' });
  expect(structuredClone(config)).toStrictEqual(config);
});

describe('networks', () => {
  test('none are allowed, no proxy is trusted unless named', () => {
    expect(parseConfig({})).toMatchObject({ allowedNetworks: [], trustedProxies: [] });
    const { allowedNetworks, trustedProxies } = parseConfig({
      ERLAUBTE_NETZE: '10.0.0.0/8, 192.168.1.5,fd00::/8,::1 ,',
      VERTRAUTE_PROXYS: '127.0.0.1, 10.1.0.0/16',
    });
    expect(allowedNetworks).toEqual(['10.0.0.0/8', '192.168.1.5', 'fd00::/8', '::1']);
    expect(networksOf(allowedNetworks).map(([address, prefix]: Network) => `${address}/${prefix}`)).toEqual([
      '10.0.0.0/8',
      '192.168.1.5/32',
      'fd00::/8',
      '::1/128',
    ]);
    expect(trustedProxies).toEqual(['127.0.0.1', '10.1.0.0/16']);
  });

  test.each(['10.0.0.0/33', 'intern', '10.0.0.0/8;127.0.0.1', '300.1.1.1', 'true'])('%s', (text) => {
    for (const name of ['ERLAUBTE_NETZE', 'VERTRAUTE_PROXYS'])
      expect(refusal({ [name]: `127.0.0.1,${text}` })).toBe(
        `${name}: „${text}“ ist kein Netz wie 10.0.0.0/8.`,
      );
  });
});

describe('further names of the service', () => {
  test('are names as they stand in Host, in lower case', () => {
    expect(parseConfig({}).otherHosts).toEqual([]);
    expect(parseConfig({ WEITERE_HOSTS: 'zaehlwerk, Zaehler.Intern ,mein_dienst' }).otherHosts).toEqual([
      'zaehlwerk',
      'zaehler.intern',
      'mein_dienst',
    ]);
  });

  test.each(['https://a.example', 'a.example:8080', 'a.example/', 'a b', '*.example', 'b@a'])(
    '%s is none',
    (text) => {
      expect(refusal({ WEITERE_HOSTS: `zaehlwerk,${text}` })).toBe(
        `WEITERE_HOSTS: „${text}“ ist kein Name wie zaehlwerk.intern.`,
      );
    },
  );
});

test('operators are addresses, in lower case', () => {
  expect(parseConfig({}).operatorEmails).toEqual([]);
  expect(parseConfig({ BETREIBER_EMAILS: 'Ops@Example.org, b@example.org' }).operatorEmails).toEqual([
    'ops@example.org',
    'b@example.org',
  ]);
  expect(refusal({ BETREIBER_EMAILS: 'a@example.org,ops' })).toBe(
    'BETREIBER_EMAILS: „ops“ ist keine E-Mail-Adresse.',
  );
});

test('a licence is taken as it is; whether it holds is for the check of licences', () => {
  expect(parseConfig({})).toMatchObject({ licence: null, licenceKey: null });
  expect(parseConfig({ LIZENZ: ' a.b.c ', LIZENZ_PRUEFSCHLUESSEL: '{"kty":"OKP"}' })).toMatchObject({
    licence: 'a.b.c',
    licenceKey: '{"kty":"OKP"}',
  });
});

test('a quota of Mandanten is none unless said', () => {
  expect(parseConfig({}).mandantLimits).toEqual({ anfragen: null, ereignisse: null });
  const env = { KONTINGENT_ANFRAGEN_JE_MINUTE: '600', KONTINGENT_EREIGNISSE_JE_MINUTE: ' ' };
  expect(parseConfig(env).mandantLimits).toEqual({ anfragen: 600, ereignisse: null });
  for (const text of ['0', '-1', '1.5', '1e3', 'viele', '1000000000'])
    expect(refusal({ KONTINGENT_EREIGNISSE_JE_MINUTE: text })).toBe(
      `KONTINGENT_EREIGNISSE_JE_MINUTE: „${text}“ ist keine Zahl von 1 bis 999999999.`,
    );
});

test('newer price lists are fetched from where they are published, from another address, or not at all', () => {
  expect(parseConfig({}).priceListUrl).toMatch(/^https:\/\/raw\.githubusercontent\.com\//);
  expect(parseConfig({ PREISLISTE_URL: 'https://mirror.example/l' }).priceListUrl).toBe(
    'https://mirror.example/l',
  );
  for (const PREISLISTE_URL of ['', ' ']) expect(parseConfig({ PREISLISTE_URL }).priceListUrl).toBeNull();
  expect(() => parseConfig({ PREISLISTE_URL: 'ftp://x' })).toThrow('PREISLISTE_URL: ');
});
