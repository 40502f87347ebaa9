/** A server as an operator brings it along: it asks everybody for a password, and roles are made by its superuser. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '#platform/database/index.ts';
import { createLog } from '#platform/log.ts';

export interface OwnServer {
  /** Runs SQL as the superuser. */
  sql<R extends pg.QueryResultRow>(text: string, database?: string): Promise<R[]>;
  /** Makes a database and its owner with these attributes; returns its address as `DATABASE_URL` has it. */
  database(attributes: string): Promise<string>;
  /** Makes a role with these attributes; returns the address with it. */
  login(url: string, attributes: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startOwnServer(): Promise<OwnServer> {
  const directory = mkdtempSync(join(tmpdir(), 'zw-eigener-'));
  const { connection, stop } = await startEmbedded(directory, createLog('fatal'));
  const sql: OwnServer['sql'] = async (text, database = 'postgres') => {
    const client = new pg.Client({ ...connection, user: 'zaehlwerk_system', database });
    await client.connect();
    return client
      .query(text)
      .then(({ rows }) => rows)
      .finally(() => client.end());
  };
  writeFileSync(
    join(directory, 'postgres', 'pg_hba.conf'),
    'local all zaehlwerk_system peer map=zaehlwerk\nlocal all all scram-sha-256\n',
  );
  await sql('DROP DATABASE zaehlwerk');
  await sql('DROP ROLE zaehlwerk, zaehlwerk_anfrage');
  await sql('SELECT pg_reload_conf()');
  const makeRole = async (attributes: string) => {
    const [name, password] = [`r_${randomBytes(6).toString('hex')}`, randomBytes(6).toString('hex')];
    await sql(`CREATE ROLE ${name} LOGIN ${attributes} PASSWORD '${password}'`);
    return { name, password };
  };
  return {
    sql,
    async database(attributes) {
      const { name, password } = await makeRole(attributes);
      await sql(`CREATE DATABASE d_${name} OWNER ${name}`);
      return `postgresql://${name}:${password}@${encodeURIComponent(connection.host as string)}/d_${name}`;
    },
    async login(url, attributes) {
      const { name, password } = await makeRole(attributes);
      return Object.assign(new URL(url), { username: name, password }).href;
    },
    async stop() {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
