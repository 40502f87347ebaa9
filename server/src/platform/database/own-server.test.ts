import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type OwnServer, startOwnServer } from '#test/own-server.ts';
import { createLog } from '../log.ts';
import { openRequestLogin, requireOwnerRights } from './own-server.ts';

const key = randomBytes(32);
const loadKey = () => key;
const noKey = () => {
  throw new Error('nobody needs the key');
};

let server: OwnServer;
beforeAll(async () => {
  server = await startOwnServer();
});
afterAll(() => server?.stop());
beforeEach(async () => {
  const [made] = await server.sql<{ names: string | null }>(
    `SELECT string_agg(rolname, ', ') AS names FROM pg_roles WHERE rolname LIKE 'zaehlwerk_anfrage%'`,
  );
  if (made?.names) await server.sql(`DROP ROLE ${made.names}`);
});

const logins = async () =>
  (
    await server.sql<{ name: string }>(
      `SELECT rolname AS name FROM pg_roles WHERE rolname LIKE 'zaehlwerk_anfrage%' ORDER BY 1`,
    )
  ).map(({ name }) => name);

/** Who is signed in, and as whom it could act. */
async function signIn(connection: pg.ClientConfig): Promise<{ role: string; others: number }> {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(
    `SELECT current_user::text AS role,
       (SELECT count(*)::int FROM pg_roles WHERE pg_has_role(oid, 'MEMBER') AND rolname NOT LIKE 'zaehlwerk_anfrage%') AS others`,
  );
  await client.end();
  return rows[0];
}
const oidOf = async (url: string) => {
  const name = new URL(url).pathname.slice(1);
  return (await server.sql(`SELECT oid::text FROM pg_database WHERE datname = '${name}'`))[0]?.oid;
};

describe('the owner', () => {
  const warned: string[] = [];
  const log = createLog('warn', { write: (line) => void warned.push(line) });

  test('for whom row-level security holds is refused, with what is to be done', async () => {
    const connectionString = await server.database('CREATEROLE');
    const { username } = new URL(connectionString);
    const looking = requireOwnerRights({ connectionString }, log);
    await expect(looking).rejects.toThrow(`„ALTER ROLE ${username} BYPASSRLS“`);
    await server.sql(`ALTER ROLE ${username} BYPASSRLS`);
    await requireOwnerRights({ connectionString }, log);
    expect(warned).toEqual([]);
  });

  test('who is a superuser is warned of', async () => {
    await requireOwnerRights({ connectionString: await server.database('SUPERUSER') }, log);
    expect(warned).toEqual([expect.stringContaining('signs in as a superuser')]);
  });
});

describe('without a login that is given', () => {
  test('one is made that is nobody else, for this database, and found again without the right to make roles', async () => {
    const url = await server.database('CREATEROLE BYPASSRLS');
    const requests = await openRequestLogin(url, null, loadKey);
    const own = { role: `zaehlwerk_anfrage_${await oidOf(url)}`, others: 0 };
    expect(await signIn(requests)).toEqual(own);
    await server.sql(`ALTER ROLE ${new URL(url).username} NOCREATEROLE`);
    expect(await openRequestLogin(url, null, loadKey)).toEqual(requests);
    // The owner may act as a request does.
    const client = new pg.Client(url);
    await client.connect();
    await client.query('BEGIN; SET LOCAL ROLE zaehlwerk_anfrage; COMMIT');
    await client.end();
  });

  test('processes that start at the same moment agree', async () => {
    const url = await server.database('CREATEROLE BYPASSRLS');
    const all = await Promise.all([1, 2, 3, 4].map(() => openRequestLogin(url, null, loadKey)));
    for (const each of all) expect(each).toEqual(all[0]);
  });

  test('a second installation on the server leaves the first one its password', async () => {
    const first = await server.database('SUPERUSER');
    const second = await server.database('SUPERUSER');
    const requests = await openRequestLogin(first, null, loadKey);
    const others = await openRequestLogin(second, null, () => randomBytes(32));
    expect([(await signIn(requests)).role, (await signIn(others)).role]).toEqual([
      `zaehlwerk_anfrage_${await oidOf(first)}`,
      `zaehlwerk_anfrage_${await oidOf(second)}`,
    ]);
  });

  test('a process with another key is refused and changes nothing', async () => {
    const url = await server.database('CREATEROLE BYPASSRLS');
    const requests = await openRequestLogin(url, null, loadKey);
    await expect(openRequestLogin(url, null, () => randomBytes(32))).rejects.toThrow('ZW_SCHLUESSEL');
    await signIn(requests);
  });

  test('an owner who may not make roles hears what to do, and nothing is changed', async () => {
    const url = await server.database('BYPASSRLS');
    await expect(openRequestLogin(url, null, loadKey)).rejects.toThrow('DATABASE_URL_ANFRAGEN');
    expect(await logins()).toEqual([]);
    await server.sql('CREATE ROLE zaehlwerk_anfrage');
    const granting = openRequestLogin(url, null, loadKey);
    await expect(granting).rejects.toThrow(`„GRANT zaehlwerk_anfrage TO ${new URL(url).username}“`);
    expect(await logins()).toEqual(['zaehlwerk_anfrage']);
  });

  test('no log of statements holds the password', async () => {
    const url = await server.database('CREATEROLE BYPASSRLS');
    const sent: string[] = [];
    const { query } = pg.Client.prototype;
    pg.Client.prototype.query = function (this: pg.Client, ...given: Parameters<typeof query>) {
      sent.push(String(given[0]));
      return query.apply(this, given);
    } as typeof query;
    try {
      const { connectionString = '' } = await openRequestLogin(url, null, loadKey);
      const password = new URL(connectionString).searchParams.get('password') as string;
      expect(password.length).toBeGreaterThan(40);
      expect(sent.some((text) => text.startsWith('CREATE ROLE zaehlwerk_anfrage_'))).toBe(true);
      expect(sent.filter((text) => text.includes(password))).toEqual([]);
    } finally {
      pg.Client.prototype.query = query;
    }
  });
});

describe('a login that is given', () => {
  let url: string;
  beforeEach(async () => {
    url = await server.database('BYPASSRLS');
    await server.sql('CREATE ROLE zaehlwerk_anfrage');
    await server.sql(`GRANT zaehlwerk_anfrage TO ${new URL(url).username}`);
  });

  test('is taken as it is, without the key', async () => {
    const given = await server.login(url, 'IN ROLE zaehlwerk_anfrage');
    expect(await openRequestLogin(url, given, noKey)).toEqual({ connectionString: given });
  });

  test.each([
    ['SUPERUSER', 'darf mehr'],
    ['BYPASSRLS IN ROLE zaehlwerk_anfrage', 'darf mehr'],
    ['CREATEROLE IN ROLE zaehlwerk_anfrage', 'darf mehr'],
    ['IN ROLE zaehlwerk_anfrage, pg_execute_server_program', 'darf mehr'],
    ['IN ROLE zaehlwerk_anfrage, pg_read_server_files', 'darf mehr'],
    ['', 'fehlen die Rechte'],
    ['NOINHERIT IN ROLE zaehlwerk_anfrage', 'fehlen die Rechte'],
  ])('is refused with %s', async (attributes, sentence) => {
    await expect(openRequestLogin(url, await server.login(url, attributes), noKey)).rejects.toThrow(sentence);
  });

  test('is refused when it is the owner, belongs to it, leads elsewhere or is not let in', async () => {
    const member = await server.login(url, `IN ROLE zaehlwerk_anfrage, ${new URL(url).username}`);
    for (const given of [url, member])
      await expect(openRequestLogin(url, given, noKey)).rejects.toThrow('darf mehr');
    const elsewhere = await server.login(url, 'IN ROLE zaehlwerk_anfrage');
    const other = Object.assign(new URL(elsewhere), { pathname: '/postgres' }).href;
    await expect(openRequestLogin(url, other, noKey)).rejects.toThrow('Erwartet wird die Datenbank');
    const wrong = Object.assign(new URL(elsewhere), { password: 'falsch' }).href;
    await expect(openRequestLogin(url, wrong, noKey)).rejects.toThrow('weist die Anmeldung ab');
  });
});
