/** Booking: the way to the payment provider. What is booked comes back by its callback (`zahlungen.ts`). */
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { conflict } from '#kernel/errors.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Provider } from '../provider.ts';
import { bookingProblem, lookupKeyOf, requireBookable } from '../rules.ts';
import { insertKunde, lockBuchungsstand, readKunde } from '../store.ts';

/** Where the cockpit shows the package; the browser comes back there. */
const pageOf = ({ config }: ServiceContext): string => `${config.baseUrl}/einstellungen/paket`;

const notSetUp = (what: string) =>
  conflict('buchung_nicht_eingerichtet', `Pakete lassen sich hier nicht buchen: ${what}`);

/** Throws 409 when the installation has no account at the payment provider. */
export function requireProvider(provider: Provider | null): Provider {
  if (provider) return provider;
  throw notSetUp(
    'Dazu setzt der Betreiber STRIPE_SECRET_KEY und STRIPE_WEBHOOK_SECRET. Ohne sie kommt das Paket aus der Lizenz der Installation (LIZENZ).',
  );
}

async function requirePrice(provider: Provider, paket: string): Promise<string> {
  const preis = await provider.priceOf(paket);
  if (preis) return preis;
  throw notSetUp(`Dem Zahlungsanbieter fehlt ein Preis mit dem Lookup-Key „${lookupKeyOf(paket)}“.`);
}

/** Throws 409 when the Mandant cannot book now. */
function readBooker(context: ServiceContext, mandant: MandantId) {
  return context.db.forMandant(mandant, async (tx) => {
    const stand = await lockBuchungsstand(tx);
    const problem = stand && bookingProblem(stand);
    if (problem) throw problem;
    return { firma: stand?.firma ?? '', kunde: await readKunde(tx) };
  });
}

/** Resolves with the address of the payment page. Throws 409, 422, and 502 or 503 for the provider. */
export async function bookPackage(
  context: ServiceContext,
  configured: Provider | null,
  mandant: MandantId,
  akteur: Akteur,
  paket: string,
): Promise<string> {
  const provider = requireProvider(configured);
  requireBookable(paket);
  const { firma, kunde: known } = await readBooker(context, mandant);
  const preis = await requirePrice(provider, paket);
  const made = known ?? (await provider.createCustomer(mandant, firma));
  const kunde = await context.db.forMandant(mandant, async (tx) => {
    if (!known) await insertKunde(tx, mandant, made);
    await recordChange(tx, mandant, context.clock.now(), {
      akteur,
      aktion: 'buchung.begonnen',
      objekt: { art: 'mandant', id: mandant, name: firma },
      nachher: { paket },
    });
    // Not `made`: another request may have stored its customer first.
    return (await readKunde(tx)) ?? made;
  });
  const erfolg = `${pageOf(context)}?buchung=erfolgt`;
  const abbruch = `${pageOf(context)}?buchung=abgebrochen`;
  return provider.beginCheckout({ mandant, kunde, preis, paket, erfolg, abbruch });
}

/** Resolves with the address of the customer portal. Throws 409 for who never booked. */
export async function openPortal(
  context: ServiceContext,
  configured: Provider | null,
  mandant: MandantId,
): Promise<string> {
  const provider = requireProvider(configured);
  const kunde = await context.db.forMandant(mandant, readKunde);
  if (!kunde) throw conflict('kein_kunde', 'Sie haben noch kein Paket gebucht; buchen Sie zuerst eines.');
  return provider.openPortal(kunde, pageOf(context));
}
