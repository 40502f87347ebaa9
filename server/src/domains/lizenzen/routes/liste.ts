import { lizenzenListe } from '#contracts';
import type { AsOperator } from '#domains/protokoll/index.ts';
import type { Route } from '#http/index.ts';
import { cursorOf, pageOf } from '#platform/page.ts';
import { listLicences } from '../owner/licences.ts';

const CURSOR = cursorOf('lizenzen.liste', 'instant', 'uuid');

export const listeRoute = (asOperator: AsOperator): Route =>
  asOperator(lizenzenListe, async ({ query: { limit, nach } }, owner) => {
    const found = await listLicences(owner, CURSOR.read(nach), limit + 1);
    const { rows, weiter } = pageOf(found, limit, CURSOR, (row) => [row.ausgestellt_am, row.lizenz_id]);
    return { lizenzen: rows, weiter };
  });
