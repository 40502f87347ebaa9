/** The editions of the price book, in short. */
import type { preisFassungen, QueryOf, ResponseOf } from '#contracts';
import { toInstant } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { cursorOf, pageOf } from '#platform/page.ts';
import { listEditions } from '../store/books.ts';

const CURSOR = cursorOf('preise.fassungen', 'place');

/** A page of them, the latest first. */
export async function listBookEditions(
  { db }: Pick<ServiceContext, 'db'>,
  mandant: MandantId,
  { limit, nach }: QueryOf<typeof preisFassungen>,
): Promise<ResponseOf<typeof preisFassungen>> {
  const behind = CURSOR.read(nach);
  const before = behind && Math.max(0, Math.min(Math.ceil(Number(behind[0])), 2 ** 31 - 1));
  const found = await db.forMandant(mandant, (tx) => listEditions(tx, { limit: limit + 1, before }));
  const { rows, weiter } = pageOf(found, limit, CURSOR, ({ fassung }) => [String(fassung)]);
  return {
    fassungen: rows.map((row) => ({ ...row, erstellt_am: toInstant(row.erstellt_am) })),
    weiter,
  };
}
