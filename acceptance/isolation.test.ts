/** Nobody sees, changes or guesses what belongs to another Mandant: in the catalog and in SQL. */

import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { REQUEST_ROLE } from '#platform/database/request-database.ts';
import { VOLUME_TABLES } from '#platform/database/volume-tables.ts';
import { onCluster } from '#test/database.ts';
import { startService, type TestService } from '#test/service.ts';
import { createTenants, type Tenant } from '#test/tenants.ts';

/** Small, with uniqueness across Mandanten (an address signs in to one account); they stay on a cluster's coordinator. */
const ACCOUNT_TABLES = [
  'mandanten',
  'alarmkanaele',
  'postempfaenger',
  'ansichten',
  'bericht_abos',
  'bericht_versendungen',
  'buchungen',
  'zahlungsereignisse',
  'benutzer',
  'betreiber',
  'sitzungen',
  'schluessel',
  'zweite_faktoren',
  'wiederherstellungscodes',
  'passwort_ruecksetzungen',
  'email_bestaetigungen',
  'einladungen',
  'sso_anbieter',
  'sso_domains',
  'sso_identitaeten',
  'sso_vorgaenge',
  'pruefprotokoll',
  'postausgang',
  'auftraege',
];
/** Those of the installation, with what requests may do there. */
const TABLES_OF_NOBODY: Record<string, string[]> = {
  aufbewahrung: ['SELECT'],
  betreiberprotokoll: [],
  drosselung: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
  kontingentstaende: ['SELECT', 'INSERT', 'UPDATE'],
  postbudgets: ['SELECT', 'INSERT', 'UPDATE'],
  lizenz_einsaetze: ['SELECT'],
  lizenz_schluessel: [],
  lizenz_sperren: ['SELECT'],
  lizenzen: [],
  loeschbelege: [],
  migrationen: [],
  preislisten: ['SELECT'],
  pruefungen: ['SELECT'],
  zeitplan: [],
  uhrstand: [],
  sicherungsstand: ['SELECT'],
  sperrliste_bekannt: ['SELECT'],
  sperrliste_stand: ['SELECT'],
  wechselkurse: ['SELECT'],
  zustand_beobachter: ['SELECT', 'INSERT', 'UPDATE'],
  zustand_spannen: ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
};

let service: TestService;
let ours: Tenant;
let theirs: Tenant;
let tables: string[];

beforeAll(async () => {
  service = await startService();
  ({ ours, theirs } = await createTenants(service));
  const found = await service.sql<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'mandant_id'
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
  );
  tables = found.map(({ name }) => name);
});
afterAll(async () => {
  // What is tried here leaves it to row-level security whose rows are meant.
  service?.statements.clear();
  await service?.stop();
});

const PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'MAINTAIN'];
async function privilegesOf(table: string): Promise<string[]> {
  const rows = await service.sql<{ name: string }>(
    // PostgreSQL knows MAINTAIN from 17 on; a cluster may stand on an older one.
    `SELECT name FROM unnest($3::text[]) AS p (name)
     WHERE CASE WHEN name <> 'MAINTAIN' OR current_setting('server_version_num')::int >= 170000
       THEN has_table_privilege($1, $2, name) END`,
    [REQUEST_ROLE, table, PRIVILEGES],
  );
  return rows.map(({ name }) => name);
}

describe('the catalog', () => {
  test('no table of a Mandant, and no partition, is open to its owner', async () => {
    // As the daily job makes them.
    await service.sql(`SELECT zw_monate_anlegen('2101-01-01', '2101-02-01')`);
    const rows = await service.sql<{ name: string; secured: boolean }>(
      `SELECT c.oid::regclass::text AS name, c.relrowsecurity AND c.relforcerowsecurity AS secured
       FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace AND (c.relrowsecurity
         OR EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'mandant_id'))`,
    );
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining([...tables, 'ereignisse_2101_02']));
    expect(rows.filter(({ secured }) => !secured)).toEqual([]);
  });

  // The operator of a cluster makes its roles.
  test.skipIf(onCluster())(
    'the owner is no superuser and may do nothing but pass row-level security',
    async () => {
      const [role] = await service.sql(
        `SELECT rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
         ARRAY(SELECT roleid::regrole::text FROM pg_auth_members WHERE member = r.oid) AS memberships
       FROM pg_roles r WHERE rolname = current_user`,
      );
      expect(role).toEqual({
        rolname: 'zaehlwerk',
        rolsuper: false,
        rolbypassrls: true,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        memberships: [REQUEST_ROLE],
      });
    },
  );

  test('every table of a Mandant shows rows under a policy only, to the request role only', async () => {
    const rows = await service.sql<{ name: string; secured: boolean; policies: object[] }>(
      `SELECT c.relname AS name, c.relrowsecurity AS secured, (
         SELECT coalesce(json_agg(json_build_object('roles', p.roles, 'cmd', p.cmd, 'permissive', p.permissive,
           'bound', p.qual = p.with_check AND p.qual LIKE '%(mandant_id = (NULLIF(current_setting(''zw.mandant''%')), '[]')
         FROM pg_policies p WHERE p.schemaname = 'public' AND p.tablename = c.relname) AS policies
       FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY($1)`,
      [tables],
    );
    expect(rows).toHaveLength(tables.length);
    const policy = { roles: [REQUEST_ROLE], cmd: 'ALL', permissive: 'PERMISSIVE', bound: true };
    // Rows for the inboxes of several Mandanten may go in together, of those alone that the transaction names.
    const ofInboxes = { ...policy, cmd: 'INSERT', bound: null };
    for (const row of rows)
      expect(row).toEqual({
        name: row.name,
        secured: true,
        policies: row.name === 'eingang' ? [policy, ofInboxes] : [policy],
      });
  });

  test('mandant_id comes first in every primary key, and in every unique index but those of account tables', async () => {
    const indexes = await service.sql<{ table: string; index: string; primary: boolean; first: string }>(
      `SELECT c.relname AS table, i.indexrelid::regclass::text AS index, i.indisprimary AS primary,
         (SELECT attname FROM pg_attribute WHERE attrelid = c.oid AND attnum = i.indkey[0]) AS first
       FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE i.indisunique AND c.relname = ANY($1)`,
      [tables],
    );
    expect(
      indexes
        .filter((index) => index.primary)
        .map((index) => index.table)
        .sort(),
    ).toEqual(tables);
    const isLeft = ({ table, primary }: (typeof indexes)[number]) =>
      !primary && ACCOUNT_TABLES.includes(table);
    for (const index of indexes) if (!isLeft(index)) expect(index).toMatchObject({ first: 'mandant_id' });
  });

  test('every other table is known, with what requests may do there', async () => {
    const rows = await service.sql<{ name: string }>(
      // What an extension has put there belongs to its maker.
      `SELECT relname AS name FROM pg_class c WHERE relnamespace = 'public'::regnamespace
         AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND NOT relispartition AND NOT relname = ANY($1)
         AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')
       ORDER BY 1`,
      [tables],
    );
    const found = await Promise.all(rows.map(async ({ name }) => [name, await privilegesOf(name)] as const));
    expect(Object.fromEntries(found)).toEqual(TABLES_OF_NOBODY);
  });

  test('partitions are reached through their table only, where the policy stands', async () => {
    const rows = await service.sql<{ name: string }>(
      `SELECT oid::regclass::text AS name FROM pg_class WHERE relispartition AND relkind = 'r'`,
    );
    expect(rows.length).toBeGreaterThan(10);
    for (const { name } of rows) expect(await privilegesOf(name), name).toEqual([]);
  });

  test('the request role owns nothing, is nobody else and may do nothing special', async () => {
    const [role] = await service.sql(
      `SELECT rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication,
         (SELECT count(*)::int FROM pg_auth_members WHERE member = r.oid) AS memberships,
         (SELECT count(*)::int FROM pg_class WHERE relowner = r.oid)
           + (SELECT count(*)::int FROM pg_proc WHERE proowner = r.oid)
           + (SELECT count(*)::int FROM pg_namespace WHERE nspowner = r.oid)
           + (SELECT count(*)::int FROM pg_database WHERE datdba = r.oid) AS owned,
         has_schema_privilege(r.oid, 'public', 'CREATE') AS creates,
         has_schema_privilege(r.oid, 'public', 'USAGE') AS uses
       FROM pg_roles r WHERE rolname = $1`,
      [REQUEST_ROLE],
    );
    expect(role).toEqual({
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      memberships: 0,
      owned: 0,
      creates: false,
      uses: true,
    });
  });
});

/** One statement as a request of the Mandant makes it; the SQLSTATE when the database refuses it. */
async function attempt(
  tenant: Tenant,
  statement: RawBuilder<unknown>,
): Promise<{ rows: number } | { refused: string }> {
  try {
    const id = mandantId(tenant.account.mandantId);
    const result = await service.context.db.forMandant(id, (tx) => statement.execute(tx));
    return { rows: Number(result.numAffectedRows ?? result.rows.length) };
  } catch (error) {
    return { refused: (error as { code?: string }).code ?? String(error) };
  }
}

const REFUSED = { refused: '42501' };
/** A cluster lets nobody move a row of any Mandant to another. */
const UNSUPPORTED = '0A000';
const isVolume = (table: string) => (VOLUME_TABLES as readonly string[]).includes(table);
const NOTHING = { rows: 0 };

describe('SQL', () => {
  test('every table holds something of both, or these tests would prove nothing', async () => {
    for (const table of tables) {
      const [found] = await service.sql(
        `SELECT count(*) FILTER (WHERE mandant_id = $1)::int > 0 AS ours, count(*) FILTER (WHERE mandant_id = $2)::int > 0 AS theirs
         FROM ${table}`,
        [ours.account.mandantId, theirs.account.mandantId],
      );
      expect(found, table).toEqual({ ours: true, theirs: true });
    }
  });

  test('bound to nobody, a request sees nothing', async () => {
    for (const table of tables) {
      if (!(await privilegesOf(table)).includes('SELECT')) continue;
      for (const setting of [null, "SET LOCAL zw.mandant = ''"]) {
        const seen = await service.context.db.transaction(async (client) => {
          if (setting) await client.query(setting);
          return client.query(`SELECT FROM ${table}`);
        });
        expect(seen.rowCount, table).toBe(0);
      }
    }
  });

  test('the binding ends with its transaction', async () => {
    await attempt(ours, sql`SELECT FROM agenten`);
    for (let connection = 0; connection < 12; connection += 1) {
      const seen = await service.context.db.transaction((client) => client.query('SELECT FROM agenten'));
      expect(seen.rowCount).toBe(0);
    }
    const session = await service.context.db.transaction((client) =>
      client.query('SELECT current_user::text AS acts, session_user::text AS signed_in'),
    );
    expect(session.rows).toEqual([{ acts: REQUEST_ROLE, signed_in: REQUEST_ROLE }]);
  });

  test('bound to one, it sees, changes and removes nothing of the other', async () => {
    const { mandantId: foreign } = theirs.account;
    for (const table of tables) {
      const name = sql.table(table);
      const allowed = await privilegesOf(table);
      const expected = (privilege: string) => (allowed.includes(privilege) ? NOTHING : REFUSED);
      const [select, update, remove] = [
        await attempt(ours, sql`SELECT 1 FROM ${name} WHERE mandant_id = ${foreign}`),
        await attempt(ours, sql`UPDATE ${name} SET mandant_id = mandant_id WHERE mandant_id = ${foreign}`),
        await attempt(ours, sql`DELETE FROM ${name} WHERE mandant_id = ${foreign}`),
      ];
      expect({ select, update, remove }, table).toEqual({
        select: expected('SELECT'),
        update: expected('UPDATE'),
        remove: expected('DELETE'),
      });
    }
  });

  test('bound to one, it puts nothing into the other: neither new rows nor its own', async () => {
    const { mandantId: foreign } = theirs.account;
    for (const table of tables) {
      const name = sql.table(table);
      const columns = await service.sql<{ column: string }>(
        `SELECT quote_ident(attname) AS column FROM pg_attribute
         WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
        [table],
      );
      const names = columns.map(({ column }) => column);
      const [row] = await service.sql<{ texts: (string | null)[] }>(
        `SELECT ARRAY[${names.map((column) => `${column}::text`)}] AS texts FROM ${table} WHERE mandant_id = $1 LIMIT 1`,
        [foreign],
      );
      const insert = sql`INSERT INTO ${name} (${sql.raw(names.join(', '))}) VALUES (${sql.join(row?.texts ?? [])})`;
      expect(await attempt(ours, insert), table).toEqual(REFUSED);
      const refused = onCluster() && isVolume(table) ? { refused: UNSUPPORTED } : REFUSED;
      expect(await attempt(ours, sql`UPDATE ${name} SET mandant_id = ${foreign}`), table).toEqual(refused);
    }
  });

  test('what is not its business is closed to it altogether', async () => {
    for (const statement of [
      sql`SELECT * FROM lizenz_schluessel`,
      sql`SELECT zw_monate_anlegen(now()::date, now()::date)`,
      sql`CREATE TABLE fremd ()`,
      sql`ALTER TABLE agenten DISABLE ROW LEVEL SECURITY`,
      sql`DROP POLICY mandant ON agenten`,
      sql`TRUNCATE agenten`,
      sql`COPY agenten TO PROGRAM 'cat'`,
    ])
      expect(await attempt(ours, statement)).toEqual(REFUSED);
  });
});
