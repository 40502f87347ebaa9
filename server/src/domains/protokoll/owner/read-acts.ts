/** Reading the operator log, as the owner: requests have no rights to it. */
import type { BetreiberprotokollSeite, Static } from '#contracts';
import { toInstant } from '#kernel/instant.ts';
import { cursorOf, type PageQuery, pageOf } from '#platform/page.ts';
import type { Akteur } from '../akteur.ts';
import type { OperatorDatabase } from './operator-acts.ts';

type Json = Record<string, unknown>;

interface Row extends Json {
  eintrag_id: string;
  zeitpunkt: string;
  akteur_art: Akteur['art'];
  akteur_id: string | null;
  akteur_name: string | null;
  aktion: string;
  mandant: string | null;
  firma: string | null;
  objekt_art: string;
  objekt_id: string | null;
  objekt_name: string | null;
  vorher: Json | null;
  nachher: Json | null;
  adresse: string | null;
}

const cursor = cursorOf('betreiberprotokoll', 'uuid');

/** Mandanten and users stand in it by id: they have a name as long as they are there. */
const SELECT = `
  SELECT p.eintrag_id, p.zeitpunkt, p.akteur_art, p.akteur_id, p.akteur_name, p.aktion, p.mandant, m.firma, p.objekt_art, p.objekt_id,
    coalesce(p.objekt_name, CASE p.objekt_art WHEN 'benutzer' THEN b.email WHEN 'mandant' THEN m.firma END) AS objekt_name,
    p.vorher, p.nachher, p.adresse
  FROM betreiberprotokoll p LEFT JOIN mandanten m ON m.mandant_id = p.mandant
    LEFT JOIN benutzer b ON p.objekt_art = 'benutzer' AND b.mandant_id = p.mandant AND b.benutzer_id::text = p.objekt_id
  WHERE ($1::uuid IS NULL OR p.mandant = $1) AND ($2::uuid IS NULL OR p.eintrag_id < $2)
  ORDER BY p.eintrag_id DESC LIMIT $3`;

const toApi = (row: Row): Static<typeof BetreiberprotokollSeite>['eintraege'][number] => ({
  eintrag_id: row.eintrag_id,
  zeitpunkt: toInstant(row.zeitpunkt),
  akteur: { art: row.akteur_art, id: row.akteur_id, name: row.akteur_name },
  aktion: row.aktion,
  mandant: row.mandant === null ? null : { mandant_id: row.mandant, firma: row.firma },
  objekt: { art: row.objekt_art, id: row.objekt_id, name: row.objekt_name },
  vorher: row.vorher,
  nachher: row.nachher,
  adresse: row.adresse,
});

/** A page of the operator log, newest first; of one Mandant's entries where `mandant_id` says so. Throws InvalidInput for a foreign cursor. */
export async function readOperatorLog(
  db: OperatorDatabase,
  { mandant_id, limit, nach }: PageQuery & { mandant_id?: string | undefined },
): Promise<Static<typeof BetreiberprotokollSeite>> {
  const [after = null] = cursor.read(nach) ?? [];
  const found = await db.query<Row>(SELECT, [mandant_id ?? null, after, limit + 1]);
  const { rows, weiter } = pageOf(found.rows, limit, cursor, ({ eintrag_id }) => [eintrag_id]);
  return { eintraege: rows.map(toApi), weiter };
}
