/** Reading the audit log. */
import type { pruefprotokoll, QueryOf, ResponseOf } from '#contracts';
import { InvalidInput } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { isStorable, toUtc } from '#kernel/zeitraum.ts';
import type { ServiceContext } from '#platform/context.ts';
import { cursorOf, pageOf } from '#platform/page.ts';
import { type Auswahl, readAktionen, readEintraege } from './store.ts';
import { eintragToApi } from './to-api.ts';

function localDay(field: 'von' | 'bis', text: string | undefined): Temporal.PlainDate | undefined {
  if (text === undefined) return undefined;
  const day = Temporal.PlainDate.from(text);
  if (isStorable(day)) return day;
  throw new InvalidInput({
    path: [field],
    reason: {
      de: `${field} liegt außerhalb der Jahre 1970 bis 9998`,
      en: `${field} is outside the years 1970 to 9998`,
    },
    input: text,
  });
}

const cursor = cursorOf('pruefprotokoll', 'uuid');

/** Local days, both included, as instants. Throws 422 for days out of reach or in the wrong order. */
function auswahlOf(query: QueryOf<typeof pruefprotokoll>, zone: string): Auswahl {
  const von = localDay('von', query.von);
  const bis = localDay('bis', query.bis);
  if (von && bis && Temporal.PlainDate.compare(von, bis) > 0)
    throw new InvalidInput({
      path: ['von'],
      reason: { de: 'von darf nicht nach bis liegen', en: 'von must not be after bis' },
      input: query.von,
    });
  const midnight = (day: Temporal.PlainDate | undefined) => day && toUtc(day.toZonedDateTime(zone));
  const [after] = cursor.read(query.nach) ?? [];
  return { aktion: query.aktion, von: midnight(von), bis: midnight(bis?.add({ days: 1 })), after };
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
