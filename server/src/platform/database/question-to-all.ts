/**
 * Questions about all Mandanten. A cluster answers them as a whole or not at all: where one of its workers does not answer, the
 * others are asked one by one, so that only the Mandanten of that worker have to wait.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { OwnerDatabase } from './owner-database.ts';

export interface Answers<R> {
  rows: R[];
  /** Whether it is certain that nobody is left out. */
  complete: boolean;
}

/** A worker, and the parts of the table that lie there. */
interface Place {
  host: string;
  port: number;
  parts: string[];
}

/** After this many milliseconds without an answer the workers are asked one by one. */
const PATIENCE = 1_000;
/** How long then each of them is waited for … */
const PATIENCE_WITH_ONE = 500;
/** … and after how long all are asked at once again. */
const AGAIN_AFTER = 3_000;

const PLACES = `SELECT n.nodename AS host, n.nodeport::int AS port, array_agg(shard_name(s.logicalrelid, s.shardid)) AS parts
  FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid) JOIN pg_dist_node n USING (groupid)
  WHERE s.logicalrelid = $1::regclass AND n.noderole = 'primary' GROUP BY 1, 2`;
/** Asks one worker, on a connection made for it: what an earlier one has met with does not matter. */
const ASK_ONE =
  'SELECT success, result FROM master_run_on_worker(ARRAY[$1::text], ARRAY[$2::int], ARRAY[$3::text], false)';

/**
 * Makes a question of `select`, which is given the table's name or that of one of its parts and groups by `mandant_id` at most:
 * answers of the parts are simply put together. Values are JSON's where workers are asked one by one. Throws what the
 * database throws where it is no cluster, or its coordinator does not answer.
 */
export function createQuestionToAll<R extends pg.QueryResultRow>(
  db: OwnerDatabase,
  table: string,
  select: (part: string) => string,
): () => Promise<Answers<R>> {
  const whole = select(table);
  /** Whether workers are asked one by one, and since when that has not been doubted. */
  let apartSince: number | null = null;
  const underWay = new Set<string>();

  // Asked five times a second and more: planning it would cost most of it.
  const askAll = async (): Promise<Answers<R>> => ({
    rows: (await db.query<R>({ name: `alle_${table}`, text: whole })).rows,
    complete: true,
  });

  const askOne = async ({ host, port, parts }: Place): Promise<R[] | null> => {
    const command = `SELECT coalesce(json_agg(alle), '[]') FROM (${parts.map(select).join(' UNION ALL ')}) AS alle`;
    const { rows } = await db.query<{ success: boolean; result: string }>(ASK_ONE, [host, port, command]);
    return rows[0]?.success ? (JSON.parse(rows[0].result) as R[]) : null;
  };

  /** One that did not answer the last time is not asked again before it has. */
  const askApart = async (): Promise<Answers<R>> => {
    const { rows: places } = await db.query<Place>(PLACES, [table]);
    // Not spread yet.
    if (places.length === 0) return askAll();
    const answers = await Promise.all(
      places.map((place) => {
        const name = `${place.host}:${place.port}`;
        if (underWay.has(name)) return null;
        underWay.add(name);
        const answer = askOne(place)
          .catch(() => null)
          .finally(() => underWay.delete(name));
        return Promise.race([answer, delay(PATIENCE_WITH_ONE, null)]);
      }),
    );
    return { rows: answers.flatMap((rows) => rows ?? []), complete: !answers.includes(null) };
  };

  /** Nobody waits for what comes of it. */
  const tryWhole = () => {
    apartSince = performance.now();
    askAll().then(
      () => {
        apartSince = null;
      },
      () => undefined,
    );
  };

  return async () => {
    if (!(await db.isCluster())) return askAll();
    if (apartSince === null) {
      const answers = await Promise.race([askAll(), delay(PATIENCE, null)]).catch(() => null);
      if (answers) return answers;
      apartSince = performance.now();
    } else if (performance.now() - apartSince > AGAIN_AFTER) tryWhole();
    return askApart();
  };
}
