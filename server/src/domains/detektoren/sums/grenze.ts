/** Limits of cost, calls and tokens: the same question about different sums. */

import { minutesOf, type Regel } from '#domains/regeln/index.ts';
import { type Eur, eurFrom, eurText } from '#kernel/money.ts';
import type { Found } from '../candidate.ts';
import { asRule, type Look, type SumDetector, scopeObject } from '../detector.ts';
import { isoOf, localBegin } from '../local-time.ts';
import { isPerAgent, type Measure, ofRule, reachedByAgent, rulesPerAgent } from './per-agent.ts';
import type { Sums } from './period.ts';
import { hasSums, readDays, readSeries, type SeriesGrain } from './series.ts';

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

/** A window of a rule, what a finding about it begins with, and until when it is above the limit if nothing more comes. */
interface Window {
  key: string;
  span: Span;
  ends: (isAbove: (span: Span) => boolean) => string;
}

/** When a window over these parts is not above the limit any more: its oldest parts drop out one by one. */
function endOf(parts: Span[], whole: Span, milliseconds: number, isAbove: (span: Span) => boolean): string {
  const left = { ...whole };
  for (const part of parts) {
    add(left, part, -1n);
    if (!isAbove(left)) return isoOf(Temporal.Instant.from(part.bis).add({ milliseconds }));
  }
  return whole.bis;
}

/** Windows of equal length, one ending with each of the given parts. */
function* sliding(parts: Span[], milliseconds: number): Generator<Pick<Window, 'span' | 'ends'>> {
  const sum: Span = { von: '', bis: '', ...NOTHING };
  let first = 0;
  for (const [last, part] of parts.entries()) {
    add(sum, part, 1n);
    const begin = Temporal.Instant.from(part.bis).subtract({ milliseconds });
    for (;;) {
      const oldest = parts[first] as Span;
      if (Temporal.Instant.compare(oldest.von, begin) >= 0) break;
      add(sum, oldest, -1n);
      first += 1;
    }
    const span = { ...sum, von: isoOf(begin), bis: part.bis };
    const from = first;
    yield { span, ends: (isAbove) => endOf(parts.slice(from, last + 1), span, milliseconds, isAbove) };
  }
}

async function partsOf(look: Look, regel: Regel, grain: SeriesGrain, von: Temporal.Instant): Promise<Span[]> {
  const length = grain === 'minute' ? { minutes: 1 } : { hours: 1 };
  const rows = await readSeries(look, regel, grain, { von: isoOf(von), bis: isoOf(look.bis) });
  return (rows ?? []).map((sums) =>
    toSpan(sums, sums.beginn, isoOf(Temporal.Instant.from(sums.beginn).add(length))),
  );
}

/** What is found in windows of a duration belongs to the local hour, of more than an hour to the local day, they end in. */
async function* byDuration(look: Look, regel: Regel, minutes: number): AsyncGenerator<Window> {
  const grain = minutes > MOST_BY_MINUTE ? 'stunde' : 'minute';
  const whole = grain === 'stunde' ? Math.floor(minutes / HOUR) * HOUR : minutes;
  const parts = await partsOf(look, regel, grain, look.von.subtract({ minutes: whole }));
  const unit = minutes <= HOUR ? 'hour' : 'day';
  for (const { span, ends } of sliding(parts, whole * 60_000)) {
    const last = Temporal.Instant.from(span.bis).subtract({ nanoseconds: 1 });
    const begin = localBegin(last, unit, look.zone);
    // Of one that is looked at in part only, the highest value may be lower than it was.
    if (Temporal.Instant.compare(begin.toInstant(), look.von) >= 0) yield { key: isoOf(begin), span, ends };
  }
}

/** A window of the calendar ends when it ends, whatever comes. */
const endsAt = (end: string) => () => end;

/** Local days, or months of them. */
async function* byDays(look: Look, regel: Regel, isMonth: boolean): AsyncGenerator<Window> {
  const first = localBegin(look.von, 'day', look.zone).toPlainDate();
  const last = localBegin(look.bis, 'day', look.zone).toPlainDate();
  const von = isMonth ? first.with({ day: 1 }) : first;
  const rows = await readDays(look, regel, { von, bis: last.add({ days: 1 }) });
  const periods = new Map<string, Span>();
  for (const sums of rows ?? []) {
    const day = Temporal.PlainDate.from(sums.beginn);
    const begin = isMonth ? day.with({ day: 1 }) : day;
    const key = isoOf(begin.toZonedDateTime(look.zone));
    const end = isoOf(begin.add(isMonth ? { months: 1 } : { days: 1 }).toZonedDateTime(look.zone));
    const period = periods.get(key) ?? { ...NOTHING, von: key, bis: end };
    add(period, toSpan(sums, key, end), 1n);
    periods.set(key, period);
  }
  for (const [key, span] of periods) yield { key, span, ends: endsAt(span.bis) };
}

type Calendar = 'stunde' | 'tag' | 'monat';

function periodOf(at: Temporal.Instant, zone: string, calendar: Calendar) {
  const hour = localBegin(at, 'hour', zone);
  const day = hour.startOfDay();
  const begin = { stunde: hour, tag: day, monat: day.with({ day: 1 }).startOfDay() }[calendar];
  const length = { stunde: { hours: 1 }, tag: { days: 1 }, monat: { months: 1 } }[calendar];
  return { von: isoOf(begin), end: isoOf(begin.add(length)) };
}

/**
 * Windows of the calendar part by part, each with those before it: when they came to how much. Days and months hour by hour, hours
 * minute by minute.
 */
async function* soFar(look: Look, regel: Regel, calendar: Calendar): AsyncGenerator<Window> {
  const first = periodOf(look.von, look.zone, calendar).von;
  const grain = calendar === 'stunde' ? 'minute' : 'stunde';
  let sum: Span = { ...NOTHING, von: '', bis: '' };
  for (const part of await partsOf(look, regel, grain, Temporal.Instant.from(first))) {
    const { von, end } = periodOf(Temporal.Instant.from(part.von), look.zone, calendar);
    sum = sum.von === von ? { ...sum, bis: part.bis } : { ...NOTHING, von, bis: part.bis };
    add(sum, part, 1n);
    yield { key: von, span: { ...sum }, ends: endsAt(end) };
  }
}

async function* byHours(look: Look, regel: Regel): AsyncGenerator<Window> {
  const parts = await partsOf(look, regel, 'stunde', localBegin(look.von, 'hour', look.zone).toInstant());
  for (const span of parts) yield { key: span.von, span, ends: endsAt(span.bis) };
}

/** Windows of the rule, and what each finding about them begins with. */
function windowsOf(look: Look, regel: Regel<Limit>): AsyncGenerator<Window> {
  const { zeitfenster } = regel;
  if (zeitfenster === 'stunde' || zeitfenster === 'tag' || zeitfenster === 'monat') {
    if (look.istRueckblick) return soFar(look, regel, zeitfenster);
    return zeitfenster === 'stunde' ? byHours(look, regel) : byDays(look, regel, zeitfenster === 'monat');
  }
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

/** Before it nothing lies that a window of the rule which is looked at may hold. */
function earliest({ von, zone }: Look, { zeitfenster }: Regel<Limit>): Temporal.Instant {
  const day = localBegin(von, 'day', zone);
  if (zeitfenster === 'stunde') return localBegin(von, 'hour', zone).toInstant();
  if (zeitfenster === 'tag') return day.toInstant();
  if (zeitfenster === 'monat') return day.with({ day: 1 }).startOfDay().toInstant();
  const minutes = minutesOf(zeitfenster ?? '') ?? DAY;
  return localBegin(von.subtract({ minutes }), 'hour', zone).toInstant();
}

async function find<T extends Limit>(look: Look, regel: Regel<T>): Promise<Found[]> {
  const rules = await rulesPerAgent(look, regel as Regel<Limit>, {
    von: earliest(look, regel),
    measure: measureFor(regel),
    least: regel.schwelle ?? '0',
  });
  const found: Found[] = [];
  for (const each of rules) found.push(...ofRule(regel, await findIn(look, each)));
  return found;
}

async function findIn(look: Look, regel: Regel<Limit>): Promise<Found[]> {
  const { most, of, text } = measureOf(regel);
  const isAbove = (span: Span) => of(span) > most;
  const worst = new Map<string, Span>();
  const first = new Map<string, string>();
  const until = new Map<string, Window['ends']>();
  for await (const { key, span, ends } of windowsOf(look, regel)) {
    const before = worst.get(key);
    if (!isAbove(span)) continue;
    // Looking back: what is ordered with the first of them; else with the last.
    if (!before || !look.istRueckblick) until.set(key, ends);
    if (!before) first.set(key, span.bis);
    if (!before || of(span) > of(before)) worst.set(key, span);
  }
  return [...worst].map(([fensterBeginn, span]) => ({
    regel: asRule(regel),
    ...scopeObject(regel),
    lauf: null,
    fensterBeginn,
    feuertAm: first.get(fensterBeginn) ?? null,
    bis: until.get(fensterBeginn)?.(isAbove) ?? span.bis,
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

/** Of an hour of the calendar what one came to is all that counts. */
const measureFor = ({ zeitfenster }: Regel<Limit>): Measure => (zeitfenster === 'stunde' ? 'max' : 'sum');

async function reached(look: Look, regel: Regel<'kosten_grenze'>): Promise<Map<string, Eur> | null> {
  const { agenten } = look;
  if (agenten && isPerAgent(regel))
    return reachedByAgent({ ...look, agenten }, earliest(look, regel), measureFor(regel));
  if (!(await hasSums(look, regel))) return null;
  let most = 0n;
  for await (const { span } of windowsOf(look, regel)) if (span.eur > most) most = span.eur;
  return new Map([['', most as Eur]]);
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
export const kostenGrenze: SumDetector<'kosten_grenze'> = { ...LOOKING, reached };
/** Calls, or tokens (input and output as sent), within such a window. */
export const ratenGrenze: SumDetector<'raten_grenze'> = { ...LOOKING, reached: null };
