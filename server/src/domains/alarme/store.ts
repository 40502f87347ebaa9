/** SQL of alarms and their deliveries. Instants go in and come out as ISO 8601 in UTC. */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { AlarmKanal, AlarmStatus, Stufe } from '#contracts';
import type { Sentence } from '#kernel/sentence.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { Tables } from '#platform/database/schema/tables.ts';

export type AlarmRow = Omit<Tables['alarme'], 'stufe' | 'zeitpunkt'> & { stufe: Stufe; zeitpunkt: string };
export type ZustellungRow = Omit<Tables['alarm_zustellungen'], 'versuche'> & { versuche: number };

const alarms = (tx: MandantTx) =>
  tx
    .selectFrom('alarme')
    .selectAll()
    .$narrowType<{ stufe: Stufe }>()
    .where('alarme.mandant_id', '=', tx.mandant);

export const readAlarm = (tx: MandantTx, alarmId: string): Promise<AlarmRow | undefined> =>
  alarms(tx).where('alarm_id', '=', alarmId).executeTakeFirst();

/** The alarm, for the job that distributes it; undefined when one has. */
export const takeUndistributed = (tx: MandantTx, alarmId: string): Promise<AlarmRow | undefined> =>
  alarms(tx).where('alarm_id', '=', alarmId).where('verteilt_am', 'is', null).forUpdate().executeTakeFirst();

/** The alarm that this all-clear is about. */
export const readRaised = (tx: MandantTx, ursache: string): Promise<AlarmRow | undefined> =>
  alarms(tx).where('ursache', '=', ursache).where('art', '=', 'alarm').executeTakeFirst();

/** Which alarms are asked for; what is undefined does not narrow. */
export interface AlarmAuswahl {
  art: AlarmRow['art'] | undefined;
  stufe: Stufe | undefined;
  /** Of a delivery. */
  kanal: AlarmKanal | undefined;
  status: AlarmStatus | undefined;
  /** From this instant, ISO 8601 in UTC. */
  von: string | undefined;
  /** Before this instant. */
  bis: string | undefined;
  /** Older than the one with this id. */
  after: string | undefined;
}

/** Whether one of its deliveries is of this kind. */
const hasDelivery = (tx: MandantTx, { kanal, status }: AlarmAuswahl) => sql<boolean>`
  EXISTS (SELECT FROM alarm_zustellungen z WHERE z.mandant_id = ${tx.mandant} AND z.alarm_id = alarme.alarm_id
    AND (${kanal ?? null}::text IS NULL OR z.kanal = ${kanal ?? null})
    AND (${status ?? null}::text IS NULL OR z.status = ${status ?? null}))`;

/** The newest ones first; ids are time-ordered. */
export function listAlarme(tx: MandantTx, auswahl: AlarmAuswahl, limit: number): Promise<AlarmRow[]> {
  const { art, stufe, kanal, status, von, bis, after } = auswahl;
  return alarms(tx)
    .$if(art !== undefined, (query) => query.where('art', '=', art as AlarmRow['art']))
    .$if(stufe !== undefined, (query) => query.where('stufe', '=', stufe as string))
    .$if(von !== undefined, (query) => query.where('zeitpunkt', '>=', von as string))
    .$if(bis !== undefined, (query) => query.where('zeitpunkt', '<', bis as string))
    .$if(after !== undefined, (query) => query.where('alarm_id', '<', after as string))
    .$if((kanal ?? status) !== undefined, (query) => query.where(hasDelivery(tx, auswahl)))
    .orderBy('alarm_id', 'desc')
    .limit(limit)
    .execute();
}

/** How many there were from then to this one, included; as far as `most`. */
export async function countAlarms(
  tx: MandantTx,
  since: Date,
  { alarm_id }: Pick<AlarmRow, 'alarm_id'>,
  most: number,
): Promise<number> {
  const rows = await tx
    .selectFrom('alarme')
    .select('alarm_id')
    .where('mandant_id', '=', tx.mandant)
    .where('zeitpunkt', '>', since.toISOString())
    .where('alarm_id', '<=', alarm_id)
    .where('art', '<>', 'sammlung')
    .limit(most)
    .execute();
  return rows.length;
}

export async function noteDistributed(
  tx: MandantTx,
  alarmId: string,
  columns: Pick<AlarmRow, 'verteilt_am' | 'gehalten_bis'>,
): Promise<void> {
  await tx
    .updateTable('alarme')
    .set(columns)
    .where('mandant_id', '=', tx.mandant)
    .where('alarm_id', '=', alarmId)
    .execute();
}

/** Those whose time has come, those about the most money first; nobody else takes them until the transaction ends. */
export const takeHeld = (tx: MandantTx, now: Date): Promise<AlarmRow[]> =>
  alarms(tx)
    .where('gehalten_bis', '<=', now.toISOString())
    .where('sammlung_id', 'is', null)
    .orderBy('betrag_eur', (order) => order.desc().nullsLast())
    .orderBy('alarm_id')
    .forUpdate()
    .execute();

/** When the first of those comes that are held still; null when there are none. */
export async function nextHeld(tx: MandantTx): Promise<string | null> {
  const { next } = await tx
    .selectFrom('alarme')
    .select(({ fn }) => fn.min('gehalten_bis').as('next'))
    .where('mandant_id', '=', tx.mandant)
    .where('gehalten_bis', 'is not', null)
    .where('sammlung_id', 'is', null)
    .executeTakeFirstOrThrow();
  return next;
}

/** Puts in a digest of these. */
export async function insertSammlung(
  tx: MandantTx,
  held: AlarmRow[],
  {
    titel,
    text,
    pfad,
    stufe,
    now,
  }: Pick<AlarmRow, 'pfad' | 'stufe'> & {
    titel: Sentence;
    text: Sentence;
    now: Date;
  },
): Promise<string> {
  const alarm_id = uuidv7();
  await tx
    .insertInto('alarme')
    .values({
      mandant_id: tx.mandant,
      alarm_id,
      art: 'sammlung',
      ursache: `sammlung:${alarm_id}`,
      stufe,
      titel_de: titel.de,
      titel_en: titel.en,
      text_de: text.de,
      text_en: text.en,
      pfad,
      zeitpunkt: now.toISOString(),
    })
    .execute();
  const ids = held.map((row) => row.alarm_id);
  await tx
    .updateTable('alarme')
    .set({ sammlung_id: alarm_id })
    .where('mandant_id', '=', tx.mandant)
    .where('alarm_id', 'in', ids)
    .execute();
  return alarm_id;
}

const deliveries = (tx: MandantTx) =>
  tx.selectFrom('alarm_zustellungen').selectAll().where('alarm_zustellungen.mandant_id', '=', tx.mandant);

/** Puts in a delivery for each channel; resolves with their ids. */
export async function insertZustellungen(
  tx: MandantTx,
  alarmId: string,
  kanaele: AlarmKanal[],
  { now, frist }: { now: Date; frist: Date },
): Promise<string[]> {
  const rows = kanaele.map((kanal) => ({
    mandant_id: tx.mandant,
    zustellung_id: uuidv7(),
    alarm_id: alarmId,
    kanal,
    status: 'wartet' as const,
    frist: frist.toISOString(),
    erstellt_am: now.toISOString(),
  }));
  if (rows.length > 0) await tx.insertInto('alarm_zustellungen').values(rows).execute();
  return rows.map(({ zustellung_id }) => zustellung_id);
}

/** A delivery, and nobody else changes it until the transaction ends. */
export const lockZustellung = (tx: MandantTx, zustellungId: string): Promise<ZustellungRow | undefined> =>
  deliveries(tx).where('zustellung_id', '=', zustellungId).forUpdate().executeTakeFirst();

/** The deliveries of alarms, in the order of their channels' names. */
export const readZustellungen = (tx: MandantTx, alarmIds: string[]): Promise<ZustellungRow[]> =>
  alarmIds.length === 0
    ? Promise.resolve([])
    : deliveries(tx).where('alarm_id', 'in', alarmIds).orderBy('alarm_id').orderBy('kanal').execute();

/** What a delivery has come to, unless somebody has decided upon it meanwhile. */
export async function noteAttempt(
  tx: MandantTx,
  zustellungId: string,
  {
    status,
    antwortStatus = null,
    fehler = null,
    now,
    versuche,
  }: {
    status: AlarmStatus;
    antwortStatus?: number | null;
    fehler?: Sentence | null;
    now: Date;
    /** Attempts that it took. */
    versuche: 0 | 1;
  },
): Promise<void> {
  await tx
    .updateTable('alarm_zustellungen')
    .set({
      status,
      antwort_status: antwortStatus,
      fehler_de: fehler?.de ?? null,
      fehler_en: fehler?.en ?? null,
      versucht_am: now.toISOString(),
      versuche: sql`versuche + ${versuche}`,
    })
    .where('mandant_id', '=', tx.mandant)
    .where('zustellung_id', '=', zustellungId)
    .where('status', '=', 'wartet')
    .execute();
}

/** Begins a delivery anew. */
export async function reopenZustellung(
  tx: MandantTx,
  zustellungId: string,
  frist: Date,
): Promise<ZustellungRow> {
  return tx
    .updateTable('alarm_zustellungen')
    .set({ status: 'wartet', frist: frist.toISOString() })
    .where('mandant_id', '=', tx.mandant)
    .where('zustellung_id', '=', zustellungId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
