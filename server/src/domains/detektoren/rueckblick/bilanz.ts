/** What a look back comes to, added up day by day. No input or output here. */
import { Decimal } from 'decimal.js';
import { MAX_RUECKBLICK_LAEUFE, type ResponseOf, type rueckblick } from '#contracts';
import type { Found } from '../candidate.ts';
import type { Tag } from './tage.ts';
import type { Treffer } from './treffer.ts';

export type Ergebnis = NonNullable<ResponseOf<typeof rueckblick>['ergebnis']>;
type Lauf = Ergebnis['laeufe'][number];

const Exact = Decimal.clone({ precision: 120 });

/** Sum of what is known; null as long as nothing is. */
const plus = (sum: Decimal | null, eur: string | null): Decimal | null =>
  eur === null ? sum : (sum ?? new Exact(0)).plus(eur);

const dearest = (a: Lauf, b: Lauf) =>
  new Exact(b.kosten_danach_eur ?? 0).cmp(a.kosten_danach_eur ?? 0) || (a.lauf_id < b.lauf_id ? -1 : 1);

export function createBilanz(days: Tag[], zone: string, stoppt: boolean) {
  const perDay = new Map(days.map(({ datum }) => [datum, 0]));
  let verbrannt: Decimal | null = null;
  let potential: Decimal | null = null;
  let gespart: Decimal | null = null;
  let [befunde, gestoppt, gut, aufrufe] = [0, 0, 0, 0];
  let laeufe: Lauf[] = [];
  /** Runs that were hit and went on after the day, with their end: they are counted once. */
  const goingOn = new Map<string, string>();

  const dayOf = ({ lauf, feuertAm, fensterBeginn }: Found, tag: Tag) =>
    lauf === null
      ? tag.datum
      : Temporal.Instant.from(feuertAm ?? fensterBeginn)
          .toZonedDateTimeISO(zone)
          .toPlainDate()
          .toString();

  function addRun(lauf_id: string, treffer: Treffer, isGood: boolean): void {
    const before = laeufe.find((lauf) => lauf.lauf_id === lauf_id);
    if (before) {
      before.aufrufe_danach += Number(treffer.aufrufe);
      before.kosten_danach_eur =
        plus(plus(null, before.kosten_danach_eur), treffer.kosten_eur)?.toFixed() ?? null;
    } else
      laeufe.push({
        lauf_id,
        agent: treffer.agent ?? '',
        gestoppt_am: treffer.gestoppt_am,
        aufrufe_danach: Number(treffer.aufrufe),
        kosten_danach_eur: treffer.kosten_eur,
        gut: isGood,
      });
    laeufe = laeufe.sort(dearest).slice(0, MAX_RUECKBLICK_LAEUFE);
  }

  return {
    /** What was found on a day, and what blocks for it would have kept from being called. */
    add(tag: Tag, found: Found[], treffer: Treffer[]): void {
      for (const each of found) {
        const day = dayOf(each, tag);
        perDay.set(day, (perDay.get(day) ?? 0) + 1);
        verbrannt = plus(verbrannt, each.verbranntEur);
        potential = plus(potential, each.potentialEur);
      }
      befunde += found.length;
      const burnt = new Set(found.flatMap(({ lauf, verbranntEur }) => (lauf && verbranntEur ? lauf : [])));
      for (const each of treffer) {
        gespart = plus(gespart, each.kosten_eur);
        aufrufe += Number(each.aufrufe);
        const { lauf_id: lauf, ende } = each;
        if (lauf === null) continue;
        const isGood = each.gut && !burnt.has(lauf);
        if (!goingOn.has(lauf)) {
          gestoppt += 1;
          if (isGood) gut += 1;
        }
        if (ende && Temporal.Instant.compare(ende, tag.bis) >= 0) goingOn.set(lauf, ende);
        addRun(lauf, each, isGood);
      }
      for (const [lauf, ende] of goingOn)
        if (Temporal.Instant.compare(ende, tag.bis) < 0) goingOn.delete(lauf);
    },
    result: (): Ergebnis => ({
      befunde,
      tage: [...perDay].map(([tag, count]) => ({ tag, befunde: count })),
      verbrannt_eur: verbrannt?.toFixed() ?? null,
      potential_eur: potential?.toFixed() ?? null,
      stoppt,
      laeufe_gestoppt: gestoppt,
      laeufe_gut: gut,
      laeufe,
      aufrufe_gespart: aufrufe,
      gespart_eur: gespart?.toFixed() ?? '0',
    }),
  };
}
