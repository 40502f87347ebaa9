/** SQL of the audit log. Requests may add and read; nothing changes or removes an entry but the deletion of its Mandant. */
import { type RawBuilder, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { Akteur } from './akteur.ts';

type Json = Record<string, unknown>;

/** An entry as it is stored; `zeitpunkt` is ISO 8601 in UTC. */
export interface EintragRow {
  mandant_id: string;
  eintrag_id: string;
  zeitpunkt: string;
  akteur_art: Akteur['art'];
  akteur_id: string | null;
  akteur_name: string | null;
  aktion: string;
  objekt_art: string;
  objekt_id: string | null;
  objekt_name: string | null;
  vorher: Json | null;
  nachher: Json | null;
  adresse: string | null;
}

/** One change. `vorher` and `nachher` hold the fields that changed, and never a secret. */
export interface Eintrag {
  akteur: Akteur;
  /** Stable dotted name: what it happened to, and what. */
  aktion: string;
  objekt: { art: string; id?: string | null; name?: string | null };
  vorher?: Json | null;
  nachher?: Json | null;
}

const jsonOrNull = (value: Json | null | undefined) => (value ? JSON.stringify(value) : null);

/** Writes the entry in the transaction of the change itself: neither is ever there without the other. */
export async function recordChange(
  tx: MandantTx,
  mandant: MandantId,
  now: Date,
  { akteur, aktion, objekt, vorher, nachher }: Eintrag,
): Promise<void> {
  await tx
    .insertInto('pruefprotokoll')
    .values({
      mandant_id: mandant,
      eintrag_id: uuidv7(),
      zeitpunkt: now.toISOString(),
      akteur_art: akteur.art,
      akteur_id: akteur.id,
      akteur_name: akteur.name,
      aktion,
      objekt_art: objekt.art,
      objekt_id: objekt.id ?? null,
      objekt_name: objekt.name ?? null,
      vorher: jsonOrNull(vorher),
      nachher: jsonOrNull(nachher),
      adresse: akteur.adresse,
    })
    .execute();
}

/** Which entries are asked for; what is undefined does not narrow. */
export interface Auswahl {
  aktion: string | undefined;
  /** From this instant, ISO 8601 in UTC. */
  von: string | undefined;
  /** Before this instant. */
  bis: string | undefined;
  /** Older than the entry with this id. */
  after: string | undefined;
}

/** The newest entries first; ids are time-ordered. */
export function readEintraege(
  tx: MandantTx,
  { aktion, von, bis, after }: Auswahl,
  limit: number,
): Promise<EintragRow[]> {
  return tx
    .selectFrom('pruefprotokoll')
    .selectAll()
    .$narrowType<Pick<EintragRow, 'vorher' | 'nachher'>>()
    .$if(aktion !== undefined, (query) => query.where('aktion', '=', aktion as string))
    .$if(von !== undefined, (query) => query.where('zeitpunkt', '>=', von as string))
    .$if(bis !== undefined, (query) => query.where('zeitpunkt', '<', bis as string))
    .$if(after !== undefined, (query) => query.where('eintrag_id', '<', after as string))
    .orderBy('eintrag_id', 'desc')
    .limit(limit)
    .execute();
}

/**
 * Every action that occurs, in alphabetical order. Each is looked up in the index behind the one before: a few look-ups,
 * however long the log is.
 */
export async function readAktionen(tx: MandantTx): Promise<string[]> {
  const next = (after: RawBuilder<unknown>) => sql`
    (SELECT min(aktion) FROM pruefprotokoll WHERE mandant_id = ${tx.mandant} ${after})`;
  const { rows } = await sql<{ aktion: string }>`
    WITH RECURSIVE aktionen AS (
      SELECT ${next(sql``)} AS aktion
      UNION ALL SELECT ${next(sql`AND aktion > a.aktion`)} FROM aktionen a WHERE a.aktion IS NOT NULL)
    SELECT aktion FROM aktionen WHERE aktion IS NOT NULL ORDER BY aktion`.execute(tx);
  return rows.map(({ aktion }) => aktion);
}

/** Whether something was ever done to what had these fields before. */
export async function wasDone(
  tx: MandantTx,
  aktion: string,
  vorher: Record<string, string>,
): Promise<boolean> {
  const found = await tx
    .selectFrom('pruefprotokoll')
    .select('eintrag_id')
    .where('mandant_id', '=', tx.mandant)
    .where('aktion', '=', aktion)
    .where(sql<boolean>`vorher @> ${JSON.stringify(vorher)}::jsonb`)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
