import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound, networksOf } from '#platform/outbound.ts';
import { registerAccount } from '#test/account.ts';
import {
  blockOf,
  createIssuer,
  type Issuer,
  LIST,
  type RevocationServer,
  startRevocationServer,
} from '#test/licences.ts';
import { startService, type TestService } from '#test/service.ts';
import { MAX_LIST_BYTES } from '../owner/fetch-list.ts';
import { sperrlisteHolenJob } from './sperrliste-holen.ts';

let issuer: Issuer;
let token: string;
let service: TestService;
let owner: OwnerDatabase;
let server: RevocationServer;
let cookie: string;
let lines: string[];
const log = createLog('info', { write: (line) => void lines.push(line) });

beforeAll(async () => {
  issuer = await createIssuer();
  token = await issuer.licence();
  service = await startService({ LIZENZ: token, LIZENZ_PRUEFSCHLUESSEL: issuer.jwk });
  const options = { connection: service.connection, max: 3, statementTimeout: 20_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, createLog('fatal')));
  ({ cookie } = await registerAccount(service));
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});
beforeEach(async () => {
  lines = [];
  server = await startRevocationServer();
  at('2026-10-01T00:26:00.000Z');
  await service.sql('TRUNCATE lizenz_einsaetze');
  await service.sql('DELETE FROM sperrliste_bekannt');
  await service.sql('INSERT INTO sperrliste_bekannt DEFAULT VALUES');
});
afterEach(() => server.stop());

const at = (instant: string) => service.clock.set(instant);
const config = (env: object = {}) => ({ ...service.context.config, licenceListUrl: server.url, ...env });
const run = (env: object = {}, networks = ['127.0.0.1/32']) =>
  sperrlisteHolenJob({
    ...{ owner, log, clock: service.clock, config: config(env) },
    outbound: createOutbound(networksOf(networks), { timeout: 60_000 }),
  }).run();
/** What the cockpit shows of it. */
async function licence() {
  await service.sql(`UPDATE sitzungen SET erstellt_am = $1, zuletzt_am = $1`, [
    service.clock.now().toISOString(),
  ]);
  const answer = await service.app.inject({ url: '/v1/cockpit/lizenz', headers: { cookie } });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}
const state = async () => {
  const { lizenz, paket } = await licence();
  const { status, sperrliste } = lizenz;
  return { paket, status, nummer: sperrliste.nummer, hindernis: sperrliste.hindernis };
};
const GOOD = { paket: 'enterprise', status: 'gültig', nummer: 5, hindernis: null };

describe('the job', () => {
  test('fetches the list, signed with the key of the licence, and follows it', async () => {
    server.serve(await issuer.list());
    expect(await run()).toEqual({ geholt: true });
    expect(server.asked.map(({ url }) => url)).toEqual([`/sperrliste?kid=${issuer.kid}`]);
    expect(await state()).toEqual(GOOD);
    server.serve(await issuer.list({ nummer: 6, sperren: [blockOf(token)] }));
    await run();
    expect(await state()).toEqual({ paket: 'frei', status: 'gesperrt', nummer: 6, hindernis: null });
    server.serve(await issuer.list({ nummer: 7 }));
    await run();
    expect(await state()).toEqual({ ...GOOD, nummer: 7 });
  });

  test('goes where the licence says unless another address is set', async () => {
    const own = await issuer.licence({ sperrliste: `${server.url}?aus=Lizenz` });
    server.serve(await issuer.list());
    await run({ licence: own, licenceListUrl: null });
    expect(server.asked[0]?.url).toBe(`/sperrliste?aus=Lizenz&kid=${issuer.kid}`);
  });

  test('asks as often as the server wants, and has it confirmed what it knows', async () => {
    server.serve(await issuer.list(), { etag: 'W/"a"', 'cache-control': 'public, max-age=3600' });
    await run();
    at('2026-10-01T01:20:00.000Z');
    await run();
    expect(server.asked).toHaveLength(1);
    at('2026-10-01T01:26:00.000Z');
    await run();
    expect(server.asked[1]?.headers['if-none-match']).toBe('W/"a"');
    expect((await licence()).lizenz.sperrliste).toMatchObject({
      nummer: 5,
      erreicht_am: '2026-10-01T01:26:00.000Z',
      nicht_erreicht_seit: null,
      arbeitet_bis: '2026-10-15T01:26:00.000Z',
    });
  });

  test('takes nobody’s word that a list is still good whose time is over', async () => {
    server.serve(await issuer.list(), { etag: '"a"' });
    await run();
    at(LIST.gueltig_bis);
    await run();
    expect(server.asked[1]?.headers['if-none-match']).toBeUndefined();
    expect(await state()).toEqual({ ...GOOD, hindernis: 'abgelaufen' });
    expect((await licence()).lizenz.sperrliste.nicht_erreicht_seit).toBe('2026-10-01T00:26:00.000Z');
  });

  test.each<[string, () => Promise<string>, string]>([
    ['an older number', () => issuer.list({ nummer: 4 }), 'aelter'],
    ['the same number with other contents', () => issuer.list({ sperren: [blockOf(token)] }), 'widerspruch'],
    ['one of another key', async () => (await createIssuer()).list({ nummer: 9 }), 'signatur_falsch'],
    ['a licence in its place', async () => `{"signatur":"${token}"}`, 'signatur_falsch'],
    [
      'one from the future',
      () =>
        issuer.list({
          nummer: 6,
          ausgestellt_am: '2026-10-03T00:00:00Z',
          gueltig_bis: '2026-10-10T00:00:00Z',
        }),
      'zukunft',
    ],
    ['a page', async () => '<html></html>', 'keine_liste'],
    ['more than there can be', async () => ' '.repeat(MAX_LIST_BYTES + 1), 'nicht_erreichbar'],
  ])('refuses %s, keeps what it knows and says so', async (_what, body, hindernis) => {
    server.serve(await issuer.list());
    await run();
    server.serve(await body());
    at('2026-10-01T01:26:00.000Z');
    expect(await run()).toEqual({ geholt: false });
    expect(await state()).toEqual({ ...GOOD, hindernis });
    expect(lines.filter((line) => line.includes('revocation list'))).toHaveLength(1);
    server.serve(await issuer.list({ nummer: 6 }));
    await run();
    expect(await state()).toEqual({ ...GOOD, nummer: 6 });
  });

  test('takes the same number of a later day, and what a day has changed', async () => {
    server.serve(await issuer.list());
    await run();
    at('2026-10-02T00:26:00.000Z');
    server.serve(
      await issuer.list({ ausgestellt_am: '2026-10-02T00:00:00Z', gueltig_bis: '2026-10-09T00:00:00Z' }),
    );
    await run();
    expect((await licence()).lizenz.sperrliste).toMatchObject({
      nummer: 5,
      ausgestellt_am: '2026-10-02T00:00:00.000Z',
    });
  });

  test('reaches nobody where nobody answers, nor where it may not go, nor by a redirect', async () => {
    server.serve('', {}, 503);
    await run();
    server.serve('', { location: 'https://example.org/' }, 302);
    await run();
    // 304 to a question that named nothing.
    server.serve('', {}, 304);
    await run();
    server.serve(await issuer.list());
    await run({}, []);
    await run({ licenceListUrl: 'http://127.0.0.1:1/' });
    expect(lines.filter((line) => line.includes('revocation list not reached'))).toHaveLength(5);
    expect(await state()).toEqual({ ...GOOD, nummer: null, hindernis: 'nicht_erreichbar' });
  });

  test('forgets what a key has vouched for that is no longer believed', async () => {
    server.serve(await issuer.list({ nummer: 2 ** 53 - 1 }));
    await run();
    const other = await createIssuer();
    const env = { licence: await other.licence(), licenceKey: other.jwk };
    server.serve(await other.list({ nummer: 3 }));
    expect(await run(env)).toEqual({ geholt: true });
  });

  test('does nothing without a licence, and says of one that proves nothing that it does', async () => {
    expect(await run({ licence: null })).toEqual({ geholt: false });
    expect(lines).toEqual([]);
    expect(await run({ licence: 'unsinn' })).toEqual({ geholt: false });
    expect(lines.filter((line) => line.includes('the licence proves nothing'))).toHaveLength(1);
    expect(server.asked).toEqual([]);
  });
});

describe('a list that is not reached', () => {
  test('leaves the package for 14 days; what was counted stays, and the next list gives it back', async () => {
    server.serve(await issuer.list());
    await run();
    server.serve('', {}, 503);
    at('2026-10-14T00:26:00.000Z');
    await run();
    expect((await licence()).lizenz).toMatchObject({
      status: 'gültig',
      sperrliste: {
        hindernis: 'nicht_erreichbar',
        nicht_erreicht_seit: '2026-10-01T00:26:00.000Z',
        arbeitet_bis: '2026-10-15T00:26:00.000Z',
      },
    });
    at('2026-10-16T00:26:00.000Z');
    await run();
    expect(await state()).toEqual({
      paket: 'frei',
      status: 'ungeprüft',
      nummer: 5,
      hindernis: 'nicht_erreichbar',
    });
    server.serve(
      await issuer.list({ ausgestellt_am: '2026-10-16T00:00:00Z', gueltig_bis: '2026-10-23T00:00:00Z' }),
    );
    await run();
    expect(await state()).toEqual(GOOD);
  });

  test('does not become reached by turning the clock back', async () => {
    server.serve(await issuer.list());
    await run();
    server.serve('', {}, 503);
    at('2026-10-16T00:26:00.000Z');
    await run();
    at('2026-10-02T00:00:00.000Z');
    await run();
    expect((await state()).status).toBe('ungeprüft');
    // Nor by the old list, which was good on that day.
    server.serve(await issuer.list());
    await run();
    expect(await state()).toEqual({ paket: 'frei', status: 'ungeprüft', nummer: 5, hindernis: 'abgelaufen' });
  });

  test('is none once a clock that was ahead for hours is right again', async () => {
    await service.sql(`UPDATE uhrstand SET vergangen_bis = '2026-09-30T00:00:00Z'`);
    server.serve(await issuer.list());
    await run();
    at('2026-10-16T00:26:00.000Z');
    await run();
    expect((await state()).status).toBe('ungeprüft');
    at('2026-10-01T02:26:00.000Z');
    await run();
    expect(await state()).toEqual(GOOD);
    await service.sql(`UPDATE uhrstand SET vergangen_bis = 'infinity'`);
  });

  test('goes out even where nobody tries any more', async () => {
    server.serve(await issuer.list());
    await run();
    at('2026-10-03T00:00:00.000Z');
    expect((await licence()).lizenz.sperrliste.nicht_erreicht_seit).toBe('2026-10-01T00:26:00.000Z');
  });
});
