/** Events by chance that writers send, and what must have become of them whatever was killed meanwhile. */
import { expect } from 'vitest';
import type { Ereignis } from '#client/index.ts';
import type { Account } from './outside-account.ts';
import type { Random } from './random.ts';
import type { ServiceProcess } from './service-process.ts';
import type { Writer } from './writer.ts';

export const DAY = 86_400_000;

/** An event of the last three weeks; a few models, one of them unknown. */
export function randomEvent(random: Random): Ereignis {
  return {
    ereignis_id: random.uuid(),
    zeitpunkt: new Date(Date.now() - random.below(20 * DAY)).toISOString(),
    anbieter: 'openai',
    modell: random.pick(['gpt-4o-mini', 'gpt-4.1', 'gibt-es-nicht']),
    agent: random.pick(['alpha', 'beta/eins', 'gamma']),
    lauf_id: random.below(2) === 0 ? `00000000-0000-4000-8000-00000000000${random.below(10)}` : null,
    schritt_nr: random.below(50),
    eingabe_token: random.below(1_000_000),
    ausgabe_token: random.below(10_000),
    cache_lese_token: random.below(1_000),
    status: random.below(8) === 0 ? 'fehler' : 'erfolgreich',
    endkunde_ref: random.pick(['kunde-1', 'kunde-2', null]),
    geschaetzt: random.below(10) === 0,
  };
}

const ids = (batches: Ereignis[][]) => new Set(batches.flat().map((event) => event.ereignis_id as string));

/** Every acknowledged event of the writers is counted exactly once as it was sent, and nothing else is. */
export async function expectCountedOnce(
  { sql }: Pick<ServiceProcess, 'sql'>,
  account: Account,
  writers: Writer[],
): Promise<void> {
  const acknowledged = ids(writers.flatMap((writer) => writer.acknowledged()));
  const attempted = ids(writers.flatMap((writer) => writer.attempted()));
  const sent = new Map(
    writers.flatMap((writer) =>
      writer
        .attempted()
        .flat()
        .map((event) => [event.ereignis_id, event]),
    ),
  );
  const rows = await sql<Ereignis & { ereignis_id: string }>(
    `SELECT ereignis_id, agent, modell, endkunde_ref, status, lauf_id, geschaetzt, eingabe_token::float8,
       ausgabe_token::float8, cache_lese_token::float8, schritt_nr::float8 FROM ereignisse WHERE mandant_id = $1`,
    [account.mandantId],
  );
  const counted = new Set(rows.map((row) => row.ereignis_id));
  expect(counted.size).toBe(rows.length);
  expect(acknowledged.difference(counted)).toEqual(new Set());
  expect(counted.difference(attempted)).toEqual(new Set());
  for (const row of rows) expect(sent.get(row.ereignis_id)).toMatchObject(row);
  expect(await account.counted()).toBe(rows.length);
  const known = await sql<{ id: string }>(
    'SELECT ereignis_id AS id FROM ereignis_kennungen WHERE mandant_id = $1',
    [account.mandantId],
  );
  expect(new Set(known.map(({ id }) => id))).toEqual(counted);
}
