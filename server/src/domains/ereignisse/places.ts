/** Where a Mandant's inbox lies: on a cluster one of several workers, elsewhere everybody's in one place. */
import type { MandantId } from '#kernel/mandant-id.ts';
import type { RequestDatabase } from '#platform/database/index.ts';

export interface Places {
  /** The place as far as it is known without asking; undefined when it has to be asked for. */
  known(mandant: MandantId): string | undefined;
  /** Asks the database. Where that does not answer the place is `ANYWHERE`, for once. */
  find(mandant: MandantId): Promise<string>;
}

const ANYWHERE = '';
/** Workers hand parts over to others, though seldom. */
const KEPT = 60_000;
const MOST_KEPT = 20_000;

const IS_CLUSTER = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS cluster";
const PLACE = `SELECT groupid::text AS place FROM pg_dist_placement
  WHERE shardid = get_shard_id_for_distribution_column('eingang', $1::uuid)`;
const IS_SPREAD = `SELECT FROM pg_dist_partition WHERE logicalrelid = 'eingang'::regclass`;

export function createPlaces(db: RequestDatabase): Places {
  let cluster: boolean | null = null;
  const places = new Map<MandantId, { place: string; until: number }>();

  const ask = (mandant: MandantId): Promise<string> =>
    db.transaction(async ({ query }) => {
      cluster ??= (await query<{ cluster: boolean }>(IS_CLUSTER)).rows[0]?.cluster ?? false;
      if (!cluster || (await query(IS_SPREAD)).rowCount === 0) return ANYWHERE;
      return (await query<{ place: string }>(PLACE, [mandant])).rows[0]?.place ?? ANYWHERE;
    });

  return {
    known(mandant) {
      if (cluster === false) return ANYWHERE;
      const found = places.get(mandant);
      return found && found.until > performance.now() ? found.place : undefined;
    },
    async find(mandant) {
      try {
        const place = await ask(mandant);
        if (places.size >= MOST_KEPT) places.clear();
        places.set(mandant, { place, until: performance.now() + KEPT });
        return place;
      } catch {
        return ANYWHERE;
      }
    },
  };
}
