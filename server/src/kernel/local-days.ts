/** Local days, both included, as the instants between which they lie. */
import { InvalidInput } from './errors.ts';
import { isStorable, toUtc } from './zeitraum.ts';

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

/**
 * From the beginning of `von` (`YYYY-MM-DD`) to before the end of `bis`, ISO 8601 in UTC; undefined where nothing is said. Throws
 * `InvalidInput` for days out of reach or in the wrong order.
 */
export function localDays(
  query: { von?: string | undefined; bis?: string | undefined },
  zone: string,
): { von: string | undefined; bis: string | undefined } {
  const [von, bis] = [localDay('von', query.von), localDay('bis', query.bis)];
  if (von && bis && Temporal.PlainDate.compare(von, bis) > 0)
    throw new InvalidInput({
      path: ['von'],
      reason: { de: 'von darf nicht nach bis liegen', en: 'von must not be after bis' },
      input: query.von,
    });
  const midnight = (day: Temporal.PlainDate | undefined) => day && toUtc(day.toZonedDateTime(zone));
  return { von: midnight(von), bis: midnight(bis?.add({ days: 1 })) };
}
