/**
 * What the payment provider reports. Its events arrive repeatedly and in any order, so an event is only a reason to look:
 * what counts is what the provider says now, when it is asked.
 */
import { recordChange, SYSTEM } from '#domains/protokoll/index.ts';
import { toInstantOrNull } from '#kernel/instant.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { Provider } from '../provider.ts';
import { type Abonnement, type Buchungsstand, decisive, standAfter, surplusBeside } from '../rules.ts';
import {
  advanceStand,
  drawLesung,
  findMandant,
  insertEreignis,
  isApplied,
  isOvertaken,
  type Lesung,
  lockBuchungsstand,
  updateBuchungsstand,
} from '../store.ts';

/** What booking needs of the service, for requests and jobs alike. */
export type BookingContext = Pick<ServiceContext, 'db' | 'clock' | 'log'>;

const EVENTS = new Set([
  'checkout.session.completed',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.payment_failed',
  'invoice.paid',
]);

/** An event of the payment provider; its signature has been checked. */
export interface PaymentEvent {
  id: string;
  type: string;
  /** Null when it is about nobody. */
  kunde: string | null;
}

const FIELDS = ['paket', 'paket_bis', 'paket_quelle', 'abrechnungsstatus'] as const;

function changesOf(before: Buchungsstand, after: Buchungsstand) {
  const changed = FIELDS.filter((field) => before[field] !== after[field]);
  if (changed.length === 0) return null;
  const pick = (stand: Buchungsstand) => Object.fromEntries(changed.map((field) => [field, stand[field]]));
  return { vorher: pick(before), nachher: pick(after) };
}

async function applySubscriptions(
  tx: MandantTx,
  mandant: MandantId,
  now: Date,
  { firma, ...stored }: Buchungsstand & { firma: string },
  abonnement: Abonnement | null,
): Promise<void> {
  const before = { ...stored, paket_bis: toInstantOrNull(stored.paket_bis) };
  const after = standAfter(before, abonnement);
  const changes = changesOf(before, after);
  if (!changes) return;
  await updateBuchungsstand(tx, after);
  await recordChange(tx, mandant, now, {
    akteur: SYSTEM,
    aktion: 'buchung.geaendert',
    objekt: { art: 'mandant', id: mandant, name: firma },
    ...changes,
  });
}

/**
 * Ends at the provider what is paid beside the subscription that counts. Before the answer is applied: where it fails, the
 * event comes again.
 */
async function endSurplus(
  { db, clock, log }: BookingContext,
  provider: Provider,
  mandant: MandantId,
  { nummer }: Lesung,
  surplus: readonly Abonnement[],
): Promise<void> {
  // An answer that is out of date does not say any more which one counts.
  if (surplus.length === 0 || (await db.forMandant(mandant, (tx) => isOvertaken(tx, nummer)))) return;
  for (const { id } of surplus) {
    if (!(await provider.endSubscription(id))) continue;
    log.warn(
      { mandant, abonnement: id },
      'surplus subscription ended; what was paid for it may have to be returned',
    );
    await db.forMandant(mandant, async (tx) => {
      const stored = await lockBuchungsstand(tx);
      if (!stored) return;
      await recordChange(tx, mandant, clock.now(), {
        akteur: SYSTEM,
        aktion: 'buchung.doppelte_beendet',
        objekt: { art: 'mandant', id: mandant, name: stored.firma },
        nachher: { abonnement: id },
      });
    });
  }
}

/**
 * Asks the provider what a customer has and brings the Mandant to it, all in one transaction with the event that was the
 * reason (null for none). Throws 502 or 503 when the provider does not say; then nothing has changed.
 */
export async function bringUpToDate(
  context: BookingContext,
  provider: Provider,
  mandant: MandantId,
  kunde: string,
  event: PaymentEvent | null,
): Promise<void> {
  const { db, clock } = context;
  const lesung = await db.forMandant(mandant, async (tx) =>
    event && (await isApplied(tx, event.id)) ? null : drawLesung(tx),
  );
  if (lesung === null) return;
  const abonnements = await provider.subscriptionsOf(kunde);
  const abonnement = decisive(abonnements, lesung.abonnement);
  await endSurplus(context, provider, mandant, lesung, surplusBeside(abonnement, abonnements));
  const now = clock.now();
  await db.forMandant(mandant, async (tx) => {
    const stored = await lockBuchungsstand(tx);
    if (!stored) return;
    const ereignis = event && { ereignis: event.id, art: event.type, empfangen_am: now.toISOString() };
    if (ereignis && !(await insertEreignis(tx, mandant, ereignis))) return;
    // A reading that began after this one has been applied: it saw all that this one saw.
    if (!(await advanceStand(tx, lesung.nummer, abonnement?.id ?? null))) return;
    await applySubscriptions(tx, mandant, now, stored, abonnement);
  });
}

/** Takes an event; of the same event, however often it comes, one has an effect. Strangers' events have none. */
export async function receivePayment(
  context: BookingContext,
  provider: Provider,
  event: PaymentEvent,
): Promise<void> {
  const { kunde } = event;
  if (kunde === null || !EVENTS.has(event.type)) return;
  const mandant = await context.db.transaction((client) => findMandant(client, kunde));
  if (mandant) await bringUpToDate(context, provider, mandantId(mandant), kunde, event);
}
