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

const isOver = (ende: string, tag: Tag) => Temporal.Instant.compare(ende, tag.bis) < 0;

export class Bilanz {
  readonly #zone: string;
  readonly #stoppt: boolean;
  readonly #perDay: Map<string, number>;
  #befunde = 0;
  #verbrannt: Decimal | null = null;
  #potential: Decimal | null = null;
  #gespart: Decimal | null = null;
  #aufrufe = 0;
  #gestoppt = 0;
  #gut = 0;
  #laeufe: Lauf[] = [];
  /** Runs that were hit and went on after the day, with their end: they are counted once. */
  readonly #goingOn = new Map<string, string>();

  constructor(days: Tag[], zone: string, stoppt: boolean) {
    this.#zone = zone;
    this.#stoppt = stoppt;
    this.#perDay = new Map(days.map(({ datum }) => [datum, 0]));
  }

  /** What was found on a day, and what blocks for it would have kept from being called. */
  add(tag: Tag, found: Found[], treffer: Treffer[]): void {
    for (const each of found) this.#addFound(each, tag);
    for (const each of treffer) {
      this.#gespart = plus(this.#gespart, each.kosten_eur);
      this.#aufrufe += Number(each.aufrufe);
      if (each.lauf_id !== null) this.#addRun(each.lauf_id, each, tag, each.gut);
    }
    for (const [lauf, ende] of this.#goingOn) if (isOver(ende, tag)) this.#goingOn.delete(lauf);
  }

  result(): Ergebnis {
    return {
      befunde: this.#befunde,
      tage: [...this.#perDay].map(([tag, count]) => ({ tag, befunde: count })),
      verbrannt_eur: this.#verbrannt?.toFixed() ?? null,
      potential_eur: this.#potential?.toFixed() ?? null,
      stoppt: this.#stoppt,
      laeufe_gestoppt: this.#gestoppt,
      laeufe_gut: this.#gut,
      laeufe: this.#laeufe,
      aufrufe_gespart: this.#aufrufe,
      gespart_eur: this.#gespart?.toFixed() ?? '0',
    };
  }

  #addFound(found: Found, tag: Tag): void {
    const day = this.#dayOf(found, tag);
    this.#perDay.set(day, (this.#perDay.get(day) ?? 0) + 1);
    this.#befunde += 1;
    this.#verbrannt = plus(this.#verbrannt, found.verbranntEur);
    this.#potential = plus(this.#potential, found.potentialEur);
  }

  #dayOf({ lauf, feuertAm, fensterBeginn }: Found, tag: Tag): string {
    if (lauf === null) return tag.datum;
    const begin = Temporal.Instant.from(feuertAm ?? fensterBeginn);
    return begin.toZonedDateTimeISO(this.#zone).toPlainDate().toString();
  }

  #addRun(lauf: string, treffer: Treffer, tag: Tag, isGood: boolean): void {
    if (!this.#goingOn.has(lauf)) {
      this.#gestoppt += 1;
      if (isGood) this.#gut += 1;
    }
    if (treffer.ende && !isOver(treffer.ende, tag)) this.#goingOn.set(lauf, treffer.ende);
    this.#list(lauf, treffer, isGood);
  }

  /** Puts a run among the dearest, with what it cost on the days before. */
  #list(lauf_id: string, treffer: Treffer, isGood: boolean): void {
    const before = this.#laeufe.find((lauf) => lauf.lauf_id === lauf_id);
    if (before) {
      before.aufrufe_danach += Number(treffer.aufrufe);
      before.kosten_danach_eur =
        plus(plus(null, before.kosten_danach_eur), treffer.kosten_eur)?.toFixed() ?? null;
    } else
      this.#laeufe.push({
        lauf_id,
        agent: treffer.agent ?? '',
        gestoppt_am: treffer.gestoppt_am,
        aufrufe_danach: Number(treffer.aufrufe),
        kosten_danach_eur: treffer.kosten_eur,
        gut: isGood,
      });
    this.#laeufe = this.#laeufe.sort(dearest).slice(0, MAX_RUECKBLICK_LAEUFE);
  }
}
