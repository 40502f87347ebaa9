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
import { notFound } from '#kernel/errors.ts';
import { toInstant, toInstantOrNull } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { PageQuery } from '#platform/page.ts';
import type { KeyPrincipal, SessionPrincipal } from '#platform/principal.ts';
import { stepsOf } from './rules.ts';
import { readFound } from './store.ts';

const LATEST = 10;
/** Events of which it is said what they lack. */
const LOOKED_AT = 1_000;

/** The three figures both answers share; without a counting state nothing has arrived. */
const arrivalsToApi = (zaehlstand: Zaehlstand | null) => ({
  erster_aufruf_am: toInstantOrNull(zaehlstand?.erster_aufruf_am ?? null),
  letzter_aufruf_am: toInstantOrNull(zaehlstand?.letzter_aufruf_am ?? null),
  ereignisse_gesamt: zaehlstand?.ereignisse_gesamt ?? 0,
});

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
    return {
      mandant: { mandant_id, firma },
      schluessel: { schluessel_id, name, anzeige, bereiche },
      aufrufe_angekommen: arrivals.ereignisse_gesamt > 0,
      ...arrivals,
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
    ...(rechte.includes(READ_WITH.schluessel) ? await pageOfKeys(tx, page) : NO_KEYS),
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
      hasEvents: (zaehlstand?.ereignisse_gesamt ?? 0) > 0,
      hasNamedAgent: found.named_agent,
      hasEndkunde: found.endkunde,
    });
  });
}
