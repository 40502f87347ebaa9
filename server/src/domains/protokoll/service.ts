/** Reading the audit log. */
import type { pruefprotokoll, QueryOf, ResponseOf } from '#contracts';
import { localDays } from '#kernel/local-days.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { cursorOf, pageOf } from '#platform/page.ts';
import { type Auswahl, readAktionen, readEintraege } from './store.ts';
import { eintragToApi } from './to-api.ts';

const cursor = cursorOf('pruefprotokoll', 'uuid');

function auswahlOf(query: QueryOf<typeof pruefprotokoll>, zone: string): Auswahl {
  const [after] = cursor.read(query.nach) ?? [];
  return { aktion: query.aktion, ...localDays(query, zone), after };
}

/** A page of the Mandant's audit log, newest first; `zone` (IANA name) says which days are meant. */
export function readProtokoll(
  context: Pick<ServiceContext, 'db'>,
  mandant: MandantId,
  query: QueryOf<typeof pruefprotokoll>,
  zone: string,
): Promise<ResponseOf<typeof pruefprotokoll>> {
  const { limit } = query;
  const auswahl = auswahlOf(query, zone);
  return context.db.forMandant(mandant, async (tx) => {
    const found = await readEintraege(tx, auswahl, limit + 1);
    const { rows, weiter } = pageOf(found, limit, cursor, ({ eintrag_id }) => [eintrag_id]);
    return { eintraege: rows.map(eintragToApi), aktionen: await readAktionen(tx), weiter };
  });
}
