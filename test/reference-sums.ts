/** What events add up to, worked out from the events as they were sent with decimals and calendar of its own. */
import type { Decimal } from 'decimal.js';
import type { Ereignis } from '#client/index.ts';
import type { DimensionName } from '#contracts';
import { Exact, isPartlyUnknown, tokensOf, usdOf } from './reference-cost.ts';

/** What the events meet: when they are received, the Mandant's zone, EUR for one USD on a local day. */
export interface World {
  receivedAt: string;
  zone: string;
  rateOf(day: string): string;
  /** Whether that is the substitute. */
  isSubstitute(day: string): boolean;
}

/** An event and what is true of it. */
export interface Truth {
  ms: number;
  local: Temporal.ZonedDateTime;
  sent: Ereignis;
  agent: string;
  projekt: string;
  failed: boolean;
  usd: Decimal | null;
  /** Whether that is what a part of it costs. */
  partial: boolean;
  eur: Decimal | null;
  /** Whether that was converted at the substitute. */
  substitute: boolean;
}

function truthOf(sent: Ereignis, world: World): Truth {
  const text = sent.zeitpunkt ?? world.receivedAt;
  const ms = Date.parse(/Z|[+]\d\d:\d\d$/.test(text) ? text : `${text}Z`);
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(world.zone);
  const usd = usdOf(sent, new Date(ms));
  const agent = sent.agent || 'unbekannt';
  const project = sent.zusatz?.projekt || (agent.includes('/') ? agent.split('/')[0] : 'standard');
  return {
    ms,
    local,
    sent,
    agent,
    projekt: String(project),
    failed: !['erfolgreich', 'abgebrochen'].includes(sent.status ?? 'erfolgreich'),
    usd,
    partial: usd !== null && isPartlyUnknown(sent, new Date(ms)),
    eur: usd?.mul(world.rateOf(local.toPlainDate().toString())) ?? null,
    substitute: world.isSubstitute(local.toPlainDate().toString()),
  };
}

/** The events that count: of equal ids the one that came first. */
export function distinct(sent: Ereignis[][], world: World): Truth[] {
  const seen = new Set<string>();
  return sent
    .flat()
    .filter(({ ereignis_id: id }) => {
      if (!id) return true;
      const isNew = !seen.has(id);
      seen.add(id);
      return isNew;
    })
    .map((event) => truthOf(event, world));
}

const total = (values: (Decimal | null)[]): string | null => {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum.plus(value), new Exact(0)).toFixed();
};
/** Integers as text, since their sums may exceed what a number holds. */
const tokens = (events: Truth[], name: keyof Ereignis): string =>
  events
    .reduce((sum, { sent }) => sum + BigInt((sent[name] as number | null | undefined) ?? 0), 0n)
    .toString();

/** What no token is counted twice in. */
const KINDS = ['uncached', 'read', 'write', 'output'] as const;
const bucket = (events: Truth[], kind: (typeof KINDS)[number]): Decimal =>
  events.reduce((sum, { sent }) => sum.plus(tokensOf(sent)?.[kind] ?? 0), new Exact(0));

/** The figures of a row; integers as text. */
export function figures(events: Truth[]) {
  return {
    kosten_eur: total(events.map(({ eur }) => eur)),
    kosten_usd: total(events.map(({ usd }) => usd)),
    aufrufe: String(events.length),
    eingabe_token: tokens(events, 'eingabe_token'),
    ausgabe_token: tokens(events, 'ausgabe_token'),
    cache_lese_token: tokens(events, 'cache_lese_token'),
    cache_schreib_token: tokens(events, 'cache_schreib_token'),
    denk_token: tokens(events, 'denk_token'),
    eingabe_ohne_cache: bucket(events, 'uncached').toFixed(),
    ausgabe_gesamt: bucket(events, 'output').toFixed(),
    aufgeteilt: String(events.length),
    token: KINDS.reduce((sum, kind) => sum.plus(bucket(events, kind)), new Exact(0)).toFixed(),
    fehler: String(events.filter(({ failed }) => failed).length),
    unbepreist: String(events.filter(({ usd }) => usd === null).length),
    // Made-up calls say nothing that has no rate; a count may be unknown.
    teilbepreist: String(events.filter(({ partial }) => partial).length),
    geschaetzt: String(events.filter(({ sent }) => sent.geschaetzt).length),
    verbranntes_geld_eur: total(events.map(({ failed, eur }) => (failed ? eur : null))) ?? '0',
  };
}

/** The figures of a sum line. */
export function sumOf(events: Truth[]) {
  const part = (isEstimated: boolean) =>
    total(
      events.map(({ sent, partial, eur }) =>
        ((sent.geschaetzt ?? false) || partial) === isEstimated ? eur : null,
      ),
    );
  const isPriced = events.some(({ eur }) => eur !== null);
  return {
    ...figures(events),
    gemessen_eur: isPriced ? (part(false) ?? '0') : null,
    geschaetzt_eur: isPriced ? (part(true) ?? '0') : null,
    ersatz_eur: isPriced
      ? (total(events.map(({ eur, substitute }) => (substitute ? eur : null))) ?? '0')
      : null,
  };
}

const hourKey = ({ local }: Truth): string =>
  `${local.toPlainDate()}T${String(local.hour).padStart(2, '0')}:00:00${local.offset}`;

/** The value of each dimension; '' for none. */
export const VALUES: Record<DimensionName, (event: Truth) => string> = {
  agent: ({ agent }) => agent,
  projekt: ({ projekt }) => projekt,
  // What a subscription pays for is passed on to nobody.
  endkunde: ({ sent }) => (sent.zusatz?.abonnement === true ? '' : (sent.endkunde_ref ?? '')),
  anbieter: ({ sent }) => sent.anbieter ?? '',
  modell: ({ sent }) => sent.modell ?? '',
  funktion: ({ sent }) => sent.funktion_ref ?? '',
  benutzer: ({ sent }) => sent.benutzer_ref ?? '',
};

/** What the rows of a grouping are named by. */
export const KEYS = {
  ...VALUES,
  tag: ({ local }: Truth) => local.toPlainDate().toString(),
  stunde: hourKey,
};
export type Gruppe = keyof typeof KEYS;

/** The rows of a grouping by their key. */
export const rowsOf = (events: Truth[], key: (event: Truth) => string): Record<string, object> =>
  Object.fromEntries([...Map.groupBy(events, key)].map(([name, group]) => [name, figures(group)]));
