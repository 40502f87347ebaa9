/** What every operation gets from the kit, seen at a few operations of the real service. */
import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, PASSWORT, registerAccount } from '#test/account.ts';
import { declared } from '#test/operations.ts';
import { startService, type TestService, withoutDatabase } from '#test/service.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
});
afterAll(() => service.stop());

const JSON_TYPE = { 'content-type': 'application/json' };
const send = (payload: string | Buffer | Readable, headers: Record<string, string> = {}) =>
  service.app.inject({ method: 'POST', url: '/v1/anmelden', headers: { ...JSON_TYPE, ...headers }, payload });
const credentials = () => Buffer.from(JSON.stringify({ email: account.email, passwort: PASSWORT }));

describe('paths and methods', () => {
  it.each([
    ['PUT', '/v1/ich', 'GET'],
    ['OPTIONS', '/v1/ich', 'GET'],
    ['GET', '/v1/anmelden', 'POST'],
    ['PATCH', '/v1/cockpit/konto/schluessel/1', 'PUT, DELETE'],
    ['PUT', '/v1/cockpit/benutzer/einladen', 'POST'],
    ['DELETE', '/v1/cockpit/regeln/geldgrenzen', 'GET, PUT'],
  ] as const)('%s %s answers 405', async (method, url, allow) => {
    const answer = await service.app.inject({ method, url });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe(allow);
    expect(answer.json()).toEqual({ detail: 'Diese Methode gibt es hier nicht.', code: 'methode_unbekannt' });
  });

  it('answers HEAD where it answers GET, and nowhere else', async () => {
    expect((await service.app.inject({ method: 'HEAD', url: '/v1/gesund' })).statusCode).toBe(200);
    expect((await service.app.inject({ method: 'HEAD', url: '/v1/anmelden' })).statusCode).toBe(405);
  });

  it.each(['GET', 'POST', 'DELETE'] as const)('%s of an unknown path answers 404', async (method) => {
    const answer = await service.app.inject({ method, url: '/v1/gibt-es-nicht' });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({ detail: 'Diesen Pfad gibt es nicht.', code: 'pfad_unbekannt' });
  });

  it('answers an address that cannot be read', async () => {
    const answer = await service.app.inject({ url: '/v1/laeufe/%E0%A4%A' });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ detail: 'Die Adresse ist ungültig.', code: 'adresse_ungueltig' });
  });

  it('leaves a long parameter to the check of the operation', async () => {
    const url = `/v1/cockpit/konto/schluessel/${'a'.repeat(2_000)}`;
    const answer = await service.app.inject({ method: 'DELETE', url, headers: { cookie: account.cookie } });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['path', 'schluessel_id']);
  });
});

describe('bodies', () => {
  it('that are not quite JSON answer 422', async () => {
    const answer = await send('{"email": "a@example.org",');
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toMatchObject([
      { type: 'json_invalid', loc: ['body', expect.any(Number)], input: {} },
    ]);
  });

  it.each([
    ['not UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['nested beyond reason', Buffer.from('['.repeat(60_000))],
  ])('that cannot be read at all answer 400: %s', async (_name, payload) => {
    const answer = await send(payload);
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toEqual({ detail: 'There was an error parsing the body' });
  });

  it.each(['', 'null'])('that are missing answer 422: %j', async (payload) => {
    const answer = await send(payload);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toMatchObject([{ type: 'missing', loc: ['body'] }]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'of type %s are not JSON and answer 422',
    async (type) => {
      const answer = await send(credentials(), { 'content-type': type });
      expect(answer.statusCode).toBe(422);
      expect(answer.json().detail[0]).toMatchObject({ type: 'model_attributes_type', loc: ['body'] });
      expect(answer.body).not.toContain(PASSWORT);
    },
  );

  it('of a type that is none answer 415', async () => {
    const answer = await send(credentials(), { 'content-type': 'unsinn' });
    expect(answer.statusCode).toBe(415);
    expect(answer.json()).toEqual({ detail: 'Content-Type ist ungültig.', code: 'inhaltstyp_ungueltig' });
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.muster+json'])(
    'of type %s are JSON',
    async (type) => {
      expect((await send(credentials(), { 'content-type': type })).statusCode).toBe(200);
    },
  );

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['GZIP', gzipSync],
    ['identity', (bytes: Buffer) => bytes],
  ] as const)('in %s are decompressed', async (encoding, compress) => {
    const answer = await send(compress(credentials()), { 'content-encoding': encoding });
    expect(answer.statusCode).toBe(200);
  });

  it('in an unknown encoding answer 415, in a broken one 400', async () => {
    for (const encoding of ['constructor', '__proto__', 'toString'])
      expect((await send(credentials(), { 'content-encoding': encoding })).statusCode, encoding).toBe(415);
    const unknown = await send(credentials(), { 'content-encoding': 'compress' });
    expect(unknown.statusCode).toBe(415);
    expect(unknown.json().code).toBe('kodierung_unbekannt');
    const broken = await send(credentials(), { 'content-encoding': 'gzip' });
    expect(broken.statusCode).toBe(400);
    expect(broken.json().code).toBe('kodierung_falsch');
  });

  it('that are too large answer 413: announced, streamed, or once decompressed', async () => {
    const large = Buffer.alloc(70_000, ' ');
    const bomb = gzipSync(Buffer.alloc(20_000_000, ' '));
    expect(bomb.length).toBeLessThan(65_536);
    const answers = [
      await send(large),
      await send(Readable.from([large])),
      await send(bomb, { 'content-encoding': 'gzip' }),
      await send(brotliCompressSync(large), { 'content-encoding': 'br' }),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(413);
      expect(answer.json().code).toBe('zu_gross');
    }
  });

  it('are not read before the caller is known', async () => {
    const url = '/v1/cockpit/konto/schluessel';
    const answer = await service.app.inject({ method: 'POST', url, headers: JSON_TYPE, payload: '{' });
    expect(answer.statusCode).toBe(401);
  });
});

describe('failures', () => {
  it('without a name answer 500 and tell nothing', async () => {
    const { context } = service;
    const { db } = context;
    context.db = { ...db, transaction: () => Promise.reject(new Error('geheime Einzelheit')) };
    const answer = await service.app.inject({ url: '/v1/lizenzen/sperrliste' });
    context.db = db;
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toEqual({ detail: 'Das hätte nicht passieren dürfen.', code: 'interner_fehler' });
  });

  it('to reach the database answer 503 and say when to come back', async () => {
    const answer = await withoutDatabase(service, () => send(credentials()));
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('2');
    expect(answer.json().code).toBe('datenbank_weg');
  });
});

const SECURITY_HEADERS = {
  'content-security-policy':
    "default-src 'self';img-src 'self' data:;style-src 'self' 'unsafe-inline';object-src 'none';base-uri 'none';" +
    "frame-ancestors 'none';form-action 'self'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

describe('security headers', () => {
  it.each(['/v1/gesund', '/v1/ich', '/v1/gibt-es-nicht', '/docs', '/openapi.json'])(
    'stand on %s',
    async (url) => {
      const { headers } = await service.app.inject({ url });
      expect(headers).toMatchObject(SECURITY_HEADERS);
      expect(headers).not.toHaveProperty('strict-transport-security');
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    },
  );

  it('keep answers of the API out of every cache', async () => {
    expect((await service.app.inject({ url: '/v1/ich' })).headers['cache-control']).toBe('no-store');
  });

  it('demand https in production', async () => {
    const production = await startService({ NODE_ENV: 'production' });
    const { headers } = await production.app.inject({ url: '/v1/gesund' });
    await production.stop();
    expect(headers).toMatchObject({
      ...SECURITY_HEADERS,
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    });
  });
});

describe('the description', () => {
  it('lists exactly the registered operations', async () => {
    const answer = await service.app.inject({ url: '/openapi.json' });
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    const document = answer.json();
    expect(document.openapi).toMatch(/^3\./);
    expect(document.info.version).toBe('0.1.0');
    const listed = Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const registered = declared
      .filter(({ method, path }) => service.app.hasRoute({ method, url: path.replace(/\{(\w+)\}/g, ':$1') }))
      .map(({ method, path }) => `${method} ${path}`);
    expect(registered).toContain('POST /v1/anmelden');
    expect(listed.sort()).toEqual(registered.sort());
  });

  it('has a page whose parts all come from here and comply with the content security policy', async () => {
    const page = await service.app.inject({ url: '/docs' });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(page.body).not.toMatch(/https?:\/\/|<script(?![^>]*\bsrc=)|<style|\son\w+=/i);
    const parts = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string);
    expect(parts.filter((part) => part.endsWith('.js'))).toHaveLength(3);
    for (const part of parts) {
      expect(part).toMatch(/^\/docs\//);
      const asset = await service.app.inject({ url: part });
      expect(asset.statusCode).toBe(200);
      if (part.endsWith('.css')) expect(asset.body).not.toMatch(/@import|url\(["']?(?:https?:)?\/\//);
      if (part.endsWith('initializer.js')) expect(asset.body).not.toMatch(/["']https?:\/\//);
    }
  });

  it('stands behind the page as JSON and as YAML', async () => {
    const document = (await service.app.inject({ url: '/openapi.json' })).json();
    expect((await service.app.inject({ url: '/docs/json' })).json()).toEqual(document);
    const yaml = await service.app.inject({ url: '/docs/yaml' });
    expect(yaml.statusCode).toBe(200);
    expect(JSON.parse(yaml.body)).toEqual(document);
  });
});
