/** Limits of cost, calls and tokens: the same question about different sums. */

import { minutesOf, type Regel } from '#domains/regeln/index.ts';
import { type Eur, eurFrom, eurText } from '#kernel/money.ts';
import type { Found } from '../candidate.ts';
import { asRule, type Look, type SumDetector, scopeObject } from '../detector.ts';
import { isoOf, localBegin } from '../local-time.ts';
import { readSeries, type SeriesGrain, type Sums } from './series.ts';

type Limit = 'kosten_grenze' | 'raten_grenze';

/** What came to how much between two instants. */
interface Span {
  von: string;
  bis: string;
  aufrufe: bigint;
  unbepreist: bigint;
  token: bigint;
  eur: bigint;
}

const HOUR = 60;
const DAY = 24 * HOUR;
/** Longer windows slide by the hour: sums by the minute do not reach back far enough. */
const MOST_BY_MINUTE = 20 * HOUR;

const toSpan = (sums: Sums, von: string, bis: string): Span => ({
  von,
  bis,
  aufrufe: BigInt(sums.aufrufe),
  unbepreist: BigInt(sums.unbepreist),
  token: BigInt(sums.token),
  eur: eurFrom(sums.kosten_eur),
});

function add(to: Span, { aufrufe, unbepreist, token, eur }: Span, sign: 1n | -1n): void {
  to.aufrufe += sign * aufrufe;
  to.unbepreist += sign * unbepreist;
  to.token += sign * token;
  to.eur += sign * eur;
}

const NOTHING = { aufrufe: 0n, unbepreist: 0n, token: 0n, eur: 0n };

/** Windows of so many milliseconds, one ending with each of the given parts. */
function* sliding(parts: Span[], milliseconds: number): Generator<Span> {
  const sum: Span = { von: '', bis: '', ...NOTHING };
  let first = 0;
  for (const part of parts) {
    add(sum, part, 1n);
    const begin = Temporal.Instant.from(part.bis).subtract({ milliseconds });
    for (;;) {
      const oldest = parts[first] as Span;
      if (Temporal.Instant.compare(oldest.von, begin) >= 0) break;
      add(sum, oldest, -1n);
      first += 1;
    }
    yield { ...sum, von: isoOf(begin), bis: part.bis };
  }
}

async function partsOf(look: Look, regel: Regel, grain: SeriesGrain, von: Temporal.Instant): Promise<Span[]> {
  const length = grain === 'minute' ? { minutes: 1 } : { hours: 1 };
  const rows = await readSeries(look, regel, grain, { von: isoOf(von), bis: isoOf(look.bis) });
  return rows.map((sums) => toSpan(sums, sums.beginn, isoOf(Temporal.Instant.from(sums.beginn).add(length))));
}

/** What is found in windows of a duration belongs to the local hour, of more than an hour to the local day, they end in. */
async function* byDuration(look: Look, regel: Regel, minutes: number) {
  const grain = minutes > MOST_BY_MINUTE ? 'stunde' : 'minute';
  const whole = grain === 'stunde' ? Math.floor(minutes / HOUR) * HOUR : minutes;
  const parts = await partsOf(look, regel, grain, look.von.subtract({ minutes: whole }));
  const unit = minutes <= HOUR ? 'hour' : 'day';
  for (const span of sliding(parts, whole * 60_000)) {
    const last = Temporal.Instant.from(span.bis).subtract({ nanoseconds: 1 });
    const begin = localBegin(last, unit, look.zone);
    // Of one that is looked at in part only, the highest value may be lower than it was.
    if (Temporal.Instant.compare(begin.toInstant(), look.von) >= 0) yield { key: isoOf(begin), span };
  }
}

/** Local days, or months of them. */
async function* byDays(look: Look, regel: Regel, isMonth: boolean) {
  const first = localBegin(look.von, 'day', look.zone).toPlainDate();
  const last = localBegin(look.bis, 'day', look.zone).toPlainDate();
  const von = isMonth ? first.with({ day: 1 }) : first;
  const rows = await readSeries(look, regel, 'tag', {
    von: von.toString(),
    bis: last.add({ days: 1 }).toString(),
  });
  const periods = new Map<string, Span>();
  for (const sums of rows) {
    const day = Temporal.PlainDate.from(sums.beginn);
    const begin = isMonth ? day.with({ day: 1 }) : day;
    const key = isoOf(begin.toZonedDateTime(look.zone));
    const end = isoOf(begin.add(isMonth ? { months: 1 } : { days: 1 }).toZonedDateTime(look.zone));
    const period = periods.get(key) ?? { ...NOTHING, von: key, bis: end };
    add(period, toSpan(sums, key, end), 1n);
    periods.set(key, period);
  }
  for (const [key, span] of periods) yield { key, span };
}

/** The same hour by hour, each with those before it of its day or month: when it came to how much. */
async function* byDaysSoFar(look: Look, regel: Regel, isMonth: boolean) {
  const periodOf = (at: Temporal.ZonedDateTime) => (isMonth ? at.with({ day: 1 }) : at).startOfDay();
  const first = periodOf(look.von.toZonedDateTimeISO(look.zone));
  let sum: Span = { ...NOTHING, von: '', bis: '' };
  for (const part of await partsOf(look, regel, 'stunde', first.toInstant())) {
    const von = isoOf(periodOf(Temporal.Instant.from(part.von).toZonedDateTimeISO(look.zone)));
    sum = sum.von === von ? { ...sum, bis: part.bis } : { ...NOTHING, von, bis: part.bis };
    add(sum, part, 1n);
    yield { key: von, span: { ...sum } };
  }
}

async function* byHours(look: Look, regel: Regel) {
  const parts = await partsOf(look, regel, 'stunde', localBegin(look.von, 'hour', look.zone).toInstant());
  for (const span of parts) yield { key: span.von, span };
}

/** Windows of the rule, and what each finding about them begins with. */
function windowsOf(look: Look, regel: Regel<Limit>) {
  if (regel.zeitfenster === 'stunde') return byHours(look, regel);
  if (regel.zeitfenster === 'tag' || regel.zeitfenster === 'monat')
    return (look.istRueckblick ? byDaysSoFar : byDays)(look, regel, regel.zeitfenster === 'monat');
  return byDuration(look, regel, minutesOf(regel.zeitfenster ?? '') ?? DAY);
}

/** The threshold as what it is compared with: amounts by their scale, counts as whole numbers (a fraction more is more). */
function measureOf({ einheit, schwelle }: Regel<Limit>) {
  const text = schwelle ?? '0';
  if (einheit === 'eur')
    return {
      most: eurFrom(text) as bigint,
      of: (span: Span) => span.eur,
      text: (v: bigint) => eurText(v as Eur),
    };
  const most = BigInt(text.split('.')[0] as string);
  const of = einheit === 'token' ? (span: Span) => span.token : (span: Span) => span.aufrufe;
  return { most, of, text: (value: bigint) => value.toString() };
}

async function find<T extends Limit>(look: Look, regel: Regel<T>): Promise<Found[]> {
  const { most, of, text } = measureOf(regel);
  const worst = new Map<string, Span>();
  const first = new Map<string, string>();
  for await (const { key, span } of windowsOf(look, regel)) {
    const before = worst.get(key);
    if (of(span) <= most) continue;
    if (!before) first.set(key, span.bis);
    if (!before || of(span) > of(before)) worst.set(key, span);
  }
  return [...worst].map(([fensterBeginn, span]) => ({
    regel: asRule(regel),
    ...scopeObject(regel),
    lauf: null,
    fensterBeginn,
    feuertAm: first.get(fensterBeginn) ?? null,
    werte: {
      wert: text(of(span)),
      schwelle: regel.schwelle,
      einheit: regel.einheit,
      von: span.von,
      bis: span.bis,
      aufrufe: Number(span.aufrufe),
      unbepreist: Number(span.unbepreist),
    },
    kostenEur: span.aufrufe > span.unbepreist ? eurText(span.eur as Eur) : null,
    verbranntEur: null,
    potentialEur: null,
  }));
}

const LOOKING = {
  needsPrices: false,
  find,
  trigger: true,
  // What is over for a month is over from one hour on; the last one of a day ends with it.
  dayBy: ({ zeitfenster }: Regel<Limit>) => (zeitfenster === 'monat' ? 'feuertAm' : 'fensterBeginn'),
  calls: null,
} as const;

/** Cost within a window of the calendar or of a duration. */
export const kostenGrenze: SumDetector<'kosten_grenze'> = LOOKING;
/** Calls, or tokens (input and output as sent), within such a window. */
export const ratenGrenze: SumDetector<'raten_grenze'> = LOOKING;
