/** What a stop kept from being spent (docs/decisions/0060-what-a-stop-avoided.md). No input or output here. */
import { Decimal } from 'decimal.js';
import {
  type befund,
  isRegeltyp,
  REGELTYP_NAMEN,
  REGELTYPEN,
  type Regeltyp,
  type ResponseOf,
} from '#contracts';

type Answer = ResponseOf<typeof befund>;

export type ExtentFigure = NonNullable<(typeof REGELTYPEN)[Regeltyp]['umfang']>;

/** Types whose findings can stop a run. */
export const STOPPING_TYPES: string[] = REGELTYP_NAMEN.filter((typ) => REGELTYPEN[typ].umfang !== null);

/** The figure that says how many calls a finding of the type has come to. */
export const extentFigureOf = (typ: string): ExtentFigure | undefined =>
  isRegeltyp(typ) ? (REGELTYPEN[typ].umfang ?? undefined) : undefined;

/** A finding with what was done about it. */
export type Stopping = Pick<Answer, 'befund' | 'eingriffe'>;

/** Fewer cases than these say nothing about the next one. */
const ENOUGH = 3;

/** Whether the finding stopped its run, for real, and it stayed so: obeyed, not lifted, and nobody has called it a mistake. */
export function hasStopped({ befund, eingriffe }: Stopping): boolean {
  const stops = eingriffe.filter(
    ({ schatten, stufe }) => !schatten && (stufe === 'anhalten' || stufe === 'sperren'),
  );
  return (
    befund.objekt_art === 'lauf' &&
    (befund.status === 'offen' || befund.status === 'erledigt') &&
    stops.length > 0 &&
    stops.every(({ befolgt, aufgehoben_am }) => befolgt === true && aufgehoben_am === null)
  );
}

const Exact = Decimal.clone({ precision: 120 });
const PLACES = 10;

/**
 * `cases`: how many calls alike findings came to that nobody stopped. Of those the one in the middle (of two the lower) says how
 * many more calls would have come; each costs what those of this finding cost on average. Rounded down; null when unknown.
 */
export function avoidedOf(
  { kosten_eur, extent }: { kosten_eur: string | null; extent: number },
  cases: readonly number[],
): NonNullable<Answer['vermieden']> {
  const further = cases.map((all) => Math.max(0, all - extent)).sort((a, b) => a - b);
  const weitere = cases.length < ENOUGH ? null : (further[Math.floor((cases.length - 1) / 2)] ?? null);
  const eur =
    weitere === null || kosten_eur === null
      ? null
      : new Exact(kosten_eur).times(weitere).div(extent).toDecimalPlaces(PLACES, Decimal.ROUND_DOWN);
  return { eur: eur?.toFixed() ?? null, weitere, faelle: cases.length };
}
