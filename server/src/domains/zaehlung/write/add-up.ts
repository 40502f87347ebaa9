/** Adds the calls that were kept one by one to the sums. */

import type pg from 'pg';
import {
  GRAINS,
  type Grain,
  PERIOD_OF_SINGLE,
  SUM_COLUMNS,
  VALUES_OF_SINGLE,
} from '#domains/verbrauch/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { sumUp } from './statement.ts';

const HOUR_SUMS = SUM_COLUMNS.map(({ name, type }) => `sum(${name})::${type} AS ${name}`).join(', ');

/** What the sums of a grain are made of: hours of those by the hour. */
const sourceOf = (grain: Grain) =>
  grain === 'minute' ? 'werte WHERE minute IS NOT NULL AND nach_minute' : 'stunden';

function insertInto(grain: Grain): string {
  const { table, column } = GRAINS[grain];
  const names = SUM_COLUMNS.map(({ name }) => name);
  const key = `mandant_id, dimension, ${column}, merkmal_id`;
  return `INSERT INTO ${table} AS v (${key}, ${names.join(', ')})
    SELECT mandant_id, dimension, ${PERIOD_OF_SINGLE[grain]}, merkmal_id, ${SUM_COLUMNS.map(({ name, type }) => `sum(${name})::${type}`).join(', ')}
    FROM ${sourceOf(grain)} GROUP BY 1, 2, 3, 4
    ON CONFLICT (${key}) DO UPDATE SET ${sumUp('v', names).join(', ')}`;
}

const ADD_UP = `WITH weg AS (DELETE FROM verbrauch_einzeln WHERE mandant_id = $1 RETURNING *),
  werte AS MATERIALIZED (
    SELECT e.*, d.dimension, d.merkmal_id, d.nach_minute FROM weg e
    CROSS JOIN LATERAL ${VALUES_OF_SINGLE} AS d (dimension, merkmal_id, nach_minute)),
  stunden AS MATERIALIZED (
    SELECT mandant_id, dimension, stunde, merkmal_id, ${HOUR_SUMS} FROM werte GROUP BY 1, 2, 3, 4),
  ${(Object.keys(GRAINS) as Grain[]).map((grain) => `nach_${grain} AS (${insertInto(grain)})`).join(',\n  ')}
  UPDATE zaehlstaende SET einzelne = 0 WHERE mandant_id = $1`;

/** Adds up what is kept one by one, in a transaction that holds the counting lock of the Mandant. */
async function addUpKept(client: pg.PoolClient, mandant: string): Promise<void> {
  await client.query({ name: 'aufsummieren', text: ADD_UP, values: [mandant] });
}

// Those that are just being counted have their turn another time.
const LOCK = 'SELECT FROM zaehlstaende WHERE mandant_id = $1 AND einzelne > 0 FOR UPDATE SKIP LOCKED';

/**
 * Adds what is kept one by one of a Mandant to its sums; false when there is nothing, or others are at work on it. Nothing that
 * anybody reads changes: sums and single calls are read together. A crash that undoes it leaves them kept.
 */
export function addUpSingles(db: OwnerDatabase, mandant: string): Promise<boolean> {
  return db.repeatable(async (client) => {
    const { rowCount } = await client.query(LOCK, [mandant]);
    if (!rowCount) return false;
    await addUpKept(client, mandant);
    return true;
  });
}
