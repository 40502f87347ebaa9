/** SQL of booking. Instants go in and come out as ISO 8601 in UTC. */
import { toInstantOrNull } from '#kernel/instant.ts';
import type { MandantTx, RequestClient } from '#platform/database/index.ts';
import type { Buchungsstand } from './rules.ts';

/** From when on single calls are there; null while all of them are. Of the installation, not of a Mandant. */
export async function readEventsFrom(tx: MandantTx): Promise<string | null> {
  const row = await tx.selectFrom('aufbewahrung').select('ereignisse_ab').executeTakeFirst();
  return toInstantOrNull(row?.ereignisse_ab ?? null);
}

/** The customer at the payment provider; null when the Mandant never booked. */
export async function readKunde(tx: MandantTx): Promise<string | null> {
  const row = await tx.selectFrom('buchungen').select('kunde').executeTakeFirst();
  return row?.kunde ?? null;
}

/** Keeps the customer; of two that were made at once the first stays. */
export async function insertKunde(tx: MandantTx, mandant: string, kunde: string): Promise<void> {
  await tx
    .insertInto('buchungen')
    .values({ mandant_id: mandant, kunde })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The payment page that was opened last; null when none was, or when it has led to something. */
export async function readBezahlseite(tx: MandantTx): Promise<{ id: string; paket: string } | null> {
  const row = await tx
    .selectFrom('buchungen')
    .select(['bezahlseite', 'bezahlseite_paket'])
    .executeTakeFirst();
  const { bezahlseite: id, bezahlseite_paket: paket } = row ?? {};
  return id && paket ? { id, paket } : null;
}

/** Puts a payment page in the place of `before`; false when that is not the one any more. Of several at once one gets true. */
export async function replaceBezahlseite(
  tx: MandantTx,
  before: string | null,
  after: { id: string; paket: string } | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('buchungen')
    .set({ bezahlseite: after?.id ?? null, bezahlseite_paket: after?.paket ?? null })
    .where('bezahlseite', 'is not distinct from', before)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** The Mandant of a customer, asked before it is known who that is. */
export async function findMandant(client: RequestClient, kunde: string): Promise<string | undefined> {
  return (await client.ask('zw_kunde_finden', kunde))?.mandant_id;
}

export interface Zahlungsereignis {
  ereignis: string;
  art: string;
  empfangen_am: string;
}

export async function isApplied(tx: MandantTx, ereignis: string): Promise<boolean> {
  const row = await tx
    .selectFrom('zahlungsereignisse')
    .select('ereignis')
    .where('ereignis', '=', ereignis)
    .executeTakeFirst();
  return row !== undefined;
}

/** False when the event was there before. */
export async function insertEreignis(
  tx: MandantTx,
  mandant: string,
  ereignis: Zahlungsereignis,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('zahlungsereignisse')
    .values({ mandant_id: mandant, ...ereignis })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** A reading that is about to begin. */
export interface Lesung {
  nummer: number | string;
  /** The subscription that counts until then. */
  abonnement: string | null;
}

/** Draws the number of a reading; null when the Mandant is gone. */
export async function drawLesung(tx: MandantTx): Promise<Lesung | null> {
  const row = await tx
    .updateTable('buchungen')
    .set((eb) => ({ lesung: eb('lesung', '+', 1) }))
    .returning(['lesung as nummer', 'abonnement'])
    .executeTakeFirst();
  return row ?? null;
}

/** Whether a later reading has been applied. */
export async function isOvertaken(tx: MandantTx, nummer: Lesung['nummer']): Promise<boolean> {
  const row = await tx.selectFrom('buchungen').select('stand').where('stand', '<', nummer).executeTakeFirst();
  return row === undefined;
}

/** Notes that a reading is applied now; false when a later one has been. */
export async function advanceStand(
  tx: MandantTx,
  nummer: Lesung['nummer'],
  abonnement: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('buchungen')
    .set({ stand: nummer, abonnement })
    .where('stand', '<', nummer)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/**
 * What the Mandant has, locked until the end of the transaction: events are applied one after the other, and not while the Mandant is being removed. Undefined when it is gone.
 */
export function lockBuchungsstand(tx: MandantTx): Promise<(Buchungsstand & { firma: string }) | undefined> {
  return tx
    .selectFrom('mandanten')
    .select(['firma', 'paket', 'paket_bis', 'paket_quelle', 'abrechnungsstatus'])
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function updateBuchungsstand(tx: MandantTx, stand: Buchungsstand): Promise<void> {
  await tx.updateTable('mandanten').set(stand).execute();
}
