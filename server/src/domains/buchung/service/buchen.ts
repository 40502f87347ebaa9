/** Booking: the way to the payment provider. What is booked comes back by its callback (`zahlungen.ts`). */
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { conflict, unavailable } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { Sentence } from '#kernel/sentence.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Provider } from '../provider.ts';
import { bookingProblem, lookupKeyOf, requireBookable } from '../rules.ts';
import { insertKunde, lockBuchungsstand, readBezahlseite, readKunde, replaceBezahlseite } from '../store.ts';
import { bringUpToDate } from './zahlungen.ts';

/** What is wished, and by whom. */
export interface Booking {
  mandant: MandantId;
  akteur: Akteur;
  paket: string;
}

/** Requests that come at once settle within two. */
const MOST_LOOKS = 5;

/** Where the cockpit shows the package; the browser comes back there. */
const pageOf = ({ config }: ServiceContext): string => `${config.baseUrl}/einstellungen/paket`;

const notSetUp = (why: Sentence) =>
  conflict('buchung_nicht_eingerichtet', {
    de: `Tarife lassen sich hier nicht buchen: ${why.de}`,
    en: `Plans cannot be booked here: ${why.en}`,
  });

/** Throws 409 when the installation has no account at the payment provider. */
export function requireProvider(provider: Provider | null): Provider {
  if (provider) return provider;
  throw notSetUp({
    de: 'Dazu setzt der Betreiber STRIPE_SECRET_KEY und STRIPE_WEBHOOK_SECRET. Ohne sie kommt der Tarif aus der Lizenz der Installation (LIZENZ).',
    en: 'For this the operator sets STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET. Without them the plan comes from the licence of the installation (LIZENZ).',
  });
}

async function requirePrice(provider: Provider, paket: string): Promise<string> {
  const preis = await provider.priceOf(paket);
  if (preis) return preis;
  throw notSetUp({
    de: `Dem Zahlungsanbieter fehlt ein Preis mit dem Lookup-Key „${lookupKeyOf(paket)}“.`,
    en: `The payment provider lacks a price with the lookup key “${lookupKeyOf(paket)}”.`,
  });
}

/** Throws 409 when the Mandant cannot book now. */
function readBooker(context: ServiceContext, mandant: MandantId) {
  return context.db.forMandant(mandant, async (tx) => {
    const stand = await lockBuchungsstand(tx);
    const problem = stand && bookingProblem(stand);
    if (problem) throw problem;
    return {
      firma: stand?.firma ?? '',
      kunde: await readKunde(tx),
      bezahlseite: await readBezahlseite(tx),
    };
  });
}

/** The customer at the provider, made when it is needed first. */
async function requireKunde(
  { db }: ServiceContext,
  provider: Provider,
  mandant: MandantId,
  { firma, kunde }: { firma: string; kunde: string | null },
): Promise<string> {
  if (kunde) return kunde;
  const made = await provider.createCustomer(mandant, firma);
  return db.forMandant(mandant, async (tx) => {
    await insertKunde(tx, mandant, made);
    // Not `made`: another request may have stored its customer first.
    return (await readKunde(tx)) ?? made;
  });
}

/** Whether the new page is now the Mandant's; not when another request came first, or the package is booked meanwhile. */
function keepBezahlseite(
  { db, clock }: ServiceContext,
  { mandant, akteur, paket }: Booking,
  before: string | null,
  id: string,
): Promise<boolean> {
  return db.forMandant(mandant, async (tx) => {
    const stand = await lockBuchungsstand(tx);
    if (!stand || bookingProblem(stand)) return false;
    if (!(await replaceBezahlseite(tx, before, { id, paket }))) return false;
    await recordChange(tx, mandant, clock.now(), {
      akteur,
      aktion: 'buchung.begonnen',
      objekt: { art: 'mandant', id: mandant, name: stand.firma },
      nachher: { paket },
    });
    return true;
  });
}

/**
 * One look at what there is and one step on: resolves with the address of the Mandant's payment page, or with null when
 * there was something else to do first, and another look is due.
 */
async function advance(
  context: ServiceContext,
  provider: Provider,
  booking: Booking,
): Promise<string | null> {
  const { mandant, paket } = booking;
  const booker = await readBooker(context, mandant);
  const { bezahlseite } = booker;
  if (booker.kunde && bezahlseite) {
    const seen = await provider.readCheckout(bezahlseite.id);
    if (seen.status === 'open' && bezahlseite.paket === paket) return seen.adresse;
    if (seen.status === 'open' && !(await provider.expireCheckout(bezahlseite.id))) return null;
    if (seen.status === 'complete') {
      // Paid, and the callback is still on its way.
      await bringUpToDate(context, provider, mandant, booker.kunde, null);
      await context.db.forMandant(mandant, (tx) => replaceBezahlseite(tx, bezahlseite.id, null));
      return null;
    }
  }
  const preis = await requirePrice(provider, paket);
  const kunde = await requireKunde(context, provider, mandant, booker);
  const erfolg = `${pageOf(context)}?buchung=erfolgt`;
  const abbruch = `${pageOf(context)}?buchung=abgebrochen`;
  const begun = await provider.beginCheckout({ mandant, kunde, preis, paket, erfolg, abbruch });
  if (await keepBezahlseite(context, booking, bezahlseite?.id ?? null, begun.id)) return begun.adresse;
  await provider.expireCheckout(begun.id);
  return null;
}

/**
 * Resolves with the address of the payment page; while one is open, it is the same. So nobody pays twice by accident.
 * Throws 409, 422, and 502 or 503 for the provider.
 */
export async function bookPackage(
  context: ServiceContext,
  configured: Provider | null,
  booking: Booking,
): Promise<string> {
  const provider = requireProvider(configured);
  requireBookable(booking.paket);
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const adresse = await advance(context, provider, booking);
    if (adresse !== null) return adresse;
  }
  throw unavailable(
    'buchung_in_arbeit',
    {
      de: 'Der Tarif wird gerade an anderer Stelle gebucht.',
      en: 'The plan is being booked elsewhere right now.',
    },
    5,
  );
}

/** Resolves with the address of the customer portal. Throws 409 for who never booked. */
export async function openPortal(
  context: ServiceContext,
  configured: Provider | null,
  mandant: MandantId,
): Promise<string> {
  const provider = requireProvider(configured);
  const kunde = await context.db.forMandant(mandant, readKunde);
  if (!kunde)
    throw conflict('kein_kunde', {
      de: 'Sie haben noch keinen Tarif gebucht; buchen Sie zuerst einen.',
      en: 'You have not booked a plan yet; book one first.',
    });
  return provider.openPortal(kunde, pageOf(context));
}
