/** What the machine can do at best in one go: one connection COPYing the same events, in binary form as the service does, into an equal table. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import type { BenchService } from './service.ts';

/**
 * Two readings of "an equal table with the same keys". `table`: the keys of `ereignisse` itself. `all_keys`: also the unique
 * key on the event id, which the service keeps in a table of its own.
 */
export interface Baseline {
  table: number;
  all_keys: number;
}

/** The machine's speed varies from second to second: the middle one of several counts. */
const ROUNDS = 3;

async function copySeconds(
  client: pg.Client,
  table: string,
  columns: string,
  chunks: Buffer[],
): Promise<number> {
  const start = performance.now();
  await pipeline(
    Readable.from(chunks),
    client.query(copyFrom(`COPY ${table} (${columns}) FROM STDIN (FORMAT binary)`)),
  );
  return (performance.now() - start) / 1000;
}

/** Copies the first `count` counted events out, and times copying them into empty tables; events per second, the middle one of three. */
export async function measureBaseline(
  client: pg.Client,
  { mandant, checkpoint }: BenchService,
  count: number,
): Promise<Baseline> {
  const { rows: described } = await client.query<{ columns: string }>(
    `SELECT string_agg(attname, ', ' ORDER BY attnum) AS columns FROM pg_attribute
     WHERE attrelid = 'ereignisse'::regclass AND attnum > 0 AND attgenerated = ''`,
  );
  const columns = described[0]?.columns ?? '';
  const chunks: Buffer[] = [];
  const source = `SELECT ${columns} FROM ereignisse WHERE mandant_id = '${mandant}' LIMIT ${count}`;
  for await (const chunk of client.query(copyTo(`COPY (${source}) TO STDOUT (FORMAT binary)`)))
    chunks.push(chunk as Buffer);
  const rows = (await client.query(`SELECT count(*)::int AS n FROM (${source}) AS quelle`)).rows[0]
    .n as number;
  const rounds: Baseline[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await client.query('CREATE TABLE vergleich (LIKE ereignisse INCLUDING ALL)');
    await client.query(
      'CREATE TABLE vergleich_alle (LIKE ereignisse INCLUDING ALL, UNIQUE (mandant_id, ereignis_id))',
    );
    await checkpoint();
    rounds.push({
      table: Math.round(rows / (await copySeconds(client, 'vergleich', columns, chunks))),
      all_keys: Math.round(rows / (await copySeconds(client, 'vergleich_alle', columns, chunks))),
    });
    await client.query('DROP TABLE vergleich, vergleich_alle');
  }
  return { table: median(rounds, 'table'), all_keys: median(rounds, 'all_keys') };
}

const median = (rounds: Baseline[], key: keyof Baseline): number =>
  rounds.map((round) => round[key]).sort((a, b) => a - b)[rounds.length >> 1] ?? 0;
