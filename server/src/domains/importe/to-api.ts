/** An import as answers have it. */
import type { importe, ResponseOf } from '#contracts';
import { toInstant } from '#kernel/instant.ts';
import type { Tally } from './content.ts';
import type { ImportRow } from './store.ts';

type Answer = ResponseOf<typeof importe>['importe'][number];

/** Models and months that are named one by one. */
const [MOST_MODELS, MOST_MONTHS] = [100, 240];

const instant = (text: string | null) => (text === null ? null : toInstant(text));

const modelsOf = (modelle: Tally): Answer['modelle'] =>
  Object.entries(modelle)
    .map(([modell, aufrufe]) => ({ modell: modell === '' ? null : modell, aufrufe }))
    .sort((a, b) => b.aufrufe - a.aufrufe)
    .slice(0, MOST_MODELS);

const monthsOf = (monate: Tally, closed: ReadonlySet<string>): Answer['monate'] =>
  Object.entries(monate)
    .map(([monat, aufrufe]) => ({ monat, aufrufe, geschlossen: closed.has(monat) }))
    .sort((a, b) => (a.monat < b.monat ? 1 : -1))
    .slice(0, MOST_MONTHS);

/** `closed`: the months that are. */
export function toApi(
  { uebergeben, zeitzone: _, ...row }: ImportRow,
  closed: readonly { monat: string }[],
): Answer {
  const isOver = row.beendet_am !== null;
  return {
    ...row,
    status: row.status as Answer['status'],
    ausgelassen: row.ausgelassen as Answer['ausgelassen'],
    modelle: modelsOf(row.modelle),
    monate: monthsOf(row.monate, new Set(closed.map(({ monat }) => monat))),
    schon_da: row.gezaehlt - row.angenommen,
    abgewiesen: isOver ? uebergeben - row.gezaehlt : 0,
    von: instant(row.von),
    bis: instant(row.bis),
    angelegt_am: toInstant(row.angelegt_am),
    angewendet_am: instant(row.angewendet_am),
    beendet_am: instant(row.beendet_am),
    zurueckgenommen_am: instant(row.zurueckgenommen_am),
  };
}
