/** SQL of the public revocation list. */
import { CompiledQuery } from 'kysely';
import { toCount } from '#kernel/count.ts';
import { toInstant, toInstantOrNull } from '#kernel/instant.ts';
import type { Ask, RequestClient } from '#platform/database/index.ts';

/** What the list says of a blocked licence; for whom it was made is nobody else's business. */
export interface Sperre {
  lizenz_id: string;
  fingerabdruck: string;
  gesperrt_am: string;
}

/** Which list there is, without its entries. */
export interface Listenkopf {
  nummer: number;
  geaendert_am: string | null;
}

/** Plain questions under the request role, bound to no Mandant. */
export const askUnbound =
  (client: RequestClient): Ask =>
  async (text, values) =>
    // The rows are what the statement says, as for a question of the owner.
    (await client.executeQuery(CompiledQuery.raw(text, values))).rows as never;

export async function readKopf(client: RequestClient): Promise<Listenkopf> {
  const row = await client
    .selectFrom('sperrliste_stand')
    .select(['nummer', 'geaendert_am'])
    .executeTakeFirstOrThrow();
  return { nummer: toCount(row.nummer), geaendert_am: toInstantOrNull(row.geaendert_am) };
}

/** The list, oldest entry first, with its number: one statement, one snapshot. */
export async function readSperrliste(client: RequestClient): Promise<Listenkopf & { sperren: Sperre[] }> {
  const rows = await client
    .selectFrom('sperrliste_stand as l')
    .leftJoin('lizenz_sperren as s', (join) => join.onTrue())
    .select(['l.nummer', 'l.geaendert_am', 's.lizenz_id', 's.fingerabdruck', 's.gesperrt_am'])
    .orderBy('s.gesperrt_am')
    .orderBy('s.lizenz_id')
    .execute();
  const sperren = rows.flatMap(({ lizenz_id, fingerabdruck, gesperrt_am }) =>
    lizenz_id && fingerabdruck !== null && gesperrt_am
      ? [{ lizenz_id, fingerabdruck, gesperrt_am: toInstant(gesperrt_am) }]
      : [],
  );
  const [head] = rows;
  return {
    nummer: toCount(head?.nummer ?? 0),
    geaendert_am: toInstantOrNull(head?.geaendert_am ?? null),
    sperren,
  };
}
