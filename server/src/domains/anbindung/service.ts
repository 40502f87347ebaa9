/** Is anything connected yet, and what remains to be done? */
import {
  type anbindungPruefen,
  type cockpitAnbindung,
  type cockpitQuellen,
  type erststart,
  READ_WITH,
  type ResponseOf,
} from '#contracts';
import {
  readArrivals,
  readGaps,
  readLatestEvents,
  readZaehlstand,
  type Zaehlstand,
} from '#domains/ereignisse/index.ts';
import { readMandant } from '#domains/mandant/index.ts';
import {
  hasActiveSchluessel,
  NO_KEYS,
  pageOfKeys,
  readKeyNames,
  readSchluessel,
  schluesselToApi,
} from '#domains/schluessel/index.ts';
import { type KeyUse, readKeyUse, readSources } from '#domains/verbrauch/index.ts';
import { notFound } from '#kernel/errors.ts';
import { toInstant, toInstantOrNull } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { toUtc } from '#kernel/zeitraum.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { PageQuery } from '#platform/page.ts';
import type { KeyPrincipal, SessionPrincipal } from '#platform/principal.ts';
import { clockErrorOf, stepsOf } from './rules.ts';
import { readFound } from './store.ts';

const LATEST = 10;
/** What is said of a key's calls and cost is of this many local days, today among them. */
const DAYS = 30;
/** Events of which it is said what they lack; of a key at least this many. */
const LOOKED_AT = 1_000;
/** Sources of one answer. */
const MOST_SOURCES = 200;

/** The three figures both answers share; without a counting state nothing has arrived. */
const arrivalsToApi = (zaehlstand: Zaehlstand | null) => ({
  erster_aufruf_am: toInstantOrNull(zaehlstand?.erster_aufruf_am ?? null),
  letzter_aufruf_am: toInstantOrNull(zaehlstand?.letzter_aufruf_am ?? null),
  ereignisse_gesamt: zaehlstand?.ereignisse_gesamt ?? 0,
});

/** When the first of the days begins that are looked at. */
async function firstDay({ clock }: ServiceContext, tx: MandantTx): Promise<Temporal.ZonedDateTime> {
  const { zeitzone } = await readMandant(tx);
  const now = Temporal.Instant.fromEpochMilliseconds(clock.now().getTime());
  return now
    .toZonedDateTimeISO(zeitzone)
    .subtract({ days: DAYS - 1 })
    .startOfDay();
}

/** What came by these keys, by id. */
async function cameBy(
  context: ServiceContext,
  tx: MandantTx,
  keys: readonly string[],
): Promise<Map<string, KeyUse>> {
  const since = toUtc(await firstDay(context, tx));
  return readKeyUse(tx, keys, { since, latest: LOOKED_AT });
}

/** A key that was used at another time than its latest call was made may be that of a sender whose clock is wrong. */
const CLOCKS_DIFFER_MS = 60_000;

/** How many seconds clocks of senders are behind ours (negative: ahead), by key; of those that are not known to be wrong nothing. */
async function readClockErrors(
  tx: MandantTx,
  keys: readonly { schluessel_id: string; zuletzt_benutzt_am: string | null }[],
  use: ReadonlyMap<string, KeyUse>,
): Promise<Map<string, number>> {
  const doubtful = keys.flatMap(({ schluessel_id, zuletzt_benutzt_am }): [string, string][] => {
    const called = use.get(schluessel_id)?.letzter_aufruf_am ?? null;
    if (called === null || zuletzt_benutzt_am === null) return [];
    const apart = Math.abs(Date.parse(zuletzt_benutzt_am) - Date.parse(called));
    return apart > CLOCKS_DIFFER_MS ? [[schluessel_id, called]] : [];
  });
  const arrivals = await readArrivals(tx, new Map(doubtful));
  return new Map(
    [...arrivals].flatMap(([key, own]): [string, number][] => {
      const error = clockErrorOf(own);
      return error === null ? [] : [[key, error]];
    }),
  );
}

/** A page of the Mandant's keys with what came by each. */
async function keysInUse(context: ServiceContext, tx: MandantTx, page: PageQuery) {
  const { schluessel, weiter } = await pageOfKeys(tx, page);
  const ids = schluessel.map(({ schluessel_id }) => schluessel_id);
  const use = await cameBy(context, tx, ids);
  const clockErrors = await readClockErrors(tx, schluessel, use);
  const withUse = schluessel.map((key) => {
    const verbrauch = use.get(key.schluessel_id);
    return verbrauch
      ? {
          ...key,
          verbrauch: {
            ...verbrauch,
            letzter_aufruf_am: toInstantOrNull(verbrauch.letzter_aufruf_am),
            uhr_abweichung_s: clockErrors.get(key.schluessel_id) ?? null,
          },
        }
      : key;
  });
  return { schluessel: withUse, weiter };
}

/** Whom the key belongs to, what it may do, whether calls have arrived. */
export function checkConnection(
  context: ServiceContext,
  principal: KeyPrincipal,
): Promise<ResponseOf<typeof anbindungPruefen>> {
  return context.db.forMandant(principal.mandant, async (tx) => {
    const { mandant_id, firma } = await readMandant(tx);
    const row = await readSchluessel(tx, principal.schluesselId);
    if (!row) throw notFound({ de: 'Diesen Schlüssel', en: 'This key' });
    const { schluessel_id, name, anzeige, bereiche } = schluesselToApi(row);
    const arrivals = arrivalsToApi(await readZaehlstand(tx));
    const came = await cameBy(context, tx, [schluessel_id]);
    const use = came.get(schluessel_id);
    const clockErrors = await readClockErrors(tx, [row], came);
    return {
      mandant: { mandant_id, firma },
      schluessel: { schluessel_id, name, anzeige, bereiche },
      aufrufe_angekommen: arrivals.ereignisse_gesamt > 0,
      ...arrivals,
      schluessel_letzter_aufruf_am: toInstantOrNull(use?.letzter_aufruf_am ?? null),
      ...(use ? { luecken: use.luecken, uhr_abweichung_s: clockErrors.get(schluessel_id) ?? null } : {}),
    };
  });
}

/** The connection page: where to send, with which keys (a page of them), and what came last. */
export function readConnectionPage(
  context: ServiceContext,
  { mandant, rechte }: Pick<SessionPrincipal, 'mandant' | 'rechte'>,
  page: PageQuery,
): Promise<ResponseOf<typeof cockpitAnbindung>> {
  const basis = context.config.baseUrl;
  return context.db.forMandant(mandant, async (tx) => ({
    adressen: {
      basis,
      ereignisse: `${basis}/v1/ereignisse`,
      pruefen: `${basis}/v1/anbindung/pruefen`,
      beschreibung: `${basis}/docs`,
    },
    ...(rechte.includes(READ_WITH.schluessel) ? await keysInUse(context, tx, page) : NO_KEYS),
    ...arrivalsToApi(await readZaehlstand(tx)),
    letzte_aufrufe: (await readLatestEvents(tx, LATEST)).map((event) => ({
      ...event,
      zeitpunkt: toInstant(event.zeitpunkt),
    })),
    luecken: await readGaps(tx, LOOKED_AT),
  }));
}

/** What told of calls, by key and library. */
export function readSourcesPage(
  context: ServiceContext,
  { mandant, rechte }: Pick<SessionPrincipal, 'mandant' | 'rechte'>,
): Promise<ResponseOf<typeof cockpitQuellen>> {
  const mayReadKeys = rechte.includes(READ_WITH.schluessel);
  return context.db.forMandant(mandant, async (tx) => {
    const since = (await firstDay(context, tx)).toPlainDate().toString();
    const sources = await readSources(tx, { since, latest: LOOKED_AT, most: MOST_SOURCES });
    const ids = mayReadKeys ? [...new Set(sources.map(({ schluessel_id }) => schluessel_id))] : [];
    const found = ids.length === 0 ? [] : await readKeyNames(tx, ids);
    const names = new Map(found.map(({ schluessel_id, name }) => [schluessel_id, name]));
    return {
      quellen: sources.map(({ schluessel_id, ...source }) => ({
        schluessel_id: mayReadKeys ? schluessel_id : null,
        schluessel_name: names.get(schluessel_id) ?? null,
        ...source,
        letzter_aufruf_am: toInstant(source.letzter_aufruf_am),
      })),
    };
  });
}

/** The checklist of a new Mandant. */
export function readChecklist(
  context: ServiceContext,
  mandant: MandantId,
): Promise<ResponseOf<typeof erststart>> {
  return context.db.forMandant(mandant, async (tx) => {
    const zaehlstand = await readZaehlstand(tx);
    const found = await readFound(tx);
    return stepsOf({
      hasActiveKey: await hasActiveSchluessel(tx),
      hasConfirmedLimits: found.confirmed_limits,
      hasEvents: (zaehlstand?.ereignisse_gesamt ?? 0) > 0,
      hasNamedAgent: found.named_agent,
      hasEndkunde: found.endkunde,
    });
  });
}
