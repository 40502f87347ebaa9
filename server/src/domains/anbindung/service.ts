/** Is anything connected yet, and what is left to do? */
import {
  type anbindungPruefen,
  type cockpitAnbindung,
  type erststart,
  READ_WITH,
  type ResponseOf,
} from '#contracts';
import { readGaps, readLatestEvents, readZaehlstand, type Zaehlstand } from '#domains/ereignisse/index.ts';
import { readMandant } from '#domains/mandant/index.ts';
import {
  hasActiveSchluessel,
  NO_KEYS,
  pageOfKeys,
  readSchluessel,
  schluesselToApi,
} from '#domains/schluessel/index.ts';
import { type KeyUse, readKeyUse } from '#domains/verbrauch/index.ts';
import { notFound } from '#kernel/errors.ts';
import { toInstant, toInstantOrNull } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { toUtc } from '#kernel/zeitraum.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { PageQuery } from '#platform/page.ts';
import type { KeyPrincipal, SessionPrincipal } from '#platform/principal.ts';
import { stepsOf } from './rules.ts';
import { readFound } from './store.ts';

const LATEST = 10;
/** What is said of a key's calls and cost is of so many local days, today among them. */
const DAYS = 30;
/** Events of which it is said what they lack; of a key at least so many. */
const LOOKED_AT = 1_000;

/** The three figures both answers share; without a counting state nothing has arrived. */
const arrivalsToApi = (zaehlstand: Zaehlstand | null) => ({
  erster_aufruf_am: toInstantOrNull(zaehlstand?.erster_aufruf_am ?? null),
  letzter_aufruf_am: toInstantOrNull(zaehlstand?.letzter_aufruf_am ?? null),
  ereignisse_gesamt: zaehlstand?.ereignisse_gesamt ?? 0,
});

/** What came by these keys, by id. */
async function cameBy(
  { clock }: ServiceContext,
  tx: MandantTx,
  keys: readonly string[],
): Promise<Map<string, KeyUse>> {
  const { zeitzone } = await readMandant(tx);
  const now = Temporal.Instant.fromEpochMilliseconds(clock.now().getTime());
  const since = toUtc(
    now
      .toZonedDateTimeISO(zeitzone)
      .subtract({ days: DAYS - 1 })
      .startOfDay(),
  );
  return readKeyUse(tx, keys, { since, latest: LOOKED_AT });
}

/** A page of the Mandant's keys with what came by each. */
async function keysInUse(context: ServiceContext, tx: MandantTx, page: PageQuery) {
  const { schluessel, weiter } = await pageOfKeys(tx, page);
  const ids = schluessel.map(({ schluessel_id }) => schluessel_id);
  const use = await cameBy(context, tx, ids);
  const withUse = schluessel.map((key) => {
    const verbrauch = use.get(key.schluessel_id);
    return verbrauch
      ? {
          ...key,
          verbrauch: { ...verbrauch, letzter_aufruf_am: toInstantOrNull(verbrauch.letzter_aufruf_am) },
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
    const use = (await cameBy(context, tx, [schluessel_id])).get(schluessel_id);
    return {
      mandant: { mandant_id, firma },
      schluessel: { schluessel_id, name, anzeige, bereiche },
      aufrufe_angekommen: arrivals.ereignisse_gesamt > 0,
      ...arrivals,
      schluessel_letzter_aufruf_am: toInstantOrNull(use?.letzter_aufruf_am ?? null),
      ...(use ? { luecken: use.luecken } : {}),
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
